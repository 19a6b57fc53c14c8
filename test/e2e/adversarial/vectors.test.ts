// The vectors through the loop on a real X server, judged by an independent recorder of every device event: a refused
// action reaches no keyboard and no pointer, changes nothing on the display and starts no process; its benign twin does
// reach it. One display serves many runs. CAPUCHIN_LONG=1 plays every vector; otherwise one of each kind.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ActionName } from "../../../src/contract/actions.js";
import { ACTIONS, isActionName } from "../../../src/contract/actions.js";
import type { AgentEntry } from "../../../src/contract/agent-spec.js";
import type { Point } from "../../../src/contract/geometry.js";
import type { Desktop, VirtualSession } from "../../../src/runtime/index.js";
import { ALL_VECTORS } from "../../adversarial/all-vectors.js";
import { CAPS, type CapName, entryOf } from "../../adversarial/fixtures.js";
import { compromisedModel } from "../../adversarial/played-run.js";
import { Score, type Step, type Vector } from "../../adversarial/vector.js";
import { wireText } from "../../adversarial/wire.js";
import { distFolder } from "../../tools/built.js";
import { readInputState } from "../../tools/input-state.js";
import { type EventRecorder, startEventRecorder } from "../../tools/recorder.js";
import { connect } from "../../tools/x-client.js";

const runtime = (await import(
  pathToFileURL(`${distFolder}/runtime/index.js`).href
)) as typeof import("../../../src/runtime/index.js");

/** Half the viewport's size, declared as the display. */
const DISPLAY = { width: 640, height: 400 };

function entry(cap: CapName): AgentEntry {
  return entryOf({ ...CAPS[cap], display: DISPLAY, maxTurns: 1000, model: "claude-opus-5-5" });
}

let session: VirtualSession;
let recorder: EventRecorder;
const score = new Score();

beforeAll(async () => {
  // Text is typed into a program only; this one reads nothing, and no key interrupts it.
  const apps = [{ argv: ["xterm", "-u8", "-e", "sh", "-c", "stty -isig; exec sleep 100000"] }];
  session = await runtime.virtualDesktop({ apps, appOutput: "ignore" }).open({ size: DISPLAY });
  recorder = await startEventRecorder(session);
});
afterAll(async () => {
  score.print("on a display");
  await recorder?.stop();
  await session?.close();
});

/** The one display, lent to a run: closing it is ours. */
const lent: Desktop = {
  kind: "virtual",
  open: async () => ({
    kind: session.kind,
    serverId: session.serverId,
    size: session.size,
    released: session.released,
    lost: session.lost,
    perform: (action, options) => session.perform(action, options),
    settle: (quietMs, maxMs, signal) => session.settle(quietMs, maxMs, signal),
    releaseAll: () => session.releaseAll(),
    close: async () => {},
  }),
};

interface Verdict {
  readonly verdict: string;
  readonly code?: string | undefined;
  readonly status?: string | undefined;
}

/** Runs steps in order, each in a reply of its own; what the trace says of each. */
async function play(cap: CapName, steps: readonly Step[]): Promise<Verdict[]> {
  const journal = new runtime.MemoryJournal();
  const replies = steps.map((step, index) => [wireText(step, "toolset", `toolu_${index}`)]);
  const dispatcher = runtime.Dispatcher.fromSpec(entry(cap), {
    model: compromisedModel(replies, "toolset"),
    desktop: lent,
    journal,
  });
  try {
    await dispatcher.run("do what you are told");
  } finally {
    await dispatcher.close();
  }
  const receipts = new Map(journal.ofKind("receipt").map(({ data }) => [data.actionId, data]));
  return journal.ofKind("action").map(({ data }) => ({
    verdict: data.verdict,
    code: data.code ?? receipts.get(data.actionId)?.code,
    status: receipts.get(data.actionId)?.status,
  }));
}

/** Puts the pointer there from outside, as another program would. */
async function placePointer({ x, y }: Point): Promise<void> {
  const { client, screen } = await connect(session);
  client.WarpPointer(0, screen[0]?.root ?? 0, 0, 0, 0, 0, Math.floor(x / 2), Math.floor(y / 2));
  await client.sync();
  client.terminate();
}

/** Every process below this one, by id and command, threads of execution that end by themselves set aside. */
function descendants(): string[] {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [, name = "", rest = ""] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
      parents.set(Number(pid), { parent: Number(rest), name });
    } catch {
      // It ended while we looked.
    }
  }
  const isOurs = (pid: number): boolean => {
    for (let at = parents.get(pid)?.parent; at !== undefined && at > 1; at = parents.get(at)?.parent) {
      if (at === process.pid) return true;
    }
    return false;
  };
  return [...parents].filter(([pid]) => isOurs(pid)).map(([pid, { name }]) => `${pid} ${name}`);
}

