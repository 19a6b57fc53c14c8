// A reply as the events of a stream: blocks that begin, grow and end, calls' inputs in pieces, each event a name and
// its data.

/** An event as an object with its type, or a text that is sent as it is, whatever it is. */
export type ScriptEvent = string | { readonly type: string; readonly [key: string]: unknown };

interface Message {
  readonly content: readonly Record<string, unknown>[];
  readonly stop_reason: unknown;
  readonly stop_sequence: unknown;
  readonly usage: unknown;
  readonly [key: string]: unknown;
}

type Event = Exclude<ScriptEvent, string>;

/** The events of a whole message. */
export function eventsOf(message: Message): Event[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = message;
  return [
    {
      type: "message_start",
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage },
    },
    ...content.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
}

function blockEvents(block: Record<string, unknown>, index: number): Event[] {
  const delta = (inner: object) => ({ type: "content_block_delta", index, delta: inner });
  const stop = { type: "content_block_stop", index };
  const start = (content_block: object) => ({ type: "content_block_start", index, content_block });
  if (block["type"] === "text") {
    return [start({ ...block, text: "" }), delta({ type: "text_delta", text: block["text"] }), stop];
  }
  if (block["type"] !== "tool_use" || block["input"] === undefined) return [start(block), stop];
  const json = JSON.stringify(block["input"]);
  const half = Math.ceil(json.length / 2);
  const pieces = [json.slice(0, half), json.slice(half)];
  return [
    start({ ...block, input: {} }),
    ...pieces.map((partial_json) => delta({ type: "input_json_delta", partial_json })),
    stop,
  ];
}

/** The bytes of one event. A text goes out as it is. */
export function eventText(event: ScriptEvent, newline = "\n"): string {
  if (typeof event === "string") return event;
  return `event: ${event.type}${newline}data: ${JSON.stringify(event)}${newline}${newline}`;
}
