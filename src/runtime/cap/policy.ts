// A cap's rights as a frozen snapshot: what the checks read. Made from a declaration or by narrowing another
// policy; never changed afterwards, and holding no counter: usage belongs to a run.
import { type CapabilityWord, canonicalWords, isWithin } from "../../contract/capability.js";
import type { Declaration, ViolationMode } from "../../contract/declaration.js";
import { type DenyList, denyListOf, findDenied } from "../../contract/deny-keys.js";
import { containsRect, type Rect, type Size } from "../../contract/geometry.js";
import { keyOfCharacter, type Modifier } from "../../contract/keys.js";

export interface CapPolicy {
  readonly words: readonly CapabilityWord[];
  readonly viewport: Size;
  /** Viewport pixels, half-open; pointer actions and zoom regions must lie inside. */
  readonly bounds: Rect;
  /** Canonical, sorted. */
  readonly denyKeys: readonly string[];
  readonly deny: DenyList;
  /** Modifiers that may not go with a pointer action. */
  readonly pointerModifiersDenied: readonly Modifier[];
  /** Characters whose key is denied, and so may not be typed. */
  readonly deniedCharacters: ReadonlySet<string>;
  readonly maxActions: number | undefined;
  readonly maxEvents: number;
  readonly onViolation: ViolationMode;
}

type PolicySource = Pick<Declaration, "bounds" | "maxActions" | "maxEvents" | "onViolation"> & {
  readonly words: readonly CapabilityWord[];
  readonly viewport: Size;
  readonly denyKeys: readonly string[];
  readonly pointerModifiersDenied: readonly Modifier[];
};

const TYPEABLE = ["\n", "\t", ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index))];

function charactersDenied(deny: DenyList): ReadonlySet<string> {
  const denied = TYPEABLE.filter((character) => {
    const found = keyOfCharacter(character);
    return (
      found !== undefined &&
      findDenied({ modifiers: found.shift ? ["shift"] : [], key: found.key }, deny) !== undefined
    );
  });
  return new Set(denied);
}

function makePolicy(source: PolicySource): CapPolicy {
  const deny = denyListOf(source.denyKeys);
  // Frozen for those who look; the sets inside stay in this module's hands and are never handed out.
  return Object.freeze({
    words: Object.freeze(canonicalWords(source.words)),
    viewport: Object.freeze({ ...source.viewport }),
    bounds: Object.freeze({ ...source.bounds }),
    denyKeys: Object.freeze([...source.denyKeys]),
    deny,
    pointerModifiersDenied: Object.freeze([...source.pointerModifiersDenied]),
    deniedCharacters: charactersDenied(deny),
    maxActions: source.maxActions,
    maxEvents: source.maxEvents,
    onViolation: source.onViolation,
  });
}

/** The policy that a declaration stands for. */
export function policyOf(declaration: Declaration): CapPolicy {
  const { words, width, height, bounds, denyKeys, allowKeys, maxActions, maxEvents, onViolation } =
    declaration;
  // Window managers move windows on alt or super with the pointer, so these two need an explicit word of consent.
  const pointerModifiersDenied = (["alt", "super"] as const).filter(
    (modifier) => !allowKeys.includes(modifier),
  );
  return makePolicy({
    words,
    viewport: { width, height },
    bounds,
    denyKeys,
    pointerModifiersDenied,
    maxActions,
    maxEvents,
    onViolation,
  });
}

/** What `attenuate` may ask for; each part must lie within what is already granted. */
export interface Narrowing {
  readonly words?: readonly CapabilityWord[];
  readonly bounds?: Rect;
  /** The whole new deny-list, canonical. */
  readonly denyKeys?: readonly string[];
  readonly maxActions?: number;
  readonly maxEvents?: number;
  readonly onViolation?: ViolationMode;
}

/** The narrowed policy, or the name of the part that would widen. */
export function narrowPolicy(policy: CapPolicy, by: Narrowing): { policy: CapPolicy } | { widens: string } {
  if (by.words && !isWithin(by.words, policy.words)) return { widens: "words" };
  if (by.bounds && !containsRect(policy.bounds, by.bounds)) return { widens: "bounds" };
  if (by.denyKeys && !policy.denyKeys.every((key) => by.denyKeys?.includes(key)))
    return { widens: "denyKeys" };
  if (by.maxActions !== undefined && by.maxActions > (policy.maxActions ?? Number.POSITIVE_INFINITY))
    return { widens: "maxActions" };
  if (by.maxEvents !== undefined && by.maxEvents > policy.maxEvents) return { widens: "maxEvents" };
  if (by.onViolation === "refuse" && policy.onViolation === "abort") return { widens: "onViolation" };
  return {
    policy: makePolicy({
      words: by.words ?? policy.words,
      viewport: policy.viewport,
      bounds: by.bounds ?? policy.bounds,
      denyKeys: [...new Set(by.denyKeys ?? policy.denyKeys)].sort(),
      pointerModifiersDenied: policy.pointerModifiersDenied,
      maxActions: by.maxActions ?? policy.maxActions,
      maxEvents: by.maxEvents ?? policy.maxEvents,
      onViolation: by.onViolation ?? policy.onViolation,
    }),
  };
}

/** A policy that was made for no viewport in particular, on this one; without bounds of its own it takes the whole. */
export function onViewport(policy: CapPolicy, viewport: Size, hasBounds: boolean): CapPolicy {
  return makePolicy({
    ...policy,
    viewport,
    bounds: hasBounds ? policy.bounds : { x: 0, y: 0, width: viewport.width, height: viewport.height },
  });
}

/** The meet of two policies on one viewport: what both allow. Undefined when their bounds do not overlap. */
export function meetPolicies(a: CapPolicy, b: CapPolicy): CapPolicy | undefined {
  const x = Math.max(a.bounds.x, b.bounds.x);
  const y = Math.max(a.bounds.y, b.bounds.y);
  const width = Math.min(a.bounds.x + a.bounds.width, b.bounds.x + b.bounds.width) - x;
  const height = Math.min(a.bounds.y + a.bounds.height, b.bounds.y + b.bounds.height) - y;
  if (width < 1 || height < 1) return undefined;
  const both = [
    ...a.words.filter((word) => isWithin([word], b.words)),
    ...b.words.filter((word) => isWithin([word], a.words)),
  ];
  const limits = [a.maxActions, b.maxActions].filter((limit) => limit !== undefined);
  return makePolicy({
    words: both,
    viewport: a.viewport,
    bounds: { x, y, width, height },
    denyKeys: [...new Set([...a.denyKeys, ...b.denyKeys])].sort(),
    pointerModifiersDenied: [...new Set([...a.pointerModifiersDenied, ...b.pointerModifiersDenied])],
    maxActions: limits.length > 0 ? Math.min(...limits) : undefined,
    maxEvents: Math.min(a.maxEvents, b.maxEvents),
    onViolation: a.onViolation === "abort" || b.onViolation === "abort" ? "abort" : "refuse",
  });
}
