// What a run is doing, in one line that is drawn over: the turn, what is awaited, what was refused, the time and the
// tokens. Made of numbers and fixed words alone, so that nothing of a model or a screen can stand in it.
import type { Usage } from "../../contract/journal-records.js";
import type { RunEvent } from "../../runtime/dispatch/run-event.js";

/** `0:07`, `12:30`, `1:02:03`. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** All tokens of a usage, those read from and written to a cache included. */
export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:[0-9]{3})+$)/g, ",");
}

export class RunStatus {
  #turn = "";
  #doing = "starting";
  #calls = 0;
  #answered = 0;
  #denied = 0;
  #tokens = 0;

  /** Takes in what happened. */
  note(event: RunEvent): void {
    switch (event.type) {
      case "turn":
        this.#turn = `turn ${event.turn}/${event.maxTurns}`;
        this.#doing = "asking the model";
        break;
      case "reply":
        if (event.usage) this.#tokens += tokensOf(event.usage);
        this.#calls = event.calls;
        this.#answered = 0;
        this.#doing = event.calls === 0 ? "the model is done" : this.#acting();
        break;
      case "action":
        if (event.verdict === "deny") this.#denied += 1;
        // The agent's own calls are no part of a reply.
        if (event.source === "model") {
          this.#answered += 1;
          this.#doing = this.#acting();
        }
        break;
      case "retry":
        this.#doing = `asking again (attempt ${event.attempt})`;
        break;
      case "end":
        this.#doing = "ending";
        break;
      default:
        break;
    }
  }

  /** Says what is being done beside the loop: preparing, stopping. */
  say(doing: string): void {
    this.#doing = doing;
  }

  #acting(): string {
    return this.#answered < this.#calls
      ? `action ${this.#answered + 1} of ${this.#calls}`
      : "looking at the screen";
  }

  describe(elapsedMs: number): string {
    const parts = [this.#turn, this.#doing, formatElapsed(elapsedMs)];
    if (this.#tokens > 0) parts.push(`${formatCount(this.#tokens)} tokens`);
    if (this.#denied > 0) parts.push(`${this.#denied} denied`);
    return parts.filter((part) => part !== "").join("  ");
  }
}
