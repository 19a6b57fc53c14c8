// A reply that asks to type, cut at each of its bytes: nothing of a cut reply is executed, and the run goes on with the
// whole one. One run plays every cut, each before a whole reply, so that what is typed counts what was executed.
import { afterEach, describe, expect, test } from "vitest";
import { RETRY_LIMITS } from "../../src/runtime/dispatch/ask-model.js";
import { type ScriptReply, streamEvents } from "../../src/runtime/testing/script-reply.js";
import type { ScriptWire } from "../../src/runtime/testing/script-wire.js";
import { eventText } from "../../src/runtime/testing/stream-text.js";
import { call, closeAll, instantClock } from "../runtime/dispatch/setup.js";
import { inStyle, MODES, type Mode, stage, TRANSPORTS } from "./wire-modes.js";

afterEach(closeAll);

/** Between two whole replies; the run's limits are set so that no turn fails for good. */
const CUTS_A_TURN = 64;
const SIZE = { width: 40, height: 30 };

/** A screen that each action changes, lest the run be stuck. */
const screens = ({ actions }: { readonly actions: number }) => ({
  ...SIZE,
  channels: 3 as const,
  data: new Uint8Array(SIZE.width * SIZE.height * 3).fill(255 - (actions % 100)),
});

/** The events of the reply of a turn. */
function typing(mode: Mode, turn: number) {
  const block = inStyle(call("type", { text: "rm -rf /tmp/x;" }, { id: `toolu_${turn}` }), mode);
  return streamEvents([block] as ScriptReply, "m", turn);
}

function bodyLength(mode: Mode): number {
  return Buffer.byteLength(
    typing(mode, 1000)
      .map((event) => eventText(event))
      .join(""),
  );
}

/** Whole JSON, for the ways of receiving that know no stream. */
function jsonReply(mode: Mode, turn: number): { status: number; body: string } {
  const block = inStyle(call("type", { text: "rm -rf /tmp/x;" }, { id: `toolu_${turn}` }), mode);
  const message = {
    type: "message",
    role: "assistant",
    content: [block],
    stop_reason: "tool_use",
  };
  return { status: 200, body: JSON.stringify(message) };
}

function replyOf(mode: Mode, turn: number, wire: ScriptWire): ScriptReply {
  return mode.stream ? { events: typing(mode, turn), wire } : { ...jsonReply(mode, turn), wire };
}

/** Each place within a body, several a turn; a whole reply ends each turn. */
function script(mode: Mode, length: number, cutAt: (bytes: number) => ScriptWire): ScriptReply[] {
  const turns = Math.ceil(length / CUTS_A_TURN);
  return Array.from({ length: turns }, (_, index) => {
    const turn = 1000 + index;
    const places = Array.from({ length: CUTS_A_TURN }, (_unused, n) => index * CUTS_A_TURN + n);
    const cuts = places.filter((at) => at < length).map((at) => replyOf(mode, turn, cutAt(at)));
    return [...cuts, replyOf(mode, turn, {})];
  }).flat();
}

const ENDS: readonly (readonly [string, (bytes: number) => ScriptWire])[] = [
  ["ended as if it were whole", (bytes) => ({ cut: { bytes } })],
  ["broken off", (bytes) => ({ reset: { bytes } })],
];

/** The calling form plays no part in how a reply is received; CAPUCHIN_LONG=1 plays both all the same. */
describe.each(process.env["CAPUCHIN_LONG"] ? MODES : TRANSPORTS)("$name:", (mode) => {
  test.each(ENDS)(
    "a call's reply, %s at each of its bytes, is executed only when it is whole [L-008, L-009, L-010]",
    async (_how, cutAt) => {
      const length = mode.stream ? bodyLength(mode) : Buffer.byteLength(jsonReply(mode, 1000).body);
      const replies = script(mode, length, cutAt);
      const turns = replies.length - length;
      const { dispatcher, desktop, journal, model } = stage(
        mode,
        replies,
        { ...SIZE, maxTurns: turns + 1, maxEvents: 100_000 },
        {
          clock: instantClock(),
          retryLimits: { ...RETRY_LIMITS, attempts: 70, malformed: 70, baseMs: 2, capMs: 4, perRun: length },
          fake: { size: SIZE, screens },
        },
      );
      const result = await dispatcher.run("go");
      expect(result).toMatchObject({ outcome: "completed", turns: turns + 1, actions: turns });
      expect(desktop.text).toBe("rm -rf /tmp/x;".repeat(turns));
      expect(model.requests).toBe(replies.length + 1);
      expect(journal.ofKind("retry")).toHaveLength(length);
    },
    300_000,
  );
});
