// One goal, from the first request to the end: ask, judge the reply, run its calls, answer them, ask again. Every
// way out is an Ending; whatever ends it, all calls of the last reply are answered in the history first.

import { canonicalJson } from "../../base/canonical-json.js";
import type { Clock } from "../../base/clock.js";
import { digestJson } from "../../base/digest.js";
import { describeValue, escapeText } from "../../base/escape.js";
import type { ToolVersion } from "../../contract/models.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import type { ActionPort } from "../control/action-port.js";
import { boundedText, withheldText } from "../control/recorded.js";
import type { RedactedJournal } from "../control/redacted-journal.js";
import { NUDGE_TEXT } from "./answer.js";
import { answersRecord } from "./answers-record.js";
import { askModel, type RetryLimits } from "./ask-model.js";
import { type Budget, NO_USAGE } from "./budget.js";
import { type Ending, ending } from "./dispatch-result.js";
import type { ServerContextOptions } from "./history/compaction.js";
import { type History, type Pruned, type StoredImage, storedImage } from "./history.js";
import { keptReply } from "./kept-reply.js";
import type { TextBlock, ToolEntry } from "./message.js";
import { ModelError, type ModelPort, type ModelRequest } from "./model-port.js";
import type { ModelSpace } from "./pictures/model-space.js";
import type { PictureMaker } from "./pictures/picture-maker.js";
import { type ModelReply, textOf } from "./reply.js";
import { measureRequest } from "./request.js";
import type { RunControl } from "./run-control.js";
import type { RunEvent } from "./run-event.js";
import { toContinue } from "./sent-back.js";
import { judgeReply, type Step } from "./stop-reason.js";
import { StuckDetector } from "./stuck.js";
import { runCalls, type TurnAnswers } from "./turn.js";
import { SeenScreen, type UnchangedScreens } from "./unchanged.js";

/** Nudges in a row that a model may ignore. */
const NUDGES_MAX = 3;

/** Turns in a row of whose calls none was carried out. More than the refusals that a run survives anyway. */
const IDLE_TURNS_MAX = 20;

const CONTEXT_FULL =
  "the conversation no longer fits the model's context, even without its older pictures and answers; nothing of the " +
  "reply was executed: split the goal, or let the server summarise with serverContext.compactAtTokens";

export interface LoopContext {
  readonly goal: string;
  readonly system: string;
  readonly model: ModelPort;
  readonly modelId: string;
  readonly toolVersion: ToolVersion;
  readonly tool: ToolEntry;
  readonly maxReplyTokens: number;
  readonly temperature: number | undefined;
  readonly port: ActionPort;
  readonly space: ModelSpace;
  readonly pictures: PictureMaker;
  readonly journal: RedactedJournal;
  readonly clock: Clock;
  readonly control: RunControl;
  readonly budget: Budget;
  readonly history: History;
  readonly signal: AbortSignal;
  readonly retryLimits: RetryLimits | undefined;
  readonly serverContext: ServerContextOptions | undefined;
  readonly unchangedScreens: UnchangedScreens;
  emit(event: RunEvent): void;
  /** Why the run ends when `signal` was aborted. */
  stopEnding(): Ending;
}

