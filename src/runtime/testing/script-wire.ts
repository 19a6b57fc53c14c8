// How an answer of a script goes over the wire: whole, unless told to break off, to hang, to trickle or to lie. Judged
// strictly, like the answer itself. Places count bytes of the body or events of a stream.
import { z } from "zod";

const bytes = z.strictObject({ bytes: z.int().min(0) });
const events = z.strictObject({ events: z.int().min(0) });
const place = z.union([z.enum(["before_headers", "after_headers"]), bytes, events]);

/** An hour; a script that wants to hang says `stall`. */
const pauseMs = z.int().min(0).max(3_600_000);

const endings = {
  /** There the connection is reset. */
  reset: place.optional(),
  /** There nothing more is sent, and the connection stays open. */
  stall: place.optional(),
  /** There the body ends as if it were whole. */
  cut: z.union([bytes, events]).optional(),
  /** After so many events comes an error event, and the end. */
  error: z
    .strictObject({ events: z.int().min(0), type: z.string().min(1), message: z.string().optional() })
    .optional(),
  /** After so many events come pings and nothing else, for ever. */
  pings: z.strictObject({ events: z.int().min(0), pauseMs }).optional(),
};

const ENDINGS = Object.keys(endings) as readonly (keyof typeof endings)[];

export const scriptWireSchema = z
  .strictObject({
    ...endings,
    /** The body in pieces of so many bytes, with a pause after each. */
    drip: z.strictObject({ bytes: z.int().min(1), pauseMs: pauseMs.optional() }).optional(),
    /** So many bytes that mean nothing before the body: blanks, or comments of a stream. */
    padBytes: z
      .int()
      .min(1)
      .max(256 * 1024 * 1024)
      .optional(),
    /** Sent in place of, or beside the usual headers. */
    headers: z.record(z.string(), z.string()).optional(),
    /** Line ends of a stream. */
    newline: z.enum(["\n", "\r\n", "\r"]).optional(),
    /** A byte order mark before the body. */
    bom: z.literal(true).optional(),
  })
  .refine((wire) => ENDINGS.filter((name) => wire[name] !== undefined).length <= 1, {
    error: `only one of ${ENDINGS.join(", ")}`,
  });

/** What goes wrong below HTTP while a reply is sent. */
export type ScriptWire = z.infer<typeof scriptWireSchema>;
export type WirePlace = z.infer<typeof place>;

/** Whether a wire speaks of events, which only a stream has. */
export function needsStream(wire: ScriptWire): boolean {
  const { reset, stall, cut, error, pings, newline } = wire;
  const counts = [reset, stall, cut].some((at) => typeof at === "object" && "events" in at);
  return counts || error !== undefined || pings !== undefined || newline !== undefined;
}
