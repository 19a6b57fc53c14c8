// Messages between a run and the keeper of its virtual display: one JSON value a line, checked at both ends.
import { z } from "zod";
import { sizeSchema } from "../../../contract/geometry.js";

const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string());
const id = z.int().min(1);

/** The first line to a keeper: what to start. */
export const keeperStartSchema = z.strictObject({
  size: sizeSchema,
  /** Whether what programs write goes to descriptor 3 escaped, line by line, or as it is. */
  escapeOutput: z.boolean().optional(),
  /** A private folder, made by the parent, which both remove. */
  folder: z.string().startsWith("/"),
  /** An XKB layout such as `de` or `us,ru`. */
  layout: z
    .string()
    .regex(/^[a-z]{2,8}(\([a-z0-9_-]{1,32}\))?(,[a-z]{2,8}(\([a-z0-9_-]{1,32}\))?){0,3}$/)
    .optional(),
});
export type KeeperStart = z.infer<typeof keeperStartSchema>;

export const keeperRequestSchema = z.strictObject({
  id,
  method: z.literal("startApp"),
  argv: z.array(z.string()).min(1),
  env: environment,
  cwd: z.string(),
  /** Milliseconds to wait for the first window; 0 does not wait. */
  windowMs: z.int().min(0),
});
export type KeeperRequest = z.infer<typeof keeperRequestSchema>;

export const keeperReplySchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("ready"),
    display: z.string().regex(/^:\d+$/),
    server: z.int().min(1),
    socket: z.strictObject({ path: z.string(), inode: z.int() }),
  }),
  z.strictObject({
    type: z.literal("failed"),
    code: z.enum(["E_BACKEND", "E_UNSUPPORTED"]),
    message: z.string(),
  }),
  z.strictObject({ type: z.literal("app"), id, pid: z.int().min(1) }),
  z.strictObject({ type: z.literal("appFailed"), id, message: z.string() }),
  z.strictObject({
    type: z.literal("appEnded"),
    id,
    code: z.int().nullable(),
    signal: z.string().nullable(),
  }),
  /** The X server or the window manager ended by itself. */
  z.strictObject({ type: z.literal("lost"), message: z.string() }),
]);
export type KeeperReply = z.infer<typeof keeperReplySchema>;
