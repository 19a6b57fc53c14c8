// Plays a recorded run's replies again through the real dispatcher, on the fake desktop: goal by goal, with the
// screens that it saw, the failures of its display and the pauses and stops of its host. No model is asked, no
// display is opened, and nothing is written.

import type { Clock } from "../../../base/clock.js";
import { type Digest, digestBytes } from "../../../base/digest.js";
import type { AgentEntry } from "../../../contract/agent-spec.js";
import { type Point, scalePoint } from "../../../contract/geometry.js";
import type { RecordData, RecordKind } from "../../../contract/journal-records.js";
import type { KeptReply } from "../../../contract/kept-documents.js";
import { RUN_CODES, type RunCodeName } from "../../../diagnostics/run-codes.js";
import type { Journal } from "../../../runtime/control/journal-port.js";
import { Dispatcher } from "../../../runtime/dispatch/dispatcher.js";
import type { FakeDesktopOptions } from "../../../runtime/index.js";
import type { RecordedAction, RecordedGoal, RecordedRun, RecordedTurn } from "./recorded-run.js";
import { replayModel } from "./replay-model.js";
import { ReplayScreens } from "./replay-screens.js";
import { type Comparison, compareVerdicts } from "./verdicts.js";

/** Time that passes by being waited for, and costs none. */
function replayClock(): Clock {
  let elapsed = 0;
  const start = Date.parse("2000-01-01T00:00:00.000Z");
  return {
    now: () => new Date(start + elapsed).toISOString(),
    monotonic: () => elapsed,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      elapsed += ms;
    },
  };
}

/** Keeps the model's actions, and the first picture's size; everything else has been written once. */
class VerdictJournal implements Journal {
  readonly location = "memory";
  readonly actions: RecordData<"action">[] = [];
  picture: RecordData<"picture">["size"] | undefined;
  /** The turn that was asked last. */
  turn = 0;

  async append<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): Promise<void> {
    if (kind === "picture") this.picture ??= (data as RecordData<"picture">).size;
    if (kind === "model_request") this.turn = (data as RecordData<"model_request">).turn;
    if (kind !== "action") return;
    const action = data as RecordData<"action">;
    if (action.source === "model") this.actions.push(action);
  }

  async keepFrame(png: Uint8Array): Promise<Digest> {
    return digestBytes(png);
  }

  async keepDocument(text: string): Promise<Digest> {
    return digestBytes(text);
  }

  async close(): Promise<void> {}
}

export interface ReplaySource {
  readonly run: RecordedRun;
  /** Today's entry: the one that was kept, or one that was named. */
  readonly entry: AgentEntry;
  readonly replyOf: (turn: RecordedTurn) => KeptReply;
  /** A kept frame's verified bytes. */
  readonly frameOf: (digest: string) => Uint8Array | undefined;
  readonly fakeDesktop: (
    options: FakeDesktopOptions,
  ) => ReturnType<typeof import("../../../runtime/index.js").fakeDesktop>;
}

export interface ReplayOutcome {
  readonly actions: readonly Comparison[];
  /** What the replay could not do as it was, in words. */
  readonly notes: readonly string[];
}

const MODEL_IN_RECORD = /\(([A-Za-z0-9][A-Za-z0-9._:@/-]{0,127})\)$/;

function placesPointer({ input }: RecordedAction): boolean {
  return input?.["coordinate"] !== undefined;
}

function isRunCode(code: string | undefined): code is RunCodeName {
  return code !== undefined && Object.hasOwn(RUN_CODES, code);
}

class Replay {
  readonly #source: ReplaySource;
  readonly #journal = new VerdictJournal();
  readonly #clock = replayClock();
  readonly #screens: ReplayScreens;
  readonly #desktop: ReturnType<ReplaySource["fakeDesktop"]>;
  readonly #dispatcher: Dispatcher;
  #goal: RecordedGoal | undefined;
  #turns: RecordedTurn[] = [];
  #turn: RecordedTurn | undefined;
  /** Which of the turn's actions is next. */
  #index = 0;
  #pointerKnown = false;
  /** The actions that the replay came to, and whether the pointer's place was known then. */
  readonly #reached = new Map<RecordedAction, { readonly pointerKnown: boolean }>();
  /** The replay's number for each turn. */
  readonly #numbers = new Map<RecordedTurn, number>();

