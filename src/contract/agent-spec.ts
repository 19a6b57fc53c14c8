// The emitted spec, computer-use.json: what the build proved and the run enforces. One spec has one text: canonical
// keys, two spaces, a closing newline; every reader refuses any other bytes, and a digest that does not match.
import { z } from "zod";
import { canonicalJsonPretty } from "../base/canonical-json.js";
import { closestName } from "../base/closest.js";
import { DIGEST_PATTERN, type Digest, digestJson } from "../base/digest.js";
import { snapshot } from "../base/snapshot.js";
import { API_FUNCTION_LIST, type ApiFunctionName } from "./api-functions.js";
import { parseCapability } from "./capability.js";
import { checkDeclaration, type Declaration, violationModeSchema } from "./declaration.js";
import { containsRect, rectSchema, sizeSchema, wholeOf } from "./geometry.js";
import { formatChord, parseChord } from "./keys.js";
import { LIMITS } from "./limits.js";
import { MODEL_ID, TOOL_VERSIONS, type ToolVersion } from "./models.js";

export const SPEC_VERSION = 1;

const side = z.int().min(LIMITS.sideMin).max(LIMITS.sideMax);
const toolVersionSchema = z.enum(Object.keys(TOOL_VERSIONS) as [ToolVersion, ...ToolVersion[]]);
const digestSchema = z
  .string()
  .regex(DIGEST_PATTERN)
  .transform((text) => text as Digest);

/** A list that its own canonical form must equal: parsed, sorted, without repeats. */
const keyListSchema = z
  .array(z.string())
  .max(LIMITS.keyListMax * 2)
  .refine(
    (keys) =>
      keys.every((text, index) => {
        const parsed = parseChord(text);
        const before = keys[index - 1];
        return parsed.ok && formatChord(parsed.chord) === text && (before === undefined || before < text);
      }),
    "must be canonical key texts, sorted, without repeats",
  );

/** A place in the source, or a step of a call path. */
export const sitedSymbolSchema = z.strictObject({
  file: z.string().min(1),
  line: z.int().min(1),
  column: z.int().min(1),
  symbol: z.string(),
});
export type SitedSymbol = Readonly<z.infer<typeof sitedSymbolSchema>>;

export const useSchema = z.strictObject({
  function: z.enum(API_FUNCTION_LIST as [ApiFunctionName, ...ApiFunctionName[]]),
  path: z.array(sitedSymbolSchema).min(1),
});
export type Use = Readonly<z.infer<typeof useSchema>>;

const entryShape = {
  agent: z.string().min(1).max(512),
  file: z.string().min(1),
  width: side,
  height: side,
  capability: z.string(),
  capText: z.string(),
  tool: toolVersionSchema,
  model: z.string().regex(MODEL_ID).optional(),
  bounds: rectSchema,
  denyKeys: keyListSchema,
  allowKeys: keyListSchema.min(1).optional(),
  maxActions: z.int().min(0).max(LIMITS.maxActionsMax).optional(),
  maxEvents: z.int().min(1).max(LIMITS.maxEventsMax),
  maxTurns: z.int().min(1).max(LIMITS.maxTurnsMax),
  maxSeconds: z.int().min(1).max(LIMITS.maxSecondsMax).optional(),
  maxTokens: z.int().min(1).max(LIMITS.maxTokensMax).optional(),
  onViolation: violationModeSchema,
  display: sizeSchema.optional(),
};

const provedShape = { uses: z.array(useSchema), sourceHash: digestSchema };

/** An entry whose parts agree with each other. */
function isConsistent(entry: {
  width: number;
  height: number;
  capability: string;
  capText: string;
  bounds: z.infer<typeof rectSchema>;
}) {
  const cap = parseCapability(entry.capText);
  return cap.ok && cap.canonical === entry.capability && containsRect(wholeOf(entry), entry.bounds);
}
const INCONSISTENT = "capText, capability, bounds and size must agree";

export const agentEntrySchema = z
  .strictObject({ ...entryShape, ...provedShape })
  .refine(isConsistent, INCONSISTENT);
/** What the build proved of one agent, and what its run enforces: one entry of `computer-use.json`. */
export type AgentEntry = Readonly<z.infer<typeof agentEntrySchema>>;

/** An entry as `check` reports it: `uses` and `sourceHash` only where the agent is proved. */
export const reportedAgentSchema = z
  .strictObject({
    ...entryShape,
    uses: provedShape.uses.optional(),
    sourceHash: provedShape.sourceHash.optional(),
  })
  .refine(isConsistent, INCONSISTENT);
export type ReportedAgent = Readonly<z.infer<typeof reportedAgentSchema>>;

export const specSchema = z.strictObject({
  specVersion: z.literal(SPEC_VERSION),
  generator: z.string().min(1),
  agents: z.array(agentEntrySchema),
  digest: digestSchema,
});
/** The content of `computer-use.json`: the agents, and a digest that seals them. */
export type Spec = Readonly<z.infer<typeof specSchema>>;

/** The fields of an entry that come from the declaration. */
export type DeclaredFields = Omit<ReportedAgent, "agent" | "file" | "uses" | "sourceHash">;

