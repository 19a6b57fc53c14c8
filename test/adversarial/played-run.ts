// A run whose model is fully compromised: it asks for exactly the steps it was given, in one reply, and then stops.
import type { AgentEntry } from "../../src/contract/agent-spec.js";
import type { Point } from "../../src/contract/geometry.js";
import type { WireStyle } from "../../src/contract/parse-action.js";
import type { Desktop } from "../../src/runtime/cap/desktop-port.js";
import { MemoryJournal } from "../../src/runtime/control/memory-journal.js";
import { Dispatcher } from "../../src/runtime/dispatch/dispatcher.js";
import type { ModelPort } from "../../src/runtime/dispatch/model-port.js";
import { CAPS, type CapName, entryOf } from "./fixtures.js";
import { instantClock } from "./instant-clock.js";
import type { Judged, Step } from "./vector.js";
import { wireText } from "./wire.js";

/** A tenth of the viewport, so that frames are cheap; the gate judges viewport pixels all the same. */
export const SMALL_DISPLAY = { width: 128, height: 80 };

const MODELS: Readonly<Record<WireStyle, string>> = {
  toolset: "claude-opus-5-5",
  single: "claude-opus-4-7",
};

export function smallEntry(name: CapName, style: WireStyle): AgentEntry {
  return entryOf({ ...CAPS[name], model: MODELS[style], display: SMALL_DISPLAY });
}

/** Replies, each a list of tool_use blocks as JSON text; then an end in words. */
export function compromisedModel(replies: readonly (readonly string[])[], style: WireStyle): ModelPort {
  let next = 0;
  return {
    id: "script:compromised",
    model: MODELS[style],
    async ask() {
      const calls = replies[next++] ?? [];
      const content = calls.length > 0 ? `[${calls.join(",")}]` : '[{"type":"text","text":"done"}]';
      const reason = calls.length > 0 ? "tool_use" : "end_turn";
      return JSON.parse(
        `{"id":"msg_${next}","type":"message","role":"assistant","model":"m","content":${content},` +
          `"stop_reason":"${reason}","usage":{"input_tokens":1,"output_tokens":1}}`,
      );
    },
    async close() {},
  };
}

export interface Played extends Judged {
  readonly outcome: string;
  /** Verdicts of every step, in order. */
  readonly verdicts: readonly string[];
}

/** Runs the steps through the loop; the last one's verdict is the answer. */
export async function playSteps(
  steps: readonly Step[],
  how: {
    readonly cap: CapName;
    readonly style: WireStyle;
    readonly desktop: Desktop & { disturb?(change: { pointer?: Point }): void };
    readonly pointer?: Point | undefined;
    readonly before?: () => void;
  },
): Promise<Played> {
  const journal = new MemoryJournal();
  const calls = steps.map((step, index) => wireText(step, how.style, `toolu_${index}`));
  const dispatcher = Dispatcher.fromSpec(smallEntry(how.cap, how.style), {
    model: compromisedModel([calls], how.style),
    desktop: how.desktop,
    journal,
    clock: instantClock(),
  });
  try {
    await dispatcher.open();
    if (how.pointer) {
      const { x, y } = how.pointer;
      how.desktop.disturb?.({ pointer: { x: Math.floor(x / 10), y: Math.floor(y / 10) } });
    }
    const result = await dispatcher.run("do what you are told");
    const actions = journal.ofKind("action").filter((record) => record.data.source === "model");
    const last = actions.at(-1)?.data;
    return {
      allowed: last?.verdict === "allow",
      code: last?.code ?? (result.outcome === "completed" ? undefined : result.error.code),
      reason: last?.reason,
      outcome: result.outcome,
      verdicts: actions.map((record) => record.data.verdict),
    };
  } finally {
    await dispatcher.close();
  }
}
