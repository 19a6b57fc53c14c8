// A reply as the trace keeps it: enough to judge its calls again, and no more. Only what is known to be harmless
// stays: names, coordinates, numbers, key texts. Typed text becomes a stand-in of the same length, words a length,
// anything unknown its kind. The stand-ins fail a check where the original failed it.
import { canonicalJson, type JsonValue } from "../../base/canonical-json.js";
import { isActionName } from "../../contract/actions.js";
import {
  FORBIDDEN_STAND_IN,
  KEPT_REPLY_VERSION,
  type KeptBlock,
  type KeptInput,
  type KeptReply,
  TYPED_STAND_IN,
} from "../../contract/kept-documents.js";
import { LIMITS } from "../../contract/limits.js";
import { findForbiddenCharacter } from "../../contract/text.js";
import type { Redactor } from "../control/redaction.js";
import type { ReplyBlock } from "./message.js";
import type { Dialect } from "./model-port.js";
import { CALL_ID_PATTERN, type ModelReply } from "./reply.js";

/** Names of tools and members, kinds of blocks, stop reasons. Anything else in their place may be words. */
const NAME = /^[A-Za-z0-9_.:-]{1,128}$/;
const WITHHELD = "withheld";
/** Stands in a place where its kind is wrong already. */
const WRONG = true;
const BLOCKS_MAX = 4096;
const FIELDS_MAX = 64;
const ITEMS_MAX = 16;

/** Members whose `text` names keys or modifiers; the `text` of every other call may be typed text. */
const KEY_MEMBERS = new Set([
  "key",
  "hold_key",
  "left_click",
  "right_click",
  "middle_click",
  "double_click",
  "triple_click",
  "left_click_drag",
  "scroll",
]);

export interface KeepOptions {
  readonly turn: number;
  readonly dialect: Dialect;
  readonly redactor: Redactor;
  readonly keepsWords: boolean;
}

/** The text of the same length that the trace keeps for a typed one. */
export function typedStandIn(text: string): string {
  let standIn = "";
  for (const character of text) {
    if (character === "\n" || character === "\t") standIn += character;
    else standIn += findForbiddenCharacter(character) ? FORBIDDEN_STAND_IN : TYPED_STAND_IN;
  }
  return standIn;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Which member a call is for, in either wire style. */
function memberOf(block: ReplyBlock): unknown {
  const input = block["input"];
  const own = block["name"];
  return own === "computer" && isObject(input) ? input["action"] : own;
}

function keptName(value: unknown): string {
  return typeof value === "string" && NAME.test(value) ? value : WITHHELD;
}

/** A number stays, text becomes a word that is no number, and what holds other values is wrong here. */
function keptNumber(value: JsonValue): KeptInput & (string | number | boolean | null) {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "string" ? WITHHELD : WRONG;
}

function keptText(value: JsonValue, isKeyText: boolean): string | number | boolean | null {
  if (value === null || typeof value === "boolean") return value;
  // A number in the place of a text is refused, whatever it is; it may be one that was to be typed.
  if (typeof value === "number") return 0;
  if (typeof value !== "string") return WRONG;
  return isKeyText && value.length <= LIMITS.keyTextMaxCharacters ? value : typedStandIn(value);
}

type Field = string | number | boolean | null | (string | number | boolean | null)[];

function keptField(key: string, value: JsonValue, isKeyText: boolean): Field {
  switch (key) {
    case "coordinate":
    case "start_coordinate":
    case "region":
      return Array.isArray(value) ? value.slice(0, ITEMS_MAX).map(keptNumber) : keptNumber(value);
    case "scroll_amount":
    case "repeat":
    case "duration":
      return keptNumber(value);
    case "text":
      return keptText(value, isKeyText);
    case "scroll_direction":
    case "action":
      return typeof value === "string" ? keptName(value) : keptNumber(value);
    // The last words of a script in the simple dialect.
    case "summary":
      return typeof value === "string" ? WITHHELD : WRONG;
    default:
      return null;
  }
}

const FIELDS = new Set([
  ...["coordinate", "start_coordinate", "region", "scroll_amount", "scroll_direction"],
  ...["repeat", "duration", "text", "action", "summary"],
]);

/** A call's input: known fields, each by its rule; the others keep their number and lose name and value. */
function keptInput(block: ReplyBlock): KeptInput | undefined {
  const input = block["input"];
  if (input === undefined) return undefined;
  if (Array.isArray(input)) return [];
  if (!isObject(input)) return keptText(input, false);
  const member = memberOf(block);
  const isKeyText = typeof member === "string" && KEY_MEMBERS.has(member);
  const kept: Record<string, Field> = {};
  let unknown = 0;
  for (const [key, value] of Object.entries(input).slice(0, FIELDS_MAX)) {
    if (FIELDS.has(key)) kept[key] = keptField(key, value, isKeyText);
    else kept[`${WITHHELD}_${++unknown}`] = null;
  }
  return kept;
}

function isProgram(caller: JsonValue | undefined): boolean {
  if (caller === undefined || caller === null) return false;
  return !isObject(caller) || caller["type"] !== "direct";
}

function keptCall(block: ReplyBlock): KeptBlock {
  const { id, toolset_name: toolset, caller } = block;
  const input = keptInput(block);
  return {
    type: "tool_use",
    id: typeof id === "string" && CALL_ID_PATTERN.test(id) ? id : "",
    name: keptName(block["name"]),
    ...(toolset === undefined ? {} : { toolset_name: toolset === null ? null : keptName(toolset) }),
    ...(isProgram(caller) ? { caller: "program" as const } : {}),
    ...(input === undefined ? {} : { input }),
  };
}

/** What a block says in words; undefined for blocks that say nothing, or that nobody knows. */
export function wordsOf(block: ReplyBlock): string | undefined {
  const words =
    block.type === "text" ? block["text"] : block.type === "thinking" ? block["thinking"] : undefined;
  return typeof words === "string" ? words : undefined;
}

function keptBlock(block: ReplyBlock, words: string | undefined): KeptBlock {
  if (block.type === "tool_use") return keptCall(block);
  if (block.type === "text") return words === undefined ? textWithheld(block) : { type: "text", text: words };
  if (block.type === "thinking" && words !== undefined) return { type: "thinking", thinking: words };
  const type = keptName(block.type);
  return { type, withheld: lengthOf(wordsOf(block) ?? canonicalJson(block)) };
}

function textWithheld(block: ReplyBlock): KeptBlock {
  return { type: "text", withheld: lengthOf(wordsOf(block) ?? "") };
}

/** Texts of one call, and how deep they are looked for: deeper, an input cannot be read at all. */
const TEXTS_MAX = 256;
const TEXT_DEPTH = 6;

function textsIn(value: JsonValue | undefined, depth: number, into: string[]): void {
  if (into.length >= TEXTS_MAX) return;
  if (typeof value === "string") into.push(value);
  else if (depth > 0 && Array.isArray(value)) for (const item of value) textsIn(item, depth - 1, into);
  else if (depth > 0 && isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!FIELDS.has(key)) into.push(key);
      textsIn(member, depth - 1, into);
    }
  }
}

