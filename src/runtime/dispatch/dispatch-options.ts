// What a dispatcher and a loop are told, and how it is judged: refused with the value and the way out, never clamped.
import type { AbortSignalLike } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";
import { describeValue } from "../../base/escape.js";
import { type AgentEntry, agentEntrySchema } from "../../contract/agent-spec.js";
import type { Keeps } from "../../contract/journal-records.js";
import {
  CURRENT_TOOL,
  DEFAULT_MODEL,
  modelFor,
  retirementOf,
  toolForModel,
  toolsOf,
} from "../../contract/models.js";
import { CapuchinError, ConfigurationError } from "../../diagnostics/errors.js";
import type { ComputerCap } from "../cap/computer-cap.js";
import type { Desktop } from "../cap/desktop-port.js";
import type { ControlSessionOptions } from "../control/control-session.js";
import type { Journal } from "../control/journal-port.js";
import { RedactedJournal } from "../control/redacted-journal.js";
import { Redactor } from "../control/redaction.js";
import type { RetryLimits } from "./ask-model.js";
import { requireServerContext, type ServerContextOptions } from "./history/compaction.js";
import { type PruneLimits, requirePruneLimits } from "./history/prune-policy.js";
import type { ModelPort } from "./model-port.js";
import type { RunEventListener } from "./run-event.js";
import type { UnchangedScreens } from "./unchanged.js";

/** Tokens of one reply unless `run` is told otherwise. */
const DEFAULT_REPLY_TOKENS = 8192;

/** What a dispatcher works with. */
export interface DispatcherOptions {
  readonly model: ModelPort;
  readonly desktop: Desktop;
  /** Where the trace goes; memory unless told. */
  readonly journal?: Journal;
  /** Masked wherever the run writes or tells of something. The model's API key always is. */
  readonly secrets?: readonly string[];
  /** `kept`: the trace keeps the model's words, without secrets and typed texts. Default `withheld`. */
  readonly traceWords?: Keeps["words"];
  /** `digest-only`: the trace keeps no picture. Pictures are not redacted. Default `kept`. */
  readonly traceFrames?: Keeps["frames"];
  readonly clock?: Clock;
  readonly runId?: string;
  /** Narrower than the entry's own cap, never wider. */
  readonly cap?: ComputerCap;
  readonly approve?: ControlSessionOptions["approve"];
  /** Ends everything, as `stop` does. */
  readonly signal?: AbortSignalLike;
  readonly onEvent?: RunEventListener;
  /** Fewer turns than the entry allows; more are refused. */
  readonly maxTurns?: number;
  /** When old pictures are no longer sent; what is left out has its default. */
  readonly pruneLimits?: Partial<PruneLimits>;
  /** `text`: a screen that is as on the newest picture is answered in words. Default `picture`. */
  readonly unchangedScreens?: UnchangedScreens;
  /** What the server may do with a long conversation; beta, and nothing unless told. */
  readonly serverContext?: ServerContextOptions;
  readonly retryLimits?: RetryLimits;
}