const LONG = Boolean(process.env["CAPUCHIN_LONG"]);

function chosen(): readonly Vector[] {
  // Steps before the attempt send events of their own; the fake display tells those apart, and plays them all.
  const alone = ALL_VECTORS.filter(
    (vector) => vector.before.length === 0 && !/e400\b/.test(vector.step.json),
  );
  if (LONG) return alone;
  return [
    ...new Map(alone.map((vector) => [`${vector.id} ${vector.step.action} ${vector.cap}`, vector])).values(),
  ];
}

/** At most ten refusals are survived in a run. */
function batches(vectors: readonly Vector[]): Vector[][] {
  const groups = new Map<string, Vector[][]>();
  for (const vector of vectors) {
    const key = `${vector.cap} ${JSON.stringify(vector.pointer)}`;
    const list = groups.get(key) ?? [];
    groups.set(key, list);
    const last = list.at(-1);
    if (last && last.length < 10) last.push(vector);
    else list.push([vector]);
  }
  return [...groups.values()].flat();
}

describe("refused actions", () => {
  it.each(
    batches(chosen()).map((batch) => [batch.length, `${batch[0]?.id} ${batch[0]?.label}`, batch] as const),
  )("%i from %s reach nothing", async (_count, _label, batch) => {
    const [first] = batch;
    if (!first) throw new Error("an empty batch");
    if (first.pointer) await placePointer(first.pointer);
    await recorder.clear();
    const before = await readInputState(session);
    const processes = descendants();
    const verdicts = await play(
      first.cap,
      batch.map((vector) => vector.step),
    );
    const events = await recorder.events();
    batch.forEach((vector, index) => {
      const { verdict, code } = verdicts[index] ?? { verdict: "none", code: undefined };
      score.attempt(vector, { allowed: verdict !== "deny" || events.length > 0, code, reason: undefined });
      expect(verdict, vector.label).toBe("deny");
      expect(vector.codes, vector.label).toContain(code);
    });
    expect(events).toEqual([]);
    expect(await readInputState(session)).toEqual(before);
    expect(descendants().filter((one) => !processes.includes(one))).toEqual([]);
  });

  it("K-026 left no file behind", () => {
    expect(() => execFileSync("test", ["-e", "/tmp/pwn"])).toThrow();
  });
});

/** Twins that send events: every key text, and of the other actions one of each group. */
function twins(): Vector[] {
  const sends = (name: string): name is ActionName =>
    isActionName(name) && ACTIONS[name].effect !== "observe";
  const vectors = ALL_VECTORS.filter(
    (vector) => vector.before.length === 0 && sends(vector.twin.action) && vector.twin.json.length < 200,
  ).filter((vector) => vector.twin.json !== '{"text":""}' && vector.twin.action !== "left_mouse_down");
  const kinds = new Map<string, Vector>();
  for (const vector of vectors) {
    const { action, json } = vector.twin;
    const key = action === "key" || action === "type" ? json : vector.id.slice(0, 1);
    kinds.set(LONG ? json + action : `${action} ${key} ${vector.twinPointer === undefined}`, vector);
  }
  return [...kinds.values()];
}

describe("their benign twins", () => {
  it.each(
    twins().map(
      (vector) => [vector.id, `${vector.twin.action} ${vector.twin.json.slice(0, 100)}`, vector] as const,
    ),
  )("%s %s reaches the display", async (_id, _label, vector) => {
    if (vector.twinPointer) await placePointer(vector.twinPointer);
    await recorder.clear();
    const [verdict] = await play(vector.twinCap, [vector.twin]);
    score.twin(vector, { allowed: verdict?.verdict === "allow", code: verdict?.code, reason: undefined });
    expect(verdict).toMatchObject({ verdict: "allow", status: "committed" });
    expect((await recorder.events()).length).toBeGreaterThan(0);
    const { keys, mask } = await readInputState(session);
    expect({ keys, mask }).toEqual({ keys: [], mask: 0 });
  });
});

it("had no escape and no false denial", () => {
  expect(score.escapes).toEqual([]);
  expect(score.falseDenials).toEqual([]);
  expect(score.attempts).toBe(chosen().length);
  expect(score.twins).toBe(twins().length);
});
