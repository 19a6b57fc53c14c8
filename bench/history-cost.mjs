// What a run of fifty turns costs under different policies for its history: bytes sent, tokens, simulated cache hits.
// Ours is the real loop over the real SDK and HTTP, on the fake desktop; the others are re-implementations in
// history-cost/policies.mjs that send the same replies and screens in the same form.
//   npm run build && node bench/history-cost.mjs [--json FILE]
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bestPractices, demoCached, demoTruncating, image } from "./history-cost/policies.mjs";
import { PromptCache, price } from "./history-cost/prompt-cache.mjs";
import { drawScene, SIZE } from "./history-cost/screens.mjs";
import { GOAL, isInput, REPLIES, sceneAfter, TURNS } from "./history-cost/script.mjs";
import { picturesIn, tokenCounter } from "./history-cost/token-counter.mjs";

const DIST = resolve(import.meta.dirname, "../dist");
const { checkDeclaration } = await import(join(DIST, "contract/declaration.js"));
const { declaredFields } = await import(join(DIST, "contract/agent-spec.js"));
const { Dispatcher } = await import(join(DIST, "runtime/index.js"));
const { fakeDesktop, script } = await import(join(DIST, "runtime/testing/index.js"));
const { PRUNE_LIMITS } = await import(join(DIST, "runtime/dispatch/history.js"));
const tokensOf = await tokenCounter(join(DIST, "runtime/dispatch"));

const scenes = new Map();
function screenAfter(actions) {
  const scene = sceneAfter(actions);
  if (!scenes.has(scene)) scenes.set(scene, Buffer.from(drawScene(scene)));
  return scenes.get(scene);
}

function entry() {
  const cap = "computer.screen + computer.input + computer.clipboard.read";
  const { declaration, problems } = checkDeclaration({ ...SIZE, cap, maxTurns: TURNS + 1 });
  if (!declaration) throw new Error(JSON.stringify(problems));
  const sourceHash = `sha256:${"0".repeat(64)}`;
  return { agent: "Clerk", file: "clerk.ts", ...declaredFields(declaration), uses: [], sourceHash };
}

/** The bodies that our loop posts, as the server received them. */
async function ours(options) {
  const bodies = [];
  const model = script((request, { turn }) => {
    bodies.push(request);
    return REPLIES[turn - 1] ?? [{ type: "text", text: "Done: order 7 had no delivery date." }];
  });
  const desktop = fakeDesktop({ screens: (view) => screenAfter(view.actions) });
  const dispatcher = Dispatcher.fromSpec(entry(), { model, desktop, ...options });
  const result = await dispatcher.run(GOAL);
  await dispatcher.close();
  if (result.outcome !== "completed") throw new Error(`the run ended with ${JSON.stringify(result)}`);
  return bodies.slice(0, TURNS);
}

/** The full conversation before each turn: a picture with every action, or one a turn. */
function conversations(everyAction) {
  const all = [];
  const messages = [{ role: "user", content: [{ type: "text", text: GOAL }] }];
  let actions = 0;
  for (const reply of REPLIES) {
    all.push([...messages]);
    const calls = reply.filter((block) => block.type === "tool_use");
    const results = calls.map((call, index) => {
      if (isInput(call)) actions += 1;
      const hasPicture = everyAction || index === calls.length - 1;
      const text = { type: "text", text: `${call.name} done.` };
      return {
        type: "tool_result",
        tool_use_id: call.id,
        toolset_name: "computer",
        content: hasPicture ? [text, image(screenAfter(actions))] : [text],
      };
    });
    messages.push({ role: "assistant", content: reply }, { role: "user", content: results });
  }
  return all;
}

/** The bodies that a policy would post; head and tools are those of our own requests. */
function theirs(policy, everyAction, head) {
  const { cache_control: _, ...system } = head.system[0];
  return conversations(everyAction).map((messages) => ({
    ...head,
    system: [policy.cachesSystem ? { ...system, cache_control: { type: "ephemeral" } } : system],
    messages: policy.send(messages),
  }));
}

function measure(name, bodies) {
  const cache = new PromptCache(tokensOf, (text) => createHash("sha256").update(text).digest("base64"));
  const sum = { bytes: 0, total: 0, read: 0, write: 0, uncached: 0, cost: 0 };
  let mostPictures = 0;
  for (const body of bodies) {
    const counted = cache.take(body);
    sum.bytes += Buffer.byteLength(JSON.stringify(body));
    for (const kind of ["total", "read", "write", "uncached"]) sum[kind] += counted[kind];
    sum.cost += price(counted);
    mostPictures = Math.max(
      mostPictures,
      body.messages.flatMap(({ content }) => content.flatMap(picturesIn)).length,
    );
  }
  return { name, requests: bodies.length, mostPictures, ...sum, cost: Math.round(sum.cost) };
}

const own = await ours({});
const { messages: _messages, ...head } = own[0];
const rows = [
  measure("capuchin, default", own),
  measure("capuchin, unchangedScreens: text", await ours({ unchangedScreens: "text" })),
  measure(
    "capuchin, 5 pictures pruned to 1",
    await ours({ pruneLimits: { ...PRUNE_LIMITS, maxImages: 5, keepImages: 1 } }),
  ),
  measure("demo, cached, picture per action", theirs(demoCached(), true, head)),
  measure("demo, truncating, picture per action", theirs(demoTruncating(), true, head)),
  measure("best practices, picture per turn", theirs(bestPractices(), false, head)),
  measure("demo, cached, picture per turn", theirs(demoCached(), false, head)),
  measure("demo, truncating, picture per turn", theirs(demoTruncating(), false, head)),
];

const [first] = rows;
const ofDefault = (row, key) => Math.round((first[key] / row[key]) * 100);
const pngs = [...scenes.values()].map((png) => png.byteLength).sort((a, b) => a - b);
const report = {
  turns: TURNS,
  screen: SIZE,
  screens: { count: pngs.length, least: pngs[0], median: pngs[pngs.length >> 1], most: pngs.at(-1) },
  prices: { read: 0.1, write: 1.25, uncached: 1 },
  rows: rows.map((row) => ({
    ...row,
    oursInPercent: { bytes: ofDefault(row, "bytes"), cost: ofDefault(row, "cost") },
  })),
};

const columns = [
  ["policy", (row) => row.name],
  ["MB sent", (row) => (row.bytes / 1e6).toFixed(1)],
  ["tokens sent", (row) => row.total.toLocaleString("en")],
  ["read", (row) => row.read.toLocaleString("en")],
  ["written", (row) => row.write.toLocaleString("en")],
  ["uncached", (row) => row.uncached.toLocaleString("en")],
  ["cost", (row) => row.cost.toLocaleString("en")],
  ["pictures", (row) => String(row.mostPictures)],
  ["our bytes", (row) => `${row.oursInPercent.bytes} %`],
  ["our cost", (row) => `${row.oursInPercent.cost} %`],
];
const lines = [
  columns.map(([title]) => title),
  ...report.rows.map((row) => columns.map(([, show]) => show(row))),
];
const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
for (const line of lines)
  console.log(
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join("  "),
  );
console.log(`screens: ${pngs.length} of ${SIZE.width} x ${SIZE.height}, ${pngs[0]} to ${pngs.at(-1)} bytes`);
const file = process.argv[process.argv.indexOf("--json") + 1];
if (process.argv.includes("--json") && file) writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
