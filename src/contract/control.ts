// The objects of a controlled action, from proposal to verification. Shapes after adk-rust's computer-use crate
// (docs/origins.md), with one digest form, closed enums and strict objects: a correct shape still proves no origin,
// so the reference flow compares every answer with the envelope that asked for it.
import { z } from "zod";
import { DIGEST_PATTERN } from "../base/digest.js";
import { ACTION_LIST, type ActionName } from "./actions.js";
import { rectSchema } from "./geometry.js";

const id = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/);
const digest = z.string().regex(DIGEST_PATTERN);
const instant = z.iso.datetime();
const count = z.int().min(0);

export const executionModeSchema = z.enum(["shadow", "background", "foreground"]);
export type ExecutionMode = z.infer<typeof executionModeSchema>;

export const actionClassSchema = z.enum([
  "observe",
  "navigate",
  "edit_reversible",
  "communicate_external",
  "authentication",
  "financial",
  "destructive",
  "privilege_change",
  "secret_access",
]);
export type ActionClass = z.infer<typeof actionClassSchema>;

/** What is known of the target: digests of titles and labels only, never the text. */
export const targetEvidenceSchema = z.strictObject({
  platform: z.string().max(32),
  displayId: z.string().max(128),
  bounds: rectSchema.optional(),
  observationId: id.optional(),
  screenshotHash: digest.optional(),
  windowId: z.int().min(0).optional(),
  windowTitleDigest: digest.optional(),
  capturedAt: instant,
});
export type TargetEvidence = z.infer<typeof targetEvidenceSchema>;

export const provenanceSchema = z.strictObject({
  /** Whether the instruction came from a model that has seen the screen. */
  untrustedInstruction: z.boolean(),
  sourceObservationIds: z.array(id).max(32),
});

/** What should hold afterwards. The first kind is all that pixels can tell. */
export const postconditionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("screen_changed"), before: digest }),
  z.strictObject({ kind: z.literal("pointer_at"), x: z.int(), y: z.int() }),
]);
export type ActionPostcondition = z.infer<typeof postconditionSchema>;

/** One proposed action. Never changes once made; `argsDigest` is what approval, receipt and journal are bound to. */
export const envelopeSchema = z.strictObject({
  actionId: id,
  sessionId: id,
  principalId: id,
  agentId: z.string().min(1).max(512),
  tool: z.enum(ACTION_LIST as [ActionName, ...ActionName[]]),
  actionClass: actionClassSchema,
  requestedMode: executionModeSchema,
  target: targetEvidenceSchema,
  provenance: provenanceSchema,
  postcondition: postconditionSchema.optional(),
  proposedAt: instant,
  expiresAt: instant,
  argsDigest: digest,
});
export type ActionEnvelope = z.infer<typeof envelopeSchema>;

export const policyDecisionSchema = z.strictObject({
  decision: z.enum(["allow", "confirm", "deny"]),
  policyDigest: digest,
  /** The run code of a denial. */
  code: z.string().optional(),
  reasons: z.array(z.string()),
});
export type PolicyDecision = z.infer<typeof policyDecisionSchema>;

export const blockerSchema = z.enum(["policy_denied", "approval_required", "stopped"]);

/** The runtime's answer to a proposal. A preview is no authority: everything is checked again before execution. */
export const previewSchema = z.strictObject({
  envelope: envelopeSchema,
  executable: z.boolean(),
  blocker: blockerSchema.optional(),
  policy: policyDecisionSchema,
});
export type ActionPreview = z.infer<typeof previewSchema>;

/** The right to act on one display for a while; one writer at a time. */
export const leaseSchema = z.strictObject({
  leaseId: id,
  /** Fencing number: each new lease of a display has a greater one. */
  epoch: z.int().min(1),
  sessionId: id,
  principalId: id,
  agentId: z.string(),
  displayId: z.string(),
  executionMode: executionModeSchema,
  state: z.enum(["active", "released", "revoked", "expired"]),
  acquiredAt: instant,
  expiresAt: instant,
  actionBudget: z.int().min(1),
  actionsUsed: count,
});
export type ControlLease = z.infer<typeof leaseSchema>;

/** A planner's intent for a target; no authority. */
export const reservationSchema = z.strictObject({
  reservationId: id,
  intentId: id,
  sessionId: id,
  principalId: id,
  displayId: z.string(),
  state: z.enum(["active", "released", "expired"]),
  expiresAt: instant,
});
export type TargetReservation = z.infer<typeof reservationSchema>;

/** Describes a grant; the secret that redeems it stays with the runtime. */
export const approvalGrantSchema = z.strictObject({
  grantId: id,
  principalId: id,
  sessionId: id,
  actionDigest: digest,
  policyDigest: digest,
  tool: z.enum(ACTION_LIST as [ActionName, ...ActionName[]]),
  issuedAt: instant,
  expiresAt: instant,
  remainingUses: z.int().min(0).max(1),
});
export type ApprovalGrant = z.infer<typeof approvalGrantSchema>;

/** `indeterminate`: it may or may not have happened; never retried by itself. */
export const receiptStatusSchema = z.enum(["committed", "rejected", "interrupted", "indeterminate"]);
export type ReceiptStatus = z.infer<typeof receiptStatusSchema>;

export const receiptSchema = z.strictObject({
  receiptId: id,
  sessionId: id,
  actionId: id,
  actionDigest: digest,
  attempt: z.int().min(1),
  leaseId: id,
  epoch: z.int().min(1),
  status: receiptStatusSchema,
  /** Input events that were sent, as far as known. */
  events: count,
  createdAt: instant,
  updatedAt: instant,
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});
export type ExecutionReceipt = z.infer<typeof receiptSchema>;

/** Committed is not verified: the receipt says it was done, this says what was seen of it. */
export const verificationSchema = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("verified"), method: z.string(), detail: z.string() }),
  z.strictObject({ outcome: z.literal("committed_unverified"), reason: z.string() }),
  z.strictObject({ outcome: z.literal("failed"), reason: z.string() }),
  z.strictObject({ outcome: z.literal("indeterminate"), reason: z.string() }),
]);
export type VerificationOutcome = z.infer<typeof verificationSchema>;

/** What the loop, the run API and a peer are told about an executed action. */
export const effectSchema = z.enum(["confirmed", "partial", "unverifiable", "suspected_noop"]);
export type Effect = z.infer<typeof effectSchema>;
