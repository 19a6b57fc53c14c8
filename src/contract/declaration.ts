// What `@computerUse` accepts: the options, their rules and their problems. The decorator applies it to the live
// value, the checker to the evaluated one, so that both say the same of the same options.
import { z } from "zod";
import { closestName } from "../base/closest.js";
import { describeValue } from "../base/escape.js";
import {
  type CapabilityWord,
  type ParsedCapability,
  parseCapability,
  type RedundantWord,
} from "./capability.js";
import { effectiveDenyKeys } from "./deny-keys.js";
import {
  containsRect,
  formatRect,
  type Rect,
  rectSchema,
  type Size,
  sizeSchema,
  wholeOf,
} from "./geometry.js";
import { explainChordProblem, formatChord, parseChord } from "./keys.js";
import { LIMITS } from "./limits.js";
import { MODEL_ID, type ToolVersion, toolForModel } from "./models.js";

export const violationModeSchema = z.enum(["abort", "refuse"]);
/** What a refused action does to the run: end it, or tell the model so that it can go on. */
export type ViolationMode = z.infer<typeof violationModeSchema>;

/** The options of `@computerUse`. Coordinates are viewport pixels, origin top left. */
export interface ComputerUseOptions {
  /** Capability words joined by `+`, such as `"computer.screen + computer.input"`. Required. */
  readonly cap: string;
  /** Viewport width in pixels, 1 to 16384. Default 1024. */
  readonly width?: number;
  /** Viewport height in pixels, 1 to 16384. Default 768. */
  readonly height?: number;
  /** The agent's id in the spec: letters, digits and `_`, not a digit first. Default: the class name. */
  readonly name?: string;
  /** A model id; decides the hosted tool version. */
  readonly model?: string;
  /** Half-open rectangle that holds pointer actions and zoom regions. Default: the whole viewport. */
  readonly bounds?: Rect;
  /** Chords to deny besides the default ones. */
  readonly denyKeys?: readonly string[];
  /** Chords to take off the default deny-list; `"alt"` and `"super"` also allow them on pointer actions. */
  readonly allowKeys?: readonly string[];
  /** Validated actions of a run, 0 to 1,000,000. Default: unlimited. */
  readonly maxActions?: number;
  /** Events of a run: characters typed, key presses with repeats, wheel clicks, button presses. Default 10,000. */
  readonly maxEvents?: number;
  /** Replies of the model in a run, 1 to 10,000. Default 30. */
  readonly maxTurns?: number;
  /** Wall time of a run in seconds. Default: unlimited. */
  readonly maxSeconds?: number;
  /** Tokens of a whole run, input and output. Default: unlimited. */
  readonly maxTokens?: number;
  /** What a refused action does to the run: end it (`"abort"`, the default) or tell the model (`"refuse"`). */
  readonly onViolation?: ViolationMode;
  /** Size of the display that the viewport is scaled to. Default: the viewport's own size. */
  readonly display?: Size;
}

/** A declaration with every default filled in: what the gate enforces. */
export interface Declaration {
  readonly name: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly capText: string;
  readonly capability: string;
  readonly words: readonly CapabilityWord[];
  readonly redundant: readonly RedundantWord[];
  readonly model: string | undefined;
  readonly tool: ToolVersion;
  readonly bounds: Rect;
  readonly denyKeys: readonly string[];
  readonly allowKeys: readonly string[];
  readonly maxActions: number | undefined;
  readonly maxEvents: number;
  readonly maxTurns: number;
  readonly maxSeconds: number | undefined;
  readonly maxTokens: number | undefined;
  readonly onViolation: ViolationMode;
  readonly display: Size | undefined;
}

/** A problem of one option. `option` is its key, absent when the whole argument is wrong. */
export interface DeclarationProblem {
  readonly code: "CU6017" | "CU6018" | "CU6019" | "CU6022" | "CU6023";
  readonly option?: string;
  readonly got: string;
  readonly reason: string;
  readonly suggestion?: string;
}

export interface CheckedDeclaration {
  /** Present only when there is no problem. */
  readonly declaration?: Declaration;
  readonly problems: readonly DeclarationProblem[];
}

