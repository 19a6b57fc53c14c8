// The gate: decides each action of one run, and is the only minter of what drivers accept. Pure and synchronous.
// Order: permission → bounds, keys, text → held state → quota last; a refused action costs nothing and changes
// nothing. Checks are made in viewport pixels and again in display pixels.
import type { Action } from "../../contract/actions.js";
import type { DriverAction } from "../../contract/driver-protocol.js";
import {
  contains,
  containsRect,
  formatPoint,
  type Point,
  type Size,
  scalePoint,
  scaleRect,
  scaleRegion,
  wholeOf,
} from "../../contract/geometry.js";
import type { Chord } from "../../contract/keys.js";
import { countCodePoints } from "../../contract/text.js";
import {
  checkChord,
  checkGrant,
  checkPoint,
  checkRegion,
  checkText,
  checkWords,
  readChord,
  readPointerModifiers,
} from "./checks.js";
import { mintPermitted, type PermittedAction } from "./permitted.js";
import type { CapPolicy } from "./policy.js";
import { type Refusal, refuse } from "./refusal.js";
import { charge, checkQuota, newUsage, type Usage } from "./usage.js";

/** An allowed action: what a driver will do, in display pixels, and what it costs. */
export interface Allowed {
  readonly ok: true;
  readonly plan: DriverAction;
  readonly events: number;
}

/** What a gate says of an action: what a driver would do, or why it is refused. */
export type Verdict = Allowed | Refusal;

/** What the gate must be told of the world. */
export interface GateContext {
  /** Where the pointer is now, viewport pixels; undefined when not known, and then nothing acts at it. */
  readonly pointer: Point | undefined;
}

/** Repeats that a server sends for a held key: after 660 ms, 25 a second (Xvfb's defaults). */
const REPEAT_DELAY_MS = 660;
const REPEAT_INTERVAL_MS = 40;

const CLICKS = {
  left_click: { button: "left", count: 1 },
  right_click: { button: "right", count: 1 },
  middle_click: { button: "middle", count: 1 },
  double_click: { button: "left", count: 2 },
  triple_click: { button: "left", count: 3 },
} as const;

function chordPlan(chord: Chord) {
  return { modifiers: [...chord.modifiers], ...(chord.key === undefined ? {} : { key: chord.key }) };
}

/** Judges the actions of one run under a cap, counts them, and permits what is allowed. Made by `createGate`. */
export class Gate {
  readonly #policy: CapPolicy;
  readonly #display: Size;
  readonly #usage: Usage = newUsage();
  #leftDown = false;

  /** @internal Use `createGate`. `display` is the size of the display that plans are for. */
  constructor(policy: CapPolicy, display: Size) {
    this.#policy = policy;
    this.#display = display;
  }

