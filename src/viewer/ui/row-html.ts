// One row of the list: a line to be read at a glance, and its details, which a script moves into the panel and which
// stand below the line in print and without a script.
import { type ActionRow, cut, type NoteRow, type Row, type TurnRow } from "../model/row.js";
import {
  actionDetail,
  actionTitle,
  formatBytes,
  formatCount,
  formatDuration,
  formatMoment,
  plural,
} from "../model/words.js";
import type { FramePlan } from "./frames.js";
import { all, type Child, type Html, h } from "./html.js";
import { icon, iconOf } from "./icon.js";

/** The colour of a row: one of a closed list, and the class that the style sheet knows. */
export type RowTone = "ok" | "warn" | "deny" | "skip" | "bad" | "plain" | "good" | "turn";

export function toneOf(row: Row): RowTone {
  if (row.kind === "turn") return "turn";
  if (row.kind === "note") return row.tone;
  if (row.verdict === "deny") return "deny";
  if (row.verdict === "not_executed") return "skip";
  if (row.receipt && row.receipt.status !== "committed") return "bad";
  const effect = row.verification?.effect;
  return effect === undefined || effect === "confirmed" ? "ok" : "warn";
}

const SIGNS: Readonly<Record<RowTone, string>> = {
  ok: "✓",
  warn: "✓",
  deny: "✕",
  skip: "⊘",
  bad: "!",
  plain: "·",
  good: "●",
  turn: "",
};

const VERDICTS = { allow: "Allowed", deny: "Refused", not_executed: "Not executed" } as const;

const EFFECTS: Readonly<Record<string, string>> = {
  confirmed: "confirmed",
  partial: "partial",
  unverifiable: "not verifiable",
  suspected_noop: "no change seen",
};

/** What became of an action, in a word or two. */
export function stateOf(row: ActionRow): string {
  if (row.verdict === "deny") return row.code ?? "refused";
  if (row.verdict === "not_executed") return "not executed";
  if (row.receipt && row.receipt.status !== "committed") return row.receipt.code ?? row.receipt.status;
  const effect = row.verification?.effect;
  if (effect !== undefined) return EFFECTS[effect] ?? effect;
  return row.receipt ? "done" : "no receipt";
}

function moment(ms: number): Html {
  return h("span", { class: "time" }, formatMoment(ms));
}

function lineOf(row: Row, index: number): Html {
  const tone = toneOf(row);
  if (row.kind === "turn") {
    const took = row.reply && row.request ? formatDuration(row.reply.at - row.request.at) : "no reply";
    return h(
      "a",
      { class: "line", href: `#r${index}` },
      icon("turn"),
      h(
        "span",
        { class: "what" },
        h("b", {}, `Turn ${row.turn}`),
        ...turnBadges(row).flatMap((badge) => [" ", badge]),
      ),
      h("span", { class: "state" }, `model ${took}`),
      moment(row.at),
    );
  }
  const sign = h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tone]);
  if (row.kind === "note") {
    return h(
      "a",
      { class: "line", href: `#r${index}` },
      sign,
      icon("note"),
      h("span", { class: "what" }, h("b", {}, row.title), " ", h("span", { class: "arg" }, row.text)),
      moment(row.at),
    );
  }
  return h(
    "a",
    { class: "line", href: `#r${index}` },
    sign,
    h("span", { class: "hidden" }, `${VERDICTS[row.verdict]}: `),
    icon(iconOf(row.name)),
    h(
      "span",
      { class: "what" },
      h("b", {}, actionTitle(row.name)),
      " ",
      h("span", { class: "arg" }, actionDetail(row.input)),
    ),
    h("span", { class: "state" }, stateOf(row)),
    moment(row.at),
  );
}

function turnBadges(row: TurnRow): Html[] {
  const badges = [
    row.retryCount > 0 ? plural(row.retryCount, "retry", "retries") : "",
    row.prunedImages > 0 ? `${plural(row.prunedImages, "picture")} pruned` : "",
  ];
  return badges.filter((text) => text !== "").map((text) => h("span", { class: "badge" }, text));
}

type Pair = readonly [string, Child];

function list(pairs: readonly (Pair | undefined)[], className = "facts"): Html {
  const items = pairs.flatMap((pair) => (pair ? [h("dt", {}, pair[0]), h("dd", {}, pair[1])] : []));
  return h("dl", { class: className }, ...items);
}