/** A value of a reply as text. Turning just any object into a string runs what it says its `toString` is. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : describeValue(value);
}

export class Loop {
  readonly #context: LoopContext;
  readonly #stuck = new StuckDetector();
  #nudges = 0;
  #idleTurns = 0;
  /** Whether the last reply was that the context is full. */
  #isFull = false;

  constructor(context: LoopContext) {
    this.#context = context;
  }

  /** Runs to the end. @throws only for faults of our own. */
  async run(): Promise<Ending> {
    try {
      await this.#begin();
      for (;;) {
        const end = await this.#turn();
        if (end) return end;
      }
    } catch (error) {
      return this.#endingOf(error);
    }
  }

  async #begin(): Promise<void> {
    const { goal, port, pictures, history, signal } = this.#context;
    signal.throwIfAborted();
    const frame = await port.observe("start", signal);
    const first: (TextBlock | StoredImage)[] = [{ type: "text", text: goal }];
    // The instruction before the picture: clicks are more accurate that way round.
    if (frame) first.push(storedImage(await pictures.whole(frame)));
    history.addUser(first);
  }

  async #turn(): Promise<Ending | undefined> {
    const { budget, control, history, signal, emit } = this.#context;
    const { waited } = await control.checkpoint(signal);
    signal.throwIfAborted();
    const spent = budget.exhausted();
    if (spent) return ending(spent.outcome, spent.code, spent.message);
    // What the model saw before a pause may be gone.
    if (waited && budget.turns > 0) await this.#showScreen();
    const turn = budget.takeTurn();
    emit({ type: "turn", turn, maxTurns: budget.maxTurns });
    await this.#prune(turn);
    const reply = await this.#ask(turn);
    const step = judgeReply(reply, history.usedIds);
    if (step.kind !== "nudge") this.#nudges = 0;
    if (step.kind !== "full") this.#isFull = false;
    return this.#take(step, reply, turn);
  }

  async #take(step: Step, reply: ModelReply, turn: number): Promise<Ending | undefined> {
    const { history } = this.#context;
    switch (step.kind) {
      case "end":
        return ending(step.outcome, step.code, step.message);
      case "complete":
        history.addReply(reply.content);
        return { outcome: "completed", text: step.text };
      case "continue":
        history.addReply(toContinue(reply.content));
        return undefined;
      case "compacted":
        history.addReply(reply.content);
        // What the model saw is summarised in words only.
        await this.#showScreen();
        return undefined;
      case "full":
        return this.#makeRoom(turn);
      case "nudge":
        return this.#nudge(reply);
      case "execute":
        return this.#execute(step, reply, turn);
    }
  }

  #nudge(reply: ModelReply): Ending | undefined {
    this.#nudges += 1;
    if (this.#nudges > NUDGES_MAX) {
      const message = `the reply announces a tool call and holds none, ${this.#nudges} times in a row`;
      return ending("failed", "E_PROTOCOL", message);
    }
    this.#context.history.addReply(reply.content);
    this.#context.history.addUser([{ type: "text", text: NUDGE_TEXT }]);
    return undefined;
  }

  async #execute(
    step: Extract<Step, { kind: "execute" }>,
    reply: ModelReply,
    turn: number,
  ): Promise<Ending | undefined> {
    const { history, model, toolVersion, port, space, pictures, control, signal, emit } = this.#context;
    history.addReply(reply.content);
    const seen = new SeenScreen(this.#context.unchangedScreens, history.newestFrame);
    const answers = await runCalls(step.calls, {
      turn,
      tool: toolVersion,
      dialect: model.dialect ?? "hosted",
      port,
      space,
      pictures,
      control,
      stuck: this.#stuck,
      seen,
      signal,
      emit,
      stopEnding: () => this.#context.stopEnding(),
    });
    history.addResults(answers.results, answers.after);
    await this.#recordAnswers(turn, answers);
    this.#idleTurns = answers.results.every((result) => result.isError) ? this.#idleTurns + 1 : 0;
    return answers.ending ?? this.#idle();
  }

  /** A model whose calls all fail, turn after turn, gets nowhere. */
  #idle(): Ending | undefined {
    if (this.#idleTurns < IDLE_TURNS_MAX) return undefined;
    const message = `none of the model's calls was carried out in ${this.#idleTurns} turns in a row`;
    return ending("stuck", "E_STUCK", message);
  }

  /**
   * A request that was refused for its pictures is made again with fewer, each time at least one less; one that was
   * refused as too long once, with whatever can be left out.
   */
  async #ask(turn: number): Promise<ModelReply> {
    const { history, signal } = this.#context;
    let isFirst = true;
    let isShort = false;
    for (;;) {
      try {
        return await this.#askAsIs(turn);
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelError)) throw error;
        const { aboutPictures, aboutLength } = error;
        const pruned = aboutPictures
          ? history.dropRefused(isFirst)
          : aboutLength && !isShort
            ? history.shrink()
            : undefined;
        if (aboutPictures) isFirst = false;
        else isShort = true;
        if (!pruned) throw error;
        await this.#recordPruned(turn, pruned);
      }
    }
  }

  async #askAsIs(turn: number): Promise<ModelReply> {
    const { model, clock, signal, journal, budget, emit, retryLimits } = this.#context;
    const request = this.#request();
    const measure = measureRequest(request, this.#context.history.pictures);
    await journal.append("model_request", { turn, ...measure });
    const reply = await askModel(model, request, {
      clock,
      signal,
      repeats: budget.repeats,
      ...(retryLimits ? { limits: retryLimits } : {}),
      onRetry: async (attempt, reason, waitMs) => {
        emit({ type: "retry", turn, attempt, reason, waitMs });
        await journal.append("retry", { turn, attempt, reason: boundedText(reason), waitMs });
      },
    });
    budget.charge(reply.usage, measure, request.maxTokens);
    await this.#recordReply(turn, reply);
    return reply;
  }

  #request(): ModelRequest {
    const { modelId, system, tool, history, maxReplyTokens, temperature, serverContext } = this.#context;
    return {
      model: modelId,
      system,
      tool,
      messages: history.view(),
      cachePoints: history.cachePoints(),
      maxTokens: maxReplyTokens,
      ...(serverContext === undefined ? {} : { serverContext }),
      ...(temperature === undefined ? {} : { temperature }),
    };
  }

  async #recordReply(turn: number, reply: ModelReply): Promise<void> {
    const { journal, emit } = this.#context;
    const calls = reply.content.filter((block) => block.type === "tool_use");
    const words = textOf(reply);
    await journal.append("model_reply", {
      turn,
      id: boundedText(reply.id, 128),
      stopReason: boundedText(reply.stopReason ?? "none", 64),
      usage: reply.usage ?? NO_USAGE,
      calls: calls.slice(0, 64).map((block) => ({
        id: boundedText(asText(block["id"]), 128),
        name: boundedText(asText(block["name"]), 64),
      })),
      text: withheldText(words),
      digest: digestJson(reply.content),
      kept: await this.#keepReply(turn, reply),
    });
    emit({
      type: "reply",
      turn,
      stopReason: escapeText(reply.stopReason ?? "none"),
      calls: calls.length,
      untrustedText: words,
      usage: reply.usage,
    });
  }

  #keepReply(turn: number, reply: ModelReply): Promise<string> {
    const { journal, model } = this.#context;
    const { redactor, keepsWords } = journal;
    const dialect = model.dialect ?? "hosted";
    return journal.keepDocument(canonicalJson(keptReply(reply, { turn, dialect, redactor, keepsWords })));
  }

  async #recordAnswers(turn: number, answers: TurnAnswers): Promise<void> {
    try {
      await this.#context.journal.append("answers", answersRecord(turn, answers));
    } catch (error) {
      // A run that ends anyway ends for its own reason.
      if (!answers.ending) throw error;
    }
  }

  async #prune(turn: number): Promise<void> {
    for (const pruned of this.#context.history.prune()) await this.#recordPruned(turn, pruned);
  }

  /** Once, the model is asked again without whatever can be left out. */
  async #makeRoom(turn: number): Promise<Ending | undefined> {
    const pruned = this.#isFull ? undefined : this.#context.history.shrink();
    if (!pruned) return ending("truncated", "E_PROTOCOL", CONTEXT_FULL);
    this.#isFull = true;
    await this.#recordPruned(turn, pruned);
    return undefined;
  }

  async #recordPruned(turn: number, pruned: Pruned): Promise<void> {
    const { journal, emit } = this.#context;
    if (pruned.images > 0) emit({ type: "pruned", turn, images: pruned.images });
    await journal.append("history_pruned", { turn, ...pruned });
  }

  async #showScreen(): Promise<void> {
    const { port, pictures, history, signal } = this.#context;
    const frame = await port.observe("turn", signal);
    if (frame) history.addUser([storedImage(await pictures.whole(frame))]);
  }

  #endingOf(error: unknown): Ending {
    if (this.#context.signal.aborted) return this.#context.stopEnding();
    if (error instanceof ModelError && error.aboutLength) {
      return ending("truncated", error.code, `${CONTEXT_FULL} (${error.message})`);
    }
    if (error instanceof ModelError || error instanceof CapuchinError) {
      return ending("failed", error.code, error.message, { retryable: error.retryable });
    }
    throw error;
  }
}
