// Traces for tests of the report, made with the journal's own writer and a clock that counts up by 100 ms.
import { join } from "node:path";
import { encode } from "fast-png";
import type { Clock } from "../../src/base/clock.js";
import { digestBytes } from "../../src/base/digest.js";
import type { RecordData, RecordedInput } from "../../src/contract/journal-records.js";
import { TraceJournal } from "../../src/runtime/store/trace-journal.js";
import { temporaryFolder } from "../runtime/store/temporary-folder.js";

export const SIZE = { width: 320, height: 240 };

/** A picture of one colour with a square of another in it, whose middle pixel is `at`. */
export function picture(
  size = SIZE,
  colour: readonly number[] = [225, 228, 232],
  at?: { readonly x: number; readonly y: number },
  square: readonly number[] = [255, 0, 255],
  half = 3,
): Uint8Array {
  const data = new Uint8Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const inside = at && Math.abs(x - at.x) <= half && Math.abs(y - at.y) <= half;
      data.set(inside ? square : colour, (y * size.width + x) * 3);
    }
  }
  return encode({ ...size, data, channels: 3 });
}

function steadyClock(): Clock {
  let tick = 0;
  return {
    now: () => "2026-01-02T03:04:05.000Z",
    monotonic: () => 100 * tick++,
    sleep: () => Promise.resolve(),
  };
}

const withheld = { digest: digestBytes("hello"), length: 5 };
const usage = { inputTokens: 1000, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };

export interface ActionOptions {
  readonly verdict?: RecordData<"action">["verdict"];
  readonly code?: string;
  readonly reason?: string;
  readonly callId?: string;
  readonly actionId?: string;
  readonly told?: string;
  readonly detail?: string;
  readonly events?: number;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/** Writes a trace step by step; `end` finishes it. */
export class MadeTrace {
  readonly folder = join(temporaryFolder(), "trace");
  readonly #journal = TraceJournal.create(this.folder, { clock: steadyClock() });
  #turn = 0;
  #action = 0;

  get head(): string {
    return this.#journal.head;
  }

  append: TraceJournal["append"] = (kind, data) => this.#journal.append(kind, data);

  async begin(over: Partial<RecordData<"run_started">> = {}, limits = true): Promise<this> {
    await this.append("run_started", {
      runId: "run-1",
      generator: "capuchin 0.0.0",
      agent: "FormFiller",
      goal: withheld,
      capability: "computer.input + computer.screen",
      entryDigest: digestBytes("entry"),
      derived: false,
      desktop: "fake",
      model: "script",
      tool: "computer_toolset_20260801",
      ...over,
    });
    await this.append("desktop_opened", {
      kind: "fake",
      size: SIZE,
      serverId: "fake-1",
      released: { keys: [], buttons: [] },
      ...(limits
        ? {
            limits: {
              viewport: SIZE,
              bounds: { x: 0, y: 0, width: 200, height: 150 },
              denyKeys: ["alt+F4"],
              maxActions: 9,
              maxEvents: 1000,
              onViolation: "refuse" as const,
            },
          }
        : {}),
    });
    return this;
  }

  async frame(
    png: Uint8Array,
    reason: RecordData<"frame">["reason"] = "start",
    size = SIZE,
  ): Promise<string> {
    const digest = await this.#journal.keepFrame(png);
    await this.append("frame", { digest, size, bytes: png.length, reason });
    return digest;
  }

  async turn(over: Partial<RecordData<"model_reply">> = {}): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    await this.append("model_request", { turn, messages: 1, images: 1, bytes: 10, digest: digestBytes("r") });
    await this.append("model_reply", {
      turn,
      id: `msg-${turn}`,
      stopReason: "tool_use",
      usage,
      calls: [{ id: "call", name: "left_click" }],
      text: withheld,
      digest: digestBytes("reply"),
      ...over,
    });
  }

  async action(
    name: RecordData<"action">["name"] | undefined,
    input: RecordedInput,
    options: ActionOptions = {},
  ): Promise<string> {
    this.#action += 1;
    const {
      verdict = "allow",
      code,
      reason,
      detail = "the screen changed",
      events = 3,
      before,
      after,
    } = options;
    const actionId = options.actionId ?? `run-1.${this.#action}`;
    const callId = options.callId ?? `call-${this.#action}`;
    await this.append("action", {
      actionId,
      source: "model",
      turn: this.#turn,
      callId,
      ...(name ? { name, input } : {}),
      verdict,
      ...(code === undefined ? {} : { code }),
      ...(reason === undefined ? {} : { reason }),
    });
    if (verdict === "allow") {
      const digest = digestBytes(actionId);
      await this.append("intent", { actionId, argsDigest: digest, leaseId: "lease-1", epoch: 1, attempt: 1 });
      const receipt = { receiptId: `receipt-${this.#action}`, actionId, actionDigest: digest };
      await this.append("receipt", { ...receipt, status: "committed", events });
      await this.append("verification", {
        actionId,
        outcome: "verified",
        effect: "confirmed",
        detail,
        ...(before ? { before: await this.#journal.keepFrame(before) } : {}),
        ...(after ? { after: await this.#journal.keepFrame(after) } : {}),
      });
    }
    if (options.told !== undefined) {
      const answer = { callId, isError: verdict !== "allow", text: options.told };
      await this.append("answers", { turn: this.#turn, answers: [answer] });
    }
    return actionId;
  }

  keepDocument(text: string): Promise<string> {
    return this.#journal.keepDocument(text);
  }

  async end(over: Partial<RecordData<"run_ended">> = {}): Promise<this> {
    await this.append("released", { released: { keys: [], buttons: [] }, when: "end" });
    await this.append("run_ended", {
      outcome: "completed",
      turns: this.#turn,
      actions: this.#action,
      events: 3,
      usage,
      ...over,
    });
    await this.#journal.close();
    return this;
  }
}