  constructor(source: ReplaySource) {
    this.#source = source;
    const { entry, run } = source;
    const size = entry.display ?? { width: entry.width, height: entry.height };
    this.#screens = new ReplayScreens(size, source.frameOf);
    this.#desktop = source.fakeDesktop({
      size,
      clock: this.#clock,
      screens: () => this.#screens.show(),
      fault: (action) => (action.kind === "capture" || action.kind === "cursor" ? undefined : this.#fault()),
    });
    const { maxSeconds: _time, ...timeless } = entry;
    const first = run.goals.flatMap((goal) => goal.turns)[0];
    this.#dispatcher = Dispatcher.fromSpec(timeless, {
      model: replayModel({
        model: MODEL_IN_RECORD.exec(run.start.model)?.[1],
        dialect: first ? source.replyOf(first).dialect : "hosted",
        nextTurn: () => this.#turns.shift(),
        replyOf: source.replyOf,
        onTurn: (turn) => this.#beginTurn(turn),
      }),
      desktop: this.#desktop,
      journal: this.#journal,
      clock: this.#clock,
      onEvent: (event) => {
        if (event.type === "action" && event.source === "model") this.#endAction(event.verdict);
      },
    });
  }

  async play(): Promise<ReplayOutcome> {
    try {
      await this.#dispatcher.open();
      for (const goal of this.#source.run.goals) {
        this.#goal = goal;
        this.#turns = [...goal.turns];
        this.#screens.begin(goal.frame);
        await this.#playGoal(goal);
      }
    } finally {
      await this.#dispatcher.close();
    }
    return { actions: this.#compare(), notes: this.#notes() };
  }

  async #playGoal({ frame }: RecordedGoal): Promise<void> {
    let left: number;
    do {
      left = this.#turns.length;
      await this.#dispatcher.run("(the goal is withheld)");
      // Without a first frame it may be several goals.
    } while (frame === undefined && this.#turns.length > 0 && this.#turns.length < left);
  }

  get #action(): RecordedAction | undefined {
    return this.#turn?.actions[this.#index];
  }

  #beginTurn(turn: RecordedTurn): void {
    this.#turn = turn;
    this.#index = 0;
    this.#numbers.set(turn, this.#journal.turn);
    this.#place(turn.pointer);
    this.#interrupt(turn.interrupted);
    this.#beginAction();
  }

  #beginAction(): void {
    const action = this.#action;
    if (!action) {
      if (this.#turn) this.#screens.after(this.#turn);
      return;
    }
    this.#place(action.pointer);
    this.#reached.set(action, { pointerKnown: this.#pointerKnown });
    this.#screens.around(action);
  }

  /** After each action, carried out or not. */
  #endAction(verdict: string): void {
    const action = this.#action;
    if (action) {
      if (verdict === "allow" && placesPointer(action)) this.#pointerKnown = true;
      this.#interrupt(action.interrupted);
    }
    this.#index += 1;
    this.#beginAction();
  }

  /** The agent's own code had put the pointer there. */
  #place(pointer: Point | undefined): void {
    if (!pointer) return;
    const { entry } = this.#source;
    const { size } = this.#desktop.view;
    const { x, y } = scalePoint(pointer, entry, size);
    if (!(x >= 0 && y >= 0 && x < size.width && y < size.height)) return;
    this.#desktop.disturb({ pointer: { x, y } });
    this.#pointerKnown = true;
  }

  /** What the host did then, it does now. */
  #interrupt(what: "pause" | "stop" | undefined): void {
    const quietly = () => {};
    if (what === "stop") void this.#dispatcher.stop("as recorded").catch(quietly);
    if (what !== "pause") return;
    const resume = () => this.#dispatcher.resume("as recorded");
    void this.#dispatcher.pause("as recorded").then(resume).catch(quietly);
  }

  /** A display that failed then fails in the same way. */
  #fault(): { code: RunCodeName; afterEvents: number } | undefined {
    const receipt = this.#action?.receipt;
    if (!receipt || receipt.status === "committed") return undefined;
    return { code: isRunCode(receipt.code) ? receipt.code : "E_BACKEND", afterEvents: receipt.events };
  }

  #compare(): Comparison[] {
    const hasOwnActions = this.#source.run.own.length > 0;
    const byTurn = new Map<number, RecordData<"action">[]>();
    for (const action of this.#journal.actions)
      byTurn.set(action.turn, [...(byTurn.get(action.turn) ?? []), action]);
    return this.#source.run.goals.flatMap((goal) =>
      goal.turns.flatMap((turn) => {
        const present = byTurn.get(this.#numbers.get(turn) ?? 0) ?? [];
        return turn.actions.map((action, index) => {
          const pointerKnown = this.#reached.get(action)?.pointerKnown ?? false;
          return compareVerdicts(turn.turn, action, present[index], { hasOwnActions, pointerKnown });
        });
      }),
    );
  }

  #notes(): string[] {
    const { run, entry } = this.#source;
    const notes: string[] = [];
    const { picture } = run;
    const now = this.#journal.picture;
    if (picture && now && (picture.width !== now.width || picture.height !== now.height)) {
      notes.push(
        `the model was shown pictures of ${picture.width} × ${picture.height}, now they are ${now.width} × ${now.height}: its coordinates mean other places`,
      );
    }
    if (run.start.tool !== this.#dispatcher.tool)
      notes.push(`the run spoke ${run.start.tool}, the replay ${this.#dispatcher.tool}`);
    if (entry.maxSeconds !== undefined) notes.push("maxSeconds is not replayed: no time passes");
    if (this.#goal === undefined) notes.push("the run asked the model nothing");
    return notes;
  }
}

/** Replays a run. @throws ConfigurationError where the entry does not take the recorded model. */
export function replayRun(source: ReplaySource): Promise<ReplayOutcome> {
  return new Replay(source).play();
}
