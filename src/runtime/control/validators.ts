// What the reference flow demands of a runtime's answers: each is compared with the envelope that asked for it.
// First mismatch wins and names the field; unreadable time is invalid; absence of evidence is never success.
import type {
  ActionEnvelope,
  ActionPreview,
  ControlLease,
  ExecutionReceipt,
  TargetReservation,
} from "../../contract/control.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import type { ProposedAction } from "./computer-use-runtime.js";

function breach(what: string, field: string): CapuchinError {
  return new CapuchinError("E_CONFLICT", `${what} does not belong to the action: ${field} differs`);
}

function requireEqual(
  what: string,
  pairs: readonly (readonly [field: string, got: unknown, expected: unknown])[],
): void {
  for (const [field, got, expected] of pairs) if (got !== expected) throw breach(what, field);
}

function instantMs(what: string, field: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new CapuchinError("E_STALE", `${what}: unreadable ${field}`);
  return ms;
}

/** Longest life of an envelope, milliseconds. */
export const ENVELOPE_MAX_MS = 300_000;

export function requireFresh(envelope: ActionEnvelope, now: string): void {
  const proposed = instantMs("envelope", "proposedAt", envelope.proposedAt);
  const expires = instantMs("envelope", "expiresAt", envelope.expiresAt);
  const present = instantMs("clock", "now", now);
  if (expires <= proposed) throw new CapuchinError("E_STALE", "envelope: non-positive validity window");
  if (expires - proposed > ENVELOPE_MAX_MS)
    throw new CapuchinError("E_STALE", "envelope: validity window too long");
  if (expires <= present) throw new CapuchinError("E_STALE", "envelope: expired");
}

/** The preview must be of what was proposed, and agree with itself. */
export function requirePreview(preview: ActionPreview, proposed: ProposedAction, sessionId: string): void {
  const { envelope } = preview;
  requireEqual("preview", [
    ["actionId", envelope.actionId, proposed.actionId],
    ["tool", envelope.tool, proposed.action.name],
    ["sessionId", envelope.sessionId, sessionId],
  ]);
  const allowed = preview.policy.decision === "allow";
  if (preview.executable !== (allowed && preview.blocker === undefined)) {
    throw new CapuchinError(
      "E_CONFLICT",
      "preview contradicts itself: executable, blocker and policy do not agree",
    );
  }
}

export function requireLease(lease: ControlLease, envelope: ActionEnvelope, now: string): void {
  requireEqual("lease", [
    ["sessionId", lease.sessionId, envelope.sessionId],
    ["principalId", lease.principalId, envelope.principalId],
    ["agentId", lease.agentId, envelope.agentId],
    ["executionMode", lease.executionMode, envelope.requestedMode],
    ["displayId", lease.displayId, envelope.target.displayId],
  ]);
  if (lease.state !== "active") throw new CapuchinError("E_LEASE", `lease is not active: ${lease.state}`);
  // Written so that a budget which is no number is none.
  if (!(lease.actionsUsed < lease.actionBudget)) {
    throw new CapuchinError(
      "E_LEASE",
      `lease has no remaining action budget: ${lease.actionsUsed} of ${lease.actionBudget} used`,
    );
  }
  if (instantMs("lease", "expiresAt", lease.expiresAt) <= instantMs("clock", "now", now)) {
    throw new CapuchinError("E_LEASE", "lease is expired");
  }
}

export function requireReservation(
  reservation: TargetReservation,
  envelope: ActionEnvelope,
  now: string,
): void {
  requireEqual("reservation", [
    ["sessionId", reservation.sessionId, envelope.sessionId],
    ["principalId", reservation.principalId, envelope.principalId],
    ["intentId", reservation.intentId, envelope.actionId],
    ["displayId", reservation.displayId, envelope.target.displayId],
  ]);
  if (reservation.state !== "active")
    throw new CapuchinError("E_LEASE", `reservation is not active: ${reservation.state}`);
  if (instantMs("reservation", "expiresAt", reservation.expiresAt) <= instantMs("clock", "now", now)) {
    throw new CapuchinError("E_LEASE", "reservation is expired");
  }
}

export function requireReceipt(
  receipt: ExecutionReceipt,
  envelope: ActionEnvelope,
  lease: ControlLease,
): void {
  requireEqual("receipt", [
    ["sessionId", receipt.sessionId, envelope.sessionId],
    ["actionId", receipt.actionId, envelope.actionId],
    ["actionDigest", receipt.actionDigest, envelope.argsDigest],
    ["leaseId", receipt.leaseId, lease.leaseId],
    ["epoch", receipt.epoch, lease.epoch],
  ]);
}
