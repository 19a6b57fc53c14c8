// The documents that a trace keeps beside its records, by content: the spec entry that was enforced (as in the spec,
// see agent-spec.ts) and each reply of the model, redacted. A reader refuses what is not exactly this.
import { z } from "zod";

export const KEPT_REPLY_VERSION = 1;

/** A document is no larger than the replies that are accepted at all. */
export const DOCUMENT_MAX_BYTES = 64 * 1024 * 1024;

/** In a withheld typed text: stands for any character that may be typed; line feeds and tabs stay as they are. */
export const TYPED_STAND_IN = "x";
/** Stands for a character that may never be typed, so that the text is refused as the original was. */
export const FORBIDDEN_STAND_IN = "\u0001";

const count = z.int().min(0);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Flat: what is nested deeper in an input is malformed, and is kept as `true` in its place. */
const inputSchema = z.union([
  scalar,
  z.array(scalar).max(16),
  z.record(z.string().max(64), z.union([scalar, z.array(scalar).max(16)])),
]);
export type KeptInput = z.infer<typeof inputSchema>;

const callSchema = z.strictObject({
  type: z.literal("tool_use"),
  /** Empty when the original could not be used as one. */
  id: z.string().max(256),
  name: z.string().max(128),
  toolset_name: z.string().max(128).nullable().optional(),
  /** Absent for the model itself, `program` for anything else. */
  caller: z.literal("program").optional(),
  input: inputSchema.optional(),
});

/** Blocks of words hold them only where the run was told to keep them; else how many characters they had. */
const blockSchema = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("text"), withheld: count }),
  z.strictObject({ type: z.literal("thinking"), thinking: z.string() }),
  callSchema,
  /** Thinking, and every kind of block that is not known: its size in characters of JSON, nothing else. */
  z.strictObject({
    type: z
      .string()
      .min(1)
      .max(128)
      .refine((type) => type !== "text" && type !== "tool_use"),
    withheld: count,
  }),
]);
export type KeptBlock = z.infer<typeof blockSchema>;

export const keptReplySchema = z.strictObject({
  version: z.literal(KEPT_REPLY_VERSION),
  what: z.literal("model_reply"),
  turn: z.int().min(1),
  dialect: z.enum(["hosted", "simple"]),
  /** As the API named it; `withheld` for what is no such name. */
  stopReason: z.string().max(128).nullable(),
  usage: z
    .strictObject({
      inputTokens: count,
      outputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
    })
    .optional(),
  content: z.array(blockSchema).max(4096),
});
export type KeptReply = z.infer<typeof keptReplySchema>;