function step(at: number, from: number, title: string, text: Child, className = ""): Html {
  const offset = at - from;
  const sign = offset < 0 ? "−" : "+";
  return h(
    "li",
    { class: className || undefined },
    h("span", { class: "time" }, `${sign}${formatDuration(Math.abs(offset))}`),
    h("b", {}, title),
    // A bare text is a cell of its own: an element less in each of many thousand steps.
    typeof text === "string" ? ` ${text}` : all(" ", h("span", {}, text)),
  );
}

function frameLink(plan: FramePlan, digest: string | undefined): Child {
  const frame = digest === undefined ? undefined : plan.get(digest);
  if (!frame) return "a frame outside this page";
  return h("a", { class: "frame-link", href: `#f${frame.number}` }, `frame ${frame.number}`);
}

/** From the request that led to an action to what the model was told of it, in the order of time. */
function stepsOf(row: ActionRow, plan: FramePlan): Html {
  const { at, requestAt, replyAt, intent, receipt, verification, told } = row;
  const steps: Html[] = [];
  if (requestAt !== undefined) steps.push(step(requestAt, at, "Request", "sent to the model"));
  if (replyAt !== undefined) steps.push(step(replyAt, at, "Reply", "proposed the action"));
  steps.push(
    h(
      "li",
      { class: row.verdict === "allow" ? "ok" : "deny" },
      h("span", { class: "time" }, formatMoment(at)),
      h("b", {}, "Verdict"),
      ` ${VERDICTS[row.verdict].toLowerCase()}${row.code === undefined ? "" : `, ${row.code}`}`,
    ),
  );
  if (row.violation) {
    const { violation, fatal } = row.violation;
    steps.push(
      step(
        row.violation.at,
        at,
        "Violation",
        `${violation}${fatal ? "; it ends the run" : "; the run goes on"}`,
        "deny",
      ),
    );
  }
  if (intent) steps.push(step(intent.at, at, "Intent", "on disk, before the first event"));
  if (receipt) {
    const code = receipt.code === undefined ? "" : ` (${receipt.code})`;
    const why = receipt.reason === undefined ? "" : `: ${receipt.reason}`;
    const text = `${receipt.status}${code}, ${plural(receipt.events, "event")} sent${why}`;
    steps.push(step(receipt.at, at, "Receipt", text, receipt.status === "committed" ? "ok" : "deny"));
  }
  if (verification) {
    const { effect, outcome, detail } = verification;
    const text = `${EFFECTS[effect] ?? effect} (${outcome}${detail === "" ? "" : `: ${detail}`})`;
    steps.push(step(verification.at, at, "Second look", text, effect === "confirmed" ? "ok" : "warn"));
  }
  if (told) {
    const shown = told.frame === undefined ? "" : all(", and shown ", frameLink(plan, told.frame));
    steps.push(step(told.at, at, "Answer", all(told.isError ? "given as an error" : "given", shown)));
  }
  return h("ol", { class: "steps" }, ...steps);
}

function toldOf(row: ActionRow): Child {
  if (row.told) {
    const text = row.told.text === "" ? "(a picture only)" : row.told.text;
    return h("blockquote", { class: row.told.isError ? "error" : undefined }, text);
  }
  const why =
    row.source === "agent"
      ? "Nothing: the agent's own code acted."
      : "The trace holds no answer to this call.";
  return h("p", { class: "quiet" }, why);
}

function ruleOf(row: ActionRow): Html {
  return h(
    "section",
    { class: `rule ${toneOf(row)}` },
    h("h4", {}, row.rule.title),
    list(
      row.rule.points.map(({ label, text }) => [label, text] as const),
      "points",
    ),
  );
}

function actionDetails(row: ActionRow, plan: FramePlan): Child[] {
  const by = row.source === "model" ? "proposed by the model" : "by the agent's own code";
  const turn = row.turn === 0 ? "" : ` · turn ${row.turn}`;
  const { before, after } = row;
  return [
    h("p", { class: "quiet" }, `Action ${row.number}${turn} · ${by} · record ${row.seq}`),
    ruleOf(row),
    h("h4", {}, "Step by step"),
    stepsOf(row, plan),
    h("h4", {}, "What the model was told"),
    toldOf(row),
    list([
      before ? ["Before", frameLink(plan, before.digest)] : undefined,
      after ? ["After", frameLink(plan, after.digest)] : undefined,
      ["Took", formatDuration(row.end - row.at)],
      row.pointer ? ["Pointer", `left at ${row.pointer.x}, ${row.pointer.y} by an action before`] : undefined,
      ["Action id", h("code", {}, row.actionId)],
      row.callId === undefined ? undefined : ["Call id", h("code", {}, row.callId)],
    ]),
  ];
}

