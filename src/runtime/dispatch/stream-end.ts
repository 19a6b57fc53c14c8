// The events of a streamed reply up to its end. A reply is whole with its last event: a server that keeps the
// connection open after it, or breaks it, has said all there is. What it still says is judged like everything before.
import { raceAbort } from "../../base/abort.js";
import { deadline } from "../../base/clock.js";
import { ModelError } from "./model-port.js";
import type { StreamAssembly } from "./stream-assembly.js";

/** How long a whole reply waits for its stream to end. */
const END_MAX_MS = 2000;

/** Goes through what follows a whole message; says whether the stream ended by itself. */
async function endsByItself<Event>(
  iterator: AsyncIterator<Event>,
  take: (event: Event) => void,
): Promise<boolean> {
  const limit = deadline(END_MAX_MS, new Error("the stream does not end"));
  const next = () => raceAbort(iterator.next(), limit.signal);
  try {
    for (let event = await next(); !event.done; event = await next()) take(event.value);
    return true;
  } catch (error) {
    if (error instanceof ModelError && error.fault !== "transient") throw error;
    return false;
  } finally {
    limit.clear();
  }
}

/**
 * Hands each event to `take`, which feeds the assembly, and returns the whole message. `release` lets go of a stream
 * that did not end by itself.
 * @throws ModelError when it is no whole message; what the stream throws before it is one.
 */
export async function readToEnd<Event>(
  events: AsyncIterable<Event>,
  assembly: StreamAssembly,
  take: (event: Event) => void,
  release: () => void,
): Promise<unknown> {
  const iterator = events[Symbol.asyncIterator]();
  let ended = false;
  try {
    while (!assembly.isComplete && !ended) {
      const event = await iterator.next();
      if (event.done) ended = true;
      else take(event.value);
    }
    ended ||= await endsByItself(iterator, take);
    return assembly.finish();
  } finally {
    if (!ended) release();
  }
}
