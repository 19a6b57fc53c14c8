// The dispatcher: a spec entry, a model and a desktop become a run. It opens the display once, hands out the only
// door to it, and runs goals one after the other under one set of budgets. Two dispatchers share nothing.
import { followSignal } from "../../base/abort.js";
import { type Clock, systemClock } from "../../base/clock.js";
import { digestJson } from "../../base/digest.js";
import type { AgentEntry } from "../../contract/agent-spec.js";
import type { Size } from "../../contract/geometry.js";
import type { TraceRecord, Usage } from "../../contract/journal-records.js";
import { refusedThough } from "../../contract/wire-versions.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { ComputerCap, limitsOf, meetCaps } from "../cap/computer-cap.js";
import type { DesktopSession } from "../cap/desktop-port.js";
import { type ControlSession, newRunId, openControlSession } from "../control/control-session.js";
import { MemoryJournal } from "../control/memory-journal.js";
import { boundedText } from "../control/recorded.js";
import type { RedactedJournal } from "../control/redacted-journal.js";
import { actionEvent } from "./action-event.js";
import { Budget, NO_USAGE } from "./budget.js";
import {
  type ChosenModel,
  chooseModel,
  type DispatcherOptions,
  type RunOptions,
  type RunSettings,
  redactedJournal,
  requireEntry,
  requireHistoryOptions,
  requireMaxTurns,
  requireRunSettings,
  retirementAdvice,
} from "./dispatch-options.js";
import type { DispatchResult, Ending } from "./dispatch-result.js";
import { requirePruneLimits } from "./history/prune-policy.js";
import { thinkingRuleOf } from "./history/thinking.js";
import { History } from "./history.js";
import { limitSignal } from "./limit-signal.js";
import { Loop } from "./loop.js";
import type { Message } from "./message.js";
import { OwnTrace } from "./own-trace.js";
import { PauseGate } from "./pause-gate.js";
import { type ModelSpace, modelSpace } from "./pictures/model-space.js";
import { PictureMaker } from "./pictures/picture-maker.js";
import { secretsOf } from "./port-secrets.js";
import type { RunEventListener } from "./run-event.js";
import { systemPrompt } from "./system-prompt.js";
import { buildToolEntry } from "./tool-entry.js";

export type { DispatcherOptions, RunOptions } from "./dispatch-options.js";

interface Opened {
  readonly desktop: DesktopSession;
  readonly session: ControlSession;
}

/** Runs goals for a spec entry on one display, one after the other, under one set of budgets. */
export class Dispatcher {
  readonly #entry: AgentEntry;
  readonly #options: DispatcherOptions;
  readonly #model: ChosenModel;
  readonly #maxTurns: number;
  readonly #space: ModelSpace;
  readonly #cap: ComputerCap;
  readonly #clock: Clock;
  readonly #journal: RedactedJournal;
  /** The records, where they are in memory. */
  readonly #memory: MemoryJournal | undefined;
  readonly #runId: string;
  readonly #ownTrace: OwnTrace | undefined;
  readonly #pause = new PauseGate();
  readonly #stop: AbortController;
  #opening: Promise<Opened> | undefined;
  #budget: Budget | undefined;
  #session: ControlSession | undefined;
  #running: Promise<DispatchResult> | undefined;
  #closing: Promise<void> | undefined;
  #history: History | undefined;

  /**
   * A dispatcher for a spec entry. Nothing is opened or sent yet.
   * @throws ConfigurationError E_SPEC when the entry is malformed or names a model, and its tool is not the one asked.
   */
  static fromSpec(entry: AgentEntry, options: DispatcherOptions): Dispatcher {
    return new Dispatcher(requireEntry(entry), options);
  }