/** What a call holds beside names, numbers and key texts: what it would type, and whatever stands in a wrong place. */
function withheldIn(block: ReplyBlock): string[] {
  const texts: string[] = [];
  const input = block["input"];
  const member = memberOf(block);
  const isKeyText = typeof member === "string" && KEY_MEMBERS.has(member);
  if (isKeyText && isObject(input) && typeof input["text"] === "string") {
    const { text, ...others } = input;
    textsIn(others, TEXT_DEPTH, texts);
    if (keptText(text, true) !== text) texts.push(text);
  } else textsIn(input, TEXT_DEPTH, texts);
  for (const name of [block["name"], member, block["toolset_name"]])
    if (typeof name === "string" && !NAME.test(name)) texts.push(name);
  return texts.filter((text) => !isActionName(text));
}

/** The texts of a reply's calls that may not be written down. */
export function withheldTextsOf(content: readonly ReplyBlock[]): string[] {
  return content.filter(({ type }) => type === "tool_use").flatMap(withheldIn);
}

/** Each block's words, masked as one text, so that what is split over two blocks is found. */
function maskedWords(content: readonly ReplyBlock[], redactor: Redactor): (string | undefined)[] {
  const words = content.map(wordsOf);
  const masked = redactor.wordsTogether(words.map((text) => text ?? ""));
  return words.map((text, index) => (text === undefined ? undefined : masked[index]));
}

/** The document to keep for a reply. The typed texts of its calls are noted first, so that its words lose them. */
export function keptReply(reply: ModelReply, options: KeepOptions): KeptReply {
  const { turn, dialect, redactor, keepsWords } = options;
  const content = reply.content.slice(0, BLOCKS_MAX);
  for (const text of withheldTextsOf(content)) redactor.noteTyped(text);
  const words = keepsWords ? maskedWords(content, redactor) : [];
  const { stopReason, usage } = reply;
  return {
    version: KEPT_REPLY_VERSION,
    what: "model_reply",
    turn,
    dialect,
    stopReason: stopReason === undefined ? null : keptName(stopReason),
    ...(usage === undefined ? {} : { usage }),
    content: content.map((block, index) => keptBlock(block, words[index])),
  };
}
