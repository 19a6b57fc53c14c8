// Which rows are shown. The search is for a piece of text as it stands, never a pattern, so no input can make it
// slow or wrong.
import type { Island, IslandRow } from "../ui/island.js";
import { make } from "./dom.js";

const VERDICTS: readonly (readonly [string, string])[] = [
  ["", "Verdict"],
  ["allow", "Allowed"],
  ["deny", "Refused"],
  ["not_executed", "Not executed"],
];

/** Values in use, most frequent first. */
function used(rows: readonly IslandRow[], read: (row: IslandRow) => string): (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = read(row);
    if (value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const ordered = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return ordered.map(([value]) => [value, value]);
}

function choice(label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
  const made = options.map(([value, text]) => make("option", { value }, text));
  return make("select", { "aria-label": label }, ...made);
}

/** About how high a row is where none of its list was laid out yet. */
const ROW_HEIGHT = 32;

/** Puts away lists that have no row left, and tells the browser how high the others will be once it comes to them. */
function settle(items: readonly HTMLElement[]): void {
  const counts = new Map<HTMLElement, number>();
  for (const { parentElement: block, hidden } of items) {
    if (block) counts.set(block, (counts.get(block) ?? 0) + (hidden ? 0 : 1));
  }
  for (const [block, count] of counts) {
    const isWhole = count === block.childElementCount;
    if (block.hidden !== (count === 0)) block.hidden = count === 0;
    const height = isWhole ? "" : `${count * ROW_HEIGHT}px`;
    if (block.style.containIntrinsicBlockSize !== height) block.style.containIntrinsicBlockSize = height;
  }
}

export class Filter {
  readonly element: HTMLElement;
  readonly search = make("input", {
    type: "search",
    placeholder: "Search  /",
    "aria-label": "Search rows for a piece of text",
    autocomplete: "off",
    spellcheck: "false",
  });
  readonly #data: Island;
  readonly #items: readonly HTMLElement[];
  readonly #changed: (visible: readonly number[]) => void;
  readonly #verdict = choice("Verdict", VERDICTS);
  readonly #kind: HTMLSelectElement;
  readonly #code: HTMLSelectElement;
  readonly #count = make("output", { class: "count", "aria-live": "polite" });
  readonly #reset = make("button", { type: "button", class: "reset" }, "Clear");
  #texts: readonly string[] | undefined;

  /** `changed` gets the indices of the rows that pass, at once and after each change. */
  constructor(data: Island, items: readonly HTMLElement[], changed: (visible: readonly number[]) => void) {
    this.#data = data;
    this.#items = items;
    this.#changed = changed;
    const codes = used(data.rows, (row) => row.c);
    this.#kind = choice("Action", [["", "Action"], ...used(data.rows, (row) => row.n)]);
    this.#code = choice("Code", [["", "Code"], ...codes]);
    this.#code.disabled = codes.length === 0;
    this.element = make(
      "div",
      { class: "filter", role: "search" },
      this.search,
      ...this.#selects,
      this.#count,
      this.#reset,
    );
    this.search.addEventListener("input", () => this.#apply());
    for (const select of this.#selects) select.addEventListener("change", () => this.#apply());
    this.#reset.addEventListener("click", () => this.clear());
    this.#apply();
  }

  get #selects(): readonly HTMLSelectElement[] {
    return [this.#verdict, this.#kind, this.#code];
  }

  clear(): void {
    this.search.value = "";
    for (const select of this.#selects) select.value = "";
    this.#apply();
  }

  #textOf(index: number): string {
    this.#texts ??= this.#items.map((item, index) =>
      `${item.textContent ?? ""} ${this.#data.rows[index]?.n ?? ""}`.toLowerCase(),
    );
    return this.#texts[index] ?? "";
  }

  #passes(row: IslandRow, index: number, needle: string): boolean {
    if (this.#verdict.value !== "" && row.v !== this.#verdict.value) return false;
    if (this.#kind.value !== "" && row.n !== this.#kind.value) return false;
    if (this.#code.value !== "" && row.c !== this.#code.value) return false;
    return needle === "" || this.#textOf(index).includes(needle);
  }

  #apply(): void {
    const { rows } = this.#data;
    const needle = this.search.value.toLowerCase();
    const visible: number[] = [];
    let hasChanged = false;
    for (const [index, row] of rows.entries()) {
      const shown = this.#passes(row, index, needle);
      if (shown) visible.push(index);
      const item = this.#items[index];
      if (!item || item.hidden !== shown) continue;
      item.hidden = !shown;
      hasChanged = true;
    }
    if (hasChanged) settle(this.#items);
    const isFiltered = visible.length < rows.length;
    this.#count.textContent = isFiltered ? `${visible.length} of ${rows.length} rows` : `${rows.length} rows`;
    this.#reset.hidden = !isFiltered;
    this.#changed(visible);
  }
}
