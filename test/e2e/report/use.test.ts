// The report as people use it, in a real browser: the place of a click, filters, keys, a phone, paper, no script.
import { readFileSync, writeFileSync } from "node:fs";
import { decode } from "fast-png";
import { afterAll, afterEach, expect, it } from "vitest";
import { MadeTrace, picture, SIZE } from "../../viewer/made-trace.js";
import { exported, type Opened, ReportBrowser } from "./browser.js";

const browser = new ReportBrowser();
afterEach(() => browser.closeAll());
afterAll(() => browser.close());

const AT = { x: 137, y: 91 };
const TARGET = [255, 0, 255];

/** Five turns: a click at AT on a frame that has a square there, a key, a refusal, a drag and a zoom. */
async function sample(): Promise<string> {
  const trace = await new MadeTrace().begin();
  const before = picture(SIZE, [225, 228, 232], AT, TARGET, 4);
  const after = picture(SIZE, [200, 228, 200]);
  await trace.frame(before);
  await trace.turn();
  await trace.action(
    "left_click",
    { coordinate: AT },
    { before, after, told: "Clicked. The screen changed." },
  );
  await trace.turn();
  await trace.action("key", { text: "ctrl+s" }, { before: after, after, told: "Pressed the key." });
  await trace.turn();
  const refusal = { verdict: "deny", code: "E_BOUNDS", reason: "(300, 200) is outside" } as const;
  await trace.action("left_click", { coordinate: { x: 300, y: 200 } }, { ...refusal, told: "Outside." });
  await trace.turn();
  const drag = { start_coordinate: { x: 10, y: 10 }, coordinate: { x: 90, y: 60 } };
  await trace.action("left_click_drag", drag, { before: after, after: before });
  await trace.turn();
  await trace.action("zoom", { region: { x: 20, y: 30, width: 40, height: 50 } });
  await trace.end();
  const { file, code } = await exported(trace.folder);
  expect(code).toBe(0);
  return file;
}

interface Box {
  readonly x: number;
  readonly y: number;
}

/** The middle of all pixels of a colour on a picture of the page. */
function middleOf(png: Uint8Array, [r = 0, g = 0, b = 0]: readonly number[]): Box {
  const { data, width, channels } = decode(png);
  let [count, x, y] = [0, 0, 0];
  for (let at = 0; at < data.length; at += channels) {
    const near = (index: number, value: number) => Math.abs((data[at + index] ?? 0) - value) < 24;
    if (!near(0, r) || !near(1, g) || !near(2, b)) continue;
    const pixel = at / channels;
    count += 1;
    x += pixel % width;
    y += Math.floor(pixel / width);
  }
  expect(count).toBeGreaterThan(8);
  return { x: x / count, y: y / count };
}

