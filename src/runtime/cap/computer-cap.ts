// ComputerCap: the right to use a computer, as an object that cannot be forged. What it allows lives in a
// module-private WeakMap that only this module's factories write; the object itself is frozen and holds nothing.
// Code in the same process is trusted but may be buggy: accidental forgery fails, full code execution is out of scope.

import { describeValue } from "../../base/escape.js";
import { SnapshotError, snapshot } from "../../base/snapshot.js";
import {
  type AgentEntry,
  agentEntrySchema,
  declarationOf,
  describeSpecIssue,
} from "../../contract/agent-spec.js";
import { type CapabilityWord, formatCapability, isCapabilityWord } from "../../contract/capability.js";
import { checkDeclaration, type Declaration } from "../../contract/declaration.js";
import type { Rect, Size } from "../../contract/geometry.js";
import type { EnforcedLimits } from "../../contract/journal-records.js";
import { formatChord, parseChord } from "../../contract/keys.js";
import { LIMITS } from "../../contract/limits.js";
import { countCodePoints } from "../../contract/text.js";
import { CapuchinError, ConfigurationError } from "../../diagnostics/errors.js";
import { ComputerCapBuilder } from "./cap-builder.js";
import { checkChord, checkPoint, checkText, checkWords, readChord } from "./checks.js";
import { Gate } from "./gate.js";
import {
  type CapPolicy,
  meetPolicies,
  type Narrowing,
  narrowPolicy,
  onViewport,
  policyOf,
} from "./policy.js";
import { type Refusal, refuse, violationOf } from "./refusal.js";
import { charge, checkQuota, newUsage, type Usage } from "./usage.js";

interface Held {
  readonly policy: CapPolicy;
  /** Counts direct calls of `check…` on this cap and every cap narrowed from it; runs count for themselves. */
  readonly usage: Usage;
  /** Set when nobody said which viewport the cap is for: it then fits the one that it meets. */
  readonly openTo: OpenViewport | undefined;
}

interface OpenViewport {
  /** Whether bounds were asked for; without, they are the whole of whatever viewport it meets. */
  readonly hasBounds: boolean;
}

const registry = new WeakMap<object, Held>();
const NARROWING_PARTS: ReadonlySet<string> = new Set<keyof Narrowing>([
  "words",
  "bounds",
  "denyKeys",
  "maxActions",
  "maxEvents",
  "onViolation",
]);
const ARGUMENT_LIMITS = { depth: 12, items: 10_000, keys: 1000 } as const;
const COPY_MARK = Symbol.for("capuchin.ComputerCap");
let minting = false;

function mint(policy: CapPolicy, usage: Usage, openTo?: OpenViewport): ComputerCap {
  minting = true;
  try {
    const cap = new ComputerCap();
    registry.set(cap, { policy, usage, openTo });
    Object.freeze(cap);
    return cap;
  } finally {
    minting = false;
  }
}

/** Whether the value's class bears the mark of another copy of this package. Only words an error; decides nothing. */
function isForeign(cap: unknown): boolean {
  try {
    const made: unknown = typeof cap === "object" && cap !== null ? cap.constructor : undefined;
    return typeof made === "function" && made !== ComputerCap && COPY_MARK in made;
  } catch {
    return false;
  }
}

function held(cap: unknown): Held {
  const found = typeof cap === "object" && cap !== null ? registry.get(cap) : undefined;
  if (found) return found;
  throw isForeign(cap)
    ? new CapuchinError("E_CAP_FOREIGN", "this cap belongs to another copy of capuchin; load one copy only")
    : new CapuchinError("E_CAP_FORGED", `this is no genuine ComputerCap: ${describeValue(cap)}`);
}

/** A declaration from trusted code or a spec; anything else is a configuration error. */
function requireDeclaration(options: unknown): Declaration {
  const checked = checkDeclaration(copyOf("cap", options));
  if (checked.declaration) return checked.declaration;
  const [problem] = checked.problems;
  throw new ConfigurationError(
    "E_SPEC",
    `cap: ${problem?.option ?? "options"} ${problem?.reason ?? "are wrong"} (got ${problem?.got ?? "nothing"})`,
  );
}

/** One direct check of a cap: judged, then counted. */
function count(cap: ComputerCap, check: (policy: CapPolicy) => Refusal | undefined, events: number): void {
  const { policy, usage } = held(cap);
  const refusal = check(policy) ?? checkQuota(policy, usage, events);
  if (refusal) throw violationOf(refusal);
  charge(usage, events);
}

function malformed(what: string, reason: string): ConfigurationError {
  return new ConfigurationError("E_SPEC", `${what}: ${reason}`);
}

/** A plain copy of an argument, or a configuration error that says why there is none. */
function copyOf(what: string, value: unknown): Record<string, unknown> {
  let copy: unknown;
  try {
    copy = snapshot(value, ARGUMENT_LIMITS);
  } catch (error) {
    throw malformed(what, error instanceof SnapshotError ? error.message : "cannot be read");
  }
  if (typeof copy !== "object" || copy === null || Array.isArray(copy))
    throw malformed(what, `takes an object, got ${describeValue(copy)}`);
  return copy as Record<string, unknown>;
}

