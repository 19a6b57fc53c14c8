// The page as a stream of text, so that no more than one picture is held at a time. Without its script it is a list
// to be read from top to bottom; the script only arranges what is there.
import { digestBytes } from "../../base/digest.js";
import { escapeText } from "../../base/escape.js";
import { markOf } from "../model/place.js";
import { readPng } from "../model/png.js";
import type { Row } from "../model/row.js";
import type { Totals } from "../model/totals.js";
import type { Shown } from "../model/window.js";
import { formatBytes, formatCount } from "../model/words.js";
import { SCRIPT, START, STYLE } from "./assets.js";
import { figureOf, type Loaded, type Size } from "./figure.js";
import { type FramePlan, keepWithin, type PlannedFrame, planFrames } from "./frames.js";
import { asset, close, h, island, open } from "./html.js";
import type { Island, IslandRow } from "./island.js";
import { banner, facts, type Judgement, overview } from "./overview.js";
import { rowParts, toneOf } from "./row-html.js";
import { spanOf, stripOf } from "./strip.js";

/** Bytes of a frame whose digest was compared, or why they cannot be had. */
export type FrameReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string };

/** What a trace keeps beside its records. */
export interface KeptSource {
  /** Bytes of a frame's file; undefined when there is none. */
  sizeOf(digest: string): number | undefined;
  read(digest: string): FrameReading;
  /** The words of a kept reply; undefined where none are kept. */
  words(digest: string): string | undefined;
}

export interface PageInput {
  readonly shown: Shown;
  readonly totals: Totals;
  readonly judgement: Judgement;
  readonly kept: KeptSource;
  /** Bytes of pictures that the page may hold. */
  readonly pictureBytes: number;
}

function sourceHash(text: string): string {
  return `'sha256-${Buffer.from(digestBytes(text).slice("sha256:".length), "hex").toString("base64")}'`;
}

