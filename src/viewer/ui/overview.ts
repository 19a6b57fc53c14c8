// The head of the page: whose run this is, how it came out, whether its trace holds, and its figures.
import { CAPABILITY_WORDS, LEAF_WORDS, wordsCover } from "../../contract/capability.js";
import { formatRect } from "../../contract/geometry.js";
import type { Usage } from "../../contract/journal-records.js";
import { RUN_CODES, type RunCodeName } from "../../diagnostics/run-codes.js";
import type { TraceReport } from "../../journal/index.js";
import { cut } from "../model/row.js";
import { wordsOf } from "../model/rule.js";
import type { Totals } from "../model/totals.js";
import { formatCount, formatDuration, plural, shortDigest } from "../model/words.js";
import { all, type Child, type Html, h } from "./html.js";
import { logo } from "./icon.js";

/** What reading the trace showed: the reader's judgement, not the trace's own word. */
export interface Judgement {
  readonly report: TraceReport;
  /** Absent when the trace is whole and ended. */
  readonly problem?: {
    /** In the chain of records, in a kept file that a record names, or no end. */
    readonly kind: "chain" | "kept" | "end";
    /** What is wrong, in one sentence. */
    readonly text: string;
    /** The first record that is not intact; where the end is missing, the record that is not there. */
    readonly index: number;
  };
}

const OUTCOMES: Readonly<Record<string, string>> = {
  completed: "completed",
  model_refused: "the model refused",
  turn_limit: "turns spent",
  budget: "budget spent",
  stuck: "stuck",
  stopped: "stopped",
  truncated: "cut short",
  violation: "violation",
  failed: "failed",
};

/** When the run began, for people: the day and the time of the record, which are in UTC. */
function startText(at: string): string {
  const found = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(at);
  return found ? `${found[1]} ${found[2]} UTC` : at;
}

function badges({ ended }: Totals, { problem, report }: Judgement): Html {
  const outcome = ended ? (OUTCOMES[ended.outcome] ?? ended.outcome) : "no end on record";
  const isGood = ended?.outcome === "completed";
  const verified = problem === undefined;
  return h(
    "p",
    { class: "badges" },
    h("span", { class: `pill ${isGood ? "ok" : "deny"}` }, `${isGood ? "●" : "■"} ${outcome}`),
    h(
      "span",
      { class: `pill ${verified ? "ok" : "deny"}` },
      verified
        ? `✓ verified, ${plural(report.records, "record")}`
        : `✕ not intact: ${plural(report.records, "record")} verified`,
    ),
  );
}

/** A figure with its name and a line below it. */
function figure(name: string, value: Child, below: Child = ""): Html {
  return h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, value), h("small", {}, below)));
}

function shareBar(parts: readonly (readonly [string, number])[]): Html {
  const total = parts.reduce((sum, [, value]) => sum + value, 0) || 1;
  let x = 0;
  const bars = parts.map(([className, value]) => {
    const width = (value / total) * 100;
    const bar = h("rect", {
      class: className,
      x: `${x.toFixed(2)}%`,
      width: `${width.toFixed(2)}%`,
      height: 4,
    });
    x += width;
    return bar;
  });
  return h("svg", { class: "share", width: "100%", height: 4, "aria-hidden": "true" }, ...bars);
}

function figures(totals: Totals): Html {
  const { actions, opened, ended } = totals;
  const length = Math.max(0, totals.lastAt - totals.firstAt);
  const count = actions.allow + actions.deny + actions.not_executed;
  const usage = ended?.usage ?? totals.usage;
  const limits = opened?.limits;
  const used = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
  const other = Math.max(0, length - totals.modelMs - totals.actingMs);
  return h(
    "dl",
    { class: "figures" },
    figure(
      "Duration",
      formatDuration(length),
      all(
        shareBar([
          ["model", totals.modelMs],
          ["acting", totals.actingMs],
          ["other", other],
        ]),
        `model ${formatDuration(totals.modelMs)}, acting ${formatDuration(totals.actingMs)}`,
      ),
    ),
    figure("Turns", formatCount(totals.turns), retryText(totals)),
    figure(
      "Actions",
      formatCount(count),
      all(
        shareBar([
          ["ok", actions.allow],
          ["deny", actions.deny],
          ["skip", actions.not_executed],
        ]),
        actionsText(totals),
      ),
    ),
    figure(
      "Events",
      formatCount(ended?.events ?? totals.events),
      limits ? `charged of ${formatCount(limits.maxEvents)}` : `charged, ${formatCount(totals.events)} sent`,
    ),
    figure("Tokens", formatCount(used), tokensText(totals, usage)),
  );
}

function actionsText({ actions, opened }: Totals): string {
  const max = opened?.limits?.maxActions;
  return [
    `${formatCount(actions.allow)} allowed${max === undefined ? "" : ` of ${formatCount(max)}`}`,
    `${formatCount(actions.deny)} refused`,
    ...(actions.not_executed > 0 ? [`${formatCount(actions.not_executed)} not executed`] : []),
  ].join(", ");
}

function tokensText({ countedTokens }: Totals, usage: Usage): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  // A script bills nothing: then what its requests were counted to hold says more.
  if (read + outputTokens === 0 && countedTokens > 0) return `${formatCount(countedTokens)} counted`;
  const cached = cacheReadTokens > 0 ? `, ${formatCount(cacheReadTokens)} from cache` : "";
  return `${formatCount(read)} in, ${formatCount(outputTokens)} out${cached}`;
}

