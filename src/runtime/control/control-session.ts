// One run's door to its display. Every action of the loop and of the agent's own code comes through `act`, one at a
// time: recorded, gated, executed at most once, verified, and answered honestly. A violation under `abort`, the
// eleventh refusal under `refuse`, or a stop closes it for good.

import { raceAbort } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";
import { randomId } from "../../base/digest.js";
import { ACTIONS, type Action, type ActionName } from "../../contract/actions.js";
import type { RecordData } from "../../contract/journal-records.js";
import { LIMITS } from "../../contract/limits.js";
import type { ParsedAction } from "../../contract/parse-action.js";
import { CapuchinError, SandboxViolation } from "../../diagnostics/errors.js";
import { RUN_CODES } from "../../diagnostics/run-codes.js";
import { type ComputerCap, violationModeOf } from "../cap/computer-cap.js";
import type { DesktopSession } from "../cap/desktop-port.js";
import { offeredBy } from "../cap/offered.js";
import type { ActionOutcome, ActionPort, ActionSource, Frame } from "./action-port.js";
import type { Journal } from "./journal-port.js";
import { LocalRuntime } from "./local-runtime.js";
import { effectOf, failedOutcome, refusedOutcome } from "./outcome.js";
import { boundedText, recordedInput } from "./recorded.js";
import {
  type ApprovalPort,
  buildReferenceGraph,
  type FlowResult,
  type ReferenceFlow,
} from "./reference-flow.js";
import { createSerial } from "./serial.js";

/** What happened to one action, for progress and `Run.events`. */
export interface ActionEvent {
  readonly source: ActionSource;
  readonly action: Action | undefined;
  readonly outcome: ActionOutcome;
}

export interface ControlSessionOptions {
  readonly cap: ComputerCap;
  readonly desktop: DesktopSession;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly runId: string;
  readonly agentId: string;
  readonly principalId?: string;
  readonly policyDigest: string;
  readonly approve?: ApprovalPort;
  readonly onAction?: (event: ActionEvent) => void;
  /** Told of each text that is to be typed, before anything is recorded of it. */
  readonly onTyped?: (text: string) => void;
}

export interface ControlSession extends ActionPort {
  /** Holds further actions and lets go of everything held. */
  pause(reason: string): Promise<void>;
  resume(reason: string): Promise<void>;
  /** Ends the session: the action under way is cut short, everything held is let go. Idempotent. */
  stop(reason: string): Promise<void>;
  /** Lets go of everything held and records it. Does not close the desktop. Idempotent. */
  finish(): Promise<void>;
}

const PARSE_KINDS = {
  E_SCHEMA: "malformed",
  E_LIMIT: "limit",
  E_UNKNOWN_TOOL: "malformed",
  E_UNKNOWN_ACTION: "malformed",
  E_PROTOCOL: "malformed",
} as const;

class Session implements ControlSession {
  readonly #options: ControlSessionOptions;
  readonly #runtime: LocalRuntime;
  readonly #flow: ReferenceFlow;
  readonly #serial = createSerial();
  readonly #offered: readonly ActionName[];
  #fatal: CapuchinError | undefined;
  #refusals = 0;
  #nextAction = 1;
  #paused: { readonly until: Promise<void>; readonly resume: () => void } | undefined;
  #finished = false;