/** Nothing is loaded, sent or framed; only the page's own scripts and style, known by their hash, count. */
export function contentPolicy(): string {
  return [
    "default-src 'none'",
    `script-src ${sourceHash(START)} ${sourceHash(SCRIPT)}`,
    `style-src ${sourceHash(STYLE)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function head(title: string): string {
  return [
    "<!doctype html>\n",
    open("html", { lang: "en" }).text,
    "<head>",
    h("meta", { charset: "utf-8" }).text,
    h("meta", { "http-equiv": "Content-Security-Policy", content: contentPolicy() }).text,
    h("meta", { name: "referrer", content: "no-referrer" }).text,
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }).text,
    h("meta", { name: "color-scheme", content: "light dark" }).text,
    h("meta", { name: "robots", content: "noindex" }).text,
    h("title", {}, title).text,
    asset("style", STYLE).text,
    asset("script", START).text,
    "</head>\n",
  ].join("");
}

/** The class of a row: all from lists of ours, never from the trace. */
function rowClass(row: Row): string {
  return `row ${row.kind} ${toneOf(row)}`;
}

async function load(frame: PlannedFrame, source: KeptSource): Promise<Loaded> {
  if (frame.leftOut !== undefined) return { ok: false, reason: frame.leftOut };
  const reading = source.read(frame.name.digest);
  if (!reading.ok) return reading;
  const judged = await readPng(reading.bytes);
  if (!judged.ok) return judged;
  const { size } = frame.name;
  const { width, height } = judged.png;
  if (size && (size.width !== width || size.height !== height)) {
    return {
      ok: false,
      reason: `its picture is ${width} × ${height}, the record says ${size.width} × ${size.height}`,
    };
  }
  return { ok: true, png: judged.png, base64: Buffer.from(reading.bytes).toString("base64") };
}

/** Rows of one list. A browser lays out whole lists as they come near, and only full ones, whose height is known. */
const BLOCK = 100;

/** Begins the list that a row begins, after the one before it. */
function blockAt(index: number, count: number): string {
  if (index % BLOCK !== 0) return "";
  const isFull = index + BLOCK <= count;
  const start = open("ol", { class: isFull ? "block" : undefined }).text;
  return index === 0 ? start : `${close("ol").text}\n${start}`;
}

function gapRow({ gap }: Shown): string {
  if (!gap) return "";
  return h(
    "li",
    { class: "gap" },
    h("strong", {}, `${formatCount(gap.rows)} rows are left out here`),
    ` (records ${gap.from} to ${gap.to}): the page holds a bounded number. ` +
      `To see them, export again with --from ${gap.from}, raise --rows, or list every action with --csv.`,
  ).text;
}

function islandRow(row: Row, plan: FramePlan): IslandRow {
  const numberOf = (digest: string | undefined): number =>
    digest === undefined ? 0 : (plan.get(digest)?.number ?? 0);
  const base = {
    k: row.kind,
    v: "",
    n: "",
    c: "",
    tone: toneOf(row),
    t: Math.round(row.at),
    e: Math.round(row.end),
  };
  if (row.kind === "turn") return { ...base, b: 0, a: 0 };
  if (row.kind === "note") return { ...base, b: numberOf(row.frame?.digest), a: 0 };
  const mark = markOf(row);
  return {
    ...base,
    v: row.verdict,
    n: row.name ?? "",
    // The script shows codes to choose from: as everywhere, with what is invisible made visible.
    c: escapeText(row.code ?? row.receipt?.code ?? ""),
    b: numberOf(row.before?.digest),
    a: numberOf(row.after?.digest),
    ...(mark ? { m: mark } : {}),
  };
}

/** The viewport that recorded places are in: as the limits say it, else the display's. */
function viewportOf({ opened }: Totals): Size | undefined {
  return opened?.limits?.viewport ?? opened?.size;
}

async function* rowsOf(
  input: PageInput,
  plan: FramePlan,
  loaded: Island["frames"][number][],
): AsyncGenerator<string> {
  const { shown, totals, kept } = input;
  const byHome = new Map<number, PlannedFrame[]>();
  for (const frame of plan.values()) byHome.set(frame.home, [...(byHome.get(frame.home) ?? []), frame]);
  const { limits } = totals.opened ?? {};
  for (const [index, row] of shown.rows.entries()) {
    yield blockAt(index, shown.rows.length);
    if (shown.gap?.before === index) yield gapRow(shown);
    const saved = row.kind === "turn" ? row.reply?.kept : undefined;
    const words = saved === undefined ? undefined : kept.words(saved);
    const { line, detail } = rowParts(row, index, plan, words);
    yield `${open("li", { class: rowClass(row), id: `r${index}` }).text}${line.text}${detail.text}`;
    for (const frame of byHome.get(index) ?? []) {
      const picture = await load(frame, kept);
      loaded[frame.number - 1] = picture.ok
        ? { w: picture.png.width, h: picture.png.height, why: "" }
        : { w: 0, h: 0, why: picture.reason };
      yield* figureOf(frame, picture, viewportOf(totals), limits);
    }
    yield `${close("li").text}\n`;
  }
  if (shown.rows.length > 0) yield close("ol").text;
}

/** The whole page, piece by piece. */
export async function* pageOf(input: PageInput): AsyncGenerator<string> {
  const { shown, totals, judgement, kept, pictureBytes } = input;
  const plan = planFrames(shown.rows);
  const advice = `the page holds at most ${formatBytes(pictureBytes)} of pictures; --pictures embeds more`;
  keepWithin(plan, pictureBytes, kept.sizeOf, advice);
  yield head(`${totals.started?.agent.slice(0, 120) ?? "Unknown agent"} · Capuchin run report`);
  yield [
    open("body", {}).text,
    banner(judgement).text,
    overview(totals, judgement).text,
    stripOf(shown.rows).text,
    open("main", { id: "work" }).text,
    open("section", { class: "list", id: "list", "aria-label": "Turns and actions" }).text,
    open("div", { id: "rows" }).text,
  ].join("\n");
  const loaded: Island["frames"][number][] = [];
  yield* rowsOf(input, plan, loaded);
  const viewport = viewportOf(totals);
  const bounds = totals.opened?.limits?.bounds;
  const data: Island = {
    rows: shown.rows.map((row) => islandRow(row, plan)),
    frames: loaded,
    ...(viewport ? { viewport } : {}),
    ...(bounds ? { bounds } : {}),
    span: spanOf(shown.rows),
  };
  yield [
    close("div").text,
    close("section").text,
    facts(totals, judgement).text,
    close("main").text,
    island("data", data).text,
    asset("script", SCRIPT).text,
    close("body").text,
    close("html").text,
    "",
  ].join("\n");
}
