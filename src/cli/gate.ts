// `capuchin gate`: a dry run. JSON lines in, exactly one verdict line out for each that is not empty, as they come.
// The same parser and the same gate as in a run judge them; nothing is executed, so no driver is loaded.
import { resolve } from "node:path";
import type { Command } from "commander";
import { describeValue, escapeText, quoteText } from "../base/escape.js";
import type { AgentEntry } from "../contract/agent-spec.js";
import type { DriverAction } from "../contract/driver-protocol.js";
import { contains, formatPoint, type Point, wholeOf } from "../contract/geometry.js";
import { LIMITS } from "../contract/limits.js";
import { type ParsedAction, parseToolCall, type WireCall } from "../contract/parse-action.js";
import { splitLines } from "../journal/index.js";
import { ComputerCap, createGate } from "../runtime/cap/computer-cap.js";
import type { Gate } from "../runtime/cap/gate.js";
import { readSpecFile } from "../runtime/store/spec-file.js";
import { pathValue, pointValue, requireFlag, wordValue } from "./flag-values.js";
import { addHelp } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_OK } from "./io.js";
import { jsonLine } from "./json-text.js";
import { chooseEntry } from "./spec-agent.js";
import { parseStrictJson } from "./strict-json.js";
import { UsageError } from "./usage-error.js";

/** Longest line that is judged: no reply holds a longer call. A longer line is refused without being kept. */
const LINE_MAX_BYTES = LIMITS.replyMaxBytes;

export interface GateVerdict {
  readonly verdict: "allow" | "deny";
  readonly code?: string;
  readonly reason?: string;
  /** What a driver would be told to do, in viewport pixels. */
  readonly action?: DriverAction;
}

function deny(code: string, reason: string): GateVerdict {
  return { verdict: "deny", code, reason: escapeText(reason) };
}

const BLOCK_FIELDS: ReadonlySet<string> = new Set(["name", "toolset_name", "input", "type", "id", "caller"]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with the block around a call; the call itself is judged by the one parser. */
function judgeBlock(block: Record<string, unknown>): GateVerdict | undefined {
  const unknown = Object.keys(block).filter((key) => !BLOCK_FIELDS.has(key));
  if (unknown.length > 0) {
    return deny("E_SCHEMA", `unknown field ${unknown.map((key) => describeValue(key)).join(", ")}`);
  }
  const { type, id, caller } = block;
  if (type !== undefined && type !== "tool_use") {
    return deny("E_SCHEMA", `type must be "tool_use", got ${describeValue(type)}`);
  }
  if (id !== undefined && typeof id !== "string") {
    return deny("E_SCHEMA", `id must be a string, got ${describeValue(id)}`);
  }
  if (caller === undefined || caller === null) return undefined;
  const direct = isObject(caller) && caller["type"] === "direct" && Object.keys(caller).length === 1;
  return direct ? undefined : deny("E_PROTOCOL", "only calls that the model makes directly are answered");
}

/** Where an executed plan leaves the pointer; undefined when it does not move it. */
function pointerAfter(plan: DriverAction): Point | undefined {
  switch (plan.kind) {
    case "move":
    case "click":
    case "press":
    case "release":
    case "scroll":
      return plan.at;
    case "drag":
      return plan.to;
    default:
      return undefined;
  }
}

/** A dry run of one agent: what it was allowed so far counts, as in a run. */
export class DryRun {
  readonly #gate: Gate;
  #pointer: Point | undefined;

  constructor(entry: AgentEntry, pointer: Point | undefined) {
    const size = { width: entry.width, height: entry.height };
    this.#gate = createGate(ComputerCap.fromSpec(entry), size);
    this.#pointer = pointer;
  }

  /** Judges one line's bytes. */
  judge(bytes: Uint8Array): GateVerdict {
    const reading = parseStrictJson(bytes);
    if (!reading.ok) return deny("E_SCHEMA", `the line is refused: ${reading.reason}`);
    if (!isObject(reading.value)) {
      return deny("E_SCHEMA", `a tool_use block must be an object, got ${describeValue(reading.value)}`);
    }
    const refused = judgeBlock(reading.value);
    if (refused) return refused;
    return this.#decide(parseToolCall(reading.value as unknown as WireCall, ["single", "toolset"]));
  }

  #decide(parsed: ParsedAction): GateVerdict {
    if (!parsed.ok) return deny(parsed.code, parsed.reason);
    const decided = this.#gate.commit(parsed.action, { pointer: this.#pointer });
    if (!decided.ok) return deny(decided.code, decided.reason);
    this.#pointer = pointerAfter(decided.plan) ?? this.#pointer;
    return { verdict: "allow", action: decided.plan };
  }
}

export interface GateFlags {
  readonly spec: string;
  readonly agent?: string;
  readonly cursor?: Point;
}

function isEmpty(bytes: Uint8Array): boolean {
  return bytes.length === 0 || (bytes.length === 1 && bytes[0] === 0x0d);
}

/** Answers standard input line by line. */
export async function runGate(flags: GateFlags, io: CliIo): Promise<number> {
  const entry = chooseEntry(readSpecFile(resolve(io.cwd, flags.spec)), flags.agent);
  if (flags.cursor && !contains(wholeOf(entry), flags.cursor)) {
    throw new UsageError(
      `--cursor ${formatPoint(flags.cursor)} is outside the ${entry.width} × ${entry.height} viewport of ${quoteText(entry.agent)}`,
    );
  }
  const run = new DryRun(entry, flags.cursor);
  for await (const line of splitLines(io.stdin, LINE_MAX_BYTES)) {
    if (line.kind !== "oversize" && isEmpty(line.bytes)) continue;
    const verdict =
      line.kind === "oversize"
        ? deny("E_LIMIT", `the line is longer than ${LINE_MAX_BYTES} bytes`)
        : run.judge(line.bytes);
    await io.stdout.write(`${jsonLine(verdict)}\n`);
    if (io.stdout.isClosed) return EXIT_FAILED;
  }
  return EXIT_OK;
}

export function registerGate(program: Command, io: CliIo, finish: (code: number) => void): void {
  const command = program
    .command("gate")
    .description("dry run: tool_use blocks in (JSON lines), verdicts out; nothing is executed")
    .option("--spec <file>", "the spec that capuchin build wrote; required", pathValue)
    .option(
      "--agent <name>",
      "the agent whose declaration judges; not needed where the spec has only one",
      wordValue,
    )
    .option("--cursor <x,y>", "where the pointer is at the start; unknown without it", pointValue)
    .action(async (flags: GateFlags) => {
      requireFlag(command, flags.spec, "--spec <file>");
      finish(await runGate(flags, io));
    });
  addHelp(command, {
    examples: [
      "capuchin gate --spec computer-use.json --agent FormFiller < calls.jsonl",
      `echo '{"name":"computer","input":{"action":"key","text":"ctrl+w"}}' | capuchin gate --spec S`,
    ],
    exits: { 0: "every line is answered, whatever the verdicts", 1: "whoever read the verdicts went away" },
  });
}
