// Runs whose pictures, viewport and display differ in size. The fake desktop's events and pixels are in pixels of the
// display; the right places are written as fractions of the sizes.
import { decode, encode } from "fast-png";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import type { ComputerUseOptions } from "../../../../src/contract/declaration.js";
import type { Size } from "../../../../src/contract/geometry.js";
import type { FakeDesktop, FakeView } from "../../../../src/runtime/testing/index.js";
import { bench, call, closeAll, recorded, resultsOf, say, textOfResult } from "../setup.js";
import { type ColourAt, pixels } from "./files.js";

afterEach(closeAll);

const STANDARD = "claude-sonnet-4-6";
const FULL_HD = { width: 1920, height: 1080 };

/** A call of the older tool. */
function old(action: string, input: object = {}) {
  return call("computer", { action, ...input }, { toolset_name: undefined });
}

type Block = { type: string; content?: Block[]; source?: { media_type: string; data: string } };

function picturesOf(request: { readonly messages: readonly { readonly content: unknown }[] } | undefined) {
  const blocks = (request?.messages ?? []).flatMap(({ content }) => content as Block[]);
  const inner = blocks.flatMap((block) => (block.type === "tool_result" ? (block.content ?? []) : [block]));
  return inner.flatMap((block) =>
    block.type === "image" && block.source ? [Buffer.from(block.source.data, "base64")] : [],
  );
}

async function sizesOf(request: Parameters<typeof picturesOf>[0]): Promise<string[]> {
  const found = await Promise.all(picturesOf(request).map((picture) => sharp(picture).metadata()));
  return found.map(({ width, height }) => `${width}x${height}`);
}

/** A screen that never changes, made once for each size. */
function still(colourAt: ColourAt) {
  const files = new Map<string, Uint8Array>();
  return ({ size }: FakeView): Uint8Array => {
    const name = `${size.width}x${size.height}`;
    const file = files.get(name) ?? encode(pixels(size, colourAt));
    files.set(name, file);
    return file;
  };
}

const blank = still(() => [200, 200, 200]);

const BLANK = { fake: { screens: blank } };

/** A screen in which each pixel's colour tells where it is. */
const telling = still((x, y) => [x >> 4, y >> 4, ((x & 15) << 4) | (y & 15)]);

function placesOf(events: readonly { readonly type: string }[]): string[] {
  return events.flatMap((event) =>
    event.type === "button" && "down" in event && event.down && "x" in event && "y" in event
      ? [`${event.x},${event.y}`]
      : [],
  );
}

function regionsOf({ performed }: FakeDesktop) {
  return performed.flatMap((action) => (action.kind === "capture" && action.region ? [action.region] : []));
}

function options(more: Partial<ComputerUseOptions> = {}): Partial<ComputerUseOptions> {
  return { ...FULL_HD, model: STANDARD, onViolation: "refuse", ...more };
}