export const OPTION_NAMES = [
  "cap",
  "width",
  "height",
  "name",
  "model",
  "bounds",
  "denyKeys",
  "allowKeys",
  "maxActions",
  "maxEvents",
  "maxTurns",
  "maxSeconds",
  "maxTokens",
  "onViolation",
  "display",
] as const satisfies readonly (keyof ComputerUseOptions)[];

type OptionName = (typeof OPTION_NAMES)[number];
type Reading<T> = { readonly value: T } | { readonly problem: Omit<DeclarationProblem, "option"> };

function limitProblem(got: unknown, reason: string): { problem: Omit<DeclarationProblem, "option"> } {
  return { problem: { code: "CU6023", got: describeValue(got), reason } };
}

function readSide(got: unknown): Reading<number> {
  const fits =
    typeof got === "number" && Number.isInteger(got) && got >= LIMITS.sideMin && got <= LIMITS.sideMax;
  if (fits) return { value: got };
  return {
    problem: {
      code: "CU6019",
      got: describeValue(got),
      reason: `must be a positive integer from ${LIMITS.sideMin} to ${LIMITS.sideMax}`,
    },
  };
}

function readLimit(min: number, max: number): (got: unknown) => Reading<number> {
  return (got) =>
    typeof got === "number" && Number.isInteger(got) && got >= min && got <= max
      ? { value: got }
      : limitProblem(got, `must be an integer from ${min} to ${max}`);
}

type GoodCap = Extract<ParsedCapability, { ok: true }> & { readonly text: string };

function readCap(got: unknown): Reading<GoodCap> {
  if (got === undefined) return { problem: { code: "CU6017", got: "nothing", reason: "is missing" } };
  if (typeof got !== "string") {
    return {
      problem: { code: "CU6018", got: describeValue(got), reason: "must be a string of words joined by +" },
    };
  }
  const parsed = parseCapability(got);
  if (parsed.ok) return { value: { ...parsed, text: got } };
  const { problem } = parsed;
  switch (problem.kind) {
    case "blank":
      return { problem: { code: "CU6017", got: describeValue(got), reason: "is blank" } };
    case "syntax":
      return {
        problem: {
          code: "CU6018",
          got: describeValue(got),
          reason:
            problem.part === ""
              ? "has an empty word beside a +"
              : `holds ${describeValue(problem.part)}, which is no dotted word`,
        },
      };
    case "unknown":
      return {
        problem: {
          code: "CU6018",
          got: describeValue(got),
          reason: `holds ${describeValue(problem.part)}, which is not in the vocabulary`,
          ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion }),
        },
      };
  }
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function readName(got: unknown): Reading<string> {
  return typeof got === "string" && got.length <= LIMITS.nameMaxCharacters && NAME.test(got)
    ? { value: got }
    : limitProblem(
        got,
        `must be letters, digits and _, not a digit first, at most ${LIMITS.nameMaxCharacters} characters`,
      );
}

function readModel(got: unknown): Reading<string> {
  return typeof got === "string" && MODEL_ID.test(got)
    ? { value: got }
    : limitProblem(got, "must be a model id, such as claude-opus-5-5");
}

function readRect(got: unknown): Reading<Rect> {
  const parsed = rectSchema.safeParse(got);
  return parsed.success
    ? { value: parsed.data }
    : limitProblem(
        got,
        "must be { x, y, width, height }, integers in viewport pixels, width and height at least 1",
      );
}

function readSize(got: unknown): Reading<Size> {
  const parsed = sizeSchema.safeParse(got);
  return parsed.success
    ? { value: parsed.data }
    : limitProblem(got, `must be { width, height }, integers from ${LIMITS.sideMin} to ${LIMITS.sideMax}`);
}

function readKeys(got: unknown): Reading<string[]> {
  if (!Array.isArray(got) || got.length > LIMITS.keyListMax) {
    return limitProblem(got, `must be an array of at most ${LIMITS.keyListMax} key texts`);
  }
  const keys: string[] = [];
  for (const text of got as unknown[]) {
    if (typeof text !== "string") return limitProblem(text, 'must be a key text, such as "ctrl+w"');
    const parsed = parseChord(text);
    // An unsupported key may be denied: the name is known, and denying what cannot be pressed does no harm.
    if (!parsed.ok && parsed.problem.kind !== "unsupported") {
      return limitProblem(text, explainChordProblem(parsed.problem));
    }
    if (parsed.ok) keys.push(formatChord(parsed.chord));
  }
  return { value: keys };
}

