// The report of a trace that somebody else wrote to hurt its reader. Every page is opened in a real browser; what
// counts is what the browser did: requests, dialogs, errors, elements.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, onTestFinished } from "vitest";
import { MadeTrace, picture, SIZE } from "../../viewer/made-trace.js";
import { chunk, END, header, SIGNATURE } from "../../viewer/png-parts.js";
import { exported, type Opened, ReportBrowser } from "./browser.js";

const browser = new ReportBrowser();
afterEach(() => browser.closeAll());
afterAll(() => browser.close());

/** A trace that has a text in every place where a record takes one. */
async function filledWith(text: string): Promise<MadeTrace> {
  const trace = await new MadeTrace().begin({
    agent: text,
    model: text,
    desktop: text,
    tool: text,
    generator: text,
    runId: text,
    keeps: { entry: false, words: "kept", frames: "kept" },
  });
  await trace.frame(picture());
  const kept = await trace.keepDocument(
    JSON.stringify({
      version: 1,
      what: "model_reply",
      turn: 1,
      dialect: "hosted",
      stopReason: "end_turn",
      content: [{ type: "text", text }],
    }),
  );
  await trace.append("retry", { turn: 1, attempt: 1, reason: text, waitMs: 5 });
  await trace.turn({ id: text, stopReason: text, calls: [{ id: text, name: text }], kept });
  const options = { actionId: text, callId: text, reason: text, told: text, detail: text };
  await trace.action(
    "key",
    { text: text.slice(0, 128), [`x${text.slice(0, 60)}`]: text.slice(0, 128) },
    options,
  );
  const refusal = { verdict: "deny", code: text, reason: text, told: text } as const;
  await trace.action(undefined, {}, refusal);
  await trace.append("violation", { code: text, violation: text, reason: text, fatal: false });
  await trace.append("control", { what: "pause", reason: text });
  await trace.append("endorsed", { reason: text, value: { digest: `sha256:${"0".repeat(64)}`, length: 3 } });
  await trace.append("released", { released: { keys: [text], buttons: [1] }, when: "pause" });
  return trace.end({ outcome: "failed", code: text, message: text });
}

function expectQuiet({ seen }: Opened, file: string): void {
  expect(seen.requests).toEqual([`file://${file}`]);
  expect(seen.dialogs).toEqual([]);
  expect(seen.console).toEqual([]);
  expect(seen.errors).toEqual([]);
}

/** Goes through every row, so that whatever the details hold is shown once. */
async function visitAll({ page }: Opened): Promise<void> {
  await page.keyboard.press("Home");
  const rows = await page.locator("#rows > ol > li").count();
  for (let row = 0; row < rows; row++) await page.keyboard.press("j");
  await page.keyboard.press("r");
}

const scripts: readonly (readonly [string, string])[] = [
  ["V-001: a script element", "<script>alert(1)</script>"],
  ["V-001: an image with a handler", '"><img src=x onerror=alert(1)>'],
  ["V-001: an svg with a handler", "<svg onload=alert(1)>"],
  ["V-003: the end of a script element", '"</script><script>alert(1)</script>"'],
  ["V-003: an open comment and line separators", "<!--<script>\u2028\u2029'\\"],
  ["V-007: style and class", `" style="background:url(http://evil.invalid/?c)" class="${"x ".repeat(400)}`],
  [
    "V-007: a style element",
    "</style><style>*{background:url(http://evil.invalid/)}body{display:none}</style>",
  ],
  ["V-007: an old expression", "expression(alert(1));behavior:url(http://evil.invalid/)"],
  ["V-009: names of objects", "__proto__"],
  ["V-009: names of the document", "location"],
];