  private constructor(entry: AgentEntry, options: DispatcherOptions) {
    this.#entry = entry;
    this.#options = options;
    requireHistoryOptions(options);
    this.#model = chooseModel(entry, options.model);
    this.#maxTurns = requireMaxTurns(entry, options.maxTurns);
    const { maxImages } = requirePruneLimits(options.pruneLimits);
    this.#space = modelSpace(this.#size, this.#model.modelId, maxImages);
    const ofSpec = ComputerCap.fromSpec(entry);
    this.#cap = options.cap ? meetCaps(ofSpec, options.cap) : ofSpec;
    this.#clock = options.clock ?? systemClock;
    const journal = options.journal ?? new MemoryJournal(this.#clock);
    this.#memory = journal instanceof MemoryJournal ? journal : undefined;
    this.#journal = redactedJournal(journal, options);
    this.#journal.redactor.addSecrets(secretsOf(options.model));
    this.#runId = options.runId ?? newRunId();
    this.#stop = followSignal(options.signal);
    this.#ownTrace = options.journal
      ? undefined
      : new OwnTrace({
          journal: this.#journal,
          entry,
          tool: this.#model.tool,
          runId: this.#runId,
          capability: this.#cap.capability,
          desktop: options.desktop.kind,
          model: options.model.id,
        });
  }

  get runId(): string {
    return this.#runId;
  }

  /** The model id that requests name. */
  get modelId(): string {
    return this.#model.modelId;
  }

  /** The version of the tool that requests declare. */
  get tool(): AgentEntry["tool"] {
    return this.#model.tool;
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
    this.#opening ??= this.#open("");
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
    const settings = requireRunSettings(goal, options);
    this.#opening ??= this.#open(settings.goal);
    this.#running = this.#opening.then(({ session }) => this.#runGoal(session, settings));
    try {
      return await this.#running;
    } finally {
      this.#running = undefined;
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

  /**
   * The records so far.
   * @throws CapuchinError E_UNSUPPORTED when the journal is not in memory: read them where it is.
   */
  trace(): readonly TraceRecord[] {
    if (this.#memory) return this.#memory.records;
    throw new CapuchinError("E_UNSUPPORTED", `the trace is in ${this.#journal.location}: read it there`);
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

  async #open(goal: string): Promise<Opened> {
    const { desktop: maker, approve } = this.#options;
    const entry = this.#entry;
    await this.#ownTrace?.start(goal);
    const desktop = await maker.open({
      size: this.#size,
      ...(entry.display ? { display: entry.display } : {}),
      signal: this.#stop.signal,
    });
    try {
      const expected = entry.display ?? this.#size;
      if (desktop.size.width !== expected.width || desktop.size.height !== expected.height) {
        throw new CapuchinError(
          "E_ENV_DRIFT",
          `the display is ${desktop.size.width} × ${desktop.size.height}, the spec of ${entry.agent} is for ` +
            `${expected.width} × ${expected.height}: declare display, or change the display`,
        );
      }
      await this.#journal.append("desktop_opened", {
        kind: desktop.kind,
        size: { ...desktop.size },
        serverId: desktop.serverId,
        released: desktop.released,
        limits: limitsOf(this.#cap),
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
        onTyped: (text) => this.#journal.redactor.noteTyped(text),
        onAction: ({ source, action, outcome }) => this.#emit(actionEvent(source, action, outcome)),
      });
      this.#budget = new Budget({ ...entry, maxTurns: this.#maxTurns }, this.#clock);
      this.#session = session;
      return { desktop, session };
    } catch (error) {
      await desktop.close();
      throw error;
    }
  }

  async #runGoal(session: ControlSession, run: RunSettings): Promise<DispatchResult> {
    const budget = this.#requireBudget();
    const offered = session.offered();
    const before = { turns: budget.turns, usage: budget.usage, actions: session.counts().actions };
    const history = new History(
      requirePruneLimits(this.#options.pruneLimits),
      thinkingRuleOf(this.#model.modelId),
    );
    this.#history = history;
    if (budget.turns === 0) this.#advise();
    const limit = limitSignal(this.#stop.signal, run.signal, budget, this.#clock);
    const loop = new Loop({
      goal: run.goal,
      system: systemPrompt({
        size: this.#space.picture,
        offered,
        refused: refusedThough(this.#model.tool, offered),
        own: run.system,
      }),
      model: this.#options.model,
      modelId: this.#model.modelId,
      toolVersion: this.#model.tool,
      tool: buildToolEntry(this.#model.tool, this.#space.picture, offered),
      maxReplyTokens: run.maxReplyTokens,
      temperature: run.temperature,
      port: session,
      space: this.#space,
      pictures: new PictureMaker({ size: this.#space.picture, journal: this.#journal }),
      journal: this.#journal,
      clock: this.#clock,
      control: this.#pause,
      budget,
      history,
      signal: limit.signal,
      retryLimits: this.#options.retryLimits,
      serverContext: this.#options.serverContext,
      unchangedScreens: this.#options.unchangedScreens ?? "picture",
      emit: (event) => this.#emit(event),
      stopEnding: () => limit.ending(),
    });
    try {
      const end = await loop.run();
      this.#ownTrace?.note(end);
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
    return { ...this.#redacted(end), turns, actions, usage: used };
  }

  /** Tells of a model that the API no longer answers for, or soon will not. */
  #advise(): void {
    const message = retirementAdvice(this.#model.modelId, this.#clock.now());
    if (message !== undefined) this.#emit({ type: "advice", message });
  }

  /** The message of an error is for people to read; the model's last words are the caller's own. */
  #redacted(end: Ending): Ending {
    if (end.outcome === "completed") return end;
    return { ...end, error: this.#journal.redactor.record(end.error) };
  }

  #requireBudget(): Budget {
    if (!this.#budget) throw new Error("internal: the budget exists once the display is open");
    return this.#budget;
  }

  /** A listener's own fault must not change the run. */
  #emit(event: Parameters<RunEventListener>[0]): void {
    try {
      this.#options.onEvent?.(this.#journal.redactor.record(event));
    } catch {}
  }

  async #close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    if (!this.#stop.signal.aborted) this.#stop.abort(new CapuchinError("E_STATE", "the run is closed"));
    // A loop that was cut short still answers its calls and writes its records.
    await this.#running?.catch(() => undefined);
    try {
      await opened?.session.finish();
    } finally {
      await opened?.desktop.close();
      await this.#options.model.close();
      await this.#ownTrace?.end(this.totals);
    }
  }
}