  /** Judges an action without charging or minting. */
  check(action: Action, context: GateContext): Verdict {
    const grant = checkGrant(this.#policy, action);
    if (grant) return grant;
    const judged = this.#judge(action, context);
    if (!judged.ok) return judged;
    return checkQuota(this.#policy, this.#usage, judged.events) ?? judged;
  }

  /** Judges, charges, updates the held state and mints: one synchronous step. */
  commit(
    action: Action,
    context: GateContext,
  ): (Allowed & { readonly permitted: PermittedAction }) | Refusal {
    const verdict = this.check(action, context);
    if (!verdict.ok) return verdict;
    charge(this.#usage, verdict.events);
    if (verdict.plan.kind === "press") this.#leftDown = true;
    if (verdict.plan.kind === "release") this.#leftDown = false;
    return { ...verdict, permitted: mintPermitted(verdict.plan) };
  }

  /** A picture or the pointer's place for the runtime itself: needs the screen word, costs nothing. */
  observe(kind: "capture" | "cursor"): PermittedAction | Refusal {
    return checkWords(this.#policy, ["computer.screen"]) ?? mintPermitted({ kind });
  }

  /** The pointer's place, to resolve an action without coordinates; needs the pointer's word or the screen's. */
  locatePointer(): PermittedAction | Refusal {
    const refusal = checkWords(this.#policy, ["computer.input.pointer"]);
    if (refusal && checkWords(this.#policy, ["computer.screen"])) return refusal;
    return mintPermitted({ kind: "cursor" });
  }

  /** The permitted action was not carried out: the button is as it was before. The charge stays. */
  noteNotPerformed(plan: DriverAction): void {
    if (plan.kind === "press") this.#leftDown = false;
    if (plan.kind === "release") this.#leftDown = true;
  }

  /** Everything held was let go. */
  noteReleased(): void {
    this.#leftDown = false;
  }

  /** Whether the run holds the left button. */
  get leftDown(): boolean {
    return this.#leftDown;
  }

  usage(): { readonly actions: number; readonly events: number } {
    return { ...this.#usage };
  }

  #judge(action: Action, context: GateContext): Verdict {
    switch (action.name) {
      case "screenshot":
        return { ok: true, plan: { kind: "capture" }, events: 0 };
      case "cursor_position":
        return { ok: true, plan: { kind: "cursor" }, events: 0 };
      case "zoom":
        return this.#zoom(action.input.region);
      case "wait":
        return { ok: true, plan: { kind: "wait", ms: action.input.duration }, events: 0 };
      case "mouse_move": {
        const at = this.#place(action.input.coordinate);
        return at.ok ? { ok: true, plan: { kind: "move", at: at.point }, events: 0 } : at;
      }
      case "left_click":
      case "right_click":
      case "middle_click":
      case "double_click":
      case "triple_click": {
        const { button, count } = CLICKS[action.name];
        const target = this.#pointerTarget(action.input.coordinate, action.input.text, context);
        if (!target.ok) return target;
        return {
          ok: true,
          plan: { kind: "click", at: target.point, button, count, modifiers: target.modifiers },
          events: count,
        };
      }
      case "left_click_drag":
        return this.#drag(action.input);
      case "left_mouse_down":
      case "left_mouse_up":
        return this.#button(action.name, context);
      case "scroll": {
        const { scroll_direction: direction, scroll_amount: amount } = action.input;
        const target = this.#pointerTarget(action.input.coordinate, action.input.text, context);
        if (!target.ok) return target;
        return {
          ok: true,
          plan: { kind: "scroll", at: target.point, direction, amount, modifiers: target.modifiers },
          events: amount,
        };
      }
      case "type": {
        const refusal = checkText(this.#policy, action.input.text);
        if (refusal) return refusal;
        return {
          ok: true,
          plan: { kind: "type", text: action.input.text },
          events: countCodePoints(action.input.text),
        };
      }
      case "key": {
        const chord = this.#chord(action.input.text);
        if (!chord.ok) return chord;
        const repeat = action.input.repeat ?? 1;
        return { ok: true, plan: { kind: "key", ...chordPlan(chord.chord), repeat }, events: repeat };
      }
      case "hold_key": {
        const chord = this.#chord(action.input.text);
        if (!chord.ok) return chord;
        const ms = action.input.duration;
        const repeats = Math.max(0, Math.ceil((ms - REPEAT_DELAY_MS) / REPEAT_INTERVAL_MS));
        return { ok: true, plan: { kind: "hold", ...chordPlan(chord.chord), ms }, events: 1 + repeats };
      }
    }
  }

  #chord(text: string): { readonly ok: true; readonly chord: Chord } | Refusal {
    const read = readChord(text);
    if (!read.ok) return read;
    return checkChord(this.#policy, read.chord) ?? read;
  }

  /** A viewport point as a display point, checked on both sides of the scaling. */
  #place(point: Point): { readonly ok: true; readonly point: Point } | Refusal {
    const outside = checkPoint(this.#policy, point);
    if (outside) return outside;
    const scaled = scalePoint(point, this.#policy.viewport, this.#display);
    const allowed = scaleRect(this.#policy.bounds, this.#policy.viewport, this.#display);
    if (!contains(allowed, scaled)) {
      return refuse(
        "E_BOUNDS",
        `${formatPoint(point)} lands at ${formatPoint(scaled)}, outside the region on the display`,
      );
    }
    return { ok: true, point: scaled };
  }

  #zoom(region: { x: number; y: number; width: number; height: number }): Verdict {
    const outside = checkRegion(this.#policy, region);
    if (outside) return outside;
    const scaled = scaleRegion(region, this.#policy.viewport, this.#display);
    if (!containsRect(wholeOf(this.#display), scaled))
      return refuse("E_BOUNDS", "the region is outside the display");
    return { ok: true, plan: { kind: "capture", region: scaled }, events: 0 };
  }

  /** Where and with what modifiers a pointer action acts; without a coordinate, at the pointer's real place. */
  #pointerTarget(coordinate: Point | undefined, text: string | undefined, context: GateContext) {
    const point = coordinate ?? context.pointer;
    if (!point) return refuse("E_BOUNDS", "no coordinate, and the pointer's place is not known");
    const at = this.#place(point);
    if (!at.ok) return at;
    const read = readPointerModifiers(this.#policy, text);
    if (!read.ok) return read;
    if (this.#leftDown)
      return refuse("E_STATE", "the left button is held; release it with left_mouse_up first");
    return { ok: true as const, point: at.point, modifiers: [...read.modifiers] };
  }

  #drag(input: { start_coordinate: Point; coordinate: Point; text?: string | undefined }): Verdict {
    // Both ends before anything is pressed; the path between them stays inside, since a rectangle is convex.
    const from = this.#place(input.start_coordinate);
    if (!from.ok) return from;
    const to = this.#place(input.coordinate);
    if (!to.ok) return to;
    const read = readPointerModifiers(this.#policy, input.text);
    if (!read.ok) return read;
    if (this.#leftDown)
      return refuse("E_STATE", "the left button is held; release it with left_mouse_up first");
    return {
      ok: true,
      plan: { kind: "drag", from: from.point, to: to.point, modifiers: [...read.modifiers] },
      events: 1,
    };
  }

  #button(name: "left_mouse_down" | "left_mouse_up", context: GateContext): Verdict {
    if (!context.pointer) return refuse("E_BOUNDS", "the pointer's place is not known");
    const at = this.#place(context.pointer);
    if (!at.ok) return at;
    const press = name === "left_mouse_down";
    if (press === this.#leftDown) {
      return refuse("E_STATE", press ? "the left button is down already" : "the left button is not down");
    }
    return { ok: true, plan: { kind: press ? "press" : "release", at: at.point }, events: press ? 1 : 0 };
  }
}