/** How one goal is run. */
export interface RunOptions {
  /** Added to our own system text. */
  readonly system?: string;
  /** Tokens of one reply at most. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly signal?: AbortSignalLike;
}

function requireOneOf<Choice extends string>(
  name: string,
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    "E_SPEC",
    `${name} must be ${choices.map((choice) => `"${choice}"`).join(" or ")}, got ${describeValue(value)}`,
  );
}

/** What is kept in a trace, and what is masked in it. */
export type TraceOptions = Pick<DispatcherOptions, "secrets" | "traceWords" | "traceFrames">;

export interface TraceRules {
  readonly redactor: Redactor;
  readonly keeps: Partial<Pick<Keeps, "words" | "frames">>;
}

/** @throws ConfigurationError E_SPEC for what cannot be a secret, and for another word than the known ones. */
export function requireTraceOptions(options: TraceOptions): TraceRules {
  const words = requireOneOf("traceWords", options.traceWords, ["withheld", "kept"]);
  const frames = requireOneOf("traceFrames", options.traceFrames, ["kept", "digest-only"]);
  return {
    redactor: new Redactor(options.secrets),
    keeps: { ...(words === undefined ? {} : { words }), ...(frames === undefined ? {} : { frames }) },
  };
}

/** The journal behind which everything is redacted; one that already is keeps its own rules. @throws E_SPEC */
export function redactedJournal(journal: Journal, options: TraceOptions): RedactedJournal {
  if (journal instanceof RedactedJournal) return journal;
  const { redactor, keeps } = requireTraceOptions(options);
  return new RedactedJournal(journal, redactor, keeps);
}

export function requireEntry(entry: AgentEntry): AgentEntry {
  const parsed = agentEntrySchema.safeParse(entry);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigurationError(
    "E_SPEC",
    `spec entry: ${issue?.path.map(String).join(".") ?? ""} ${issue?.message ?? "is malformed"}`,
  );
}

/** @throws CapuchinError E_SCHEMA for options of the conversation that could not be kept. */
export function requireHistoryOptions(options: DispatcherOptions): void {
  requirePruneLimits(options.pruneLimits);
  requireServerContext(options.serverContext);
  const { unchangedScreens: mode } = options;
  if (mode === undefined || mode === "picture" || mode === "text") return;
  throw new CapuchinError(
    "E_SCHEMA",
    `unchangedScreens must be "picture" or "text", got ${describeValue(mode)}`,
  );
}

/** The turns of a run. @throws CapuchinError E_CAP_WIDEN for more than the entry allows, or for no number of turns. */
export function requireMaxTurns(entry: AgentEntry, asked: number | undefined): number {
  if (asked === undefined) return entry.maxTurns;
  if (Number.isInteger(asked) && asked >= 1 && asked <= entry.maxTurns) return asked;
  throw new CapuchinError(
    "E_CAP_WIDEN",
    `maxTurns must be a whole number from 1 to the ${entry.maxTurns} that the spec of ${entry.agent} allows, got ${describeValue(asked)}`,
  );
}

export interface ChosenModel {
  readonly modelId: string;
  readonly tool: AgentEntry["tool"];
}

/**
 * The model to ask, and the version of the tool to declare. The entry's own version wherever the model takes it. An
 * entry that names no model was built for the default one, and runs with any by the version that one prefers.
 * @throws ConfigurationError E_SPEC for a version that the API refuses for the model.
 */
export function chooseModel(entry: AgentEntry, port: Pick<ModelPort, "model">): ChosenModel {
  const modelId = port.model ?? entry.model ?? DEFAULT_MODEL;
  const takes = toolsOf(modelId) ?? [CURRENT_TOOL];
  if (takes.includes(entry.tool)) return { modelId, tool: entry.tool };
  if (entry.model === undefined && port.model !== undefined) return { modelId, tool: toolForModel(modelId) };
  throw new ConfigurationError(
    "E_SPEC",
    `the model ${describeValue(modelId)} takes ${takes.join(" or ")}, but the spec of ${entry.agent} was built for ${entry.tool}: ` +
      `declare model: ${describeValue(modelId)} in @computerUse and build again, or choose a model that takes ${entry.tool}, ` +
      `such as ${describeValue(modelFor(entry.tool))}`,
  );
}

/** How long before a model's end an operator is told. */
const NOTICE_DAYS = 60;

/** What to tell an operator whose model the API no longer answers for, or soon will not; undefined for others. */
export function retirementAdvice(modelId: string, nowISO: string): string | undefined {
  const day = retirementOf(modelId);
  if (day === undefined) return undefined;
  const daysLeft = Math.ceil((Date.parse(day) - Date.parse(nowISO)) / (24 * 60 * 60_000));
  if (!(daysLeft <= NOTICE_DAYS)) return undefined;
  const when = daysLeft > 0 ? `answers for it until ${day}` : `no longer answers for it since ${day}`;
  return `the model ${describeValue(modelId)} is being retired, the API ${when}: choose another, such as ${DEFAULT_MODEL}`;
}

function requireGoal(goal: unknown): string {
  if (typeof goal === "string" && goal.trim() !== "") return goal;
  throw new CapuchinError("E_SCHEMA", `a goal must be a text that is not blank, got ${describeValue(goal)}`);
}

function requireReplyTokens(value: number | undefined): number {
  if (value === undefined) return DEFAULT_REPLY_TOKENS;
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new CapuchinError(
    "E_SCHEMA",
    `maxTokens must be an integer from 1 to 1,000,000, got ${describeValue(value)}`,
  );
}

function requireTemperature(value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value >= 0 && value <= 1)) return value;
  throw new CapuchinError(
    "E_SCHEMA",
    `temperature must be a number from 0 to 1, got ${describeValue(value)}`,
  );
}

/** What `run` was told, judged. */
export interface RunSettings {
  readonly goal: string;
  readonly system: string | undefined;
  readonly maxReplyTokens: number;
  readonly temperature: number | undefined;
  readonly signal: AbortSignalLike | undefined;
}

/** @throws CapuchinError E_SCHEMA for a blank goal or a number outside its range. */
export function requireRunSettings(goal: unknown, options: RunOptions): RunSettings {
  return {
    goal: requireGoal(goal),
    system: options.system,
    maxReplyTokens: requireReplyTokens(options.maxTokens),
    temperature: requireTemperature(options.temperature),
    signal: options.signal,
  };
}
