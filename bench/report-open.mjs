// Measures the report: how long an export of N records takes and what memory it needs, and how long its page takes
// to open and to answer in Chromium. Also the export of a trace of a million records.
//   npm run build && node bench/report-open.mjs [N ...]
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { encode } from "fast-png";
import { chromium } from "playwright-core";
import { digestBytes } from "../dist/base/digest.js";
import { RecordChain } from "../dist/journal/index.js";

const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");
const SIZE = { width: 1280, height: 800 };
/** Turns between two frames that differ. */
const TURNS_A_FRAME = 25;
const withheld = { digest: digestBytes("goal"), length: 40 };
const usage = { inputTokens: 1500, outputTokens: 90, cacheReadTokens: 9000, cacheWriteTokens: 300 };
const nothing = { keys: [], buttons: [] };

/** A screen of some windows, other ones for each seed; about as large as a real one once packed. */
function screen(seed) {
  const data = new Uint8Array(SIZE.width * SIZE.height * 3).fill(60);
  for (let box = 0; box < 40; box++) {
    const [left, top] = [(box * 211 + seed * 97) % 1100, (box * 131 + seed * 53) % 660];
    for (let y = top; y < top + 120; y++) {
      for (let x = left; x < left + 170; x++) {
        const at = (y * SIZE.width + x) * 3;
        data[at] = (box * 40 + seed) % 256;
        data[at + 1] = (((x * y) >> 6) + box * 20) % 256;
        data[at + 2] = 120 + (box % 100);
      }
    }
  }
  return encode({ ...SIZE, data, channels: 3 });
}

/** Writes a trace of about `count` records: turns of one request, one reply, two actions and their answers. */
function writeTrace(folder, count, withFrames) {
  mkdirSync(join(folder, "frames"), { recursive: true, mode: 0o700 });
  let tick = 0;
  const clock = {
    now: () => "2026-01-02T03:04:05.000Z",
    monotonic: () => (tick += 37),
    sleep: async () => {},
  };
  const chain = new RecordChain(clock);
  const fd = openSync(join(folder, "trace.jsonl"), "wx", 0o600);
  let held = [];
  const write = () => {
    writeSync(fd, held.join(""));
    held = [];
  };
  const add = (kind, data) => {
    held.push(`${chain.next(kind, data).line}\n`);
    if (held.length > 2000) write();
  };
  const limits = {
    viewport: SIZE,
    bounds: { x: 0, y: 0, width: 1000, height: 800 },
    denyKeys: ["alt+F4"],
    maxActions: 1_000_000,
    maxEvents: 10_000_000,
    onViolation: "refuse",
  };
  add("run_started", {
    runId: "run-bench",
    generator: "bench",
    agent: "LongRunner",
    goal: withheld,
    capability: "computer.input + computer.screen",
    entryDigest: digestBytes("entry"),
    derived: false,
    desktop: "fake",
    model: "script",
    tool: "computer_toolset_20260801",
  });
  add("desktop_opened", { kind: "fake", size: SIZE, serverId: "bench", released: nothing, limits });
  let [turn, action] = [0, 0];
  while (chain.records < count - 2) {
    turn += 1;
    if (withFrames && turn % TURNS_A_FRAME === 1) {
      const png = screen(turn);
      const digest = digestBytes(png);
      writeFileSync(join(folder, "frames", `${digest.slice(7)}.png`), png, { mode: 0o600 });
      add("frame", { digest, size: SIZE, bytes: png.length, reason: "turn" });
    }
    add("model_request", { turn, messages: 9, images: 3, bytes: 300_000, digest: digestBytes("request") });
    const calls = [1, 2].map((call) => ({ id: `call-${turn}-${call}`, name: "left_click" }));
    add("model_reply", {
      turn,
      id: `msg-${turn}`,
      stopReason: "tool_use",
      usage,
      calls,
      text: withheld,
      digest: digestBytes("r"),
    });
    const answers = calls.map(({ id }) => {
      action += 1;
      const actionId = `run-bench.${action}`;
      const input = { coordinate: { x: (action * 37) % 1280, y: (action * 53) % 800 } };
      const outside = input.coordinate.x >= 1000;
      const verdict = outside
        ? {
            verdict: "deny",
            code: "E_BOUNDS",
            reason: `(${input.coordinate.x}, ${input.coordinate.y}) is outside x 0-999, y 0-799`,
          }
        : { verdict: "allow" };
      add("action", { actionId, source: "model", turn, callId: id, name: "left_click", input, ...verdict });
      if (outside) return { callId: id, isError: true, text: "The target is outside the allowed region." };
      const argsDigest = digestBytes(actionId);
      add("intent", { actionId, argsDigest, leaseId: "lease", epoch: 1, attempt: 1 });
      add("receipt", {
        receiptId: `receipt-${action}`,
        actionId,
        actionDigest: argsDigest,
        status: "committed",
        events: 3,
      });
      add("verification", {
        actionId,
        outcome: "verified",
        effect: "confirmed",
        detail: "the screen changed",
      });
      return { callId: id, isError: false, text: "Clicked. The screen changed." };
    });
    add("answers", { turn, answers });
  }
  add("run_ended", { outcome: "completed", turns: turn, actions: action, events: action * 3, usage });
  write();
  closeSync(fd);
  return { records: chain.records, actions: action };
}

