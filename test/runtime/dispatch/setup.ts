// A dispatcher on the fake desktop with a scripted model behind HTTP, and the few blocks that the tests write.
import { type AgentEntry, agentEntrySchema, declaredFields } from "../../../src/contract/agent-spec.js";
import { type ComputerUseOptions, checkDeclaration } from "../../../src/contract/declaration.js";
import { MemoryJournal } from "../../../src/runtime/control/memory-journal.js";
import { RETRY_LIMITS } from "../../../src/runtime/dispatch/ask-model.js";
import { Dispatcher, type DispatcherOptions } from "../../../src/runtime/dispatch/dispatcher.js";
import type { ModelPort } from "../../../src/runtime/dispatch/model-port.js";
import type { RunEvent } from "../../../src/runtime/dispatch/run-event.js";
import {
  type FakeDesktop,
  type FakeDesktopOptions,
  fakeDesktop,
} from "../../../src/runtime/testing/fake-desktop.js";
import type { ScriptRequest } from "../../../src/runtime/testing/messages-server.js";
import {
  type ScriptedModel,
  type ScriptOptions,
  type ScriptSource,
  script,
} from "../../../src/runtime/testing/scripted-model.js";

/** Waits that take no time, and a clock that only they move. */
export function instantClock() {
  let mono = 0;
  const waits: number[] = [];
  return {
    waits,
    advance: (ms: number) => {
      mono += ms;
    },
    now: () => new Date(Date.UTC(2026, 0, 1) + mono).toISOString(),
    monotonic: () => mono,
    async sleep(ms: number, signal?: AbortSignal) {
      if (signal?.aborted) throw signal.reason;
      waits.push(ms);
      mono += ms;
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw signal.reason;
    },
  };
}

export const FULL_CAP = "computer.screen + computer.input + computer.clipboard.read";

export function entryOf(options: Partial<ComputerUseOptions> = {}): AgentEntry {
  const { declaration, problems } = checkDeclaration({ cap: FULL_CAP, width: 400, height: 300, ...options });
  if (!declaration) throw new Error(JSON.stringify(problems));
  return agentEntrySchema.parse({
    agent: "Tester",
    file: "tester.ts",
    ...declaredFields(declaration),
    uses: [],
    sourceHash: `sha256:${"0".repeat(64)}`,
  });
}

const opened: Dispatcher[] = [];

/** For `afterEach`: closes what `bench` made. */
export async function closeAll(): Promise<void> {
  await Promise.allSettled(opened.splice(0).map((dispatcher) => dispatcher.close()));
}

export interface Bench {
  readonly model: ModelPort;
  readonly desktop: FakeDesktop;
  readonly journal: MemoryJournal;
  readonly dispatcher: Dispatcher;
  readonly events: RunEvent[];
}

export function bench(
  model: ModelPort,
  options: Partial<ComputerUseOptions> = {},
  more: Partial<DispatcherOptions> & { readonly fake?: FakeDesktopOptions } = {},
): Bench {
  const desktop = fakeDesktop(more.fake);
  const journal = new MemoryJournal();
  const events: RunEvent[] = [];
  const dispatcher = Dispatcher.fromSpec(entryOf(options), {
    model,
    desktop,
    journal,
    retryLimits: { ...RETRY_LIMITS, baseMs: 2, capMs: 4 },
    onEvent: (event) => events.push(event),
    ...more,
  });
  opened.push(dispatcher);
  return { model, desktop, journal, dispatcher, events };
}

/** A scripted model that also keeps the requests it received. */
export function recorded(
  source: ScriptSource,
  options: ScriptOptions = {},
): ScriptedModel & { readonly seen: ScriptRequest[] } {
  const seen: ScriptRequest[] = [];
  const list = typeof source === "function" ? undefined : [...source];
  const model = script((request, context) => {
    seen.push(request);
    if (typeof source === "function") return source(request, context);
    return list?.shift() ?? [{ type: "text", text: "done" }];
  }, options);
  return Object.assign(model, { seen });
}

let ids = 0;

/** A toolset call. */
export function call(name: string, input: unknown = {}, more: Record<string, unknown> = {}) {
  ids += 1;
  return { type: "tool_use", id: `call_${ids}`, name, toolset_name: "computer", input, ...more };
}

export function say(text: string) {
  return { type: "text" as const, text };
}

interface Result {
  readonly type: string;
  readonly tool_use_id: string;
  readonly toolset_name?: string;
  readonly is_error?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** The answers at the end of a conversation. */
export function answersOf(conversation: readonly { readonly content: readonly unknown[] }[]): Result[] {
  return (conversation.at(-1)?.content ?? []) as Result[];
}

/** The tool results of the last message of a request. */
export function resultsOf(request: ScriptRequest | undefined): Result[] {
  const last = request?.messages.at(-1);
  return ((last?.content ?? []) as unknown as Result[]).filter((block) => block.type === "tool_result");
}

export function textOfResult(result: Result | undefined): string {
  return (result?.content ?? []).map((block) => block.text ?? `[${block.type}]`).join(" ");
}
