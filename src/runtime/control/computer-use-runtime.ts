// The seed interface of control: the boundary between whoever proposes actions and whoever carries them out. The
// runtime is authoritative for policy, identity, leases, exact binding of a preview, and idempotency; the reference
// flow drives it in a fixed order and compares every answer with the envelope. After adk-rust's trait of this name
// (docs/origins.md), with a `releaseLease` that it lacks.
import type { Action, ActionName } from "../../contract/actions.js";
import type {
  ActionEnvelope,
  ActionPostcondition,
  ActionPreview,
  ControlLease,
  ExecutionReceipt,
  TargetReservation,
  VerificationOutcome,
} from "../../contract/control.js";
import type { Size } from "../../contract/geometry.js";
import type { Frame } from "./action-port.js";

/** What the runtime can do on its display. */
export interface ExecutionCapabilities {
  readonly displayId: string;
  readonly backend: string;
  readonly size: Size;
  readonly actions: readonly ActionName[];
}

/** A proposed action, before the runtime has bound it. */
export interface ProposedAction {
  readonly actionId: string;
  readonly action: Action;
  /** Whether a model that has seen the screen asked for it. */
  readonly fromModel: boolean;
  /** The frame the proposer last saw. */
  readonly observationId?: string;
  readonly screenshotHash?: string;
}

/** Semantic observation; `available: false` where there is no accessibility tree to read. */
export type SemanticObservation = { readonly available: false; readonly reason: string };

/**
 * Every method rejects with a CapuchinError. `executeAction` resolves to a receipt whatever happened after the
 * intent was recorded: the status says how it ended.
 */
export interface ComputerUseRuntime {
  discoverCapabilities(signal?: AbortSignal): Promise<ExecutionCapabilities>;
  /** A fresh picture; undefined without the screen word. */
  observeVisual(signal?: AbortSignal): Promise<Frame | undefined>;
  observeSemantic(signal?: AbortSignal): Promise<SemanticObservation>;
  previewAction(proposed: ProposedAction, signal?: AbortSignal): Promise<ActionPreview>;
  /** @throws CapuchinError E_LEASE when another writer holds the display. */
  acquireLease(envelope: ActionEnvelope, signal?: AbortSignal): Promise<ControlLease>;
  /** Gives the lease back. An uncertain release is an error, never silence. */
  releaseLease(lease: ControlLease): Promise<void>;
  executeAction(
    envelope: ActionEnvelope,
    lease: ControlLease,
    approvalGrantId?: string,
    signal?: AbortSignal,
  ): Promise<ExecutionReceipt>;
  verify(
    receipt: ExecutionReceipt,
    postcondition: ActionPostcondition | undefined,
    signal?: AbortSignal,
  ): Promise<VerificationOutcome>;
  /** Undefined where the runtime models no reservations. */
  reserveTarget(envelope: ActionEnvelope, signal?: AbortSignal): Promise<TargetReservation | undefined>;
  releaseTarget(reservation: TargetReservation): Promise<void>;
  pauseSession(sessionId: string, reason: string): Promise<void>;
  resumeSession(sessionId: string, reason: string): Promise<void>;
  stopSession(sessionId: string, reason: string): Promise<void>;
  /** Revokes all authority at once. A stopped runtime is never resumed. */
  emergencyStop(reason: string): Promise<void>;
}
