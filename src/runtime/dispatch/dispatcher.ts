// The dispatcher: a spec entry, a model and a desktop become a run. It opens the display once, hands out the only
// door to it, and runs goals one after the other under one set of budgets. Two dispatchers share nothing.
import { type AbortSignalLike, followSignal } from "../../base/abort.js";
import { type Clock, systemClock } from "../../base/clock.js";
import { digestJson } from "../../base/digest.js";
import { describeValue } from "../../base/escape.js";
import { type AgentEntry, agentEntrySchema } from "../../contract/agent-spec.js";
import type { Size } from "../../contract/geometry.js";
import type { RecordData, RecordKind, TraceRecord, Usage } from "../../contract/journal-records.js";
import { DEFAULT_MODEL, toolForModel } from "../../contract/models.js";
import { CapuchinError, ConfigurationError } from "../../diagnostics/errors.js";
import { ComputerCap } from "../cap/computer-cap.js";
import type { Desktop, DesktopSession } from "../cap/desktop-port.js";
import {
  type ControlSession,
  type ControlSessionOptions,
  newRunId,
  openControlSession,
} from "../control/control-session.js";
import type { Journal } from "../control/journal-port.js";
import { MemoryJournal } from "../control/memory-journal.js";
import { boundedText } from "../control/recorded.js";
import { actionEvent } from "./action-event.js";
import type { RetryLimits } from "./ask-model.js";
import { Budget, NO_USAGE } from "./budget.js";
import { type DispatchResult, type Ending, ending } from "./dispatch-result.js";
import { History, type PruneLimits } from "./history.js";
import { Loop } from "./loop.js";
import type { Message } from "./message.js";
import type { ModelPort } from "./model-port.js";
import { PauseGate } from "./pause-gate.js";
import type { RunEventListener } from "./run-event.js";
import { systemPrompt } from "./system-prompt.js";
import { buildToolEntry } from "./tool-entry.js";

/** Tokens of one reply unless `run` is told otherwise. */
const DEFAULT_REPLY_TOKENS = 8192;

export interface DispatcherOptions {
  readonly model: ModelPort;
  readonly desktop: Desktop;
  /** Where the trace goes; memory unless told. */
  readonly journal?: Journal;
  readonly clock?: Clock;
  readonly runId?: string;
  /** Narrower than the entry's own cap, never wider. */
  readonly cap?: ComputerCap;
  readonly approve?: ControlSessionOptions["approve"];
  /** Ends everything, as `stop` does. */
  readonly signal?: AbortSignalLike;
  readonly onEvent?: RunEventListener;
  readonly pruneLimits?: PruneLimits;
  readonly retryLimits?: RetryLimits;
}