it.each(scripts)("%s is shown as text", async (_what, text) => {
  const trace = await filledWith(text);
  const { file, code } = await exported(trace.folder);
  expect(code).toBe(0);
  const opened = await browser.open(file);
  await visitAll(opened);
  expectQuiet(opened, file);
  const { page } = opened;
  const flat = text.replace(/[\u2028\u2029]/g, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
  expect(await page.locator("h1").textContent()).toContain(flat.slice(0, 60));
  // The page's own two scripts with their data, and one style; nothing more came to be.
  expect(await page.locator("script").count()).toBe(3);
  expect(await page.locator("style").count()).toBe(1);
  expect(await page.locator("[onerror], [onload], [style]:not(#cursor)").count()).toBe(0);
  // Ids are ours alone, so none shadows what the page looks up.
  const ids = await page.evaluate<string[]>(
    "[...document.querySelectorAll('[id]')].map((element) => element.id)",
  );
  expect(ids.filter((id) => !/^([rf]\d+|i-\w+|[a-z-]+)$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await page.evaluate("typeof document.location.href")).toBe("string");
  expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
});

it("V-008: opened offline, the page asks for nothing beside itself", async () => {
  const trace = await filledWith("http://evil.invalid/beacon.png");
  const { file } = await exported(trace.folder);
  const opened = await browser.open(file);
  await visitAll(opened);
  await opened.page.emulateMedia({ media: "print" });
  expectQuiet(opened, file);
  const html = readFileSync(file, "utf8");
  expect(html).toMatch(
    /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-/,
  );
  expect(html).toContain('<meta name="referrer" content="no-referrer">');
});

it("V-008: its policy stops what it does not hold itself", async () => {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    other.close();
  });
  const { port } = other.address() as AddressInfo;
  const trace = await filledWith("benign");
  const { file } = await exported(trace.folder);
  const { page, seen } = await browser.open(file);
  await page.evaluate(`
    const image = document.createElement("img");
    image.src = "http://127.0.0.1:${port}/beacon";
    const script = document.createElement("script");
    script.textContent = "document.title = 'ran'";
    document.body.append(image, script);
    document.body.style.backgroundImage = "url(http://127.0.0.1:${port}/style)";
    fetch("http://127.0.0.1:${port}/fetch").catch(() => {});
    new Promise((done) => setTimeout(done, 300));
  `);
  expect(await page.title()).not.toBe("ran");
  expect(asked).toEqual([]);
  expect(seen.console.join("\n")).toMatch(/Content Security Policy/);
});

it("V-006: pictures that are none are not given to the browser, and the page says why", async () => {
  const trace = await new MadeTrace().begin();
  const texts = Array.from({ length: 10_000 }, () => chunk("zTXt", Buffer.from("k\0\0")));
  const huge = Buffer.concat([
    SIGNATURE,
    header(12_000, 12_000, 1),
    chunk("IDAT", Buffer.alloc(17_000)),
    END,
  ]);
  const vast = Buffer.concat([
    SIGNATURE,
    header(2 ** 31 - 1, 2 ** 31 - 1),
    chunk("IDAT", Buffer.alloc(9)),
    END,
  ]);
  const wordy = Buffer.concat([SIGNATURE, header(4, 3), ...texts, chunk("IDAT", Buffer.alloc(9)), END]);
  const whole = Buffer.from(picture());
  const reasons = [/12000 × 12000/, /2147483647/, /4096 chunks/, /cut short/, /says 320 × 240/];
  for (const png of [
    huge,
    vast,
    wordy,
    whole.subarray(0, whole.length - 30),
    picture({ width: 9, height: 9 }),
  ]) {
    await trace.frame(png, "turn");
    await trace.turn();
    await trace.action("left_click", { coordinate: { x: 5, y: 5 } });
  }
  await trace.frame(whole, "turn");
  await trace.turn();
  await trace.action("left_click", { coordinate: { x: 5, y: 5 } });
  await trace.end();
  const { file } = await exported(trace.folder);
  const opened = await browser.open(file);
  const shown = await opened.page.locator("figure.missing p").allTextContents();
  expect(shown.length).toBe(reasons.length);
  for (const [index, reason] of reasons.entries()) expect(shown[index]).toMatch(reason);
  // Its benign twin is there, and the browser could read it.
  const widths = await opened.page.evaluate(`Promise.all(
    [...document.querySelectorAll("#rows img")].map(async ({ src }) => {
      const picture = Object.assign(new Image(), { src });
      await picture.decode();
      return picture.naturalWidth;
    }),
  )`);
  expect(widths).toEqual([SIZE.width]);
  await visitAll(opened);
  expectQuiet(opened, file);
});

