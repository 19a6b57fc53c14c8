// Runs on real displays whose size is not the viewport's: where the pointer went is asked of xdotool, what the screen
// shows of import.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { decode } from "fast-png";
import { afterEach, expect, test } from "vitest";
import type { Desktop } from "../../../src/runtime/cap/desktop-port.js";
import type { VirtualSession } from "../../../src/runtime/drivers/index.js";
import { startBareDisplay } from "../../tools/bare-display.js";
import { distFolder } from "../../tools/built.js";
import { environmentOf, runOn } from "../../tools/command.js";
import type { DisplayAddress } from "../../tools/x-client.js";

async function built<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(`${distFolder}/${path}`).href)) as T;
}
const { computer, computerUse, launch } = await built<typeof import("../../../src/index.js")>("index.js");
const { hostDesktop, script, virtualDesktop } =
  await built<typeof import("../../../src/runtime/index.js")>("runtime/index.js");

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const VIEWPORT = { width: 640, height: 400 };
const DISPLAY = { width: 1440, height: 900 };

const Scaled = computerUse({
  ...VIEWPORT,
  display: DISPLAY,
  name: "Scaled",
  cap: "computer.screen + computer.input",
  onViolation: "refuse",
})(
  class {
    async run(goal: string) {
      return computer.run(this, goal);
    }
  },
);

interface Place {
  readonly desktop: Desktop;
  address(): DisplayAddress;
}

function virtualPlace(): Place {
  let session: VirtualSession | undefined;
  const maker = virtualDesktop({ appOutput: "ignore" });
  return {
    desktop: {
      kind: "virtual",
      async open(options) {
        session = await maker.open(options);
        return session;
      },
    },
    address: () => ({ display: session?.display ?? "", authority: session?.authority ?? "" }),
  };
}

async function hostPlace(): Promise<Place> {
  const display = await startBareDisplay(DISPLAY.width, DISPLAY.height);
  ends.push(() => display.stop());
  return {
    desktop: hostDesktop({ display: display.address.display ?? "" }),
    address: () => display.address,
  };
}

async function pointerOn(address: DisplayAddress): Promise<string> {
  const [, x, y] = /x:(\d+) y:(\d+)/.exec(await runOn(address, "xdotool", "getmouselocation")) ?? [];
  return `${x},${y}`;
}

/** What another program sees of a region of the display, as PNG. */
function shotOf(address: DisplayAddress, crop: string): Promise<Buffer> {
  const args = ["-window", "root", "-crop", crop, "+repage", "png24:-"];
  return new Promise((resolve, reject) => {
    const options = { env: environmentOf(address), encoding: "buffer", maxBuffer: 2 ** 26 } as const;
    execFile("import", args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}

type Block = { type: string; content?: Block[]; source?: { data: string } };

function newestPicture(messages: readonly { content: unknown }[]) {
  const blocks = messages.flatMap(({ content }) => content as Block[]);
  const inner = blocks.flatMap((block) => (block.type === "tool_result" ? (block.content ?? []) : [block]));
  const last = inner.findLast((block) => block.type === "image");
  return decode(Buffer.from(last?.source?.data ?? "", "base64"));
}

/** A bitmap of squares of ten pixels, black and white in no order, which `xsetroot` lays over the display. */
function writePattern(): string {
  const folder = mkdtempSync(join(tmpdir(), "pattern-"));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const [width, height] = [160, 90];
  const bytes: string[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x += 8) {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) byte |= isBlack(x + bit, y) ? 1 << bit : 0;
      bytes.push(`0x${byte.toString(16).padStart(2, "0")}`);
    }
  }
  const file = join(folder, "pattern.xbm");
  const head = `#define p_width ${width}\n#define p_height ${height}\n`;
  writeFileSync(file, `${head}static char p_bits[] = {\n${bytes.join(",\n")}};\n`);
  return file;
}

function isBlack(x: number, y: number): boolean {
  const [column, row] = [Math.floor(x / 10), Math.floor(y / 10)];
  return (column * column * 7 + row * row * 3 + column * row) % 5 < 2;
}

/** The pixel at a place given as shares of the sides. */
function pixelAt(picture: ReturnType<typeof decode> | undefined, x: number, y: number): number[] {
  if (!picture) return [];
  const { width, height, channels, data } = picture;
  const at = channels * (Math.floor(y * height) * width + Math.floor(x * width));
  return [...data.subarray(at, at + 3)];
}

let ids = 0;
function ask(name: string, input: object) {
  ids += 1;
  return [{ type: "tool_use", id: `toolu_${ids}`, name, toolset_name: "computer", input }] as const;
}

test.each([
  ["virtual", async () => virtualPlace()],
  ["host", hostPlace],
])(
  "on a %s display of 2.25 times the viewport actions land where the model saw it, and zoom sees its own pixels",
  async (_kind, make) => {
    const place = await make();
    const seen: string[] = [];
    const sizes: string[] = [];
    const points = [
      [0, 0],
      [213, 133],
      [639, 399],
    ] as const;
    const pattern = writePattern();
    let zoomed: ReturnType<typeof decode> | undefined;
    let shot: ReturnType<typeof decode> | undefined;
    const model = script(async ({ messages }, { turn }) => {
      const picture = newestPicture(messages);
      if (turn <= points.length + 1) sizes.push(`${picture.width}x${picture.height}`);
      if (turn > 1 && turn <= points.length + 1) seen.push(await pointerOn(place.address()));
      const next = points[turn - 1];
      if (next) return [...ask("mouse_move", { coordinate: next })];
      if (turn === points.length + 1) {
        await runOn(place.address(), "xsetroot", "-bitmap", pattern);
        return [...ask("zoom", { region: [200, 120, 240, 145] })];
      }
      zoomed = picture;
      shot = decode(await shotOf(place.address(), "90x56+450+270"));
      return [{ type: "text", text: "done" }];
    });
    const result = await launch(Scaled, { goal: "look around", model, desktop: place.desktop, derive: true });
    expect(result.outcome === "completed" ? "" : result.error.message).toBe("");
    expect(new Set(sizes)).toEqual(new Set(["640x400"]));
    // × 1440 / 640, by floor: 213 × 2.25 = 479.25, 133 × 2.25 = 299.25, 639 × 2.25 = 1437.75, 399 × 2.25 = 897.75.
    expect(seen).toEqual(["0,0", "479,299", "1437,897"]);
    expect(shot).toMatchObject({ width: 90, height: 56 });
    expect((zoomed?.width ?? 0) / (zoomed?.height ?? 1)).toBeCloseTo(90 / 56, 1);
    expect(zoomed?.width).toBeGreaterThan(500);
    for (let column = 5; column < 90; column += 10) {
      for (let row = 5; row < 50; row += 10) {
        const [wanted, found] = [
          pixelAt(shot, column / 90, row / 56),
          pixelAt(zoomed, column / 90, row / 56),
        ];
        const difference = Math.max(
          ...wanted.map((value, channel) => Math.abs(value - (found[channel] ?? 0))),
        );
        expect(difference, `${column}, ${row}`).toBeLessThanOrEqual(24);
      }
    }
    const shades = new Set(
      Array.from({ length: 45 }, (_, block) => {
        const [column, row] = [block % 9, Math.floor(block / 9)];
        return pixelAt(shot, (10 * column + 5) / 90, (10 * row + 5) / 56)[0];
      }),
    );
    expect(shades).toEqual(new Set([0, 255]));
  },
);
