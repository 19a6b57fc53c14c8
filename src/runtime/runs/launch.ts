// Starts a run of an agent class under its spec: finds the entry, makes the cap and the dispatcher from it by their
// public factories, and calls the agent's method inside its scope. Whatever happens, everything held is let go, the
// display is closed and the trace is ended.
import { abortReason, followSignal, raceAbort } from "../../base/abort.js";
import { type Clock, systemClock } from "../../base/clock.js";
import { quoteText } from "../../base/escape.js";
import type { AgentEntry, Spec } from "../../contract/agent-spec.js";
import { CapuchinError, ConfigurationError } from "../../diagnostics/errors.js";
import { ComputerCap, meetCaps } from "../cap/computer-cap.js";
import type { Desktop } from "../cap/desktop-port.js";
import type { Journal } from "../control/journal-port.js";
import { MemoryJournal } from "../control/memory-journal.js";
import { boundedText, withheldText } from "../control/recorded.js";
import { RedactedJournal } from "../control/redacted-journal.js";
import type { Redactor } from "../control/redaction.js";
import { NO_USAGE } from "../dispatch/budget.js";
import { requireTraceOptions } from "../dispatch/dispatch-options.js";
import { Dispatcher } from "../dispatch/dispatcher.js";
import type { ModelPort } from "../dispatch/model-port.js";
import { secretsOf } from "../dispatch/port-secrets.js";
import type { RunEvent } from "../dispatch/run-event.js";
import { startTrace } from "../dispatch/run-started.js";
import { type AgentConstructor, listMethods } from "./agent-class.js";
import { EventStream } from "./event-stream.js";
import { type LaunchOptions, loopOptions, requireKnownOptions } from "./launch-options.js";
import { resolveEntry } from "./resolve-entry.js";
import { Run } from "./run.js";
import { failureOf, loopFailure, type RunFailure } from "./run-failure.js";
import type { RunResult } from "./run-result.js";
import { inScope, type RunScope } from "./scope.js";
import { type Tainted, taint } from "./tainted.js";

/** A port for agents that never run the loop. */
const NO_MODEL: ModelPort = {
  id: "none",
  async ask() {
    throw new ConfigurationError("E_SPEC", "the agent runs the model loop, but launch was given no model");
  },
  async close() {},
};

async function openJournal(trace: LaunchOptions<object>["trace"], clock: Clock): Promise<Journal> {
  if (trace === undefined) return new MemoryJournal(clock);
  if (typeof trace !== "string") return trace;
  const { TraceJournal } = await import("../store/trace-journal.js");
  return TraceJournal.create(trace, { clock });
}

async function readSpec(spec: string | Spec | undefined): Promise<Spec | undefined> {
  if (typeof spec !== "string") return spec;
  const { readSpecFile } = await import("../store/spec-file.js");
  return readSpecFile(spec);
}

async function defaultDesktop(): Promise<Desktop> {
  const { fakeDesktop } = await import("../drivers/index.js");
  return fakeDesktop();
}

/** One launched run: its parts, from the entry to the last record. */
class Launch<Agent extends object> {
  readonly #agentClass: AgentConstructor<Agent>;
  readonly #options: LaunchOptions<Agent>;
  readonly #clock: Clock;
  readonly #stop: AbortController;
  readonly events = new EventStream<RunEvent>();
  #dispatcher: Dispatcher | undefined;
  #journal: RedactedJournal | undefined;
  #redactor: Redactor | undefined;
  #text: string | undefined;
  #scope: RunScope | undefined;
  #outOfTime = false;
  /** A trace has an end only if it has a beginning. */
  #started = false;

  constructor(agentClass: AgentConstructor<Agent>, options: LaunchOptions<Agent>) {
    this.#agentClass = agentClass;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#stop = followSignal(options.signal);
  }

  async pause(reason: string): Promise<void> {
    await this.#dispatcher?.pause(reason);
  }

  async resume(reason: string): Promise<void> {
    await this.#dispatcher?.resume(reason);
  }