describe("1920 × 1080 for a model that takes 1456 × 819", () => {
  test("tool entry, system text and pictures agree; clicks land where they were seen", async () => {
    const model = recorded([
      [old("left_click", { coordinate: [0, 0] })],
      [old("left_click", { coordinate: [728, 410] })],
      [old("left_click", { coordinate: [1455, 818] })],
      [say("done")],
    ]);
    const { dispatcher, desktop, journal } = bench(model, options(), BLANK);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    expect(model.seen[0]?.tools).toMatchObject([{ display_width_px: 1456, display_height_px: 819 }]);
    expect(JSON.stringify(model.seen[0]?.["system"])).toContain("1456 × 819");
    expect(JSON.stringify(model.seen[0]?.["system"])).not.toContain("1920");
    expect(new Set(await sizesOf(model.seen.at(-1)))).toEqual(new Set(["1456x819"]));
    // Half way is half way: 728 / 1456 × 1920; 410 × 1080 / 819 = 540.66; the last pixels are 1918.68 and 1078.68.
    expect(placesOf(desktop.events)).toEqual(["0,0", "960,540", "1918,1078"]);
    const inputs = journal.ofKind("action").map(({ data }) => data.input?.["coordinate"]);
    expect(inputs).toEqual([
      { x: 0, y: 0 },
      { x: 960, y: 540 },
      { x: 1918, y: 1078 },
    ]);
  });

  test("a point beside the picture is refused, however far, and no event is sent", async () => {
    const far = Number.MAX_SAFE_INTEGER;
    const outside = [
      [1456, 5],
      [5, 819],
      [1919, 1079],
      [-1, 5],
      [far, 5],
      [-far, -far],
    ];
    const model = recorded([
      ...outside.map((coordinate) => [old("left_click", { coordinate })]),
      [say("done")],
    ]);
    const { dispatcher, desktop, journal } = bench(model, options(), BLANK);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    expect(desktop.events).toEqual([]);
    expect(model.seen.slice(1).map((request) => resultsOf(request)[0]?.is_error)).toEqual(
      outside.map(() => true),
    );
    expect(journal.ofKind("action").map(({ data }) => data.code)).toEqual(outside.map(() => "E_BOUNDS"));
  });

  test("drag, scroll and move are mapped too, deltas are not", async () => {
    const model = recorded([
      [
        old("left_click_drag", { start_coordinate: [91, 91], coordinate: [182, 182] }),
        old("scroll", { coordinate: [364, 273], scroll_direction: "down", scroll_amount: 3 }),
        old("mouse_move", { coordinate: [637, 455] }),
      ],
      [say("done")],
    ]);
    const { dispatcher, desktop } = bench(model, options(), BLANK);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    expect(desktop.performed.filter(({ kind }) => kind !== "capture")).toMatchObject([
      { kind: "drag", from: { x: 120, y: 120 }, to: { x: 240, y: 240 } },
      { kind: "scroll", at: { x: 480, y: 360 }, amount: 3 },
      { kind: "move", at: { x: 840, y: 600 } },
    ]);
  });

  test("the pointer's place is told in the model's pixels: the one it named itself", async () => {
    const places = [
      [0, 0],
      [1, 1],
      [700, 333],
      [1454, 817],
      [1455, 818],
    ] as const;
    const model = recorded([
      ...places.map((coordinate) => [old("mouse_move", { coordinate }), old("cursor_position")]),
      [say("done")],
    ]);
    const { dispatcher } = bench(model, options(), BLANK);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    const told = model.seen.slice(1).map((request) => textOfResult(resultsOf(request)[1]));
    expect(told.map((text) => text.split(" ")[0])).toEqual(places.map(([x, y]) => `X=${x},Y=${y}`));
  });

  test("the agent's bounds hold in viewport pixels", async () => {
    const bounds = { x: 0, y: 0, width: 960, height: 540 };
    // 727 × 1920 / 1456 = 958.7 is inside, 728 is 960 and outside.
    const inside = recorded([[old("left_click", { coordinate: [727, 100] })], [say("done")]]);
    const allowed = bench(inside, options({ bounds }), BLANK);
    await allowed.dispatcher.run("go");
    expect(placesOf(allowed.desktop.events)).toEqual(["958,131"]);
    const outside = recorded([[old("left_click", { coordinate: [728, 100] })], [say("done")]]);
    const refused = bench(outside, options({ bounds }), BLANK);
    await refused.dispatcher.run("go");
    expect(refused.desktop.events).toEqual([]);
  });

  test("zoom shows the region at the display's resolution [C20], and later numbers still mean the whole picture", async () => {
    const model = recorded([
      [old("zoom", { region: [91, 182, 103, 189] })],
      [old("left_click", { coordinate: [728, 410] })],
      [say("done")],
    ]);
    const { dispatcher, desktop } = bench(model, options(), { fake: { screens: telling } });
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    // 91 × 1920 / 1456 = 120, 103 → 135.8; 182 × 1080 / 819 = 240, 189 → 249.2.
    expect(desktop.performed).toContainEqual({
      kind: "capture",
      region: { x: 120, y: 240, width: 15, height: 9 },
    });
    const zoomed = decode(picturesOf(model.seen[1]).at(-1) ?? Buffer.alloc(0));
    expect(zoomed.width / zoomed.height).toBeCloseTo(15 / 9, 1);
    expect(zoomed.width).toBeGreaterThan(1200);
    // The middle of each block of the enlarged picture has the colour of one pixel of the display.
    for (const [column, row] of [
      [0, 0],
      [7, 4],
      [14, 8],
    ] as const) {
      const x = Math.floor(((column + 0.5) * zoomed.width) / 15);
      const y = Math.floor(((row + 0.5) * zoomed.height) / 9);
      const at = zoomed.channels * (y * zoomed.width + x);
      const [red = 0, green = 0, blue = 0] = zoomed.data.subarray(at, at + 3);
      const [sourceX, sourceY] = [120 + column, 240 + row];
      expect(Math.abs(red - (sourceX >> 4))).toBeLessThanOrEqual(2);
      expect(Math.abs(green - (sourceY >> 4))).toBeLessThanOrEqual(2);
      expect(Math.abs(blue - (((sourceX & 15) << 4) | (sourceY & 15)))).toBeLessThanOrEqual(40);
    }
    expect(placesOf(desktop.events)).toEqual(["960,540"]);
  });

  test("zoom: the whole picture is the whole display, and its last pixel is a region", async () => {
    const model = recorded([
      [old("zoom", { region: [0, 0, 1456, 819] })],
      [old("zoom", { region: [1455, 818, 1456, 819] })],
      [say("done")],
    ]);
    const { dispatcher, desktop } = bench(model, options(), BLANK);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    expect(regionsOf(desktop)).toEqual([
      { x: 0, y: 0, ...FULL_HD },
      { x: 1918, y: 1078, width: 2, height: 2 },
    ]);
  });

  test("zoom: a region that is not inside is refused, however far it reaches", async () => {
    const far = Number.MAX_SAFE_INTEGER;
    const outside = [
      [0, 0, 1457, 819],
      [-1, 0, 100, 100],
      [1400, 800, 1920, 1080],
      [0, 0, far, 1],
      [-far, 0, far, 1],
    ];
    const model = recorded([...outside.map((region) => [old("zoom", { region })]), [say("done")]]);
    const { dispatcher, desktop } = bench(model, options(), BLANK);
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    expect(regionsOf(desktop)).toEqual([]);
    expect(model.seen.slice(1).map((request) => resultsOf(request)[0]?.is_error)).toEqual(
      outside.map(() => true),
    );
  });
});