/** A declaration in the spec's words; absent options are absent. */
export function declaredFields(declaration: Declaration): DeclaredFields {
  const { width, height, capability, capText, tool, model, bounds, maxActions, maxEvents, maxTurns } =
    declaration;
  const { maxSeconds, maxTokens, onViolation, display, denyKeys, allowKeys } = declaration;
  return {
    width,
    height,
    capability,
    capText,
    tool,
    ...(model === undefined ? {} : { model }),
    bounds: { ...bounds },
    denyKeys: [...denyKeys],
    ...(allowKeys.length === 0 ? {} : { allowKeys: [...allowKeys] }),
    ...(maxActions === undefined ? {} : { maxActions }),
    maxEvents,
    maxTurns,
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    onViolation,
    ...(display === undefined ? {} : { display: { ...display } }),
  };
}

/** The names of declared fields in which a live declaration differs from an entry: empty when they agree. */
export function findDrift(declaration: Declaration, entry: AgentEntry): string[] {
  const live: Record<string, unknown> = declaredFields(declaration);
  const { agent: _agent, file: _file, uses: _uses, sourceHash: _hash, ...kept } = entry;
  const names = new Set([...Object.keys(live), ...Object.keys(kept)]);
  return [...names]
    .filter(
      (name) =>
        digestJson(live[name] ?? null) !== digestJson((kept as Record<string, unknown>)[name] ?? null),
    )
    .sort();
}

/** Seals agents into a spec: sorted by agent name and file, digest computed over `digest: ""`. */
export function sealSpec(generator: string, agents: readonly AgentEntry[]): Spec {
  const key = (entry: AgentEntry) => `${entry.agent}\0${entry.file}`;
  const sorted = [...agents].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const unsealed = { specVersion: SPEC_VERSION, generator, agents: sorted, digest: "" } as const;
  return { ...unsealed, specVersion: SPEC_VERSION, digest: digestJson(unsealed) };
}

/** The one text of a spec. */
export function serialiseSpec(spec: Spec): string {
  return canonicalJsonPretty(spec);
}

export type SpecReading =
  | { readonly ok: true; readonly spec: Spec }
  | { readonly ok: false; readonly reason: string };

/** Everything but printable ASCII made visible: a look-alike letter must not pass for the real one in review. */
function asciiOnly(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Where a spec, or an entry of one, is malformed, and how. */
export function describeSpecIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "does not have the shape of a spec";
  const path = issue.path.length > 0 ? issue.path.map(String).join(".") : "the top level";
  if (issue.code !== "unrecognized_keys") return `at ${asciiOnly(path)}: ${asciiOnly(issue.message)}`;
  const [key = ""] = issue.keys;
  const close = closestName(key, Object.keys(entryShape));
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  return `at ${asciiOnly(path)}: unknown field "${asciiOnly(key.slice(0, 80))}"${hint}`;
}

/** Judges an already parsed value as a spec: shape, consistency, digest. */
export function readSpecValue(value: unknown): SpecReading {
  const parsed = specSchema.safeParse(value);
  if (!parsed.success) return { ok: false, reason: describeSpecIssue(parsed.error) };
  const spec = parsed.data;
  const names = spec.agents.map((entry) => entry.agent);
  if (new Set(names).size !== names.length) return { ok: false, reason: "two agents have the same name" };
  const expected = digestJson({ ...spec, digest: "" });
  if (spec.digest !== expected)
    return { ok: false, reason: `digest is ${spec.digest}, the content's is ${expected}` };
  return { ok: true, spec };
}

/**
 * Reads the bytes of a spec file. Refuses more than 4 MiB, text that is not UTF-8 or not JSON, and bytes that
 * differ from the spec's own canonical text (unknown, repeated or inherited keys, other spacing).
 */
export function readSpecBytes(bytes: Uint8Array): SpecReading {
  if (bytes.byteLength > LIMITS.specMaxBytes) {
    return { ok: false, reason: `has ${bytes.byteLength} bytes, more than ${LIMITS.specMaxBytes}` };
  }
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, reason: "is not UTF-8" };
  }
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "is not JSON" };
  }
  const reading = readSpecValue(value);
  if (!reading.ok) return reading;
  if (serialiseSpec(reading.spec) !== text) {
    return { ok: false, reason: "its bytes are not the canonical text of a spec (keys, order or spacing)" };
  }
  return reading;
}

const ENTRY_LIMITS = { depth: 12, items: 10_000, keys: 1000 } as const;

/** The declaration that an entry stands for. @throws Error when it is none: the entry was not checked before. */
export function declarationOf(entry: AgentEntry): Declaration {
  // A copy without prototypes, so that an absent option is absent whatever Object.prototype holds.
  const own = snapshot(entry, ENTRY_LIMITS) as AgentEntry;
  const { capText, width, height, model, bounds, denyKeys, allowKeys, onViolation, display } = own;
  const { maxActions, maxEvents, maxTurns, maxSeconds, maxTokens } = own;
  const checked = checkDeclaration({
    cap: capText,
    width,
    height,
    model,
    bounds,
    allowKeys,
    onViolation,
    display,
    maxActions,
    maxEvents,
    maxTurns,
    maxSeconds,
    maxTokens,
  });
  if (!checked.declaration) throw new Error(`internal: spec entry ${entry.agent} is no declaration`);
  // The entry's list is the effective one already: a default that is not on it was allowed.
  return { ...checked.declaration, tool: own.tool, denyKeys: [...denyKeys], name: undefined };
}
