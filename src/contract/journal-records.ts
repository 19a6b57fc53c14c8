// The kinds of record in a trace, and the chain that holds them. One line a record, canonical JSON. No record holds
// typed text, a goal, a model's words or a secret: only their digest and length.
import { z } from "zod";
import { DIGEST_PATTERN } from "../base/digest.js";
import { ACTION_LIST, type ActionName } from "./actions.js";
import { effectSchema, receiptStatusSchema } from "./control.js";
import { releasedSchema } from "./driver-protocol.js";
import { rectSchema, sizeSchema } from "./geometry.js";
import { LIMITS } from "./limits.js";

export const TRACE_VERSION = 1;

/** Kinds of picture that may be sent to a model. */
export const MEDIA_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

const digest = z.string().regex(DIGEST_PATTERN);
const count = z.int().min(0);
const text = z.string().max(4096);
const actionName = z.enum(ACTION_LIST as [ActionName, ...ActionName[]]);

/**
 * A text that is not kept: how long it was, in code points, and its digest under a key of the run's own that is never
 * written, so that equal texts of one run can be told and none can be found by trying.
 */
export const withheldTextSchema = z.strictObject({ digest, length: count });
export type WithheldText = z.infer<typeof withheldTextSchema>;

export const usageSchema = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});
export type Usage = z.infer<typeof usageSchema>;

/** An action's input as recorded: numbers and key texts as they are, typed text withheld. */
const recordedInputSchema = z.record(
  z.string().max(64),
  z.union([
    z.int(),
    z.string().max(128),
    withheldTextSchema,
    z.strictObject({ x: z.int(), y: z.int() }),
    z.strictObject({ x: z.int(), y: z.int(), width: z.int(), height: z.int() }),
  ]),
);
export type RecordedInput = z.infer<typeof recordedInputSchema>;

/** The limits of the cap that a run is held to. Coordinates of recorded inputs are pixels of `viewport`. */
export const enforcedLimitsSchema = z.strictObject({
  viewport: sizeSchema,
  bounds: rectSchema,
  denyKeys: z.array(z.string().max(LIMITS.keyTextMaxCharacters)).max(2 * LIMITS.keyListMax),
  maxActions: count.optional(),
  maxEvents: count,
  onViolation: z.enum(["abort", "refuse"]),
});
export type EnforcedLimits = z.infer<typeof enforcedLimitsSchema>;

/** Beside the records: the enforced entry, the model's words in its replies, the pictures. */
export const keepsSchema = z.strictObject({
  entry: z.boolean(),
  words: z.enum(["withheld", "kept"]),
  frames: z.enum(["kept", "digest-only"]),
});
export type Keeps = z.infer<typeof keepsSchema>;

export const OUTCOMES = [
  "completed",
  "model_refused",
  "turn_limit",
  "budget",
  "stuck",
  "stopped",
  "truncated",
  "violation",
  "failed",
] as const;
export const outcomeSchema = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof outcomeSchema>;

