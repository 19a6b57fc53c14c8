// What programs on a private display write, on its way to a person's terminal: whole lines, escaped and bounded. A page
// or a document that a program shows can make it write anything.
import { createWriteStream } from "node:fs";
import { type Readable, Transform, type TransformCallback, type Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { escapeText } from "../../../base/escape.js";

const LINE_MAX = 4000;

/** Bytes in, escaped lines out; a longer line comes in pieces. */
export class EscapedLines extends Transform {
  readonly #decoder = new StringDecoder("utf8");
  #pending = "";

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const lines = (this.#pending + this.#decoder.write(bytes)).split("\n");
    this.#pending = lines.pop() ?? "";
    for (const line of lines) this.#put(line);
    while (this.#pending.length > LINE_MAX) {
      this.#put(this.#pending.slice(0, LINE_MAX));
      this.#pending = this.#pending.slice(LINE_MAX);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    const rest = this.#pending + this.#decoder.end();
    if (rest !== "") this.#put(rest);
    done();
  }

  #put(line: string): void {
    this.push(`${escapeText(line.replace(/\r$/, ""))}\n`);
  }
}

/** A descriptor as the place where programs' lines go; when nobody reads them any more they are dropped. */
export function outputTo(fd: number): (program: Readable) => void {
  const output: Writable = createWriteStream("", { fd, autoClose: false });
  let over = false;
  output.on("error", () => {
    over = true;
  });
  return (program) => {
    const lines = program.pipe(new EscapedLines());
    output.once("error", () => lines.resume());
    if (over) lines.resume();
    else lines.pipe(output, { end: false });
  };
}