async function ringOf({ page }: Opened, scope: string): Promise<Box> {
  const box = await page.locator(`${scope} .marks circle.ink`).first().boundingBox();
  if (!box) throw new Error("there is no ring");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

it("marks a click on the very pixel of the frame, at any size of the window", async () => {
  const file = await sample();
  for (const view of [
    {},
    { width: 1920, height: 1080 },
    { width: 820, height: 700 },
    { width: 360, height: 780 },
  ]) {
    const opened = await browser.open(`${file}`, view);
    await opened.page.locator("#rows > ol > li.action a").first().click();
    await opened.page.locator(".stage img").first().scrollIntoViewIfNeeded();
    const target = middleOf(await opened.page.screenshot(), TARGET);
    const ring = await ringOf(opened, ".stage");
    // The ring's middle is the middle of the clicked pixel; both are measured on the page as it was drawn.
    expect(Math.abs(ring.x - target.x), JSON.stringify(view)).toBeLessThan(1.5);
    expect(Math.abs(ring.y - target.y), JSON.stringify(view)).toBeLessThan(1.5);
    await browser.closeAll();
  }
});

it("scales places to frames of another size than the viewport", async () => {
  const trace = await new MadeTrace().begin();
  const half = { width: 160, height: 120 };
  await trace.frame(picture(half, [225, 228, 232], { x: 68, y: 45 }, TARGET, 2), "start", half);
  await trace.turn();
  await trace.action("left_click", { coordinate: AT });
  await trace.end();
  const { file } = await exported(trace.folder);
  const opened = await browser.open(file);
  const target = middleOf(await opened.page.screenshot(), TARGET);
  const ring = await ringOf(opened, ".stage");
  expect(Math.abs(ring.x - target.x)).toBeLessThan(3);
  expect(Math.abs(ring.y - target.y)).toBeLessThan(3);
});

it("begins at what was refused, says which rule decided, and shades what lies outside the bounds", async () => {
  const { page, seen } = await browser.open(await sample());
  expect(await page.locator(".panel .heading").textContent()).toBe("Click 300, 200");
  expect(await page.locator(".panel .rule").textContent()).toContain("E_BOUNDS: outside the allowed region");
  expect(await page.locator(".panel blockquote").textContent()).toBe("Outside.");
  expect(await page.locator(".stage .marks .outside").count()).toBe(1);
  expect(seen.errors).toEqual([]);
});

it("filters by verdict, action, code and text", async () => {
  const { page } = await browser.open(await sample());
  const names = () => page.locator("#rows > ol > li.action:not([hidden]) .what").allTextContents();
  expect(await names()).toHaveLength(5);
  await page.getByLabel("Verdict").selectOption("deny");
  expect(await names()).toEqual(["Click 300, 200"]);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByLabel("Action", { exact: true }).selectOption("key");
  expect(await names()).toEqual(["Press a key ctrl+s"]);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByLabel("Code").selectOption("E_BOUNDS");
  expect(await names()).toEqual(["Click 300, 200"]);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("searchbox").fill("SCREEN CHANGED.");
  expect(await names()).toEqual(["Click 137, 91"]);
  await page.keyboard.press("Escape");
  expect(await names()).toHaveLength(5);
});

it("goes by keys", async () => {
  const { page } = await browser.open(await sample());
  const heading = () => page.locator(".panel .heading").textContent();
  await page.keyboard.press("Home");
  expect(await heading()).toContain("Desktop opened");
  await page.keyboard.press("End");
  expect(await heading()).toContain("Run ended");
  await page.keyboard.press("k");
  expect(await heading()).toContain("Released");
  await page.keyboard.press("N");
  expect(await heading()).toBe("Click 300, 200");
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  expect(await heading()).toBe("Drag 10, 10 to 90, 60");
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(".view .label").textContent()).toMatch(/^After/);
  await page.keyboard.press("b");
  expect(await page.locator(".view").count()).toBe(2);
  await page.keyboard.press("ArrowLeft");
  expect(await page.locator(".view .label").textContent()).toMatch(/^Before/);
  await page.keyboard.press("z");
  expect((await page.locator(".stage img").boundingBox())?.width).toBe(SIZE.width);
  await page.keyboard.press("?");
  expect(await page.getByRole("dialog").isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await page.getByRole("dialog").isVisible()).toBe(false);
  await page.keyboard.press("/");
  await page.keyboard.type("zoom");
  await page.keyboard.press("Enter");
  expect(await heading()).toContain("Look at a region closely");
});

it("fits a phone: nothing is wider than the window, and details open in the list", async () => {
  const { page } = await browser.open(await sample(), { width: 360, height: 740 });
  const overflow = () => page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
  expect(await overflow()).toBe(0);
  const row = page.locator("#rows > ol > li.action").nth(1);
  await row.locator("a").first().click();
  expect(await row.locator(".detail").isVisible()).toBe(true);
  expect(await overflow()).toBe(0);
  await page.keyboard.press("b");
  expect(await overflow()).toBe(0);
});

