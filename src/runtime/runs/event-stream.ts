// A bounded buffer between what happens and who looks on: every iterator sees all events from the start of the run,
// and a slow one never holds the run up.

/** Events kept for iterators that begin late; older ones are dropped. */
const KEPT = 10_000;

export class EventStream<Event> implements AsyncIterable<Event> {
  readonly #kept: Event[] = [];
  #dropped = 0;
  #ended = false;
  #wake: (() => void)[] = [];

  push(event: Event): void {
    if (this.#ended) return;
    this.#kept.push(event);
    if (this.#kept.length > KEPT) {
      this.#kept.shift();
      this.#dropped += 1;
    }
    this.#wakeAll();
  }

  end(): void {
    this.#ended = true;
    this.#wakeAll();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    let next = 0;
    for (;;) {
      next = Math.max(next, this.#dropped);
      const event = this.#kept[next - this.#dropped];
      if (event !== undefined) {
        next += 1;
        yield event;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
    }
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