export interface RunOptions {
  /** Added to our own system text. */
  readonly system?: string;
  /** Tokens of one reply at most. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly signal?: AbortSignalLike;
}

function requireEntry(entry: AgentEntry): AgentEntry {
  const parsed = agentEntrySchema.safeParse(entry);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigurationError(
    "E_SPEC",
    `spec entry: ${issue?.path.map(String).join(".") ?? ""} ${issue?.message ?? "is malformed"}`,
  );
}

/** The model to ask, if the entry's tool is the one it takes. */
function requireModelId(entry: AgentEntry, port: ModelPort): string {
  const modelId = port.model ?? entry.model ?? DEFAULT_MODEL;
  const takes = toolForModel(modelId);
  if (takes === entry.tool) return modelId;
  throw new ConfigurationError(
    "E_SPEC",
    `the model ${describeValue(modelId)} takes the tool ${takes}, but the spec of ${entry.agent} was built for ${entry.tool}: ` +
      `declare model: ${describeValue(modelId)} in @computerUse and build again, or choose another model`,
  );
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

/** Keeps what it passes on, for `trace()` of a journal that keeps nothing itself. */
function isMemory(journal: Journal): journal is MemoryJournal {
  return journal instanceof MemoryJournal;
}

interface Opened {
  readonly desktop: DesktopSession;
  readonly session: ControlSession;
}

export class Dispatcher {
  readonly #entry: AgentEntry;
  readonly #options: DispatcherOptions;
  readonly #modelId: string;
  readonly #cap: ComputerCap;
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #runId: string;
  readonly #pause = new PauseGate();
  readonly #stop: AbortController;
  #opening: Promise<Opened> | undefined;
  #budget: Budget | undefined;
  #session: ControlSession | undefined;
  #running = false;
  #closing: Promise<void> | undefined;
  #history: History | undefined;

  /**
   * A dispatcher for a spec entry. Nothing is opened or sent yet.
   * @throws ConfigurationError E_SPEC when the entry is malformed or its tool is not the model's.
   */
  static fromSpec(entry: AgentEntry, options: DispatcherOptions): Dispatcher {
    return new Dispatcher(requireEntry(entry), options);
  }

  private constructor(entry: AgentEntry, options: DispatcherOptions) {
    this.#entry = entry;
    this.#options = options;
    this.#modelId = requireModelId(entry, options.model);
    this.#cap = options.cap ?? ComputerCap.fromSpec(entry);
    this.#clock = options.clock ?? systemClock;
    this.#journal = options.journal ?? new MemoryJournal(this.#clock);
    this.#runId = options.runId ?? newRunId();
    this.#stop = followSignal(options.signal);
  }

  get runId(): string {
    return this.#runId;
  }

  /** The model id that requests name. */
  get modelId(): string {
    return this.#modelId;
  }

  /** What all loops and the agent's own calls used together. */
  get totals(): {
    readonly turns: number;
    readonly usage: Usage;
    readonly actions: number;
    readonly events: number;
  } {
    const { actions, events } = this.#session?.counts() ?? { actions: 0, events: 0 };
    return { turns: this.#budget?.turns ?? 0, usage: this.#budget?.usage ?? NO_USAGE, actions, events };
  }

  /**
   * Opens the display and the door to it; later calls return the same door.
   * @throws CapuchinError E_ENV_DRIFT when the display has another size than the entry says; what the desktop throws.
   */
  async open(): Promise<ControlSession> {
    this.#requireNotClosed();
    this.#opening ??= this.#open();
    return (await this.#opening).session;
  }

  /**
   * Runs the loop for a goal. Resolves however the loop ends.
   * @throws CapuchinError E_STATE when a goal is being run or the dispatcher is closed; E_SCHEMA for a bad goal or
   * option; what `open` throws.
   */
  async run(goal: string, options: RunOptions = {}): Promise<DispatchResult> {
    this.#requireNotClosed();
    if (this.#running) {
      throw new CapuchinError("E_STATE", "this agent already runs a goal: await it before the next one");
    }
    requireGoal(goal);
    const maxReplyTokens = requireReplyTokens(options.maxTokens);
    const temperature = requireTemperature(options.temperature);
    this.#running = true;
    try {
      const session = await this.open();
      return await this.#runGoal(session, { goal, options, maxReplyTokens, temperature });
    } finally {
      this.#running = false;
    }
  }

  /** Holds the loop before its next request or action, and lets go of everything held. */
  async pause(reason: string): Promise<void> {
    this.#pause.pause();
    await (await this.open()).pause(reason);
  }

  /** Goes on. What the model had decided before the pause is not carried out; it is shown the screen anew. */
  async resume(reason: string): Promise<void> {
    await (await this.open()).resume(reason);
    this.#pause.resume();
  }

  /** Ends the run for good: a reply that is still under way is discarded. Idempotent. */
  async stop(reason: string): Promise<void> {
    if (!this.#stop.signal.aborted) this.#stop.abort(new CapuchinError("E_STATE", boundedText(reason)));
    this.#pause.resume();
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.session.stop(reason);
  }

  /** The records so far, when the journal is in memory; a file's are read from the file. */
  trace(): readonly TraceRecord[] {
    return isMemory(this.#journal) ? this.#journal.records : [];
  }

  /** The latest goal's conversation in the API's form, with what is still sent of its pictures. */
  conversation(): readonly Message[] {
    return this.#history?.view() ?? [];
  }

  /** Lets go of everything held and closes display and model. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #requireNotClosed(): void {
    if (this.#closing) throw new CapuchinError("E_STATE", "this run is closed");
  }

  get #size(): Size {
    return { width: this.#entry.width, height: this.#entry.height };
  }

  async #open(): Promise<Opened> {
    const { desktop: maker, approve } = this.#options;
    const entry = this.#entry;
    const desktop = await maker.open({ size: this.#size, signal: this.#stop.signal });
    try {
      const expected = entry.display ?? this.#size;
      if (desktop.size.width !== expected.width || desktop.size.height !== expected.height) {
        throw new CapuchinError(
          "E_ENV_DRIFT",
          `the display is ${desktop.size.width} × ${desktop.size.height}, the spec of ${entry.agent} is for ` +
            `${expected.width} × ${expected.height}: declare display, or change the display`,
        );
      }
      await this.#record("desktop_opened", {
        kind: desktop.kind,
        size: { ...desktop.size },
        serverId: desktop.serverId,
        released: desktop.released,
      });
      const session = openControlSession({
        cap: this.#cap,
        desktop,
        journal: this.#journal,
        clock: this.#clock,
        runId: this.#runId,
        agentId: entry.agent,
        policyDigest: digestJson(entry),
        ...(approve ? { approve } : {}),
        onAction: ({ source, action, outcome }) => this.#emit(actionEvent(source, action, outcome)),
      });
      this.#budget = new Budget(entry, this.#clock);
      this.#session = session;
      return { desktop, session };
    } catch (error) {
      await desktop.close();
      throw error;
    }
  }

  async #runGoal(
    session: ControlSession,
    run: {
      readonly goal: string;
      readonly options: RunOptions;
      readonly maxReplyTokens: number;
      readonly temperature: number | undefined;
    },
  ): Promise<DispatchResult> {
    const budget = this.#requireBudget();
    const offered = session.offered();
    const before = { turns: budget.turns, usage: budget.usage, actions: session.counts().actions };
    const history = new History(this.#options.pruneLimits);
    this.#history = history;
    const limit = this.#limitSignal(run.options.signal, budget);
    const loop = new Loop({
      goal: run.goal,
      system: systemPrompt(this.#size, offered, run.options.system),
      model: this.#options.model,
      modelId: this.#modelId,
      toolVersion: this.#entry.tool,
      tool: buildToolEntry(this.#entry.tool, this.#size, offered),
      maxReplyTokens: run.maxReplyTokens,
      temperature: run.temperature,
      port: session,
      journal: this.#journal,
      clock: this.#clock,
      control: this.#pause,
      budget,
      history,
      signal: limit.signal,
      retryLimits: this.#options.retryLimits,
      emit: (event) => this.#emit(event),
      stopEnding: () => this.#stopEnding(budget, limit.signal),
    });
    try {
      const end = await loop.run();
      return this.#result(end, budget, session, before);
    } finally {
      limit.clear();
    }
  }

  #result(
    end: Ending,
    budget: Budget,
    session: ControlSession,
    before: { readonly turns: number; readonly usage: Usage; readonly actions: number },
  ): DispatchResult {
    const turns = budget.turns - before.turns;
    const actions = session.counts().actions - before.actions;
    const { usage } = budget;
    this.#emit({
      type: "end",
      outcome: end.outcome,
      turns,
      actions,
      ...(end.outcome === "completed" ? {} : { code: end.error.code, message: end.error.message }),
    });
    const used: Usage = {
      inputTokens: usage.inputTokens - before.usage.inputTokens,
      outputTokens: usage.outputTokens - before.usage.outputTokens,
      cacheReadTokens: usage.cacheReadTokens - before.usage.cacheReadTokens,
      cacheWriteTokens: usage.cacheWriteTokens - before.usage.cacheWriteTokens,
    };
    return { ...end, turns, actions, usage: used };
  }

  /** One signal for the three ways to be cut short: stopped, the caller's signal, out of time. */
  #limitSignal(own: AbortSignalLike | undefined, budget: Budget): { signal: AbortSignal; clear(): void } {
    const controller = followSignal(own);
    const onStop = () => controller.abort(this.#stop.signal.reason);
    if (this.#stop.signal.aborted) onStop();
    else this.#stop.signal.addEventListener("abort", onStop, { once: true });
    const timer = new AbortController();
    const remaining = budget.remainingMs();
    if (remaining !== undefined) {
      this.#clock.sleep(remaining, timer.signal).then(
        () => controller.abort(new OutOfTime()),
        () => {},
      );
    }
    return {
      signal: controller.signal,
      clear: () => {
        timer.abort();
        this.#stop.signal.removeEventListener("abort", onStop);
      },
    };
  }

  #stopEnding(budget: Budget, signal: AbortSignal): Ending {
    if (signal.reason instanceof OutOfTime) {
      const spent = budget.outOfTime();
      return ending(spent.outcome, spent.code, spent.message);
    }
    const reason: unknown = signal.reason;
    const why = reason instanceof Error ? reason.message : "aborted";
    return ending("stopped", "E_STATE", `the run was stopped: ${boundedText(why)}`);
  }

  #requireBudget(): Budget {
    if (!this.#budget) throw new Error("internal: the budget exists once the display is open");
    return this.#budget;
  }

  #record<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): Promise<void> {
    return this.#journal.append(kind, data);
  }

  /** A listener's own fault must not change the run. */
  #emit(event: Parameters<RunEventListener>[0]): void {
    try {
      this.#options.onEvent?.(event);
    } catch {}
  }

  async #close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    if (!this.#stop.signal.aborted) this.#stop.abort(new CapuchinError("E_STATE", "the run is closed"));
    try {
      await opened?.session.finish();
    } finally {
      await opened?.desktop.close();
      await this.#options.model.close();
    }
  }
}

class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}
