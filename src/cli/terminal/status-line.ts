// The last line of a terminal, drawn over as things go on and erased before anything else is written. It never wraps,
// moves the cursor within its own line only, and changes nothing that a killed process would leave behind.
import type { Output } from "../io.js";
import { columnsOf } from "../reporters/text-width.js";

const ERASE = "\r\u001b[K";
const FAINT = "\u001b[2m";
const PLAIN = "\u001b[0m";
/** What a terminal is taken for that does not say how wide it is. */
const USUAL_COLUMNS = 80;

/** The text cut to so many columns, with an ellipsis where something is missing. */
export function fitColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let fitted = "";
  let width = 0;
  for (const character of text) {
    const wider = width + columnsOf(character);
    if (wider > columns - 1) break;
    fitted += character;
    width = wider;
  }
  return columns < 1 ? "" : `${fitted}…`;
}

export class StatusLine {
  readonly #output: Output;
  readonly #faint: boolean;
  #shown = "";

  constructor(output: Output, options: { readonly colour: boolean }) {
    this.#output = output;
    this.#faint = options.colour;
  }

  #draw(): string {
    if (this.#shown === "") return "";
    // The last column stays empty: a character there makes some terminals wrap.
    const text = fitColumns(this.#shown, (this.#output.columns ?? USUAL_COLUMNS) - 1);
    return this.#faint ? `${FAINT}${text}${PLAIN}` : text;
  }

  /** What takes the line away for a moment; empty where nothing stands. */
  get erasing(): string {
    return this.#shown === "" ? "" : ERASE;
  }

  /** What puts the line back. */
  get drawing(): string {
    return this.#draw();
  }

  /** Shows another text there; one line, already escaped. */
  show(text: string): Promise<void> {
    const erasing = this.erasing;
    this.#shown = text;
    return this.#output.write(erasing + this.#draw());
  }

  /** Writes whole lines above it. */
  print(lines: string): Promise<void> {
    return this.#output.write(this.erasing + lines + this.#draw());
  }

  /** Leaves the terminal as if the line had never been. */
  clear(): Promise<void> {
    const erasing = this.erasing;
    this.#shown = "";
    return this.#output.write(erasing);
  }
}
