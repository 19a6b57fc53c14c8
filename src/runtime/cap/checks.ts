// The single checks of the gate, each pure: undefined means the check has nothing against it. The gate calls them
// in a fixed order: permission, then bounds, keys and text, then held state, and the quota last of all.
import { describeValue } from "../../base/escape.js";
import { ACTIONS, type Action } from "../../contract/actions.js";
import { type CapabilityWord, wordsCover } from "../../contract/capability.js";
import { findDenied, isPasteChord } from "../../contract/deny-keys.js";
import {
  contains,
  containsRect,
  formatPoint,
  formatRect,
  type Point,
  type Rect,
} from "../../contract/geometry.js";
import {
  type Chord,
  explainChordProblem,
  formatChord,
  type Modifier,
  parseChord,
} from "../../contract/keys.js";
import { LIMITS } from "../../contract/limits.js";
import { countCodePoints, findForbiddenCharacter } from "../../contract/text.js";
import type { CapPolicy } from "./policy.js";
import { type Refusal, refuse } from "./refusal.js";

export function checkWords(policy: CapPolicy, needs: readonly CapabilityWord[]): Refusal | undefined {
  const missing = needs.find((word) => !wordsCover(policy.words, word));
  return missing === undefined ? undefined : refuse("E_GRANT", `needs ${missing}, which is not granted`);
}

export function checkPoint(policy: CapPolicy, point: Point): Refusal | undefined {
  if (contains(policy.bounds, point)) return undefined;
  return refuse("E_BOUNDS", `${formatPoint(point)} is outside ${formatRect(policy.bounds)}`);
}

export function checkRegion(policy: CapPolicy, region: Rect): Refusal | undefined {
  if (containsRect(policy.bounds, region)) return undefined;
  return refuse("E_BOUNDS", `region ${formatRect(region)} is not inside ${formatRect(policy.bounds)}`);
}

/** Reads a key text by the one parser. */
export function readChord(text: string): { readonly ok: true; readonly chord: Chord } | Refusal {
  const parsed = parseChord(text);
  if (parsed.ok) return parsed;
  const { problem } = parsed;
  const reason = `${describeValue(text)}: ${explainChordProblem(problem)}`;
  switch (problem.kind) {
    case "unknown":
      return refuse("E_KEY_UNKNOWN", reason);
    case "unsupported":
      return refuse("E_KEY_UNSUPPORTED", reason);
    case "too_big":
      return refuse("E_LIMIT", reason);
    case "empty":
    case "two_keys":
      return refuse("E_SCHEMA", reason);
  }
}

export function checkChord(policy: CapPolicy, chord: Chord): Refusal | undefined {
  const denied = findDenied(chord, policy.deny);
  if (denied !== undefined)
    return refuse("E_KEY_DENIED", `${formatChord(chord)} falls under the deny entry ${denied}`);
  if (isPasteChord(chord)) {
    const refusal = checkWords(policy, ["computer.clipboard.read"]);
    if (refusal)
      return refuse(refusal.code as "E_GRANT", `${formatChord(chord)} pastes and ${refusal.reason}`);
  }
  return undefined;
}

/** Everything that an action needs to be granted: its own words, and the keyboard's for modifiers on a pointer action. */
export function checkGrant(policy: CapPolicy, action: Action): Refusal | undefined {
  const refusal = checkWords(policy, ACTIONS[action.name].needs);
  if (refusal) return refusal;
  const onPointer = ACTIONS[action.name].needs.some((word) => word === "computer.input.pointer");
  if (!onPointer || !("text" in action.input) || action.input.text === undefined) return undefined;
  const keyboard = checkWords(policy, ["computer.input.keyboard"]);
  return keyboard && refuse("E_GRANT", `a modifier on a pointer action ${keyboard.reason}`);
}

/** The modifiers held with a pointer action. */
export function readPointerModifiers(
  policy: CapPolicy,
  text: string | undefined,
): { readonly ok: true; readonly modifiers: readonly Modifier[] } | Refusal {
  if (text === undefined) return { ok: true, modifiers: [] };
  const read = readChord(text);
  if (!read.ok) return read;
  const { chord } = read;
  const refusal = checkChord(policy, chord);
  if (refusal) return refusal;
  const forbidden = chord.modifiers.find((modifier) => policy.pointerModifiersDenied.includes(modifier));
  if (forbidden !== undefined) {
    return refuse("E_KEY_DENIED", `${forbidden} may not go with a pointer action unless allowKeys names it`);
  }
  if (chord.key !== undefined)
    return refuse("E_SCHEMA", `${chord.key} is no modifier; a pointer action takes modifiers only`);
  return { ok: true, modifiers: chord.modifiers };
}

export function checkText(policy: CapPolicy, text: string): Refusal | undefined {
  if (countCodePoints(text) > LIMITS.textMaxCodePoints) {
    return refuse("E_LIMIT", `the text has more than ${LIMITS.textMaxCodePoints} characters`);
  }
  const forbidden = findForbiddenCharacter(text);
  if (forbidden) {
    return refuse(
      "E_TEXT_DENIED",
      `character ${forbidden.at + 1} is U+${forbidden.codePoint.toString(16).toUpperCase().padStart(4, "0")}, which is never typed`,
    );
  }
  let at = 0;
  for (const character of text) {
    at += 1;
    if (policy.deniedCharacters.has(character)) {
      return refuse("E_TEXT_DENIED", `character ${at} is ${describeValue(character)}, whose key is denied`);
    }
  }
  return undefined;
}
