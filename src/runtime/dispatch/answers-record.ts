// What the trace keeps of the answers to one reply's calls: our own phrases, and which frame the model was shown.
import type { RecordData } from "../../contract/journal-records.js";
import { boundedText } from "../control/recorded.js";
import type { NewResult, StoredImage } from "./history.js";
import type { TurnAnswers } from "./turn.js";

/** Answers of one reply that are recorded; with the lengths below they stay within a line of the trace. */
const ANSWERS_MAX = 64;
const TEXT_MAX = 300;

type Answer = RecordData<"answers">["answers"][number];

function digestOf(image: StoredImage | undefined): Pick<Answer, "frame"> {
  return image === undefined ? {} : { frame: image.frame };
}

function answerOf(result: NewResult, shown: StoredImage | undefined): Answer {
  const texts = result.content.flatMap((block) => ("kind" in block ? [] : [block.text]));
  const image = result.content.find((block): block is StoredImage => "kind" in block) ?? shown;
  return {
    callId: boundedText(result.callId, 128),
    isError: result.isError,
    text: boundedText(texts.join("\n"), TEXT_MAX),
    ...digestOf(image),
  };
}

/** The record of a turn's answers. A frame that follows the results counts for the last of them. */
export function answersRecord(turn: number, { results, after }: TurnAnswers): RecordData<"answers"> {
  const last = results.length - 1;
  const shown = after.find((block): block is StoredImage => "kind" in block);
  return {
    turn,
    answers: results
      .slice(0, ANSWERS_MAX)
      .map((result, index) => answerOf(result, index === last ? shown : undefined)),
  };
}