it("is printed whole: every row with its details and frames, and no controls", async () => {
  const { page } = await browser.open(await sample());
  await page.getByRole("searchbox").fill("zoom");
  await page.emulateMedia({ media: "print" });
  const rows = page.locator("#rows > ol > li");
  for (let index = 0; index < (await rows.count()); index++) {
    expect(await rows.nth(index).isVisible()).toBe(true);
    expect(await rows.nth(index).locator(".detail").isVisible()).toBe(true);
  }
  expect(await page.locator("#rows figure img").count()).toBe(2);
  expect(await page.locator("#rows figure").first().isVisible()).toBe(true);
  expect(await page.getByRole("searchbox").isVisible()).toBe(false);
  expect(await page.locator(".stage").isVisible()).toBe(false);
  expect(await page.locator(".about").isVisible()).toBe(true);
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect((pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length).toBeGreaterThan(1);
});

it("reads without a script: rows, details, frames with their marks", async () => {
  const { page } = await browser.open(await sample(), { script: false });
  expect(await page.locator("#rows > ol > li.action .detail").first().isVisible()).toBe(true);
  expect(await page.locator("#rows figure svg.marks circle.ink").first().isVisible()).toBe(true);
  expect(await page.locator("#about").isVisible()).toBe(true);
  expect(await page.getByRole("searchbox").count()).toBe(0);
});

it("holds a long list: its ends, a filter over it, and what is printed", async () => {
  const trace = await new MadeTrace().begin();
  await trace.turn();
  const refusal = { verdict: "deny", code: "E_BOUNDS", reason: "outside" } as const;
  for (let x = 1; x <= 450; x++) {
    await trace.action("left_click", { coordinate: { x: x % 300, y: 9 } }, x % 150 === 0 ? refusal : {});
  }
  await trace.end();
  const { file } = await exported(trace.folder);
  const { page, seen } = await browser.open(file);
  const isInView = `(() => {
    const [row, list] = ["[aria-current]", "#rows"].map((at) => document.querySelector(at).getBoundingClientRect());
    return row.height > 10 && row.top >= list.top && row.bottom <= list.bottom;
  })()`;
  for (const key of ["End", "Home", "n", "n", "N", "End", "k"]) {
    await page.keyboard.press(key);
    expect(await page.evaluate(isInView), key).toBe(true);
  }
  await page.getByLabel("Verdict").selectOption("deny");
  const rows = page.locator("#rows > ol > li");
  const shown = page.locator("#rows > ol > li:not([hidden])");
  expect(await shown.count()).toBe(3);
  // What passed stands together, without room for what did not.
  const [first, last] = [await shown.first().boundingBox(), await shown.last().boundingBox()];
  expect((last?.y ?? Number.NaN) - (first?.y ?? Number.NaN)).toBeLessThan(120);
  await page.emulateMedia({ media: "print" });
  for (const index of [0, 250, (await rows.count()) - 1]) {
    expect(await rows.nth(index).locator(".detail").isVisible()).toBe(true);
  }
  expect(seen.errors).toEqual([]);
});

it("shows everything where its script does not come to an end", async () => {
  const file = await sample();
  const html = readFileSync(file, "utf8");
  const cut = `${file}-cut.html`;
  writeFileSync(cut, html.slice(0, html.indexOf('<script type="application/json"')));
  const { page } = await browser.open(cut);
  expect(await page.locator("#rows > ol > li.action .detail").first().isVisible()).toBe(true);
  expect(await page.locator("#rows figure").first().isVisible()).toBe(true);
});

/** The contrast of every text of some kinds with what is behind it, as WCAG counts it. */
const CONTRASTS = `(() => {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((text) => {
      const share = Number(text) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paperOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const kinds = [".meta", ".pill", ".state", ".time", ".rule h4", ".points dt", ".words li", ".figures small", ".quiet"];
  return kinds.flatMap((kind) =>
    [...document.querySelectorAll(kind)]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => {
        const [a, b] = [luminance(getComputedStyle(element).color), luminance(paperOf(element))];
        return [kind, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
      }),
  );
})()`;

it("tells tones apart on light and dark paper", async () => {
  const file = await sample();
  for (const scheme of ["light", "dark"] as const) {
    const { page } = await browser.open(file, { scheme });
    const contrast = await page.evaluate<[string, number][]>(CONTRASTS);
    expect(contrast.length).toBeGreaterThan(20);
    expect(contrast.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
    await browser.closeAll();
  }
});
