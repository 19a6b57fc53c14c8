// The SDK's own tool runner and computer toolset as the measure: given the same replies it must come to the same
// verdicts as our loop, but for the differences that docs/wire.md lists with their reasons. It knows no gate, so its
// driver fails by itself where our bounds do, and takes everything else.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { BetaAbstractComputerToolset20260801, ToolError } from "@anthropic-ai/sdk/helpers/beta/toolsets";
import { COMPUTER_MEMBER_NAME_VALUES } from "@anthropic-ai/sdk/resources/messages";
import { afterEach, expect, test } from "vitest";
import { ACTION_LIST } from "../../../src/contract/actions.js";
import { HALT_TEXT } from "../../../src/runtime/dispatch/answer.js";
import { buildToolEntry } from "../../../src/runtime/dispatch/tool-entry.js";
import { type ScriptRequest, startMessagesServer } from "../../../src/runtime/testing/messages-server.js";
import { ORACLE_ROWS, type OracleRow } from "./oracle-rows.js";
import { bench, closeAll, instantClock, recorded, resultsOf, say, textOfResult } from "./setup.js";

afterEach(closeAll);

const BOUND = 100;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What a side came to: a verdict for each call in order, and how the run ended if not by the model's own words. */
interface Observed {
  readonly verdicts: readonly string[];
  readonly end: string;
  readonly done: readonly string[];
}

class Desktop extends BetaAbstractComputerToolset20260801 {
  readonly done: string[] = [];

  constructor() {
    super({ confirm: async () => true });
  }

  protected override async execute(_context: unknown, name: string, input: object) {
    const numbers = Object.values(input).flatMap((value) => (Array.isArray(value) ? value : []));
    if (numbers.some((value) => typeof value === "number" && (value < 0 || value >= BOUND)))
      throw new ToolError("outside");
    this.done.push(name);
    if (name === "screenshot" || name === "zoom") return { data: PIXEL };
    return name === "cursor_position" ? { x: 1, y: 2 } : undefined;
  }
}

type Result = ReturnType<typeof resultsOf>[number];

function verdictOf(result: Result, shows: boolean): string {
  // The halt text is a plain string in the SDK's answers.
  const said: unknown = result.content;
  const words = typeof said === "string" ? said : textOfResult(result);
  const verdict = result.is_error !== true ? "done" : words === HALT_TEXT ? "halted" : "refused";
  if (!shows) return verdict;
  expect(result.toolset_name).toBe("computer");
  const kinds = typeof said === "string" ? ["text"] : result.content.map((block) => block.type);
  return `${verdict} (${kinds.join(" + ")})`;
}

/** The answers to the calls of a row's replies. A call without one was not run, as far as the other side can know. */
function verdictsOf(
  { replies, shows }: OracleRow,
  requests: readonly ScriptRequest[],
  done: number,
): string[] {
  const answered = replies.flatMap((reply, turn) => {
    const content = "content" in reply ? reply.content : Array.isArray(reply) ? reply : [];
    const results = resultsOf(requests[turn + 1]);
    return content
      .filter((block) => block.type === "tool_use")
      .map((_call, index) => {
        const result = results[index];
        return result && verdictOf(result, shows === true);
      });
  });
  const wasRun = done > answered.filter((verdict) => verdict?.startsWith("done")).length;
  return answered.map((verdict) => verdict ?? (wasRun ? "run and not answered" : "not run"));
}