function requestFacts(row: TurnRow): (Pair | undefined)[] {
  const { request, reply } = row;
  const tokens = request?.tokens;
  return [
    request
      ? [
          "Request",
          `${plural(request.messages, "message")}, ${plural(request.images, "picture")}, ${formatBytes(request.bytes)}`,
        ]
      : undefined,
    tokens
      ? [
          "Counted before",
          `${formatCount(tokens.text)} text + ${formatCount(tokens.images)} pictures + ${formatCount(tokens.tool)} tool tokens`,
        ]
      : undefined,
    reply
      ? ["Reply", `${reply.stopReason}, ${plural(reply.textLength, "character")} of text`]
      : ["Reply", "none"],
    reply
      ? [
          "Calls",
          reply.callCount === 0
            ? "none"
            : `${reply.calls.join(", ")}${reply.callCount > reply.calls.length ? ` and ${reply.callCount - reply.calls.length} more` : ""}`,
        ]
      : undefined,
    reply ? ["Tokens in", formatCount(reply.inputTokens)] : undefined,
    reply ? ["Tokens out", formatCount(reply.outputTokens)] : undefined,
    reply
      ? [
          "Cache",
          `${formatCount(reply.cacheReadTokens)} read, ${formatCount(reply.cacheWriteTokens)} written`,
        ]
      : undefined,
    reply ? ["Reply id", h("code", {}, reply.id)] : undefined,
  ];
}

/** Longest words of a reply that a page shows. */
const WORDS_MAX = 6000;

function turnDetails(row: TurnRow, words: string | undefined): Child[] {
  const retries = row.retries.map(({ at, reason, waitMs }) =>
    step(at, row.at, "Asked again", `after ${formatDuration(waitMs)}: ${reason}`, "warn"),
  );
  const more = row.retryCount - row.retries.length;
  const pictures = row.pictures.map(({ width, height, mediaType, bytes, tokens }) => [
    "Picture sent",
    `${width} × ${height} ${mediaType}, ${formatBytes(bytes)}, ${plural(tokens, "token")}`,
  ]) as readonly Pair[];
  return [
    h("p", { class: "quiet" }, `Turn ${row.turn} · record ${row.seq} · began at ${formatMoment(row.at)}`),
    list([
      ...requestFacts(row),
      ...pictures,
      row.pictureCount > row.pictures.length
        ? ["More pictures", formatCount(row.pictureCount - row.pictures.length)]
        : undefined,
      row.prunedImages > 0
        ? ["Pruned", `${plural(row.prunedImages, "older picture")} left out of the request`]
        : undefined,
    ]),
    words !== undefined && h("h4", {}, "What the model said (untrusted)"),
    words !== undefined &&
      h(
        "blockquote",
        {},
        ...cut(words, WORDS_MAX)
          .split("\n")
          .flatMap((part, at) => (at > 0 ? [h("br", {}), part] : [part])),
      ),
    retries.length > 0 && h("h4", {}, "Retries"),
    retries.length > 0 && h("ol", { class: "steps" }, ...retries),
    more > 0 && h("p", { class: "quiet" }, `and ${formatCount(more)} more`),
  ];
}

function noteDetails(row: NoteRow, plan: FramePlan): Child[] {
  return [
    h("p", { class: "quiet" }, `Record ${row.seq} at ${formatMoment(row.at)}`),
    row.text !== "" && h("p", {}, row.text),
    row.frame && list([["Shows", frameLink(plan, row.frame.digest)]]),
  ];
}

/** The row without the frames that stand with it: those are written between `line` and `end`. */
export function rowParts(
  row: Row,
  index: number,
  plan: FramePlan,
  words?: string,
): { readonly line: Html; readonly detail: Html } {
  const details =
    row.kind === "action"
      ? actionDetails(row, plan)
      : row.kind === "turn"
        ? turnDetails(row, words)
        : noteDetails(row, plan);
  return { line: lineOf(row, index), detail: h("div", { class: "detail" }, ...details) };
}
