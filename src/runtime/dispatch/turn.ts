// The calls of one reply: in order, one after the other, each through the action port. After the first failure no
// later computer call runs. Every call gets an answer, whatever happens.
import { isInputAction } from "../../contract/actions.js";
import type { ToolVersion } from "../../contract/models.js";
import type { ParsedAction } from "../../contract/parse-action.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import { RUN_CODES } from "../../diagnostics/run-codes.js";
import type { ActionOutcome, ActionPort, ActionSource } from "../control/action-port.js";
import { skippedEvent } from "./action-event.js";
import {
  errorResult,
  HALT_TEXT,
  resultOf,
  type Shown,
  STALE_TEXT,
  STOPPED_TEXT,
  textResult,
} from "./answer.js";
import { describeAction } from "./describe-action.js";
import { type Ending, ending } from "./dispatch-result.js";
import { type NewResult, type StoredImage, storedImage } from "./history.js";
import type { TextBlock } from "./message.js";
import type { Dialect } from "./model-port.js";
import { parseCall } from "./parse-call.js";
import { type ModelSpace, toPicture, toViewport } from "./pictures/model-space.js";
import type { PictureMaker } from "./pictures/picture-maker.js";
import type { ToolCall } from "./reply.js";
import type { RunControl } from "./run-control.js";
import type { RunEvent } from "./run-event.js";
import { readDone } from "./simple-dialect.js";
import { STUCK_AFTER, type StuckDetector } from "./stuck.js";
import { type SeenScreen, UNCHANGED_TEXT } from "./unchanged.js";
import { judgeOutcome } from "./violations.js";

export interface TurnContext {
  readonly turn: number;
  readonly tool: ToolVersion;
  readonly dialect: Dialect;
  readonly port: ActionPort;
  readonly space: ModelSpace;
  readonly pictures: PictureMaker;
  readonly control: RunControl;
  readonly stuck: StuckDetector;
  readonly seen: SeenScreen;
  readonly signal: AbortSignal;
  emit(event: RunEvent): void;
  /** Why the run ends when `signal` was aborted. */
  stopEnding(): Ending;
}

export interface TurnAnswers {
  readonly results: readonly NewResult[];
  /** Blocks that follow the results. */
  readonly after: readonly (StoredImage | TextBlock)[];
  readonly ending?: Ending;
}

const COMPLETE_TEXT = "Not executed: the run is complete.";