  constructor(options: ControlSessionOptions) {
    this.#options = options;
    const { cap, desktop, journal, clock, runId, agentId, policyDigest } = options;
    const principalId = options.principalId ?? "local";
    this.#runtime = new LocalRuntime({
      cap,
      desktop,
      journal,
      clock,
      sessionId: runId,
      principalId,
      agentId,
      policyDigest,
    });
    this.#flow = buildReferenceGraph(this.#runtime, {
      clock,
      sessionId: runId,
      ...(options.approve ? { approve: options.approve } : {}),
    });
    this.#offered = offeredBy(cap);
  }

  get fatal(): CapuchinError | undefined {
    return this.#fatal;
  }

  offered(): readonly ActionName[] {
    return this.#offered;
  }

  counts(): { readonly actions: number; readonly events: number } {
    return this.#runtime.usage();
  }

  act(parsed: ParsedAction, source: ActionSource, signal?: AbortSignal): Promise<ActionOutcome> {
    return this.#serial.run(async () => {
      if (parsed.ok && parsed.action.name === "type") this.#options.onTyped?.(parsed.action.input.text);
      const actionId = `${this.#options.runId}.${this.#nextAction++}`;
      const outcome = parsed.ok
        ? await this.#run(actionId, parsed.action, source, signal)
        : await this.#malformed(actionId, parsed, source);
      await this.#judge(outcome);
      this.#options.onAction?.({ source, action: parsed.ok ? parsed.action : undefined, outcome });
      return outcome;
    });
  }

  skip(source: ActionSource): Promise<void> {
    return this.#serial.run(async () => {
      const actionId = `${this.#options.runId}.${this.#nextAction++}`;
      await this.#record(actionId, undefined, source, {
        verdict: "not_executed",
        reason: "an earlier action of the turn failed",
      });
    });
  }

  observe(reason: "start" | "turn", signal?: AbortSignal): Promise<Frame | undefined> {
    return this.#serial.run(async () => {
      await this.#ready(signal);
      const frame = await this.#runtime.observeVisual(signal);
      if (frame) await this.#recordFrame(frame, reason);
      return frame;
    });
  }

  async pause(reason: string): Promise<void> {
    if (this.#paused || this.#fatal) return;
    let resume = () => {};
    const until = new Promise<void>((resolve) => {
      resume = resolve;
    });
    this.#paused = { until, resume };
    await this.#runtime.pauseSession(this.#options.runId);
    await this.#options.journal.append("control", { what: "pause", reason: boundedText(reason) });
    await this.#release("pause");
  }

  async resume(reason: string): Promise<void> {
    const paused = this.#paused;
    if (!paused) return;
    if (this.#fatal) throw new CapuchinError("E_STATE", "a stopped run is never resumed");
    await this.#runtime.resumeSession(this.#options.runId);
    await this.#options.journal.append("control", { what: "resume", reason: boundedText(reason) });
    this.#paused = undefined;
    paused.resume();
  }

  async stop(reason: string): Promise<void> {
    if (this.#fatal?.code === "E_REVOKED") return;
    this.#fatal = new CapuchinError("E_REVOKED", `stopped: ${boundedText(reason)}`);
    await this.#runtime.emergencyStop(reason);
    this.#paused?.resume();
    await this.#options.journal.append("control", { what: "stop", reason: boundedText(reason) });
    await this.#release("end");
  }

  async finish(): Promise<void> {
    if (this.#finished) return;
    this.#finished = true;
    await this.#runtime.emergencyStop("the run has ended");
    await this.#release("end");
  }

  async #release(when: "pause" | "end"): Promise<void> {
    const released = await this.#options.desktop.releaseAll();
    this.#runtime.noteReleased();
    await this.#options.journal.append("released", { released, when });
  }

  /** Waits out a pause; rejects when the run is over. */
  async #ready(signal?: AbortSignal): Promise<void> {
    while (this.#paused && !this.#fatal) await raceAbort(this.#paused.until, signal);
    if (this.#fatal) throw this.#fatal;
  }

  async #run(
    actionId: string,
    action: Action,
    source: ActionSource,
    signal?: AbortSignal,
  ): Promise<ActionOutcome> {
    try {
      await this.#ready(signal);
      const result = await this.#flow.run(
        { actionId, action, fromModel: source.by === "model" },
        signal,
        () => this.#routed(actionId, action, source),
      );
      if (result.status === "blocked") return this.#blocked(actionId, action, result);
      return await this.#executed(actionId, action, source, result);
    } catch (error) {
      if (!(error instanceof CapuchinError) || error.code === "E_AUDIT") throw error;
      const { code, message } = error;
      await this.#record(actionId, action, source, { verdict: "deny", code, reason: boundedText(message) });
      return refusedOutcome(actionId, action.name, code, "state", message);
    }
  }

  async #malformed(
    actionId: string,
    parsed: Extract<ParsedAction, { ok: false }>,
    source: ActionSource,
  ): Promise<ActionOutcome> {
    await this.#record(actionId, undefined, source, {
      verdict: "deny",
      code: parsed.code,
      reason: boundedText(parsed.reason),
    });
    return refusedOutcome(actionId, undefined, parsed.code, PARSE_KINDS[parsed.code], parsed.reason);
  }

  /** The verdict is on record before anything can happen. */
  async #routed(actionId: string, action: Action, source: ActionSource): Promise<void> {
    const refusal = this.#runtime.refusalOf(actionId);
    if (!refusal) return this.#record(actionId, action, source, { verdict: "allow" });
    return this.#record(actionId, action, source, {
      verdict: "deny",
      code: refusal.code,
      reason: boundedText(refusal.reason),
    });
  }

  #blocked(
    actionId: string,
    action: Action,
    result: Extract<FlowResult, { status: "blocked" }>,
  ): ActionOutcome {
    const refusal = this.#runtime.refusalOf(actionId);
    if (refusal) return refusedOutcome(actionId, action.name, refusal.code, refusal.kind, refusal.reason);
    return refusedOutcome(actionId, action.name, "E_STATE", "state", result.preview.blocker ?? "blocked");
  }

  async #executed(
    actionId: string,
    action: Action,
    source: ActionSource,
    result: Extract<FlowResult, { status: "executed" }>,
  ): Promise<ActionOutcome> {
    const { receipt, verification, before } = result;
    const detail = this.#runtime.takeDetail(actionId);
    if (receipt.status !== "committed") return failedOutcome(actionId, action.name, receipt);
    const changed = before && detail?.after ? before.digest !== detail.after.digest : undefined;
    const effect = effectOf(action, verification, changed);
    // Looking and waiting leave nothing to verify.
    if (ACTIONS[action.name].effect !== "observe") {
      await this.#options.journal.append("verification", {
        actionId,
        outcome: verification.outcome,
        effect,
        detail: "reason" in verification ? verification.reason : verification.detail,
        ...(before ? { before: before.digest } : {}),
        ...(detail?.after ? { after: detail.after.digest } : {}),
      });
    }
    const { performed } = detail ?? {};
    const frame = performed?.kind === "frame" ? await this.#keep(performed, source) : undefined;
    return {
      status: "done",
      actionId,
      name: action.name,
      effect,
      ...(frame ? { frame } : {}),
      ...(performed?.kind === "cursor" ? { pointer: this.#runtime.toViewport(performed.at) } : {}),
      ...(changed === undefined ? {} : { changed }),
    };
  }

  async #keep(performed: { png: Uint8Array; size: Frame["size"] }, source: ActionSource): Promise<Frame> {
    const digest = await this.#options.journal.keepFrame(performed.png);
    const frame = { png: performed.png, size: performed.size, digest };
    await this.#recordFrame(frame, source.by);
    return frame;
  }

  /** Counts violations, and closes the session when an outcome is fatal. */
  async #judge(outcome: ActionOutcome): Promise<void> {
    if (outcome.status === "done") return;
    if (outcome.status === "failed" || !outcome.violation) {
      // A display that is lost, say, ends the run whether it was noticed before the action or in it.
      if (RUN_CODES[outcome.code].next === "stop")
        this.#fatal ??= new CapuchinError(outcome.code, outcome.reason);
      return;
    }
    this.#refusals += 1;
    const abort = violationModeOf(this.#options.cap) === "abort" || outcome.code === "E_QUOTA";
    const fatal = abort || this.#refusals > LIMITS.refusalsPerRun;
    if (fatal && !this.#fatal) this.#fatal = new SandboxViolation(outcome.kind, outcome.code, outcome.reason);
    await this.#options.journal.append("violation", {
      code: outcome.code,
      violation: outcome.kind,
      reason: boundedText(outcome.reason),
      fatal,
    });
  }

  #recordFrame(frame: Frame, reason: RecordData<"frame">["reason"]): Promise<void> {
    return this.#options.journal.append("frame", {
      digest: frame.digest,
      size: frame.size,
      bytes: frame.png.byteLength,
      reason,
    });
  }

  #record(
    actionId: string,
    action: Action | undefined,
    source: ActionSource,
    verdict: Pick<RecordData<"action">, "verdict" | "code" | "reason">,
  ): Promise<void> {
    return this.#options.journal.append("action", {
      actionId,
      source: source.by,
      turn: source.turn,
      ...(source.callId === undefined ? {} : { callId: boundedText(source.callId, 128) }),
      ...(action ? { name: action.name, input: recordedInput(action) } : {}),
      ...verdict,
    });
  }
}

/** Opens the door for one run. Nothing reaches the display before the first call. */
export function openControlSession(options: ControlSessionOptions): ControlSession {
  return new Session(options);
}

/** A fresh run id. */
export function newRunId(): string {
  return randomId("run");
}
