// The rule that decided about an action, in words: for a refusal its code and reason, for an allowed action what it
// rested on. Derived from the table of actions, the run's capability and the recorded limits, never from a guess:
// what a trace does not hold is said to be missing.
import { ACTIONS, type ActionName, isActionName } from "../../contract/actions.js";
import { type CapabilityWord, parseCapability, wordsCover } from "../../contract/capability.js";
import { isPasteChord } from "../../contract/deny-keys.js";
import { contains, containsRect, formatPoint, formatRect } from "../../contract/geometry.js";
import type { EnforcedLimits, RecordData, RecordedInput } from "../../contract/journal-records.js";
import { parseChord } from "../../contract/keys.js";
import { isRunCode, RUN_CODES } from "../../diagnostics/run-codes.js";
import { cut } from "./row.js";
import { shortDigest } from "./words.js";

export interface Rule {
  readonly title: string;
  readonly points: readonly { readonly label: string; readonly text: string }[];
}

/** What is known of the run when the action was decided. */
export interface Standing {
  readonly words: readonly CapabilityWord[];
  readonly limits: EnforcedLimits | undefined;
  readonly entryDigest: string | undefined;
  /** Actions and events charged before this one, as far as receipts tell. */
  readonly actions: number;
  readonly events: number;
}

type Point = { readonly label: string; readonly text: string };

/** The words of a capability text; none where it is no such text. */
export function wordsOf(capability: string): readonly CapabilityWord[] {
  const parsed = parseCapability(capability);
  return parsed.ok ? parsed.words : [];
}

/** Every word that an action needs, with why where it is not the action's own. */
function neededWords(name: ActionName, input: RecordedInput): readonly (readonly [CapabilityWord, string])[] {
  const own = ACTIONS[name].needs.map((word) => [word, ""] as const);
  const { text } = input;
  if (typeof text !== "string" || name === "type") return own;
  const onPointer = ACTIONS[name].needs.some((word) => word === "computer.input.pointer");
  const keyboard = onPointer ? [["computer.input.keyboard", ", for its modifier"] as const] : [];
  const chord = parseChord(text);
  const paste =
    chord.ok && isPasteChord(chord.chord)
      ? [["computer.clipboard.read", ", since the chord pastes"] as const]
      : [];
  return [...own, ...keyboard, ...paste];
}

function grantOf(word: CapabilityWord, words: readonly CapabilityWord[]): string {
  if (words.includes(word)) return `${word} is granted`;
  const above = words.find((granted) => wordsCover([granted], word));
  if (above) return `${word} is granted by ${above}`;
  return wordsCover(words, word)
    ? `${word} is granted by the words below it`
    : `${word}: the run's capability as recorded does not show it`;
}

function wordPoints(name: ActionName, input: RecordedInput, { words }: Standing): Point[] {
  const needed = neededWords(name, input);
  if (needed.length === 0) return [{ label: "Word", text: `${name} needs no word` }];
  return needed.map(([word, why]) => ({ label: "Word", text: `${grantOf(word, words)}${why}` }));
}

const ELSEWHERE = "this trace does not hold the limits; they are those of the spec entry";

/** The places in an input, each with its name. */
function placesIn(input: RecordedInput): (readonly [string, { x: number; y: number }])[] {
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === "object" && "x" in value && !("width" in value) ? [[key, value] as const] : [],
  );
}

function boundsPoints(input: RecordedInput, { limits, entryDigest }: Standing): Point[] {
  const places = placesIn(input);
  const { region } = input;
  const rect = typeof region === "object" && "width" in region ? region : undefined;
  if (places.length === 0 && !rect) return [];
  if (!limits) return [{ label: "Bounds", text: `${ELSEWHERE} ${shortDigest(entryDigest ?? "")}` }];
  const within = formatRect(limits.bounds);
  const points = places.map(([, place]) => {
    const lies = contains(limits.bounds, place) ? "lies in" : "does not lie in";
    return { label: "Bounds", text: `${formatPoint(place)} ${lies} ${within}` };
  });
  if (!rect) return points;
  const lies = containsRect(limits.bounds, rect) ? "lies in" : "does not lie in";
  return [...points, { label: "Bounds", text: `region ${formatRect(rect)} ${lies} ${within}` }];
}

function keyPoints(name: ActionName, input: RecordedInput, { limits }: Standing): Point[] {
  const { text } = input;
  if (name === "type") {
    const length =
      typeof text === "object" && "length" in text ? `${text.length} characters, withheld here; ` : "";
    return [{ label: "Text", text: `${length}none of them forbidden, and none whose key is denied` }];
  }
  if (typeof text !== "string") return [];
  const denied = limits ? `none of the ${limits.denyKeys.length} denied chords` : "no denied chord";
  return [{ label: "Keys", text: `${cut(text, 100)} falls under ${denied}` }];
}

function quotaPoint({ limits, actions, events }: Standing): Point {
  const ofActions = limits?.maxActions === undefined ? "" : ` of ${limits.maxActions}`;
  const atMost = limits ? `; at most ${limits.maxEvents} are charged` : "";
  const unlimited = limits && limits.maxActions === undefined ? " (no limit of actions)" : "";
  return {
    label: "Quota",
    text: `action ${actions + 1}${ofActions}${unlimited}; ${events} events sent before it${atMost}`,
  };
}

const NEXT = {
  refuse: undefined,
  stop: "the run ends",
  ask: "a person is asked",
  retry: "it is tried again, within bounds",
} as const;

function refusalRule(code: string | undefined, reason: string): Rule {
  if (code === undefined || !isRunCode(code)) {
    return {
      title: `Refused${code === undefined ? "" : ` by ${cut(code, 64)}`}`,
      points: reasonPoint(reason),
    };
  }
  const { title, next, effect } = RUN_CODES[code];
  const then = NEXT[next];
  return {
    title: `Refused by ${code}: ${title}`,
    points: [
      ...reasonPoint(reason),
      ...(then === undefined ? [] : [{ label: "Then", text: then }]),
      {
        label: "Events",
        text: effect === "none" ? "none was sent" : "some may have been sent",
      },
    ],
  };
}

function reasonPoint(reason: string): Point[] {
  return reason === "" ? [] : [{ label: "Reason", text: cut(reason) }];
}

/** The rule behind a recorded verdict. */
export function ruleOf(data: RecordData<"action">, standing: Standing): Rule {
  const { verdict, code, reason = "", name, input = {} } = data;
  if (verdict === "not_executed") return { title: "Not executed", points: reasonPoint(reason) };
  if (verdict === "deny") return refusalRule(code, reason);
  if (name === undefined || !isActionName(name)) return { title: "Allowed", points: reasonPoint(reason) };
  return {
    title: "Allowed",
    points: [
      ...wordPoints(name, input, standing),
      ...boundsPoints(input, standing),
      ...keyPoints(name, input, standing),
      quotaPoint(standing),
      ...reasonPoint(reason),
    ],
  };
}
