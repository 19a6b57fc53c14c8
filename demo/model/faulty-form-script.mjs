// The form script behind a server that fails twice in the middle of a reply, each time while it is asking to type: once
// it is overloaded (529, as an event of the stream), once the connection is reset. The run must ask again; what it was
// told so far of the broken reply must not be carried out, and nothing must be typed twice.
import formScript from "./form-script.mjs";

/** Events after which a reply has begun its call and not ended it: the start, a text of three, half a call. */
const IN_MID_CALL = 6;
const FAULTS = [
  { error: { events: IN_MID_CALL, type: "overloaded_error" } },
  { reset: { events: IN_MID_CALL } },
];

/** @type {Set<string>} */
const broken = new Set();

/** @param {unknown} request */
export default function faultyFormScript(request) {
  const reply = formScript(request);
  const typed = typedText(reply);
  const fault = FAULTS[broken.size];
  if (typed === undefined || broken.has(typed) || fault === undefined) return reply;
  broken.add(typed);
  return { ...reply, wire: fault };
}

/** What a reply asks to type. @param {import("./reply.mjs").Reply} reply @returns {string | undefined} */
function typedText({ content }) {
  for (const block of /** @type {Record<string, any>[]} */ (content)) {
    if (block["type"] !== "tool_use") continue;
    const { name, input } = block;
    if ((name === "computer" ? input["action"] : name) === "type") return input["text"];
  }
  return undefined;
}
