// What the history costs under different limits for its pictures: the same replies and screens as history-cost.mjs,
// put into the history itself without a loop, priced with the same simulated cache.
//   npm run build && node bench/history-limits.mjs [TURNS]
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { PromptCache, price } from "./history-cost/prompt-cache.mjs";
import { SIZE } from "./history-cost/screens.mjs";
import { GOAL, isInput, REPLIES, sceneAfter, TURNS } from "./history-cost/script.mjs";
import { tokenCounter } from "./history-cost/token-counter.mjs";

const DIST = resolve(import.meta.dirname, "../dist/runtime/dispatch");
const { History, storedImage } = await import(join(DIST, "history.js"));
const { requestBody } = await import(join(DIST, "request.js"));
const tokensOf = await tokenCounter(DIST);

/** A file with a PNG's head, of which only the size counts here. */
function picture(scene) {
  const bytes = Buffer.alloc(40);
  bytes.writeUInt32BE(SIZE.width, 16);
  bytes.writeUInt32BE(SIZE.height, 20);
  bytes.writeUInt32BE(scene, 36);
  return storedImage({ bytes, mediaType: "image/png", size: SIZE, frame: `scene ${scene}` });
}

function cost(limits, thinking, turns) {
  const history = new History({ maxImageCharacters: 2 ** 24, ...limits }, thinking);
  history.addUser([{ type: "text", text: GOAL }, picture(0)]);
  const cache = new PromptCache(tokensOf, (text) => createHash("sha256").update(text).digest("base64"));
  let sum = 0;
  let actions = 0;
  for (let turn = 0; turn < turns; turn++) {
    history.prune();
    const request = {
      model: "m",
      system: "s".repeat(900),
      tool: { type: "computer_toolset_20260801" },
      maxTokens: 1,
    };
    sum += price(
      cache.take(requestBody({ ...request, messages: history.view(), cachePoints: history.cachePoints() })),
    );
    const reply = REPLIES[turn % REPLIES.length];
    const calls = reply.filter((block) => block.type === "tool_use");
    history.addReply(reply);
    history.addResults(
      calls.map((call, index) => {
        if (isInput(call)) actions += 1;
        const text = { type: "text", text: "Clicked. The screen changed." };
        const content = index === calls.length - 1 ? [text, picture(sceneAfter(actions))] : [text];
        return { callId: `${call.id}_${turn}`, toolset: "computer", content, isError: false };
      }),
    );
  }
  return Math.round(sum);
}

const turns = Number(process.argv[2] ?? TURNS);
const LIMITS = [
  [1, [4, 5, 6, 8]],
  [2, [7, 8, 9, 10]],
  [3, [8, 9, 10, 11, 12, 13, 15, 20, 28]],
  [4, [12, 13, 15]],
  [8, [20]],
];
console.log(`${turns} turns; cost in input tokens: thinking goes with the pictures / stays`);
for (const [keepImages, all] of LIMITS)
  for (const maxImages of all) {
    const limits = { keepImages, maxImages };
    const [goes, stays] = ["goes-with-pictures", "stays"].map((rule) =>
      cost(limits, rule, turns).toLocaleString("en"),
    );
    console.log(`keep ${keepImages} of at most ${String(maxImages).padStart(2)}: ${goes} / ${stays}`);
  }
