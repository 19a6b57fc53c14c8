// Arranges the page for a screen: list, picture and details side by side, one row selected. Everything it shows is
// in the page already; it fetches, stores and sends nothing.
import type { Island, IslandRow } from "../ui/island.js";
import { find, make } from "./dom.js";
import { Filter } from "./filter.js";
import { createHelp } from "./help.js";
import { Stage } from "./stage.js";

const data = JSON.parse(find("data").textContent ?? "") as Island;
const items = data.rows.map((_, index) => find(`r${index}`));
const work = find("work");
const list = find("list");
const about = find("about");
const track = find("track");
const cursor = find("cursor");

/** Here the page is one column that scrolls as a whole, and details open in the list. */
const small = matchMedia("(max-width: 700px)");
let selected = -1;
let visible: readonly number[] = [];

const stage = new Stage(data, step);
const help = createHelp();
const current = make("div", { class: "current" });
const tabs = {
  action: make("button", { type: "button", role: "tab", id: "tab-row", "aria-controls": "panel" }, "Details"),
  about: make("button", { type: "button", role: "tab", id: "tab-run", "aria-controls": "panel" }, "Run"),
};
const helpButton = make(
  "button",
  { type: "button", class: "ask", "aria-label": "Keys (?)", title: "Keys (?)" },
  "?",
);
const panel = make(
  "aside",
  { class: "panel", id: "panel", "aria-label": "Details" },
  make(
    "div",
    { class: "bar" },
    make("div", { class: "group", role: "tablist" }, tabs.action, tabs.about),
    helpButton,
  ),
  make("div", { class: "pages" }, current, about),
);
const status = make("p", { class: "hidden", role: "status" });

function showTab(name: "action" | "about"): void {
  current.hidden = name !== "action";
  about.hidden = name !== "about";
  tabs.action.setAttribute("aria-selected", String(name === "action"));
  tabs.about.setAttribute("aria-selected", String(name === "about"));
}

function titleOf(item: HTMLElement): string {
  const parts = [...(item.querySelector(".what")?.children ?? [])].map((part) => part.textContent ?? "");
  return parts.join(item.classList.contains("turn") ? " · " : " ").trim();
}

function select(index: number, how: "quietly" | "into view" = "into view"): void {
  const item = items[index];
  const row = data.rows[index];
  if (!item || !row) return;
  items[selected]?.removeAttribute("aria-current");
  selected = index;
  item.setAttribute("aria-current", "true");
  const title = titleOf(item);
  const detail = item.querySelector(".detail")?.cloneNode(true);
  const tone = row.k === "action" ? row.tone : row.k;
  current.replaceChildren(make("h2", { class: `heading ${tone}` }, title), ...(detail ? [detail] : []));
  stage.show(pictured(index), title);
  showTab("action");
  if (how === "into view") item.scrollIntoView({ block: small.matches ? "start" : "nearest" });
  status.textContent = item.querySelector(".line")?.textContent ?? "";
  const { from, to } = data.span;
  cursor.style.left = `${((row.t - from) / (to - from)) * 100}%`;
  cursor.hidden = false;
}

/** A frame alone, without what was done on it. */
function bare({ m: _mark, ...row }: IslandRow, frame: number): IslandRow {
  return { ...row, k: "note", b: frame, a: 0 };
}

/** The row itself, or for a turn the first action of it: a reply is about the screen that the action acts on. */
function pictured(index: number): IslandRow | undefined {
  for (let at = index; at < data.rows.length; at++) {
    const row = data.rows[at];
    if (!row || (at > index && row.k === "turn")) break;
    if (row.b > 0) return at === index ? row : bare(row, row.b);
  }
  for (let at = index - 1; at >= 0; at--) {
    const row = data.rows[at];
    const frame = row ? row.a || row.b : 0;
    if (row && frame > 0) return bare(row, frame);
  }
  return data.rows[index];
}

/** The next visible row from a place on, in a direction, that `wanted` holds for. */
function seek(by: number, wanted: (index: number) => boolean = () => true): void {
  const ordered = by > 0 ? visible : [...visible].reverse();
  const next = ordered.find((index) => (by > 0 ? index > selected : index < selected) && wanted(index));
  if (next !== undefined) select(next);
}

function step(by: number): void {
  seek(by);
}

function isTroubled(index: number): boolean {
  const tone = data.rows[index]?.tone ?? "";
  return tone === "deny" || tone === "bad" || tone === "skip";
}

function selectNearest(time: number): void {
  let best = -1;
  for (const index of visible) {
    const row = data.rows[index];
    if (row && row.t <= time && row.k !== "turn") best = index;
  }
  if (best >= 0) select(best);
  else if (visible[0] !== undefined) select(visible[0]);
}

const filter = new Filter(data, items, (now) => {
  visible = now;
});

const ACTIONS: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  n: () => seek(1, isTroubled),
  N: () => seek(-1, isTroubled),
  ArrowLeft: () => stage.turn("before"),
  ArrowRight: () => stage.turn("after"),
  b: () => stage.turn("both"),
  z: () => stage.magnify(),
  Home: () => select(visible[0] ?? -1),
  End: () => select(visible.at(-1) ?? -1),
  r: () => showTab(about.hidden ? "about" : "action"),
  "/": () => filter.search.focus(),
  "?": () => help.showModal(),
  Escape: () => filter.clear(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const { target } = event;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
    if (event.key === "Escape") {
      if (target === filter.search && filter.search.value !== "") filter.clear();
      target.blur();
      event.preventDefault();
    } else if (event.key === "Enter" && target === filter.search) {
      select(visible[0] ?? -1);
      target.blur();
    }
    return;
  }
  if (!Object.hasOwn(ACTIONS, event.key)) return;
  event.preventDefault();
  ACTIONS[event.key]?.();
});

/** The index that a link such as #r12 names; a frame's link leads to the row that it stands with. */
function indexOf(hash: string): number {
  const found = /^#([rf])(\d{1,9})$/.exec(hash);
  if (!found) return -1;
  if (found[1] === "r") return Number(found[2]);
  const item = document.getElementById(hash.slice(1))?.closest("li");
  return item ? items.indexOf(item) : -1;
}

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a");
  const index = link ? indexOf(link.hash) : -1;
  if (index < 0) return;
  event.preventDefault();
  select(index, list.contains(link) && !small.matches ? "quietly" : "into view");
});

track.addEventListener("click", (event) => {
  const box = track.getBoundingClientRect();
  const { from, to } = data.span;
  selectNearest(from + ((event.clientX - box.left) / box.width) * (to - from));
});

tabs.action.addEventListener("click", () => showTab("action"));
tabs.about.addEventListener("click", () => showTab("about"));
helpButton.addEventListener("click", () => help.showModal());

list.prepend(filter.element);
work.append(stage.element, panel);
document.body.append(help, status);

const linked = indexOf(location.hash);
/** What a reader wants to see first: what was refused, else the first action that points at something. */
function first(): number {
  const troubled = data.rows.findIndex((row, index) => row.k === "action" && isTroubled(index));
  if (troubled >= 0) return troubled;
  const marked = data.rows.findIndex((row) => row.m !== undefined);
  return marked >= 0
    ? marked
    : Math.max(
        0,
        data.rows.findIndex((row) => row.k === "action"),
      );
}

// Where the whole page scrolls, it begins at its head, unless a row was asked for.
select(linked >= 0 ? linked : first(), linked < 0 && small.matches ? "quietly" : "into view");
document.documentElement.classList.add("ready");
