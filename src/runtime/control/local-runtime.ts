// LocalRuntime: control in one process. Policy is the gate; leases, proposals and receipts are in memory; an action
// is executed at most once; the intent is durable before the first event; verification is what a second look at the
// screen shows. The only caller of a desktop session's `perform`.
import type { Clock } from "../../base/clock.js";
import { digestJson, randomId } from "../../base/digest.js";
import { ACTION_LIST, ACTIONS, type Action, type ActionName } from "../../contract/actions.js";
import type {
  ActionEnvelope,
  ActionPostcondition,
  ActionPreview,
  ControlLease,
  ExecutionReceipt,
  PolicyDecision,
  ReceiptStatus,
  TargetReservation,
  VerificationOutcome,
} from "../../contract/control.js";
import type { DriverAction } from "../../contract/driver-protocol.js";
import { type Point, scalePoint, unscalePoint } from "../../contract/geometry.js";
import { CapuchinError, DriverError } from "../../diagnostics/errors.js";
import { RUN_CODES, type RunCodeName } from "../../diagnostics/run-codes.js";
import type { ComputerCap } from "../cap/computer-cap.js";
import { createGate } from "../cap/computer-cap.js";
import type { DesktopSession, Performed } from "../cap/desktop-port.js";
import type { Gate } from "../cap/gate.js";
import type { PermittedAction } from "../cap/permitted.js";
import type { Refusal } from "../cap/refusal.js";
import type { Frame } from "./action-port.js";
import type {
  ComputerUseRuntime,
  ExecutionCapabilities,
  ProposedAction,
  SemanticObservation,
} from "./computer-use-runtime.js";
import { performOn } from "./driver-answer.js";
import type { Journal } from "./journal-port.js";

import { type LeaseTable, processLeases } from "./lease-table.js";
import { boundedText } from "./recorded.js";

const ENVELOPE_TTL_MS = 60_000;
const LEASE_TTL_MS = 60_000;
/** How long the screen must be quiet after an action, and how long that is waited for. */
const SETTLE = { quietMs: 120, maxMs: 2000 };

/** What a local runtime works with. */
export interface LocalRuntimeOptions {
  readonly cap: ComputerCap;
  readonly desktop: DesktopSession;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly sessionId: string;
  readonly principalId: string;
  readonly agentId: string;
  /** Digest of the spec entry: what the policy is made of. */
  readonly policyDigest: string;
  readonly leases?: LeaseTable;
}

interface Proposal {
  readonly action: Action;
  readonly digest: string;
  readonly pointer: Point | undefined;
  readonly refusal: Refusal | undefined;
}

/** What an execution brought back beside its receipt. */
export interface ExecutionDetail {
  readonly performed: Performed | undefined;
  /** The frame seen by verification. */
  readonly after: Frame | undefined;
}

/** The control seam for a desktop of this process: previews, leases, executes once, verifies. */
export class LocalRuntime implements ComputerUseRuntime {
  readonly #options: LocalRuntimeOptions;
  readonly #gate: Gate;
  readonly #leases: LeaseTable;
  readonly #proposals = new Map<string, Proposal>();
  readonly #receipts = new Map<string, ExecutionReceipt>();
  readonly #details = new Map<string, { performed: Performed | undefined; after: Frame | undefined }>();
  #state: "running" | "paused" | "stopped" = "running";
  readonly #stopping = new AbortController();

  constructor(options: LocalRuntimeOptions) {
    this.#options = options;
    this.#gate = createGate(options.cap, options.desktop.size);
    this.#leases = options.leases ?? processLeases;
  }

  /** Counted actions and events of this run. */
  usage(): { readonly actions: number; readonly events: number } {
    return this.#gate.usage();
  }

  /** The refusal behind a denied preview. */
  refusalOf(actionId: string): Refusal | undefined {
    return this.#proposals.get(actionId)?.refusal;
  }

  /** What an execution brought back; given out once, so that frames are not kept. */
  takeDetail(actionId: string): ExecutionDetail | undefined {
    const detail = this.#details.get(actionId);
    this.#details.delete(actionId);
    return detail;
  }