/** What a run may do with a computer. Get one from `fromSpec` or `builder`; it cannot be constructed or extended. */
export class ComputerCap {
  static readonly [COPY_MARK] = true;

  /** @throws CapuchinError E_CAP_FORGED always: caps come from the factories. */
  constructor() {
    if (!minting || new.target !== ComputerCap) {
      throw new CapuchinError(
        "E_CAP_FORGED",
        "a ComputerCap comes from ComputerCap.fromSpec or ComputerCap.builder only",
      );
    }
  }

  /**
   * The cap of a spec entry.
   * @throws ConfigurationError E_SPEC when the entry is malformed.
   */
  static fromSpec(entry: AgentEntry): ComputerCap {
    const parsed = agentEntrySchema.safeParse(copyOf("spec entry", entry));
    if (!parsed.success) throw malformed("spec entry", describeSpecIssue(parsed.error));
    return mint(policyOf(declarationOf(parsed.data)), newUsage());
  }

  /** Starts a cap for direct use, with nothing granted and the safe defaults. */
  static builder(): ComputerCapBuilder {
    return new ComputerCapBuilder(buildCap);
  }

  /** Whether a value is a genuine cap of this copy of the package. */
  static isGenuine(value: unknown): value is ComputerCap {
    return typeof value === "object" && value !== null && registry.has(value);
  }

  /** The canonical capability text. */
  get capability(): string {
    return formatCapability(held(this).policy.words);
  }

  /** Half-open rectangle in viewport pixels. */
  get bounds(): Rect {
    return held(this).policy.bounds;
  }

  /** Size of the viewport in pixels. */
  get viewport(): Size {
    return held(this).policy.viewport;
  }

  /** The effective deny-list, canonical and sorted. */
  get denyKeys(): readonly string[] {
    return held(this).policy.denyKeys;
  }

  /** Actions allowed in a run; undefined when unlimited. */
  get maxActions(): number | undefined {
    return held(this).policy.maxActions;
  }

  /** Whether the word is granted, by itself or by a word above it. */
  allows(word: CapabilityWord): boolean {
    return checkWords(held(this).policy, [word]) === undefined;
  }

  /**
   * A cap that allows at most what this one does. Each part given replaces this cap's part and must lie within it;
   * a deny-list must hold every chord denied now.
   * @throws CapuchinError E_CAP_WIDEN when a part would allow more.
   * @throws ConfigurationError E_SPEC when a part is malformed, or cannot be narrowed.
   */
  attenuate(by: Narrowing): ComputerCap {
    const { policy, usage, openTo } = held(this);
    const narrowed = narrowPolicy(policy, readNarrowing(policy, by));
    if ("widens" in narrowed)
      throw new CapuchinError(
        "E_CAP_WIDEN",
        `attenuate: ${narrowed.widens} would allow more than this cap does`,
      );
    return mint(narrowed.policy, usage, openTo && { hasBounds: openTo.hasBounds || by.bounds !== undefined });
  }

  /** @throws SandboxViolation unless the screen may be seen. Counts one action. */
  checkScreen(): void {
    count(this, (policy) => checkWords(policy, ["computer.screen"]), 0);
  }

  /** @throws SandboxViolation unless a click at this viewport point is allowed. Counts one action. */
  checkClick(x: number, y: number): void {
    count(
      this,
      (policy) => checkWords(policy, ["computer.input.pointer"]) ?? checkPoint(policy, integerPoint(x, y)),
      1,
    );
  }

  /** @throws SandboxViolation unless the text may be typed. Counts one action. */
  checkTypeText(text: string): void {
    count(
      this,
      (policy) =>
        checkWords(policy, ["computer.input.keyboard"]) ?? checkString(text) ?? checkText(policy, text),
      typeof text === "string" ? countCodePoints(text) : 0,
    );
  }

  /** @throws SandboxViolation unless the chord may be pressed. Counts one action. */
  checkKey(keys: string): void {
    count(
      this,
      (policy) => {
        const refusal = checkWords(policy, ["computer.input.keyboard"]) ?? checkString(keys);
        if (refusal) return refusal;
        const read = readChord(keys);
        return read.ok ? checkChord(policy, read.chord) : read;
      },
      1,
    );
  }

  /** Actions counted by direct checks since the last reset, on this cap and those narrowed from the same one. */
  actionsConsumed(): number {
    return held(this).usage.actions;
  }

  /** Starts the count of direct checks anew. Has no effect on runs, which count for themselves. */
  resetCounter(): void {
    Object.assign(held(this).usage, newUsage());
  }
}