async function playSDK(row: OracleRow): Promise<Observed> {
  const seen: ScriptRequest[] = [];
  const replies = [...row.replies];
  const server = await startMessagesServer({
    apiKey: "sk-oracle",
    name: "oracle",
    play: (request) => {
      seen.push(request);
      return replies.shift() ?? [say("end")];
    },
  });
  const desktop = new Desktop();
  let end = "";
  try {
    const client = new Anthropic({ apiKey: "sk-oracle", baseURL: server.baseURL, maxRetries: 0 });
    const message = await client.beta.messages
      .toolRunner({
        model: "claude-opus-5-5",
        max_tokens: 100,
        max_iterations: 8,
        messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
        tools: [desktop],
        thread: false,
        stream: false,
      })
      .runUntilDone();
    if (message.content[0]?.type !== "text" || message.content[0].text !== "end")
      end = `ends with ${message.stop_reason ?? "no stop reason"}`;
  } catch (error) {
    end = `throws ${error instanceof Error ? error.constructor.name : typeof error}`;
  } finally {
    await server.close();
  }
  return { verdicts: verdictsOf(row, seen, desktop.done.length), end, done: desktop.done };
}

async function playOurs(row: OracleRow): Promise<Observed> {
  const model = recorded([...row.replies, [say("end")]]);
  const bounds = { x: 0, y: 0, width: BOUND, height: BOUND };
  const made = bench(model, { bounds, onViolation: "refuse" }, { clock: instantClock() });
  const result = await made.dispatcher.run("go");
  const done = made.journal
    .ofKind("action")
    .filter((record) => record.data.verdict === "allow")
    .map((record) => record.data.name ?? "");
  return {
    verdicts: verdictsOf(row, model.seen, done.length),
    end: result.outcome === "completed" ? "" : `ends as ${result.outcome}, ${result.error.code}`,
    done,
  };
}

function describeSide({ verdicts, end }: Observed): string {
  return [verdicts.join(", "), end].filter((part) => part !== "").join("; ") || "asks again";
}

interface Difference {
  readonly row: string;
  readonly ours: string;
  readonly theirs: string;
}

/** The table of differences as the documentation has it, its reasons left out. */
function documented(): (Difference & { readonly why: string })[] {
  const text = readFileSync(resolve(import.meta.dirname, "../../../docs/wire.md"), "utf8");
  const section = text.split("\n## ").find((part) => part.startsWith("Differences from the SDK"));
  const lines = (section ?? "").split("\n").filter((line) => /^\| (?!reply|---)/.test(line));
  return lines.map((line) => {
    const [row = "", ours = "", theirs = "", why = ""] = line.slice(2, -2).split(" | ");
    return { row, ours, theirs, why };
  });
}

const differences: Difference[] = [];

test("rows have names of their own", () => {
  const names = ORACLE_ROWS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(90);
});

test.each(ORACLE_ROWS)("$name: the same verdicts, or a documented difference", async (row) => {
  const theirs = await playSDK(row);
  const ours = await playOurs(row);
  for (const side of [ours, theirs])
    expect(side.done.length).toBeGreaterThanOrEqual(
      side.verdicts.filter((verdict) => verdict === "done").length,
    );
  const difference = { row: row.name, ours: describeSide(ours), theirs: describeSide(theirs) };
  if (difference.ours === difference.theirs) {
    expect(ours.done).toEqual(theirs.done);
    return;
  }
  differences.push(difference);
  expect(documented().map(({ why: _why, ...rest }) => rest)).toContainEqual(difference);
});

test("the documentation lists every difference, none that is no more, each with its reason", () => {
  const listed = documented();
  expect(listed.map(({ why: _why, ...rest }) => rest)).toEqual(differences);
  for (const { why } of listed) expect(why).toMatch(/^[a-z].{10,}/);
});

test("both know the same members", () => {
  expect([...ACTION_LIST].sort()).toEqual([...COMPUTER_MEMBER_NAME_VALUES].sort());
});

test("the tool entry switches off what the SDK's would for the same members", () => {
  class Two extends BetaAbstractComputerToolset20260801 {
    protected override async left_click() {}
    protected override async type_() {}
  }
  const entry = JSON.parse(JSON.stringify(new Two({ confirm: async () => true })));
  const ours = buildToolEntry("computer_toolset_20260801", { width: 1, height: 1 }, ["left_click", "type"]);
  expect(ours).toEqual(entry);
  expect(Object.keys(entry.configs)).toHaveLength(ACTION_LIST.length - 2);
});