async function altered(change: (lines: string[]) => string[]): Promise<MadeTrace> {
  const trace = await new MadeTrace().begin();
  await trace.frame(picture());
  await trace.turn();
  for (let x = 1; x <= 5; x++) await trace.action("left_click", { coordinate: { x, y: 5 } });
  await trace.end();
  const path = join(trace.folder, "trace.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(
    path,
    change(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
  return trace;
}

it("V-013: a tampered trace has a red banner with the first bad index, and nothing after it", async () => {
  const trace = await altered((lines) => lines.map((line) => line.replace('"x":3', '"x":4')));
  const index = readFileSync(join(trace.folder, "trace.jsonl"), "utf8")
    .split("\n")
    .findIndex((line) => line.includes('"x":4'));
  const { file, code, stderr } = await exported(trace.folder);
  expect(code).toBe(1);
  expect(stderr).toContain(`record ${index}: altered`);
  const { page } = await browser.open(file);
  const banner = page.locator(".banner");
  expect(await banner.textContent()).toContain(`First bad record: ${index}.`);
  const colour = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('.banner')).backgroundColor",
  );
  const [red = 0, green = 255, blue = 255] = (colour.match(/\d+/g) ?? []).map(Number);
  expect(red).toBeGreaterThan(120);
  expect(Math.max(green, blue)).toBeLessThan(80);
  expect(await page.locator("#rows > ol > li.action").count()).toBe(2);
  expect(await page.locator(".pill").allTextContents()).toContainEqual(expect.stringContaining("not intact"));
});

it("V-013: a trace that says of itself that it is verified is believed as little", async () => {
  const trace = await new MadeTrace().begin({ agent: "✓ verified: 999 records, chain and end" });
  await trace.turn();
  const { file, code } = await exported(trace.folder);
  expect(code).toBe(1);
  const { page } = await browser.open(file);
  expect(await page.locator(".banner").textContent()).toContain("incomplete");
  expect(await page.locator(".pill.ok").count()).toBe(0);
});

it("V-013: a whole trace has no banner (benign twin)", async () => {
  const trace = await altered((lines) => lines);
  const { file, code } = await exported(trace.folder);
  expect(code).toBe(0);
  const { page } = await browser.open(file);
  expect(await page.locator(".banner").count()).toBe(0);
  expect(await page.locator(".pill.ok").count()).toBe(2);
});

it("V-016: bidi, zero-width and control characters are shown as code points", async () => {
  const trace = await filledWith("a\u202eb\u200bc\u0007d\u2066e");
  const { file } = await exported(trace.folder);
  const opened = await browser.open(file);
  expect(await opened.page.locator("h1").textContent()).toBe("a\\u{202e}b\\u{200b}c\\u{7}d\\u{2066}e");
  const text = await opened.page.evaluate<string>("document.documentElement.innerText");
  expect(text).not.toMatch(/[\u202e\u200b\u0007\u2066]/);
  expect(readFileSync(file, "utf8")).not.toMatch(/[\u202e\u200b\u0007\u2066]/);
  expectQuiet(opened, file);
});

it("V-012: the search takes a pattern for the text that it is", async () => {
  const trace = await new MadeTrace().begin();
  await trace.turn();
  const refusal = { verdict: "deny", code: "E_SCHEMA" } as const;
  await trace.action(undefined, {}, { ...refusal, reason: `${"a".repeat(3000)}!` });
  await trace.action(undefined, {}, { ...refusal, reason: "it holds (a+)+$ itself" });
  await trace.end();
  const { file } = await exported(trace.folder);
  const opened = await browser.open(file);
  await opened.page.keyboard.press("/");
  await opened.page.keyboard.type("(a+)+$");
  expect(await opened.page.locator(".count").textContent()).toMatch(/^1 of \d+ rows$/);
  expect(await opened.page.locator("#rows > ol > li:not([hidden])").textContent()).toContain("(a+)+$ itself");
  expectQuiet(opened, file);
});

it("V-012: a row of 50 MB ends the reading, by its index, without being held", async () => {
  const trace = await altered((lines) => [
    ...lines.slice(0, 4),
    `{"at":"${"x".repeat(50_000_000)}"}`,
    ...lines.slice(4),
  ]);
  const { file, code, stderr } = await exported(trace.folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(/record 4: altered \(the line is longer than 65536 bytes\)/);
  expect(readFileSync(file).length).toBeLessThan(200_000);
});