function readNarrowing(policy: CapPolicy, by: unknown): Narrowing {
  const copy = copyOf("attenuate", by);
  const other = Object.keys(copy).find((key) => !NARROWING_PARTS.has(key));
  if (other !== undefined) throw malformed("attenuate", `${describeValue(other)} cannot be narrowed`);
  const { words, denyKeys, ...limits } = copy;
  if (words !== undefined && !isWordList(words))
    throw malformed("attenuate", "words must be a list of capability words");
  if (denyKeys !== undefined && !Array.isArray(denyKeys))
    throw malformed("attenuate", "denyKeys must be a list of key texts");
  // The same reader that judges a declaration, so that a malformed limit is refused and not compared. The deny-list
  // is the whole one, which may be longer than a declaration's own.
  requireDeclaration({ cap: "computer.screen", ...policy.viewport, ...limits });
  const keys = (denyKeys as unknown[] | undefined)?.map((text) => {
    const parsed = typeof text === "string" ? parseChord(text) : undefined;
    if (!parsed?.ok) throw malformed("attenuate", `denyKeys holds ${describeValue(text)}, which is no key`);
    return formatChord(parsed.chord);
  });
  return { ...limits, ...(words ? { words } : {}), ...(keys ? { denyKeys: keys } : {}) };
}

function isWordList(value: unknown): value is CapabilityWord[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string" && isCapabilityWord(word));
}

function checkString(value: unknown): Refusal | undefined {
  return typeof value === "string"
    ? undefined
    : refuse("E_SCHEMA", `must be a string, got ${describeValue(value)}`);
}

function integerPoint(x: number, y: number): { x: number; y: number } {
  if (!Number.isSafeInteger(x) || !Number.isSafeInteger(y)) {
    throw violationOf(
      refuse("E_SCHEMA", `coordinates must be integers, got ${describeValue(x)}, ${describeValue(y)}`),
    );
  }
  return { x, y };
}

/** The cap of a builder's parts: nothing granted but the words, the safe defaults for what was not set. */
function buildCap(words: readonly CapabilityWord[], options: Readonly<Record<string, unknown>>): ComputerCap {
  const isOpen = options["width"] === undefined;
  // A cap with no word is legal here: it refuses everything, which a test or a fallback may want.
  const declaration = requireDeclaration({
    ...(isOpen ? viewportAround(options["bounds"]) : {}),
    ...options,
    cap: words.length > 0 ? words.join(" + ") : "computer.screen",
  });
  const open = isOpen ? { hasBounds: options["bounds"] !== undefined } : undefined;
  return mint(policyOf({ ...declaration, words }), newUsage(), open);
}

/** The default viewport, grown to hold these bounds; what is no rectangle is left to the declaration's reader. */
function viewportAround(bounds: unknown): Size {
  const { x, y, width, height } = { ...(bounds as Partial<Rect> | undefined) };
  const reach = (start: unknown, length: unknown, least: number) => {
    const end =
      Number.isSafeInteger(start) && Number.isSafeInteger(length) ? Number(start) + Number(length) : 0;
    return Math.min(LIMITS.sideMax, Math.max(least, end));
  };
  return {
    width: reach(x, width, LIMITS.defaultWidth),
    height: reach(y, height, LIMITS.defaultHeight),
  };
}

/** The gate of a run under a cap, for a display of the given size. @throws CapuchinError E_CAP_FORGED */
export function createGate(cap: ComputerCap, display: Size): Gate {
  return new Gate(held(cap).policy, display);
}

/** What a run does with a violation. @throws CapuchinError E_CAP_FORGED */
export function violationModeOf(cap: ComputerCap): CapPolicy["onViolation"] {
  return held(cap).policy.onViolation;
}

/** Every limit that a run with this cap is held to, for the record. */
export function limitsOf(cap: ComputerCap): EnforcedLimits {
  const { viewport, bounds, denyKeys, maxActions, maxEvents, onViolation } = held(cap).policy;
  return {
    viewport: { ...viewport },
    bounds: { ...bounds },
    denyKeys: [...denyKeys],
    ...(maxActions === undefined ? {} : { maxActions }),
    maxEvents,
    onViolation,
  };
}

/**
 * The cap that both caps allow; for `launch`, where a caller's cap can only narrow the spec's.
 * @throws CapuchinError E_CAP_FORGED, E_CAP_WIDEN when their viewports differ or their bounds do not meet.
 */
export function meetCaps(spec: ComputerCap, own: ComputerCap): ComputerCap {
  const a = held(spec).policy;
  const { policy, openTo } = held(own);
  const b = openTo ? onViewport(policy, a.viewport, openTo.hasBounds) : policy;
  const met =
    a.viewport.width === b.viewport.width && a.viewport.height === b.viewport.height
      ? meetPolicies(a, b)
      : undefined;
  if (!met)
    throw new CapuchinError(
      "E_CAP_WIDEN",
      "the given cap and the spec's have different viewports, or bounds that do not meet",
    );
  return mint(met, newUsage());
}

export type { Narrowing };