function retryText({ retries, retryWaitMs, prunedImages }: Totals): string {
  const texts = [
    retries > 0 ? `${plural(retries, "retry", "retries")}, ${formatDuration(retryWaitMs)} waited` : "",
    prunedImages > 0 ? `${plural(prunedImages, "picture")} pruned` : "",
  ].filter((text) => text !== "");
  return texts.length > 0 ? texts.join("; ") : "of the model";
}

/** Every leaf of the vocabulary, granted or not: what the agent could not do is as telling as what it could. */
function words({ started }: Totals): Html {
  const granted = wordsOf(started?.capability ?? "");
  const chips = LEAF_WORDS.map((word) => {
    const has = wordsCover(granted, word);
    const name = word.replace(/^computer\./, "");
    return h(
      "li",
      { class: has ? "granted" : "withheld", title: CAPABILITY_WORDS[word] },
      h("span", { class: "hidden" }, has ? "granted: " : "not granted: "),
      name,
    );
  });
  return h("ul", { class: "words", "aria-label": "Capability words" }, ...chips);
}

const CONSEQUENCES = {
  chain:
    "This page shows the records before that, which were verified while reading; nothing after it is shown or counted.",
  kept: "The chain of records holds; a kept file that does not match its record is not shown.",
  end: "What is shown was verified, but how the run went on and ended is not on record.",
} as const;

export function banner({ problem, report }: Judgement): Html {
  if (problem === undefined) return all();
  return h(
    "div",
    { class: "banner", role: "alert" },
    h("strong", {}, `This trace is not intact. First bad record: ${problem.index}.`),
    ` ${plural(report.records, "record")} verified; ${problem.text}. ${CONSEQUENCES[problem.kind]}`,
  );
}

export function overview(totals: Totals, judgement: Judgement): Html {
  const { started, opened } = totals;
  const desktop = opened
    ? `${cut(opened.kind, 64)} desktop ${opened.size.width} × ${opened.size.height}`
    : "no desktop";
  const meta = [
    desktop,
    started ? cut(started.model, 160) : "",
    started ? cut(started.tool, 64) : "",
    started ? startText(started.at) : "",
  ].filter((text) => text !== "");
  return h(
    "header",
    { class: "top" },
    h(
      "div",
      { class: "title" },
      logo(),
      h(
        "div",
        {},
        h("p", { class: "brand" }, "Capuchin · report of a run"),
        h("h1", {}, started ? cut(started.agent, 120) : "Unknown agent"),
      ),
      badges(totals, judgement),
    ),
    h("p", { class: "meta" }, ...meta.flatMap((text, index) => (index > 0 ? [" · ", text] : [text]))),
    words(totals),
    figures(totals),
  );
}

/** Everything that is known of the run as a whole, for the panel and for print. */
export function facts(totals: Totals, { report }: Judgement): Html {
  const { started, opened, ended, codes } = totals;
  const limits = opened?.limits;
  const pairs: (readonly [string, Child] | undefined)[] = [
    ended
      ? [
          "Outcome",
          `${ended.outcome}${ended.code === undefined ? "" : `, ${cut(ended.code, 64)}`}${ended.message ? `: ${ended.message}` : ""}`,
        ]
      : ["Outcome", "the trace has no end"],
    ...[...codes]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([code, count]) => [`${formatCount(count)} × ${code}`, titleOf(code)] as const),
    started ? ["Capability", cut(started.capability, 300)] : undefined,
    limits
      ? ["Bounds", `${formatRect(limits.bounds)} of ${limits.viewport.width} × ${limits.viewport.height}`]
      : undefined,
    limits
      ? ["On violation", limits.onViolation === "abort" ? "the run ends" : "refused, the run goes on"]
      : undefined,
    limits ? ["Denied keys", limits.denyKeys.length === 0 ? "none" : limits.denyKeys.join(", ")] : undefined,
    started
      ? [
          "Spec entry",
          all(
            h("code", {}, shortDigest(started.entryDigest)),
            started.derived ? " derived from the class, without a build" : " from a built spec",
          ),
        ]
      : undefined,
    started ? ["Goal", `${plural(started.goal.length, "character")}, withheld`] : undefined,
    started ? ["Run id", h("code", {}, cut(started.runId, 200))] : undefined,
    started ? ["Written by", cut(started.generator, 100)] : undefined,
    totals.troubled > 0 ? ["Not committed", plural(totals.troubled, "receipt")] : undefined,
    totals.violations > 0 ? ["Violations", formatCount(totals.violations)] : undefined,
    totals.pauses > 0 ? ["Pauses", formatCount(totals.pauses)] : undefined,
    totals.endorsements > 0
      ? ["Trusted", `${plural(totals.endorsements, "text")} of screen or model`]
      : undefined,
    totals.pictureTokens > 0 ? ["Picture tokens", formatCount(totals.pictureTokens)] : undefined,
    ["Head", h("code", {}, report.head)],
  ];
  const items = pairs.flatMap((pair) => (pair ? [h("dt", {}, pair[0]), h("dd", {}, pair[1])] : []));
  return h(
    "section",
    { class: "about", id: "about", "aria-label": "About this run" },
    h("h2", {}, "About this run"),
    h("dl", { class: "facts" }, ...items),
    h(
      "p",
      { class: "quiet" },
      "Verified by the exporter while reading: each record's hash, its link to the one before, and the content of each frame. " +
        "A chain cannot show that whole records were cut off its end or that all of it was written anew: compare the head with the one that the run printed.",
    ),
  );
}

function titleOf(code: string): string {
  return Object.hasOwn(RUN_CODES, code) ? RUN_CODES[code as RunCodeName].title : "a code outside the table";
}
