// A terminal of one window, as far as the command line uses one: text, carriage return, line feed, erasing to the end of
// a line, colours. Written from the control functions of ECMA-48, not from the code under test. Anything else throws.

export class Screen {
  readonly #columns: number;
  readonly #rows: string[][] = [[]];
  #row = 0;
  #column = 0;
  /** Rows that ran over the right edge. */
  wrapped = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(text: string): void {
    for (let rest = text; rest !== ""; ) {
      const [control] = /^\u001b\[([0-9;]*)([A-Za-z])/.exec(rest) ?? [];
      if (control !== undefined) {
        this.#control(control);
        rest = rest.slice(control.length);
        continue;
      }
      const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      this.#put(character);
      rest = rest.slice(character.length);
    }
  }

  #control(sequence: string): void {
    if (sequence.endsWith("m")) return;
    if (sequence === "\u001b[K") this.#rowOf().length = this.#column;
    else throw new Error(`the screen does not know ${JSON.stringify(sequence)}`);
  }

  #rowOf(): string[] {
    while (this.#rows.length <= this.#row) this.#rows.push([]);
    return this.#rows[this.#row] ?? [];
  }

  #put(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") {
      this.#row += 1;
      this.#column = 0;
    } else if (/[\u0000-\u001f\u007f-\u009f]/.test(character)) {
      throw new Error(`the screen was sent ${JSON.stringify(character)}`);
    } else {
      if (this.#column === this.#columns) {
        this.wrapped += 1;
        this.#row += 1;
        this.#column = 0;
      }
      this.#rowOf()[this.#column++] = character;
    }
  }

  get lines(): readonly string[] {
    const lines = this.#rows.map((row) => row.join("").trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }
}
