// A runtime that answers as told: every answer is right unless a fault changes it. It counts what is asked of it, so
// that a test can say how often something was mutated, leased and given back.
import { digestBytes } from "../../../src/base/digest.js";
import type {
  ActionEnvelope,
  ActionPreview,
  ControlLease,
  ExecutionReceipt,
  TargetReservation,
  VerificationOutcome,
} from "../../../src/contract/control.js";
import { CapuchinError } from "../../../src/diagnostics/errors.js";
import type { Frame } from "../../../src/runtime/control/action-port.js";
import type {
  ComputerUseRuntime,
  ProposedAction,
} from "../../../src/runtime/control/computer-use-runtime.js";

export const NOW = "2026-01-01T00:00:00.000Z";
export const LATER = "2026-01-01T00:01:00.000Z";

export interface Faults {
  readonly preview?: (preview: ActionPreview) => ActionPreview;
  readonly lease?: (lease: ControlLease) => ControlLease;
  readonly reservation?: (reservation: TargetReservation) => TargetReservation;
  readonly receipt?: (receipt: ExecutionReceipt) => ExecutionReceipt;
  /** Methods that reject, with the message given. */
  readonly throws?: Partial<Record<keyof ComputerUseRuntime, string>>;
  /** Runs while the lease is being acquired. */
  readonly whileLeasing?: () => void;
  readonly reserves?: boolean;
}

export const ENVELOPE: ActionEnvelope = {
  actionId: "action-1",
  sessionId: "session-1",
  principalId: "principal-1",
  agentId: "executor",
  tool: "left_click",
  actionClass: "navigate",
  requestedMode: "foreground",
  target: { platform: "test", displayId: "display-1", capturedAt: NOW },
  provenance: { untrustedInstruction: true, sourceObservationIds: [] },
  proposedAt: NOW,
  expiresAt: LATER,
  argsDigest: digestBytes("click"),
};

export const LEASE: ControlLease = {
  leaseId: "lease-1",
  epoch: 1,
  sessionId: "session-1",
  principalId: "principal-1",
  agentId: "executor",
  displayId: "display-1",
  executionMode: "foreground",
  state: "active",
  acquiredAt: NOW,
  expiresAt: LATER,
  actionBudget: 1,
  actionsUsed: 0,
};

export const RESERVATION: TargetReservation = {
  reservationId: "reservation-1",
  intentId: "action-1",
  sessionId: "session-1",
  principalId: "principal-1",
  displayId: "display-1",
  state: "active",
  expiresAt: LATER,
};

export const RECEIPT: ExecutionReceipt = {
  receiptId: "receipt-1",
  sessionId: "session-1",
  actionId: "action-1",
  actionDigest: ENVELOPE.argsDigest,
  attempt: 1,
  leaseId: "lease-1",
  epoch: 1,
  status: "committed",
  events: 3,
  createdAt: NOW,
  updatedAt: NOW,
};

export class FaultyRuntime implements ComputerUseRuntime {
  readonly #faults: Faults;
  readonly calls: string[] = [];
  readonly grants: (string | undefined)[] = [];
  mutations = 0;
  #observing = 0;
  /** Observations under way at the same time, at most. */
  overlap = 0;

  constructor(faults: Faults = {}) {
    this.#faults = faults;
  }

  count(name: keyof ComputerUseRuntime): number {
    return this.calls.filter((call) => call === name).length;
  }

  #call(name: keyof ComputerUseRuntime): void {
    this.calls.push(name);
    const message = this.#faults.throws?.[name];
    if (message !== undefined) throw new CapuchinError("E_BACKEND", message);
  }

  async #observe<T>(name: keyof ComputerUseRuntime, value: T): Promise<T> {
    this.#call(name);
    this.#observing += 1;
    this.overlap = Math.max(this.overlap, this.#observing);
    await Promise.resolve();
    this.#observing -= 1;
    return value;
  }

  discoverCapabilities() {
    const size = { width: 1280, height: 800 };
    return this.#observe("discoverCapabilities", {
      displayId: "display-1",
      backend: "test",
      size,
      actions: [],
    });
  }

  observeVisual(): Promise<Frame | undefined> {
    const frame = { png: new Uint8Array(1), size: { width: 1, height: 1 }, digest: digestBytes("before") };
    return this.#observe("observeVisual", frame);
  }

  observeSemantic() {
    return this.#observe("observeSemantic", { available: false as const, reason: "none" });
  }

  async previewAction(proposed: ProposedAction): Promise<ActionPreview> {
    this.#call("previewAction");
    const envelope = { ...ENVELOPE, actionId: proposed.actionId, tool: proposed.action.name };
    const policy = { decision: "allow" as const, policyDigest: digestBytes("policy"), reasons: [] };
    const preview: ActionPreview = { envelope, executable: true, policy };
    return this.#faults.preview?.(preview) ?? preview;
  }

  async acquireLease(): Promise<ControlLease> {
    this.#call("acquireLease");
    this.#faults.whileLeasing?.();
    return this.#faults.lease?.(LEASE) ?? LEASE;
  }

  async releaseLease(): Promise<void> {
    this.#call("releaseLease");
  }

  async executeAction(
    envelope: ActionEnvelope,
    _lease: ControlLease,
    approvalGrantId?: string,
  ): Promise<ExecutionReceipt> {
    this.#call("executeAction");
    this.mutations += 1;
    this.grants.push(approvalGrantId);
    const receipt = { ...RECEIPT, actionId: envelope.actionId };
    return this.#faults.receipt?.(receipt) ?? receipt;
  }

  async verify(_receipt: ExecutionReceipt, postcondition: unknown): Promise<VerificationOutcome> {
    this.#call("verify");
    return postcondition
      ? { outcome: "verified", method: "test", detail: "seen" }
      : { outcome: "committed_unverified", reason: "nothing to verify" };
  }

  async reserveTarget(): Promise<TargetReservation | undefined> {
    this.#call("reserveTarget");
    if (!this.#faults.reserves) return undefined;
    return this.#faults.reservation?.(RESERVATION) ?? RESERVATION;
  }

  async releaseTarget(): Promise<void> {
    this.#call("releaseTarget");
  }

  async pauseSession(): Promise<void> {}
  async resumeSession(): Promise<void> {}
  async stopSession(): Promise<void> {}
  async emergencyStop(): Promise<void> {}
}