function readViolation(got: unknown): Reading<ViolationMode> {
  const parsed = violationModeSchema.safeParse(got);
  return parsed.success ? { value: parsed.data } : limitProblem(got, 'must be "abort" or "refuse"');
}

const READERS = {
  cap: readCap,
  width: readSide,
  height: readSide,
  name: readName,
  model: readModel,
  bounds: readRect,
  denyKeys: readKeys,
  allowKeys: readKeys,
  maxActions: readLimit(0, LIMITS.maxActionsMax),
  maxEvents: readLimit(1, LIMITS.maxEventsMax),
  maxTurns: readLimit(1, LIMITS.maxTurnsMax),
  maxSeconds: readLimit(1, LIMITS.maxSecondsMax),
  maxTokens: readLimit(1, LIMITS.maxTokensMax),
  onViolation: readViolation,
  display: readSize,
} satisfies Record<OptionName, (got: unknown) => Reading<unknown>>;

type Values = {
  -readonly [K in OptionName]?: Extract<ReturnType<(typeof READERS)[K]>, { value: unknown }>["value"];
};

function isOptionName(key: string): key is OptionName {
  return Object.hasOwn(READERS, key);
}

function assemble(cap: GoodCap, values: Values): Declaration {
  const width = values.width ?? LIMITS.defaultWidth;
  const height = values.height ?? LIMITS.defaultHeight;
  const allowKeys = [...new Set(values.allowKeys ?? [])].sort();
  return {
    name: values.name,
    width,
    height,
    capText: cap.text,
    capability: cap.canonical,
    words: cap.words,
    redundant: cap.redundant,
    model: values.model,
    tool: toolForModel(values.model),
    bounds: values.bounds ?? wholeOf({ width, height }),
    denyKeys: effectiveDenyKeys(values.denyKeys ?? [], allowKeys),
    allowKeys,
    maxActions: values.maxActions,
    maxEvents: values.maxEvents ?? LIMITS.defaultMaxEvents,
    maxTurns: values.maxTurns ?? LIMITS.defaultMaxTurns,
    maxSeconds: values.maxSeconds,
    maxTokens: values.maxTokens,
    onViolation: values.onViolation ?? "abort",
    display: values.display,
  };
}

/**
 * Judges options. Reads own members only, each once; an option that is `undefined` counts as absent.
 * Every problem is returned, in the order of the options' keys, a missing `cap` last.
 */
export function checkDeclaration(options: unknown): CheckedDeclaration {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    return {
      problems: [{ code: "CU6017", got: describeValue(options), reason: "takes one object with a cap" }],
    };
  }
  const problems: DeclarationProblem[] = [];
  // No prototype, so that an absent option is absent whatever Object.prototype holds.
  const values: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(options)) {
    const got = (options as Record<string, unknown>)[key];
    if (!isOptionName(key)) {
      const suggestion = closestName(key, OPTION_NAMES);
      problems.push({
        code: "CU6022",
        option: key,
        got: describeValue(key),
        reason: "is not an option",
        ...(suggestion === undefined ? {} : { suggestion }),
      });
      continue;
    }
    if (got === undefined) continue;
    const reading: Reading<unknown> = READERS[key](got);
    if ("problem" in reading) problems.push({ ...reading.problem, option: key });
    else values[key] = reading.value;
  }
  const own = values as Values;
  if (own.cap === undefined && !problems.some((problem) => problem.option === "cap")) {
    problems.push({ code: "CU6017", option: "cap", got: "nothing", reason: "is missing" });
  }
  const whole = wholeOf({
    width: own.width ?? LIMITS.defaultWidth,
    height: own.height ?? LIMITS.defaultHeight,
  });
  const sidesKnown = !problems.some((problem) => problem.code === "CU6019");
  if (own.bounds && sidesKnown && !containsRect(whole, own.bounds)) {
    problems.push({
      code: "CU6023",
      option: "bounds",
      got: formatRect(own.bounds),
      reason: `must lie inside the viewport, ${formatRect(whole)}`,
    });
  }
  if (problems.length > 0 || own.cap === undefined) return { problems };
  return { declaration: assemble(own.cap, own), problems };
}
