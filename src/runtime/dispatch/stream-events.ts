// A streamed reply, from its bytes to a message. The SDK splits the bytes into events; each is judged here before it
// counts, since the SDK itself passes over an event without a name or without data, and takes any name for any type.
import { describeValue } from "../../base/escape.js";
import { type AskedContext, streamedFault } from "./model-fault.js";
import { ModelError } from "./model-port.js";
import { StreamAssembly } from "./stream-assembly.js";
import { readToEnd } from "./stream-end.js";

/** One event as it stood in the stream. */
export interface SentEvent {
  readonly event: string | null;
  readonly data: string;
}

function malformed(why: string): ModelError {
  return new ModelError("malformed", `the streamed reply ${why}`);
}

function parseData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw malformed("holds an event whose data is no JSON");
  }
}

function typeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
}

/** The error that a stream names, as one to ask again after or not. */
function errorOf(data: string, context: AskedContext): ModelError {
  const error = (parseData(data) as { error?: unknown } | null)?.error;
  return streamedFault(error, context) ?? malformed("breaks off with an error of no known shape");
}

/** What some servers in between send at the end of any stream. Before the end of a message it says nothing good. */
function isEndMark({ event, data }: SentEvent): boolean {
  return (event === null || event === "") && data.trim() === "[DONE]";
}

/** The event's data, undefined for one that says nothing. @throws ModelError when name and data do not agree. */
function readEvent({ event, data }: SentEvent, context: AskedContext): unknown {
  if (event === "error") throw errorOf(data, context);
  if (event === "ping" && data === "") return undefined;
  if (event === null || event === "") throw malformed("holds an event without a name");
  const value = parseData(data);
  if (typeOf(value) !== event) {
    throw malformed(`holds data of another type under the event ${describeValue(event, 40)}`);
  }
  return value;
}

/**
 * The whole message of a stream. `release` lets go of one that stays open after it.
 * @throws ModelError when it is none, or breaks off.
 */
export function readStream(
  events: AsyncIterable<SentEvent>,
  release: () => void,
  context: AskedContext,
): Promise<unknown> {
  const assembly = new StreamAssembly();
  const take = (sent: SentEvent) => {
    if (assembly.isComplete && isEndMark(sent)) return;
    const value = readEvent(sent, context);
    if (value !== undefined) assembly.take(value);
  };
  return readToEnd(events, assembly, take, release);
}
