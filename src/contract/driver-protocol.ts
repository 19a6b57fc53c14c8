// What a driver may be asked to do, and the messages to and from a driver process: newline-delimited JSON with
// canonical key ids, integers and display pixels only. Both ends parse with these schemas; nothing else is sent.
import { z } from "zod";
import { pointSchema, rectSchema, sizeSchema } from "./geometry.js";
import { LIMITS } from "./limits.js";

const modifierSchema = z.enum(["ctrl", "alt", "shift", "super"]);
const modifiers = z.array(modifierSchema).max(4);
const keyId = z.string().regex(/^[A-Za-z0-9_]{1,32}$/);
const at = pointSchema;

/** A canonical action in display pixels: the plan inside a `PermittedAction`. */
export const driverActionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("capture"), region: rectSchema.optional() }),
  z.strictObject({ kind: z.literal("cursor") }),
  z.strictObject({ kind: z.literal("move"), at }),
  z.strictObject({
    kind: z.literal("click"),
    at,
    button: z.enum(["left", "middle", "right"]),
    count: z.int().min(1).max(3),
    modifiers,
  }),
  z.strictObject({ kind: z.literal("drag"), from: pointSchema, to: pointSchema, modifiers }),
  z.strictObject({ kind: z.literal("press"), at }),
  z.strictObject({ kind: z.literal("release"), at }),
  z.strictObject({
    kind: z.literal("scroll"),
    at,
    direction: z.enum(["up", "down", "left", "right"]),
    amount: z.int().min(1).max(LIMITS.scrollAmountMax),
    modifiers,
  }),
  z.strictObject({ kind: z.literal("type"), text: z.string().max(2 * LIMITS.textMaxCodePoints) }),
  z.strictObject({
    kind: z.literal("key"),
    modifiers,
    key: keyId.optional(),
    repeat: z.int().min(1).max(LIMITS.repeatMax),
  }),
  z.strictObject({
    kind: z.literal("hold"),
    modifiers,
    key: keyId.optional(),
    ms: z.int().min(LIMITS.holdMinMs).max(LIMITS.holdMaxMs),
  }),
  /** Waiting touches no display; the runtime does it, drivers refuse it. */
  z.strictObject({ kind: z.literal("wait"), ms: z.int().min(0).max(LIMITS.waitMaxMs) }),
]);
export type DriverAction = z.infer<typeof driverActionSchema>;
export type DriverActionKind = DriverAction["kind"];

/** What a driver answers when an action was carried out. */
export const driverResultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("frame"),
    /** PNG bytes, base64 on the wire. */
    png: z.base64(),
    size: sizeSchema,
  }),
  z.strictObject({ kind: z.literal("cursor"), at: pointSchema }),
  z.strictObject({
    kind: z.literal("delivered"),
    /** Input events sent: key and button presses and releases, motions, wheel clicks. */
    events: z.int().min(0),
    /** Pointer position read back after the action. */
    pointer: pointSchema,
  }),
]);
export type DriverResult = z.infer<typeof driverResultSchema>;

/** What was found down and let go. Keys are canonical ids, or `keycode:N` where the table has none. */
export const releasedSchema = z.strictObject({
  keys: z.array(z.string()),
  buttons: z.array(z.int().min(1).max(32)),
});
export type Released = z.infer<typeof releasedSchema>;

/** The run codes that a driver may answer with. */
export const driverFailureCodeSchema = z.enum([
  "E_BACKEND",
  "E_DISPLAY_LOST",
  "E_ENV_DRIFT",
  "E_INDETERMINATE",
  "E_KEY_UNSUPPORTED",
  "E_LEASE",
  "E_SCHEMA",
  "E_STALE",
  "E_STATE",
  "E_TEXT_UNSUPPORTED",
  "E_UNSUPPORTED",
]);

/** A failed request. `events` counts what had been sent before: 0 means nothing reached the display. */
export const driverFailureSchema = z.strictObject({
  code: driverFailureCodeSchema,
  message: z.string().max(2000),
  events: z.int().min(0),
});
export type DriverFailure = z.infer<typeof driverFailureSchema>;

const id = z.int().min(1);

export const driverRequestSchema = z.discriminatedUnion("method", [
  z.strictObject({
    id,
    method: z.literal("perform"),
    action: driverActionSchema,
    deadlineMs: z.int().min(1),
  }),
  /** Waits until the screen has been quiet for `quietMs`, at most `maxMs`. */
  z.strictObject({
    id,
    method: z.literal("settle"),
    quietMs: z.int().min(1).max(5000),
    maxMs: z.int().min(1).max(30_000),
  }),
  /** Stops the action under way between two events and releases what it holds. */
  z.strictObject({ id, method: z.literal("cancel"), target: id }),
  z.strictObject({ id, method: z.literal("releaseAll") }),
  z.strictObject({ id, method: z.literal("close") }),
]);
export type DriverRequest = z.infer<typeof driverRequestSchema>;

export const driverReplySchema = z.discriminatedUnion("type", [
  /** Sent once, unasked: the display was opened and is in a neutral state. */
  z.strictObject({
    type: z.literal("ready"),
    size: sizeSchema,
    serverId: z.string(),
    released: releasedSchema,
  }),
  z.strictObject({ type: z.literal("failed"), failure: driverFailureSchema }),
  /** Sent before events are: at most this many have been sent for the action under way. */
  z.strictObject({ type: z.literal("progress"), id, events: z.int().min(0) }),
  z.strictObject({ type: z.literal("result"), id, result: driverResultSchema }),
  z.strictObject({ type: z.literal("settled"), id, quiet: z.boolean(), waitedMs: z.int().min(0) }),
  z.strictObject({ type: z.literal("released"), id, released: releasedSchema }),
  z.strictObject({ type: z.literal("done"), id }),
  z.strictObject({ type: z.literal("error"), id, failure: driverFailureSchema }),
]);
export type DriverReply = z.infer<typeof driverReplySchema>;