/** What each kind of record holds. */
export const RECORD_DATA = {
  run_started: z.strictObject({
    runId: z.string(),
    generator: z.string(),
    agent: z.string(),
    goal: withheldTextSchema,
    capability: z.string(),
    /** Digest of the spec entry that is enforced; `derived` when it was made from the class without a build. */
    entryDigest: digest,
    derived: z.boolean(),
    desktop: z.string(),
    model: z.string(),
    tool: z.string(),
    /** What is kept beside the records; absent in older traces, which keep frames and no document. */
    keeps: keepsSchema.optional(),
  }),
  desktop_opened: z.strictObject({
    kind: z.string(),
    size: sizeSchema,
    serverId: z.string(),
    released: releasedSchema,
    /** What the gate holds the run to; absent in older traces. */
    limits: enforcedLimitsSchema.optional(),
  }),
  frame: z.strictObject({
    digest,
    size: sizeSchema,
    bytes: count,
    reason: z.enum(["start", "turn", "model", "agent", "verify"]),
  }),
  /** A picture made of a frame for the model, when it is first sent. Coordinates of the model are in its pixels. */
  picture: z.strictObject({
    frame: digest,
    digest,
    size: sizeSchema,
    mediaType: z.enum(MEDIA_TYPES),
    bytes: count,
    /** By the published formula. */
    tokens: count,
  }),
  model_request: z.strictObject({
    turn: z.int().min(1),
    messages: count,
    images: count,
    bytes: count,
    digest,
    /** Counted by the published formulas before sending; absent in older traces. */
    tokens: z.strictObject({ text: count, images: count, tool: count }).optional(),
  }),
  model_reply: z.strictObject({
    turn: z.int().min(1),
    id: text,
    stopReason: text,
    usage: usageSchema,
    calls: z.array(z.strictObject({ id: text, name: text })),
    text: withheldTextSchema,
    digest,
    /** The kept document with the reply, redacted; absent where replies are not kept. */
    kept: digest.optional(),
  }),
  /** What the model was told of its calls: fixed phrases, and which frame it was shown. */
  answers: z.strictObject({
    turn: z.int().min(1),
    answers: z.array(z.strictObject({ callId: text, isError: z.boolean(), text, frame: digest.optional() })),
  }),
  retry: z.strictObject({ turn: z.int().min(1), attempt: z.int().min(1), reason: text, waitMs: count }),
  /** What is left out of requests from now on. */
  history_pruned: z.strictObject({
    turn: z.int().min(1),
    images: count,
    /**
     * Too many pictures, pictures that the API refused, a context that was full, or a summary of the server's; absent
     * in older traces.
     */
    why: z.enum(["pictures", "refused", "context", "compaction"]).optional(),
    /** Answers whose words are left out. */
    results: count.optional(),
    messages: count.optional(),
  }),
  action: z.strictObject({
    actionId: z.string(),
    source: z.enum(["model", "agent"]),
    turn: count,
    callId: text.optional(),
    /** Absent when the call could not be parsed. */
    name: actionName.optional(),
    input: recordedInputSchema.optional(),
    verdict: z.enum(["allow", "deny", "not_executed"]),
    code: z.string().optional(),
    reason: text.optional(),
  }),
  intent: z.strictObject({
    actionId: z.string(),
    argsDigest: digest,
    leaseId: z.string(),
    epoch: z.int().min(1),
    attempt: z.int().min(1),
  }),
  receipt: z.strictObject({
    receiptId: z.string(),
    actionId: z.string(),
    actionDigest: digest,
    status: receiptStatusSchema,
    events: count,
    code: z.string().optional(),
    /** The driver's own words, where it failed. */
    reason: text.optional(),
  }),
  verification: z.strictObject({
    actionId: z.string(),
    outcome: z.string(),
    effect: effectSchema,
    detail: text,
    before: digest.optional(),
    after: digest.optional(),
  }),
  violation: z.strictObject({ code: z.string(), violation: z.string(), reason: text, fatal: z.boolean() }),
  endorsed: z.strictObject({ reason: text, value: withheldTextSchema }),
  control: z.strictObject({ what: z.enum(["pause", "resume", "stop"]), reason: text }),
  released: z.strictObject({ released: releasedSchema, when: z.enum(["start", "pause", "end"]) }),
  run_ended: z.strictObject({
    outcome: outcomeSchema,
    code: z.string().optional(),
    message: text.optional(),
    turns: count,
    actions: count,
    events: count,
    usage: usageSchema,
  }),
} as const;

export type RecordKind = keyof typeof RECORD_DATA;
export type RecordData<Kind extends RecordKind> = z.infer<(typeof RECORD_DATA)[Kind]>;

export const RECORD_KINDS = Object.keys(RECORD_DATA) as readonly RecordKind[];

const chain = {
  v: z.literal(TRACE_VERSION),
  /** 0, 1, 2, …: order is by this, never by a clock. */
  seq: count,
  /** Wall time, for reading. */
  at: z.iso.datetime(),
  /** Monotonic milliseconds since the run began. */
  mono: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  /** Hash of the record before; the first record's is the digest of the empty text. */
  prev: digest,
  /** Digest of this record's canonical JSON without `hash`. */
  hash: digest,
};

type RecordSchemas = {
  [Kind in RecordKind]: z.ZodObject<
    typeof chain & { kind: z.ZodLiteral<Kind>; data: (typeof RECORD_DATA)[Kind] },
    z.core.$strict
  >;
};

export const RECORD_SCHEMAS = Object.fromEntries(
  RECORD_KINDS.map((kind) => [
    kind,
    z.strictObject({ ...chain, kind: z.literal(kind), data: RECORD_DATA[kind] }),
  ]),
) as unknown as RecordSchemas;

export type TraceRecord = { [Kind in RecordKind]: z.infer<RecordSchemas[Kind]> }[RecordKind];
