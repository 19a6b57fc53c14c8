// Replies of the Messages API, one tool_use block an action, in the calling form of the tool that the request declares:
// a member of the toolset, or the one tool `computer` with the action in its input.
import { blocksOf, messagesOf } from "./picture.mjs";

/**
 * @typedef {{ name: string, input: Record<string, unknown> }} Call
 * @typedef {{ content: object[], stop_reason: "tool_use" | "end_turn" | "refusal" }} Reply
 */

/** Looks again after a moment. @type {readonly Call[]} */
export const LOOK = [
  { name: "wait", input: { duration: 0.8 } },
  { name: "screenshot", input: {} },
];

/** Gives what was done a moment to show itself. The answer to a reply that acts brings a new picture by itself.
 * @type {readonly Call[]} */
export const SETTLE = LOOK.slice(0, 1);

/** @param {unknown} request @param {string} text @param {readonly Call[]} calls @returns {Reply} */
export function act(request, text, calls) {
  const turn = messagesOf(request).filter((message) => message.role === "assistant").length + 1;
  const blocks = calls.map(({ name, input }, index) => ({
    type: "tool_use",
    id: `toolu_demo_${turn}_${index + 1}`,
    ...(declaresToolset(request)
      ? { name, toolset_name: "computer", input }
      : { name: "computer", input: { action: name, ...input } }),
  }));
  return { content: [{ type: "text", text }, ...blocks], stop_reason: "tool_use" };
}

/** @param {string} text @returns {Reply} */
export function finish(text) {
  return { content: [{ type: "text", text }], stop_reason: "end_turn" };
}

/** Ends the run as not done. @param {string} text @returns {Reply} */
export function giveUp(text) {
  return { content: [{ type: "text", text }], stop_reason: "refusal" };
}

/** The calls of every reply so far, one list a reply, as the request's history holds them.
 * @param {unknown} request @returns {string[][]} */
export function callsSoFar(request) {
  return messagesOf(request)
    .filter((message) => message.role === "assistant")
    .map((message) =>
      blocksOf(message.content).flatMap((block) => (block.type === "tool_use" ? [actionOf(block)] : [])),
    );
}

/** @param {import("./picture.mjs").Block} block */
function actionOf(block) {
  const { name, input } = /** @type {{ name?: unknown, input?: { action?: unknown } }} */ (
    /** @type {unknown} */ (block)
  );
  return String(name === "computer" ? input?.action : name);
}

/** @param {unknown} request */
function declaresToolset(request) {
  const { tools } = /** @type {{ tools?: { type: string }[] }} */ (request);
  return tools?.some(({ type }) => type.startsWith("computer_toolset_")) ?? false;
}