  async stop(reason: string): Promise<void> {
    if (!this.#stop.signal.aborted)
      this.#stop.abort(new CapuchinError("E_STATE", `stopped: ${boundedText(reason)}`));
    await this.#dispatcher?.stop(reason);
  }

  async run(): Promise<RunResult> {
    let result: RunResult;
    try {
      result = await this.#start();
    } catch (error) {
      result = { ...this.#failure(error), ...this.#counts() };
    }
    result = await this.#end(result);
    this.events.end();
    return this.#redacted(result);
  }

  /** The message of an error is for people to read; what the agent returned is the caller's own. */
  #redacted(result: RunResult): RunResult {
    if (result.outcome === "completed" || !this.#redactor) return result;
    return { ...result, error: this.#redactor.record(result.error) };
  }

  #failure(error: unknown): RunFailure {
    if (!this.#outOfTime) return failureOf(error, this.#stop.signal.aborted);
    const message = "the run's wall time is spent: raise maxSeconds";
    return { outcome: "budget", error: { code: "E_QUOTA", message, retryable: false } };
  }

  async #start(): Promise<RunResult> {
    requireKnownOptions(this.#options);
    const { goal, derive = false, exportName, model = NO_MODEL } = this.#options;
    const { redactor, keeps } = requireTraceOptions(this.#options);
    redactor.addSecrets(secretsOf(model));
    this.#redactor = redactor;
    if (typeof goal !== "string" || goal.trim() === "")
      throw new ConfigurationError("E_SPEC", "launch needs a goal in words");
    const spec = await readSpec(this.#options.spec);
    const { entry, derived } = resolveEntry(this.#agentClass, { spec, derive, exportName });
    const ofSpec = ComputerCap.fromSpec(entry);
    const cap = this.#options.cap ? meetCaps(ofSpec, this.#options.cap) : ofSpec;
    const desktop = this.#options.desktop ?? (await defaultDesktop());
    const opened = await openJournal(this.#options.trace, this.#clock);
    const journal = new RedactedJournal(opened, redactor, keeps);
    this.#journal = journal;
    const { approver } = this.#options;
    const dispatcher = Dispatcher.fromSpec(entry, {
      model,
      desktop,
      journal,
      clock: this.#clock,
      cap,
      signal: this.#stop.signal,
      onEvent: (event) => this.#tell(event),
      ...(approver ? { approve: approver } : {}),
      ...loopOptions(this.#options),
    });
    this.#dispatcher = dispatcher;
    const agent = this.#makeAgent(entry);
    this.#started = true;
    await startTrace(journal, {
      runId: dispatcher.runId,
      entry,
      derived,
      goal,
      capability: cap.capability,
      desktop: desktop.kind,
      model: `${model.id} (${dispatcher.modelId})`,
      tool: dispatcher.tool,
    });
    // The display is there, and in order, before the agent or the model is asked anything.
    await dispatcher.open();
    return await this.#callAgent(
      agent,
      this.#makeScope(agent.instance, entry, cap, dispatcher, derived),
      entry,
    );
  }

  /** The instance and its method: what is wrong with them is known before a display is opened. */
  #makeAgent(entry: AgentEntry): { readonly instance: Agent; readonly called: (goal: string) => unknown } {
    const { method = "run", create } = this.#options;
    const instance = create ? create() : new this.#agentClass();
    const called: unknown = Reflect.get(instance, method);
    // What every object has is no method of the agent.
    const isInherited = method === "constructor" || called === Reflect.get(Object.prototype, method);
    if (typeof called !== "function" || isInherited)
      throw new ConfigurationError(
        "E_SPEC",
        `${entry.agent} has no method ${quoteText(method)}; it has ${listMethods(instance)}`,
      );
    return { instance, called: (goal) => Reflect.apply(called, instance, [goal]) };
  }

  async #callAgent(
    agent: { readonly called: (goal: string) => unknown },
    scope: RunScope,
    entry: AgentEntry,
  ): Promise<RunResult> {
    this.#scope = scope;
    const limit = this.#limitTime(entry);
    try {
      const work = inScope(scope, async () => agent.called(this.#options.goal));
      // A stop is not held up by an agent that never comes back: its scope is closed, so it can do no more.
      const value = await raceAbort(work, this.#stop.signal);
      // What closed the scope ends the run, even if the agent caught it.
      const { fatal } = await scope.door();
      if (fatal) throw fatal;
      if (this.#stop.signal.aborted) throw abortReason(this.#stop.signal);
      return { outcome: "completed", value, text: this.#taint(this.#text ?? ""), ...this.#counts() };
    } finally {
      limit.abort();
      scope.closed = true;
    }
  }

  #makeScope(
    agent: object,
    entry: AgentEntry,
    cap: ComputerCap,
    dispatcher: Dispatcher,
    derived: boolean,
  ): RunScope {
    return {
      agent,
      agentName: entry.agent,
      uses: derived ? undefined : new Set(entry.uses.map((use) => use.function)),
      cap,
      door: () => dispatcher.open(),
      loop: async (goal, options) => {
        const result = await dispatcher.run(goal, options);
        if (result.outcome !== "completed") throw loopFailure(result);
        this.#text = result.text;
        return this.#taint(result.text);
      },
      taint: (value) => this.#taint(value),
      signal: this.#stop.signal,
      closed: false,
    };
  }

  #taint<T>(value: T): Tainted<T> {
    return taint(value, (reason, text) => {
      // After the end there is no trace to write to; the build still lists the call.
      if (this.#scope?.closed !== false) return;
      this.#journal
        ?.append("endorsed", { reason: boundedText(reason), value: withheldText(text) })
        .catch(() => this.stop("an endorsement could not be recorded"));
    });
  }

  /** Stops the run when its wall time is up. */
  #limitTime(entry: AgentEntry): AbortController {
    const timer = new AbortController();
    if (entry.maxSeconds !== undefined) {
      this.#clock.sleep(entry.maxSeconds * 1000, timer.signal).then(
        () => {
          this.#outOfTime = true;
          return this.stop(`the run took longer than ${entry.maxSeconds} seconds`);
        },
        () => {},
      );
    }
    return timer;
  }

  #counts() {
    const { turns, actions, usage } = this.#dispatcher?.totals ?? { turns: 0, actions: 0, usage: NO_USAGE };
    return { turns, actions, usage, trace: this.#journal?.location ?? "none" };
  }

  #tell(event: RunEvent): void {
    this.events.push(event);
    try {
      this.#options.onEvent?.(event);
    } catch {
      // A listener's own fault must not change the run.
    }
  }

  /** Closes everything, writes the last record, and reports what of it failed where the run itself had not. */
  async #end(result: RunResult): Promise<RunResult> {
    let ended = result;
    const fail = (error: unknown) => {
      if (ended.outcome === "completed") ended = { ...failureOf(error, false), ...this.#counts() };
    };
    await this.#dispatcher?.close().catch(fail);
    const { turns, actions, usage } = ended;
    const error = ended.outcome === "completed" ? undefined : ended.error;
    try {
      if (this.#started)
        await this.#journal?.append("run_ended", {
          outcome: ended.outcome,
          ...(error ? { code: error.code, message: boundedText(error.message) } : {}),
          turns,
          actions,
          events: this.#dispatcher?.totals.events ?? 0,
          usage,
        });
      await this.#journal?.close();
    } catch (error) {
      fail(error);
    }
    return ended;
  }
}

/**
 * Starts a run of an agent class. Returns at once; awaited, the run resolves to its result and never rejects.
 * What is wrong with the options or the spec is an outcome `failed` with E_SPEC or E_SPEC_DRIFT, before any display
 * is opened or any request is sent.
 */
export function launch<Agent extends object>(
  agentClass: AgentConstructor<Agent>,
  options: LaunchOptions<Agent>,
): Run {
  const launched = new Launch(agentClass, options);
  return new Run(launched.run(), launched.events, launched);
}