  async discoverCapabilities(): Promise<ExecutionCapabilities> {
    const { desktop, cap } = this.#options;
    return {
      displayId: desktop.serverId,
      backend: desktop.kind,
      size: desktop.size,
      actions: ACTION_LIST.filter((name) => ACTIONS[name].needs.every((word) => cap.allows(word))),
    };
  }

  async observeVisual(signal?: AbortSignal): Promise<Frame | undefined> {
    const permitted = this.#gate.observe("capture");
    return "ok" in permitted ? undefined : this.#capture(permitted, signal);
  }

  async observeSemantic(): Promise<SemanticObservation> {
    return { available: false, reason: "no accessibility tree is read in this version" };
  }

  async previewAction(proposed: ProposedAction, signal?: AbortSignal): Promise<ActionPreview> {
    const { action, actionId } = proposed;
    if (this.#proposals.has(actionId))
      throw new CapuchinError("E_CONFLICT", `action ${actionId} was proposed before`);
    const pointer = await this.#pointerFor(action, signal);
    const verdict = this.#gate.check(action, { pointer });
    const digest = digestJson({
      tool: action.name,
      args: action.input,
      pointer: pointer ?? null,
      session: this.#options.sessionId,
    });
    this.#proposals.set(actionId, { action, digest, pointer, refusal: verdict.ok ? undefined : verdict });
    const stopped = this.#state !== "running";
    const policy: PolicyDecision = verdict.ok
      ? { decision: "allow", policyDigest: this.#options.policyDigest, reasons: [] }
      : {
          decision: "deny",
          policyDigest: this.#options.policyDigest,
          code: verdict.code,
          reasons: [verdict.reason],
        };
    const blocker = verdict.ok ? (stopped ? "stopped" : undefined) : "policy_denied";
    return {
      envelope: this.#envelope(proposed, digest),
      executable: blocker === undefined,
      ...(blocker === undefined ? {} : { blocker }),
      policy,
    };
  }

  async acquireLease(envelope: ActionEnvelope): Promise<ControlLease> {
    this.#requireRunning();
    const lease = this.#leases.acquire(envelope, LEASE_TTL_MS, this.#options.clock);
    return lease;
  }

  async releaseLease(lease: ControlLease): Promise<void> {
    // After a stop the lease was revoked already; giving it back is then done.
    if (this.#state === "stopped") this.#leases.revoke(lease.displayId, lease.sessionId);
    else this.#leases.release(lease);
  }

  async executeAction(
    envelope: ActionEnvelope,
    lease: ControlLease,
    _approvalGrantId?: string,
    signal?: AbortSignal,
  ): Promise<ExecutionReceipt> {
    const { actionId, argsDigest } = envelope;
    const proposal = this.#proposals.get(actionId);
    if (!proposal || proposal.digest !== argsDigest)
      throw new CapuchinError("E_CONFLICT", `action ${actionId} is not the one that was previewed`);
    const done = this.#receipts.get(actionId);
    if (done) return done;
    this.#requireRunning();
    this.#leases.use(lease, this.#options.clock);
    const committed = this.#gate.commit(proposal.action, { pointer: proposal.pointer });
    if (!committed.ok) return this.#receipt(envelope, lease, "rejected", 0, committed);

    await this.#options.journal.append("intent", {
      actionId,
      argsDigest,
      leaseId: lease.leaseId,
      epoch: lease.epoch,
      attempt: 1,
    });
    // Between the durable intent and the first event nothing is awaited but the driver itself.
    this.#requireRunning();
    const scope = signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal;
    try {
      const performed =
        committed.plan.kind === "wait"
          ? await this.#wait(committed.plan.ms, scope)
          : await performOn(this.#options.desktop, committed.plan, committed.permitted, scope);
      this.#details.set(actionId, { performed, after: undefined });
      const events = performed?.kind === "delivered" ? performed.events : 0;
      return await this.#receipt(envelope, lease, "committed", events);
    } catch (error) {
      if (error instanceof CapuchinError && error.code === "E_AUDIT") throw error;
      const events = error instanceof DriverError ? error.events : 0;
      const failure = asFailure(error);
      const effectPossible =
        (events > 0 && !onlyMoved(committed.plan, failure.code, events)) ||
        failure.code === "E_INDETERMINATE";
      const status: ReceiptStatus = effectPossible
        ? "indeterminate"
        : scope.aborted
          ? "interrupted"
          : "rejected";
      if (!effectPossible) this.#gate.noteNotPerformed(committed.plan);
      return await this.#receipt(envelope, lease, status, events, failure);
    }
  }

  async verify(
    receipt: ExecutionReceipt,
    postcondition: ActionPostcondition | undefined,
    signal?: AbortSignal,
  ): Promise<VerificationOutcome> {
    if (receipt.status === "indeterminate")
      return { outcome: "indeterminate", reason: "it may or may not have happened" };
    if (receipt.status !== "committed")
      return { outcome: "failed", reason: `the receipt says ${receipt.status}` };
    if (!postcondition) return { outcome: "committed_unverified", reason: "nothing to verify was declared" };
    const detail = this.#details.get(receipt.actionId);
    if (postcondition.kind === "pointer_at") {
      const pointer = detail?.performed?.kind === "delivered" ? detail.performed.pointer : undefined;
      const target = scalePoint(postcondition, this.#options.cap.viewport, this.#options.desktop.size);
      return pointer && pointer.x === target.x && pointer.y === target.y
        ? { outcome: "verified", method: "pointer-readback", detail: "the pointer is at the target" }
        : { outcome: "failed", reason: "the pointer is not at the target" };
    }
    await this.#options.desktop.settle(SETTLE.quietMs, SETTLE.maxMs, signal);
    const after = await this.observeVisual(signal);
    if (!after) return { outcome: "committed_unverified", reason: "the screen may not be seen" };
    if (detail) detail.after = after;
    return after.digest === postcondition.before
      ? { outcome: "committed_unverified", reason: "no change was seen on the screen" }
      : { outcome: "verified", method: "frame-difference", detail: "the screen changed" };
  }

  async reserveTarget(): Promise<TargetReservation | undefined> {
    return undefined;
  }

  async releaseTarget(reservation: TargetReservation): Promise<void> {
    throw new CapuchinError("E_CONFLICT", `reservation ${reservation.reservationId} was never given`);
  }

  async pauseSession(sessionId: string): Promise<void> {
    this.#requireOwn(sessionId);
    if (this.#state === "stopped") throw new CapuchinError("E_STATE", "the session is stopped");
    this.#state = "paused";
  }

  async resumeSession(sessionId: string): Promise<void> {
    this.#requireOwn(sessionId);
    if (this.#state === "stopped") throw new CapuchinError("E_STATE", "a stopped session is never resumed");
    this.#state = "running";
  }

  async stopSession(sessionId: string, reason: string): Promise<void> {
    this.#requireOwn(sessionId);
    await this.emergencyStop(reason);
  }

  async emergencyStop(reason: string): Promise<void> {
    this.#state = "stopped";
    this.#leases.revoke(this.#options.desktop.serverId, this.#options.sessionId);
    if (!this.#stopping.signal.aborted)
      this.#stopping.abort(new CapuchinError("E_REVOKED", `stopped: ${reason}`));
  }

  /** A place on the display in viewport pixels: the one that an action would name to get there. */
  toViewport(point: Point): Point {
    return unscalePoint(point, this.#options.desktop.size, this.#options.cap.viewport);
  }

  /** Everything held was let go: the gate's held state follows. */
  noteReleased(): void {
    this.#gate.noteReleased();
  }

  #requireOwn(sessionId: string): void {
    if (sessionId !== this.#options.sessionId)
      throw new CapuchinError("E_CONFLICT", "that is another session");
  }

  #requireRunning(): void {
    if (this.#state === "stopped") throw new CapuchinError("E_REVOKED", "the session was stopped");
    if (this.#state === "paused") throw new CapuchinError("E_STATE", "the session is paused");
  }

  async #wait(ms: number, signal: AbortSignal): Promise<undefined> {
    await this.#options.clock.sleep(ms, signal);
    return undefined;
  }

  async #capture(permitted: PermittedAction, signal?: AbortSignal): Promise<Frame> {
    const performed = await performOn(this.#options.desktop, { kind: "capture" }, permitted, signal);
    if (performed.kind !== "frame")
      throw new CapuchinError("E_BACKEND", `the driver answered a capture with ${performed.kind}`);
    return {
      png: performed.png,
      size: performed.size,
      digest: await this.#options.journal.keepFrame(performed.png),
    };
  }

  /** Where the pointer is, for an action that acts at it. */
  async #pointerFor(action: Action, signal?: AbortSignal): Promise<Point | undefined> {
    const actsAtPointer =
      action.name === "left_mouse_down" ||
      action.name === "left_mouse_up" ||
      ("coordinate" in action.input && action.input.coordinate === undefined) ||
      (ACTIONS[action.name].needs.some((word) => word === "computer.input.pointer") &&
        !("coordinate" in action.input));
    if (!actsAtPointer) return undefined;
    const permitted = this.#gate.locatePointer();
    if ("ok" in permitted) return undefined;
    const performed = await performOn(this.#options.desktop, { kind: "cursor" }, permitted, signal);
    return performed.kind === "cursor" ? this.toViewport(performed.at) : undefined;
  }

  #envelope(proposed: ProposedAction, argsDigest: string): ActionEnvelope {
    const { clock, sessionId, principalId, agentId, desktop } = this.#options;
    const now = clock.now();
    const { action } = proposed;
    const effect = ACTIONS[action.name].effect;
    const postcondition = postconditionOf(action, proposed.screenshotHash);
    return {
      actionId: proposed.actionId,
      sessionId,
      principalId,
      agentId,
      tool: action.name,
      actionClass: effect === "edit" ? "edit_reversible" : effect,
      requestedMode: effect === "observe" ? "shadow" : "foreground",
      target: {
        platform: desktop.kind,
        displayId: desktop.serverId,
        ...(proposed.observationId === undefined ? {} : { observationId: proposed.observationId }),
        ...(proposed.screenshotHash === undefined ? {} : { screenshotHash: proposed.screenshotHash }),
        capturedAt: now,
      },
      provenance: { untrustedInstruction: proposed.fromModel, sourceObservationIds: [] },
      ...(postcondition ? { postcondition } : {}),
      proposedAt: now,
      expiresAt: new Date(Date.parse(now) + ENVELOPE_TTL_MS).toISOString(),
      argsDigest,
    };
  }

  async #receipt(
    envelope: ActionEnvelope,
    lease: ControlLease,
    status: ReceiptStatus,
    events: number,
    failure?: { code: RunCodeName; reason: string },
  ): Promise<ExecutionReceipt> {
    const { clock, journal, sessionId } = this.#options;
    const now = clock.now();
    const receipt: ExecutionReceipt = {
      receiptId: randomId("receipt"),
      sessionId,
      actionId: envelope.actionId,
      actionDigest: envelope.argsDigest,
      attempt: 1,
      leaseId: lease.leaseId,
      epoch: lease.epoch,
      status,
      events,
      createdAt: now,
      updatedAt: now,
      ...(failure ? { error: { code: failure.code, message: failure.reason } } : {}),
    };
    this.#receipts.set(envelope.actionId, receipt);
    await journal.append("receipt", {
      receiptId: receipt.receiptId,
      actionId: receipt.actionId,
      actionDigest: receipt.actionDigest,
      status,
      events,
      ...(failure ? { code: failure.code, reason: boundedText(failure.reason) } : {}),
    });
    return receipt;
  }
}

function postconditionOf(action: Action, before: string | undefined): ActionPostcondition | undefined {
  if (action.name === "mouse_move") return { kind: "pointer_at", ...action.input.coordinate };
  if (ACTIONS[action.name as ActionName].effect === "observe" || before === undefined) return undefined;
  return { kind: "screen_changed", before };
}

/**
 * A pointer action begins with one motion. When that is all that was sent and the driver knows why it went no
 * further, nothing was pressed, and the action may simply be tried again.
 */
function onlyMoved(plan: DriverAction, code: RunCodeName, events: number): boolean {
  return events === 1 && ("at" in plan || "from" in plan) && RUN_CODES[code].effect === "none";
}

function asFailure(error: unknown): { code: RunCodeName; reason: string } {
  if (error instanceof CapuchinError) return { code: error.code, reason: error.message };
  return { code: "E_BACKEND", reason: error instanceof Error ? error.message : "the driver failed" };
}