describe("a display of another size than the viewport", () => {
  const DISPLAYS: readonly (readonly [name: string, viewport: Size, display: Size])[] = [
    ["twice the viewport, as on Retina [C5, C8]", { width: 400, height: 250 }, { width: 800, height: 500 }],
    ["at 225 % [C6]", { width: 356, height: 200 }, { width: 800, height: 450 }],
    ["smaller, and of another shape [C12]", { width: 640, height: 400 }, { width: 512, height: 384 }],
  ];

  test.each(DISPLAYS)(
    "%s: pictures are the viewport's size, clicks land by floor",
    async (_name, viewport, display) => {
      const [x, y] = [Math.floor(viewport.width / 3), viewport.height - 1];
      const model = recorded([
        [call("left_click", { coordinate: [x, y] })],
        [call("mouse_move", { coordinate: [x + 1, y - 1] }), call("cursor_position")],
        [call("left_mouse_down"), call("left_mouse_up")],
        [call("left_click", { coordinate: [viewport.width, 5] })],
        [say("done")],
      ]);
      const { dispatcher, desktop, journal } = bench(
        model,
        { ...viewport, display, onViolation: "refuse" },
        BLANK,
      );
      expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
      expect(desktop.view.size).toEqual(display);
      expect(new Set(await sizesOf(model.seen.at(-1)))).toEqual(
        new Set([`${viewport.width}x${viewport.height}`]),
      );
      const land = (px: number, py: number) =>
        `${Math.floor((px * display.width) / viewport.width)},${Math.floor((py * display.height) / viewport.height)}`;
      expect(placesOf(desktop.events)).toEqual([land(x, y), land(x + 1, y - 1)]);
      const told = textOfResult(resultsOf(model.seen[2])[1]).split(" ")[0];
      const [, tx, ty] = /X=(\d+),Y=(\d+)/.exec(told ?? "") ?? [];
      expect(land(Number(tx), Number(ty))).toBe(land(x + 1, y - 1));
      // A click that arrives is verified to have arrived, and the one beside the picture was refused.
      const moves = journal.ofKind("verification").map(({ data }) => data.effect);
      expect(moves[1]).toBe("confirmed");
      expect(journal.ofKind("action").at(-1)?.data).toMatchObject({ verdict: "deny", code: "E_BOUNDS" });
    },
  );

  test("zoom on a display of twice the size brings its own pixels, all of them", async () => {
    const viewport = { width: 400, height: 250 };
    const model = recorded([
      [call("zoom", { region: [0, 0, 400, 250] })],
      [call("zoom", { region: [100, 50, 108, 55] })],
      [say("done")],
    ]);
    const { dispatcher, desktop } = bench(
      model,
      { ...viewport, display: { width: 800, height: 500 } },
      { fake: { screens: telling } },
    );
    expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
    expect(regionsOf(desktop)).toEqual([
      { x: 0, y: 0, width: 800, height: 500 },
      { x: 200, y: 100, width: 16, height: 10 },
    ]);
    expect(await sizesOf(model.seen[2])).toEqual(["400x250", "400x250", "400x250"]);
  });

  test("one that is not what was declared is refused before the first request", async () => {
    const model = recorded([[say("done")]]);
    const { dispatcher } = bench(
      model,
      { width: 1280, height: 800, display: { width: 2560, height: 1600 } },
      { fake: { size: { width: 2560, height: 1440 } } },
    );
    await expect(dispatcher.run("go")).rejects.toMatchObject({ code: "E_ENV_DRIFT" });
    expect(model.seen).toHaveLength(0);
  });
});