/** The state of a turn while its calls are gone through. */
class Turn {
  readonly #context: TurnContext;
  readonly results: NewResult[] = [];
  /** The answer to every further computer call, once none may run. */
  #halt: string | undefined;
  #ending: Ending | undefined;
  #wantsFrame = false;
  /** Set when records can no longer be written, so that nothing more is asked of the port. */
  #portLost = false;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  async take(call: ToolCall): Promise<void> {
    const parsed = toViewport(parseCall(call, this.#context.tool), this.#context.space);
    // A tool that is none of ours is answered for itself: it is no computer action that others depend on.
    const isForeign = !parsed.ok && parsed.code === "E_UNKNOWN_TOOL";
    if (this.#halt === undefined) await this.#checkpoint();
    if (this.#halt === undefined && this.#context.dialect === "simple" && !parsed.ok) {
      const done = readDone(call);
      if (done) {
        this.#ending = { outcome: "completed", text: done.summary };
        this.#halt = COMPLETE_TEXT;
        this.results.push(textResult(call, "Done."));
        return;
      }
    }
    if (this.#halt === undefined || (isForeign && !this.#ending)) await this.#act(call, parsed);
    else await this.#skip(call, parsed, this.#halt);
  }

  async finish(): Promise<TurnAnswers> {
    const { port, pictures, seen, signal } = this.#context;
    if (this.#ending) return { results: this.results, after: [], ending: this.#ending };
    if (!this.#wantsFrame) return { results: this.results, after: [] };
    try {
      const frame = await port.observe("turn", signal);
      if (!frame) return { results: this.results, after: [] };
      return this.#withScreen(
        seen.takesWords(frame.digest)
          ? { type: "text", text: UNCHANGED_TEXT }
          : storedImage(await pictures.whole(frame)),
      );
    } catch (error) {
      return { results: this.results, after: [], ending: this.#endingOf(error) };
    }
  }

  /** On the last result, or after the results where that one is an error and may hold text only. */
  #withScreen(screen: StoredImage | TextBlock): TurnAnswers {
    const last = this.results.at(-1);
    if (!last || last.isError) return { results: this.results, after: [screen] };
    const withScreen = { ...last, content: [...last.content, screen] };
    return { results: [...this.results.slice(0, -1), withScreen], after: [] };
  }

  /** A screen of which the model has the picture already. */
  #isSeen(outcome: ActionOutcome): boolean {
    const frame = outcome.status === "done" ? outcome.frame : undefined;
    return frame !== undefined && this.#context.seen.takesWords(frame.digest);
  }

  async #checkpoint(): Promise<void> {
    const { control, signal } = this.#context;
    try {
      const { waited } = await control.checkpoint(signal);
      signal.throwIfAborted();
      if (!waited) return;
      this.#halt = STALE_TEXT;
      this.#wantsFrame = true;
    } catch (error) {
      this.#end(this.#endingOf(error), STOPPED_TEXT);
    }
  }

  async #act(call: ToolCall, parsed: ParsedAction): Promise<void> {
    const { port, signal } = this.#context;
    let outcome: ActionOutcome;
    try {
      outcome = await port.act(parsed, this.#source(call), signal);
    } catch (error) {
      this.#end(this.#endingOf(error), STOPPED_TEXT);
      this.#portLost = !signal.aborted;
      this.results.push(errorResult(call, RUN_CODES.E_INDETERMINATE.toModel));
      return;
    }
    await this.#answer(call, outcome);
    this.#note(parsed, outcome);
  }

  /** A frame that makes no picture ends the run: the model would act on what it cannot see. */
  async #answer(call: ToolCall, outcome: ActionOutcome): Promise<void> {
    try {
      this.results.push(
        this.#isSeen(outcome)
          ? textResult(call, UNCHANGED_TEXT)
          : resultOf(call, outcome, await this.#shown(outcome)),
      );
    } catch (error) {
      this.#end(this.#endingOf(error), STOPPED_TEXT);
      this.results.push(errorResult(call, RUN_CODES.E_BACKEND.toModel));
    }
  }

  async #shown(outcome: ActionOutcome): Promise<Shown> {
    if (outcome.status !== "done") return {};
    const { pictures, space } = this.#context;
    const { frame, pointer, name } = outcome;
    return {
      ...(frame ? { picture: await (name === "zoom" ? pictures.zoomed(frame) : pictures.whole(frame)) } : {}),
      ...(pointer ? { pointer: toPicture(pointer, space) } : {}),
    };
  }

  #note(parsed: ParsedAction, outcome: ActionOutcome): void {
    const { port, stuck, signal } = this.#context;
    if (outcome.name !== undefined && outcome.status !== "refused") {
      // A screenshot as the last thing seen needs no second one.
      if (isInputAction(outcome.name)) this.#wantsFrame = true;
      else if (outcome.name === "screenshot" && outcome.status === "done") this.#wantsFrame = false;
    }
    if (outcome.status === "done") {
      if (parsed.ok && stuck.executed(parsed.action, outcome.changed)) {
        const message = `${describeAction(parsed.action)} was executed ${STUCK_AFTER} times in a row without a change on screen`;
        this.#end(ending("stuck", "E_STUCK", message), HALT_TEXT);
      }
      return;
    }
    const isForeign = outcome.status === "refused" && outcome.code === "E_UNKNOWN_TOOL";
    if (!isForeign) this.#halt ??= HALT_TEXT;
    // Whatever a stop did to the action under way, the run was stopped.
    const end = signal.aborted ? this.#context.stopEnding() : judgeOutcome(outcome, port.fatal);
    if (end) this.#end(end, signal.aborted ? STOPPED_TEXT : HALT_TEXT);
  }

  async #skip(call: ToolCall, parsed: ParsedAction, phrase: string): Promise<void> {
    this.results.push(errorResult(call, phrase));
    this.#context.emit(skippedEvent(this.#source(call), parsed.ok ? parsed.action : undefined));
    if (this.#portLost) return;
    try {
      await this.#context.port.skip(this.#source(call));
    } catch (error) {
      this.#portLost = true;
      this.#ending ??= this.#endingOf(error);
    }
  }

  #end(end: Ending, phrase: string): void {
    this.#ending ??= end;
    this.#halt = phrase;
  }

  #endingOf(error: unknown): Ending {
    if (this.#context.signal.aborted) return this.#context.stopEnding();
    if (error instanceof CapuchinError) {
      return ending("failed", error.code, error.message, { retryable: error.retryable });
    }
    throw error;
  }

  #source(call: ToolCall): ActionSource {
    return { by: "model", turn: this.#context.turn, callId: call.id };
  }
}

/** Runs the calls of one reply and returns what the model is told, and how the run ends if it does. */
export async function runCalls(calls: readonly ToolCall[], context: TurnContext): Promise<TurnAnswers> {
  const turn = new Turn(context);
  for (const call of calls) await turn.take(call);
  return turn.finish();
}
