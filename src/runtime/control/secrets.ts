// Declared secrets: what may be one, and in which written forms it is looked for. A secret that is too short to be
// told from ordinary text, or that is part of a word of the trace format, is refused rather than masked by chance.
import { escapeText } from "../../base/escape.js";
import { ACTION_LIST } from "../../contract/actions.js";
import { CAPABILITY_WORD_LIST } from "../../contract/capability.js";
import { effectSchema, receiptStatusSchema } from "../../contract/control.js";
import { MEDIA_TYPES, OUTCOMES, RECORD_KINDS } from "../../contract/journal-records.js";
import { TOOL_VERSIONS } from "../../contract/models.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import { RUN_CODES } from "../../diagnostics/run-codes.js";

export const SECRET_LIMITS = {
  leastCharacters: 4,
  mostCharacters: 4096,
  count: 1000,
  /** Of all secrets together. */
  totalCharacters: 256 * 1024,
} as const;

const FORMAT_WORDS = [
  ...[
    "start",
    "turn",
    "model",
    "agent",
    "verify",
    "pause",
    "resume",
    "stop",
    "allow",
    "deny",
    "not_executed",
  ],
  ...["abort", "refuse", "withheld", "kept", "digest-only", "sha256:", "tool_use", "thinking", "message"],
  ...["redacted_thinking", "end_turn", "stop_sequence", "max_tokens", "computer", "virtual", "host", "fake"],
];

/** The words of the format: a value that is one of them says nothing that is not public. */
export const VOCABULARY: ReadonlySet<string> = new Set<string>([
  ...RECORD_KINDS,
  ...ACTION_LIST,
  ...OUTCOMES,
  ...MEDIA_TYPES,
  ...CAPABILITY_WORD_LIST,
  ...Object.keys(RUN_CODES),
  ...Object.keys(TOOL_VERSIONS),
  ...receiptStatusSchema.options,
  ...effectSchema.options,
  ...FORMAT_WORDS,
]);

/** Whether a text is part of a word of the format. */
export function isPartOfFormat(text: string): boolean {
  for (const word of VOCABULARY) if (word.includes(text)) return true;
  return false;
}

function problemOf(secret: unknown): string | undefined {
  const { leastCharacters, mostCharacters } = SECRET_LIMITS;
  if (typeof secret !== "string") return "is no text";
  const length = [...secret].length;
  if (length < leastCharacters)
    return `has ${length} characters: fewer than ${leastCharacters} cannot be told from ordinary text`;
  if (length > mostCharacters) return `has ${length} characters, more than ${mostCharacters}`;
  if (secret.trim() === "") return "is blank";
  if (isPartOfFormat(secret)) return "is part of a word of the trace format, which cannot be masked";
  return undefined;
}

/**
 * The declared secrets, each once. No message holds one.
 * @throws ConfigurationError E_SPEC for one that is too short or too long, for too many, and for what is no list.
 */
export function requireSecrets(given: unknown): readonly string[] {
  if (given === undefined) return [];
  const refuse = (reason: string) => new ConfigurationError("E_SPEC", reason);
  if (!Array.isArray(given)) throw refuse("secrets must be a list of texts");
  if (given.length > SECRET_LIMITS.count)
    throw refuse(`there are ${given.length} secrets, more than ${SECRET_LIMITS.count}`);
  const secrets = new Set<string>();
  let total = 0;
  given.forEach((secret: unknown, index) => {
    const problem = problemOf(secret);
    if (problem !== undefined) throw refuse(`secret ${index + 1} of ${given.length} ${problem}`);
    secrets.add(secret as string);
    total += (secret as string).length;
  });
  if (total > SECRET_LIMITS.totalCharacters)
    throw refuse(`the secrets have ${total} characters together, more than ${SECRET_LIMITS.totalCharacters}`);
  return [...secrets];
}

function unicodeEscapes(text: string, upper: boolean): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${upper ? hex.toUpperCase() : hex}`;
  });
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** As texts quote it: in JSON, in JSON in JSON, in our own messages. */
function quotedForms(text: string): string[] {
  const json = inJson(text);
  return [
    json,
    unicodeEscapes(json, false),
    unicodeEscapes(json, true),
    json.replaceAll("/", "\\/"),
    inJson(json),
    // As Node prints an object, in single quotes or in others.
    json.replaceAll('\\"', '"'),
    json.replaceAll('\\"', '"').replaceAll("'", "\\'"),
    escapeText(text),
    escapeText(text.replace(/["\\]/g, "\\$&")),
  ];
}

const lowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());

function inUrls(text: string): string[] {
  // A lone surrogate has no bytes, so that no URL can hold it.
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
  const component = encodeURIComponent(whole);
  const forms = [component, encodeURI(whole), component.replaceAll("%20", "+")];
  return [...forms, ...forms.map(lowerEscapes)];
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function inHtml(text: string): string[] {
  const escaped = text.replace(/[&<>"]/g, (character) => HTML[character] ?? character);
  return ["&#39;", "&#x27;", "&apos;"].map((quote) => escaped.replaceAll("'", quote));
}

/** What of a base64 text is the same wherever in it the bytes stand: from its first to its last whole character. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const core = whole.slice(from, to);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

const NORMAL_FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

/** The written forms in which a secret is looked for. */
export function formsOf(secret: string): readonly string[] {
  const spelled = new Set([secret, ...NORMAL_FORMS.map((form) => secret.normalize(form))]);
  const forms = new Set<string>();
  for (const text of spelled) {
    const bytes = Buffer.from(text, "utf8");
    const hex = bytes.toString("hex");
    const all = [text, ...quotedForms(text), ...inUrls(text), ...inHtml(text), ...inBase64(bytes)];
    for (const form of [...all, hex, hex.toUpperCase()]) forms.add(form);
  }
  for (const form of forms) if (VOCABULARY.has(form)) forms.delete(form);
  return [...forms];
}
