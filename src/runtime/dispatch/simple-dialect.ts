// `done` and `stop`, which no hosted tool has: only a script that declares the simple dialect may end a run by them.
import { z } from "zod";
import type { ToolCall } from "./reply.js";

const summary = z.string().max(100_000).optional();
const memberInput = z.strictObject({ summary });
const singleInput = z.strictObject({ action: z.enum(["done", "stop"]), summary });

/** The summary of a `done` or `stop` call; undefined when the call is neither. */
export function readDone(call: ToolCall): { readonly summary: string } | undefined {
  const schema =
    call.name === "done" || call.name === "stop"
      ? memberInput
      : call.name === "computer"
        ? singleInput
        : undefined;
  const parsed = schema?.safeParse(call.input);
  return parsed?.success ? { summary: parsed.data.summary ?? "" } : undefined;
}