/** The command in a process of its own, with its time and the most memory that it held. */
function exportPage(folder, file) {
  const probe = `process.on("exit", () => console.error("peak", Math.round(process.resourceUsage().maxRSS / 1024)));`;
  const hook = `data:text/javascript,${encodeURIComponent(probe)}`;
  const began = performance.now();
  const ran = spawnSync(
    process.execPath,
    ["--import", hook, CLI, "trace", "export", folder, "--html", file],
    {
      encoding: "utf8",
    },
  );
  const seconds = (performance.now() - began) / 1000;
  if (ran.status !== 0) throw new Error(ran.stderr);
  return { seconds, peak: Number(/peak (\d+)/.exec(ran.stderr)?.[1]), said: ran.stdout.trim() };
}

async function openPage(file) {
  const browser = await chromium.launch({
    executablePath: process.env.CAPUCHIN_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--disable-quic",
    ],
  });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
    // The browser itself warmed up, so that the page alone is measured.
    await page.goto("data:text/html,<p>warm</p>");
    const client = await page.context().newCDPSession(page);
    await client.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(pathToFileURL(file).href);
    const opened = await page.evaluate(
      () =>
        new Promise((done) => {
          const [entry] = performance.getEntriesByType("navigation");
          requestAnimationFrame(() =>
            requestAnimationFrame(() => done({ loaded: entry.loadEventEnd, painted: performance.now() })),
          );
        }),
    );
    // What the page's main thread worked, apart from waiting for a busy machine.
    const { metrics } = await client.send("Performance.getMetrics");
    const busy = 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
    const timed = (script) =>
      page.evaluate(`new Promise((done) => { const began = performance.now(); ${script};
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began))); })`);
    const key = (name) =>
      `document.dispatchEvent(new KeyboardEvent("keydown", { key: "${name}", bubbles: true }))`;
    const next = await timed(key("j"));
    const end = await timed(key("End"));
    const search = await timed(
      `const box = document.querySelector("input[type=search]"); box.value = "outside"; box.dispatchEvent(new Event("input"))`,
    );
    return { ...opened, next, end, search, busy };
  } finally {
    await browser.close();
  }
}

const ms = (value) => `${Math.round(value)} ms`;
const counts = process.argv.slice(2).map(Number);
for (const count of counts.length > 0 ? counts : [1000, 10_000, 1_000_000]) {
  const folder = mkdtempSync(join(tmpdir(), "capuchin-report-"));
  try {
    const trace = join(folder, "trace");
    const made = writeTrace(trace, count, count <= 100_000);
    const file = join(folder, "report.html");
    const { seconds, peak, said } = exportPage(trace, file);
    const { loaded, painted, next, end, search, busy } = await openPage(file);
    console.log(`${made.records} records, ${made.actions} actions`);
    console.log(
      `  export   ${seconds.toFixed(1)} s, ${peak} MB at most, page of ${(statSync(file).size / 1e6).toFixed(1)} MB`,
    );
    console.log(`  open     loaded ${ms(loaded)}, painted ${ms(painted)}; its thread worked ${ms(busy)}`);
    console.log(`  use      next row ${ms(next)}, last row ${ms(end)}, search ${ms(search)}`);
    for (const line of said.split("\n").slice(1)) console.log(`  ${line}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