test("with more than 20 pictures in the history none has a side of more than 2000 pixels", async () => {
  const model = recorded([[call("screenshot")], [say("done")]]);
  const { dispatcher } = bench(
    model,
    { width: 2560, height: 1440 },
    { ...BLANK, pruneLimits: { maxImages: 40, keepImages: 30, maxImageCharacters: 20 * 1024 * 1024 } },
  );
  expect(await dispatcher.run("go")).toMatchObject({ outcome: "completed" });
  expect(await sizesOf(model.seen[1])).toEqual(["2000x1125", "2000x1125"]);
  expect(JSON.stringify(model.seen[0]?.["system"])).toContain("2000 × 1125");
});

test("a frame that is no picture ends the run with its calls answered, and no picture in an error result", async () => {
  let captures = 0;
  const unseen = (view: FakeView) => pixels(view.size, () => [0, 0, 0, ++captures > 1 ? 0 : 255], 4);
  const screens = (view: FakeView) => {
    captures = view.captures === 0 ? -1e9 : 1;
    return unseen(view);
  };
  const model = recorded([[call("screenshot"), call("screenshot")], [say("done")]]);
  const { dispatcher } = bench(model, {}, { fake: { screens } });
  expect(await dispatcher.run("go")).toMatchObject({
    outcome: "failed",
    error: { code: "E_BACKEND", message: expect.stringContaining("transparent") },
  });
  const answers = dispatcher.conversation().at(-1)?.content ?? [];
  expect(answers).toHaveLength(2);
  expect(answers).toMatchObject([
    { is_error: true, content: [{ type: "text", text: "The display failed." }] },
    { is_error: true, content: [{ type: "text" }] },
  ]);
});
