// Tells people how a run goes, on standard error: lines in order, without holding up what they tell of, and on a
// terminal a last line that is drawn over each second. Ends with nothing left of that line.
import { type Clock, systemClock } from "../../base/clock.js";
import type { RunEvent } from "../../runtime/dispatch/run-event.js";
import type { AroundWrite, Output } from "../io.js";
import { StatusLine } from "../terminal/status-line.js";
import { canRedraw, usesColour } from "../terminal/style.js";
import { coloured, describeEvent, type Paint, plain } from "./progress.js";
import { RunStatus } from "./run-status.js";

const REDRAW_MS = 1000;

export interface TellerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Nobody reads any more. */
  readonly onClosed: () => void;
  readonly clock?: Clock;
}

export class Teller {
  readonly #output: Output;
  readonly #onClosed: () => void;
  readonly #clock: Clock;
  readonly #paint: Paint;
  readonly #line: StatusLine;
  readonly #live: boolean;
  readonly #status = new RunStatus();
  readonly #over = new AbortController();
  readonly #startedAt: number;
  #written: Promise<void> = Promise.resolve();

  constructor(output: Output, { env, onClosed, clock = systemClock }: TellerOptions) {
    this.#output = output;
    this.#onClosed = onClosed;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    const colour = usesColour(output, env);
    this.#paint = colour ? coloured : plain;
    this.#live = canRedraw(output, env);
    this.#line = new StatusLine(output, { colour });
    if (this.#live) void this.#keepDrawing();
  }

  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }

  /** Puts a line that is drawn over aside while somebody else writes to the same terminal. */
  readonly around: AroundWrite = (write, text) => {
    if (this.#line.erasing === "") return write();
    void this.#line.clear();
    const taken = write();
    // After an unfinished line of theirs it comes back with the next second only.
    if (text.endsWith("\n")) this.#redraw();
    return taken;
  };

  async #keepDrawing(): Promise<void> {
    for (;;) {
      this.#redraw();
      try {
        await this.#clock.sleep(REDRAW_MS, this.#over.signal);
      } catch {
        return;
      }
    }
  }

  #redraw(): void {
    if (!this.#live || this.#over.signal.aborted || this.#output.isClosed) return;
    void this.#line.show(this.#status.describe(this.elapsedMs));
  }

  #write(work: () => Promise<void>): void {
    this.#written = this.#written.then(work).then(() => {
      if (this.#output.isClosed) this.#onClosed();
    });
  }

  line(text: string): void {
    this.#write(() => this.#line.print(`${text}\n`));
  }

  /** What is being done beside the loop; shown in the line that is drawn over only. */
  doing(what: string): void {
    this.#status.say(what);
    this.#redraw();
  }

  event(event: RunEvent): void {
    this.#status.note(event);
    const text = describeEvent(event, this.#paint);
    if (text !== undefined) this.line(text);
    this.#redraw();
  }

  /** Resolves when all was written and nothing is drawn any more. */
  async end(): Promise<void> {
    this.#over.abort(new Error("the run is told"));
    await this.#written;
    await this.#line.clear();
  }
}
