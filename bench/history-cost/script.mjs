// The run that every policy sends: fifty turns of filling in orders from mails. Most turns are one action, some are a
// batch as models make them with the toolset; five look again at a screen that has not changed.

const CLICK = (turn, index) => ({
  name: "left_click",
  input: { coordinate: [640 + ((turn * 37) % 600), 90 + ((turn * 53 + index * 24) % 420)] },
});
const TYPE = (turn) => ({
  name: "type",
  input: { text: `Reference ${4000 + turn}, ${turn} units at ${turn * 3}.50 each` },
});
const KEY = (text) => ({ name: "key", input: { text } });
const SCROLL = (turn) => ({
  name: "scroll",
  input: { coordinate: [320, 400], scroll_direction: turn % 2 ? "down" : "up", scroll_amount: 3 },
});
const LOOK = { name: "screenshot", input: {} };

/** Ten turns that repeat, with other values each time. */
const PATTERN = [
  (turn) => [CLICK(turn, 0)],
  (turn) => [CLICK(turn, 0), TYPE(turn)],
  () => [KEY("Tab")],
  (turn) => [TYPE(turn), KEY("Tab"), TYPE(turn + 1)],
  (turn) => [SCROLL(turn)],
  (turn) => [CLICK(turn, 0)],
  () => [LOOK],
  (turn) => [CLICK(turn, 1), KEY("ctrl+a"), TYPE(turn)],
  () => [KEY("Return")],
  (turn) => [CLICK(turn, 2), KEY("Page_Down")],
];

const THOUGHTS =
  "The field for the reference is filled in now and the cursor has moved on. Next comes the amount, which the mail gives as units times price, so I compare both before I type. If the total at the bottom of the form does not follow, the form has not taken the value and I have to enter it again. ";
const WORDS = "The reference is in place; I go on with the amount from the mail.";

export const TURNS = 50;
export const GOAL =
  "Enter the orders from the mails of this morning into the order form, one after the other, and tell me which of them had no delivery date.";

/** Signatures are opaque and about as long as this for a thought of that length. */
function signature(turn) {
  return Buffer.from(`${turn} `.repeat(150)).toString("base64").slice(0, 480);
}

/** The model's replies, in order. */
export const REPLIES = Array.from({ length: TURNS }, (_, index) => {
  const turn = index + 1;
  const calls = turn === 1 ? [LOOK] : PATTERN[turn % PATTERN.length](turn);
  return [
    { type: "thinking", thinking: THOUGHTS.repeat(1 + (turn % 2)), signature: signature(turn) },
    ...(turn % 3 === 0 ? [{ type: "text", text: WORDS }] : []),
    ...calls.map(({ name, input }, at) => ({
      type: "tool_use",
      id: `toolu_${String(turn).padStart(3, "0")}_${at}`,
      name,
      toolset_name: "computer",
      input,
    })),
  ];
});

export function isInput(call) {
  return call.name !== "screenshot";
}

/** The scene after so many input actions. A key press in four changes nothing on the screen. */
export function sceneAfter(actions) {
  return actions - Math.floor(actions / 4);
}
