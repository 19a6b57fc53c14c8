// A desktop without a display: it records the events that a real one would get, shows scripted or drawn screens, and
// fails on request. It takes permitted actions only, one at a time, like every driver.
import { raceAbort } from "../../../base/abort.js";
import { type Clock, deadline, systemClock } from "../../../base/clock.js";
import { randomId } from "../../../base/digest.js";
import type { DriverAction, Released } from "../../../contract/driver-protocol.js";
import { containsRect, formatRect, type Point, type Size, wholeOf } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import type { RunCodeName } from "../../../diagnostics/run-codes.js";
import type {
  Desktop,
  DesktopSession,
  OpenOptions,
  Performed,
  PerformOptions,
} from "../../cap/desktop-port.js";
import { type PermittedAction, requirePermitted } from "../../cap/permitted.js";
import { isInput, performInput } from "../gestures/perform-input.js";
import { ActionQueue, DEFAULT_DEADLINE_MS, ownDurationMs } from "../session/action-queue.js";
import type { FakeEvent, FakeView } from "./fake-events.js";
import { FakeHand, type FakeState, type HandFault } from "./fake-hand.js";
import { type FakeScreens, renderScreen } from "./fake-screen.js";

/** What goes wrong with one action. */
export type FakeFault =
  /** Fails with the code, after `afterEvents` events (0 unless told) or, for an action with fewer, at its end. */
  | { readonly code: RunCodeName; readonly message?: string; readonly afterEvents?: number }
  /** Never answers: the deadline or the signal ends it. */
  | "hang"
  /** The display is gone. */
  | "lost"
  /** Somebody else moves the pointer there directly after each motion. */
  | { readonly warp: Point };

/** What a fake desktop shows, and where it fails. */
export interface FakeDesktopOptions {
  /** The display's own size; that of the declared display, else of the viewport, unless told. */
  readonly size?: Size;
  /** Without it a plain picture of pointer, clicks and typed text is drawn. */
  readonly screens?: FakeScreens;
  /** Called before each action with the action and the number of actions before it. */
  readonly fault?: (action: DriverAction, index: number) => FakeFault | undefined;
  /** Characters that cannot be typed here. */
  readonly unsupported?: RegExp;
  /** What is found down when the display is opened, and let go. */
  readonly held?: Released;
  /** Fails the opening. */
  readonly openFault?: { readonly code: RunCodeName; readonly message?: string };
  readonly clock?: Clock;
}

/** The fake desktop of a test. Each `open` makes a display of its own; the views are of the latest one. */
export interface FakeDesktop extends Desktop {
  readonly kind: "fake";
  /** Every input event of the latest display, in order. */
  readonly events: readonly FakeEvent[];
  /** Everything typed on the latest display. */
  readonly text: string;
  readonly view: FakeView;
  /** The actions carried out on the latest display, captures included. */
  readonly performed: readonly DriverAction[];
  /** Sessions opened and not yet closed. */
  readonly openSessions: number;
  /** What somebody else does on the display: moves the pointer, presses a key or a button. Records no event. */
  disturb(change: {
    readonly pointer?: Point;
    readonly keyDown?: string;
    readonly buttonDown?: number;
  }): void;
  /** The display goes away. */
  lose(reason: string): void;
}

/** A desktop in memory that records every event. Runs anywhere. */
export function fakeDesktop(options: FakeDesktopOptions = {}): FakeDesktop {
  let latest: FakeSession | undefined;
  let openSessions = 0;
  const session = (): FakeSession => {
    if (!latest) throw new DriverError("E_STATE", "the fake desktop was not opened yet", 0);
    return latest;
  };
  return {
    kind: "fake",
    get events() {
      return latest?.state.events ?? [];
    },
    get text() {
      return latest?.state.text ?? "";
    },
    get view() {
      return session().view();
    },
    get performed() {
      return latest?.performed ?? [];
    },
    get openSessions() {
      return openSessions;
    },
    disturb(change) {
      const { state } = session();
      if (change.pointer) state.pointer = change.pointer;
      if (change.keyDown !== undefined) state.keys.add(change.keyDown);
      if (change.buttonDown !== undefined) state.buttons.add(change.buttonDown);
    },
    lose(reason) {
      session().lose(reason);
    },
    async open({ size, display, signal }: OpenOptions) {
      signal?.throwIfAborted();
      if (options.openFault) {
        const { code, message } = options.openFault;
        throw new DriverError(code, message ?? "the fake desktop was told not to open", 0);
      }
      openSessions += 1;
      latest = new FakeSession(options, options.size ?? display ?? size, () => {
        openSessions -= 1;
      });
      return latest;
    },
  };
}

class FakeSession implements DesktopSession {
  readonly kind = "fake";
  readonly serverId = randomId("fake");
  readonly size: Size;
  readonly released: Released;
  readonly lost: Promise<string>;
  readonly state: FakeState;
  readonly performed: DriverAction[] = [];
  readonly #options: FakeDesktopOptions;
  readonly #queue = new ActionQueue();
  readonly #onClose: () => void;
  #captures = 0;
  #actions = 0;
  #asked = 0;
  #lostReason: string | undefined;
  #closed = false;
  #settleLost: (reason: string) => void = () => {};
  readonly #gone = new AbortController();

  constructor(options: FakeDesktopOptions, size: Size, onClose: () => void) {
    this.#options = options;
    this.#onClose = onClose;
    this.size = { width: size.width, height: size.height };
    this.released = options.held ?? { keys: [], buttons: [] };
    this.lost = new Promise((resolve) => {
      this.#settleLost = resolve;
    });
    const centre = { x: Math.floor(size.width / 2), y: Math.floor(size.height / 2) };
    this.state = {
      size: this.size,
      pointer: centre,
      buttons: new Set(),
      keys: new Set(),
      events: [],
      text: "",
    };
  }

  view(): FakeView {
    const { pointer, buttons, keys, events, text } = this.state;
    return {
      size: this.size,
      pointer,
      heldButtons: [...buttons],
      heldKeys: [...keys],
      events,
      text,
      actions: this.#actions,
      captures: this.#captures,
    };
  }

  lose(reason: string): void {
    if (this.#lostReason !== undefined) return;
    this.#lostReason = reason;
    this.#settleLost(reason);
    this.#gone.abort(new DriverError("E_DISPLAY_LOST", reason, 0));
  }

  perform(token: PermittedAction, options: PerformOptions = {}): Promise<Performed> {
    let action: DriverAction;
    try {
      action = requirePermitted(token);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#queue.run(() => this.#carryOut(action, options), options.signal);
  }

  async #carryOut(action: DriverAction, options: PerformOptions): Promise<Performed> {
    this.#requireOpen();
    const input = isInput(action);
    const fault = this.#options.fault?.(action, this.#asked++);
    const allowed = options.deadlineMs ?? DEFAULT_DEADLINE_MS + ownDurationMs(action);
    const late = new DriverError("E_INDETERMINATE", `no answer within ${allowed} ms`, 0);
    const limit = deadline(allowed, late, options.signal);
    const before = this.state.events.length;
    const hand = new FakeHand(this.state, {
      clock: this.#options.clock ?? systemClock,
      signal: limit.signal,
      unsupported: this.#options.unsupported,
      fault: handFault(fault),
    });
    try {
      if (fault === "lost") this.lose("the fake display was told to go away");
      if (fault === "hang") await raceAbort(new Promise<never>(() => {}), limit.signal);
      this.#requireOpen();
      let performed: Performed;
      if (input) {
        await raceAbort(performInput(hand, action), this.#gone.signal);
        this.#actions += 1;
        performed = { kind: "delivered", events: hand.sent, pointer: this.state.pointer };
      } else performed = this.#look(action);
      if (fault !== undefined && typeof fault === "object" && "code" in fault)
        throw failure(fault, hand.sent);
      this.performed.push(action);
      return performed;
    } catch (error) {
      throw this.#explain(error, this.state.events.length - before, late, limit.signal);
    } finally {
      limit.clear();
    }
  }

  #explain(error: unknown, events: number, late: DriverError, signal: AbortSignal): unknown {
    if (signal.aborted && signal.reason === late) return new DriverError(late.code, late.message, events);
    if (error instanceof DriverError && error.events !== events) {
      return new DriverError(error.code, error.message, events, { cause: error.cause });
    }
    if (error instanceof Error && signal.aborted && !(error instanceof DriverError)) {
      return new DriverError(events === 0 ? "E_STATE" : "E_INDETERMINATE", "stopped", events, {
        cause: error,
      });
    }
    return error;
  }

  #look(action: DriverAction): Performed {
    if (action.kind === "cursor") return { kind: "cursor", at: this.state.pointer };
    if (action.kind !== "capture") throw new DriverError("E_UNSUPPORTED", action.kind, 0);
    const region = action.region ?? wholeOf(this.size);
    if (!containsRect(wholeOf(this.size), region)) {
      throw new DriverError("E_SCHEMA", `the region ${formatRect(region)} is not inside the display`, 0);
    }
    const png = renderScreen(this.#options.screens, this.view(), action.region);
    this.#captures += 1;
    return { kind: "frame", png, size: { width: region.width, height: region.height } };
  }

  async settle(_quietMs: number, _maxMs: number, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted();
    this.#requireOpen();
    return true;
  }

  async releaseAll(): Promise<Released> {
    if (this.#lostReason !== undefined) return { keys: [], buttons: [] };
    const { keys, buttons, events, pointer } = this.state;
    const released = { keys: [...keys].reverse(), buttons: [...buttons].reverse() };
    for (const button of released.buttons) {
      events.push({ type: "button", button, down: false, ...pointer, modifiers: [] });
    }
    for (const key of released.keys) events.push({ type: "key", key, down: false, modifiers: [] });
    keys.clear();
    buttons.clear();
    return released;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.releaseAll();
    this.#onClose();
  }

  #requireOpen(): void {
    if (this.#lostReason !== undefined) throw new DriverError("E_DISPLAY_LOST", this.#lostReason, 0);
    if (this.#closed) throw new DriverError("E_STATE", "the desktop session was closed", 0);
  }
}

function handFault(fault: FakeFault | undefined): HandFault {
  if (fault === undefined || typeof fault === "string") return {};
  if ("warp" in fault) return { warp: fault.warp };
  const { afterEvents } = fault;
  return afterEvents === undefined
    ? { failAfter: { events: 0, error: () => failure(fault, 0) } }
    : { failAfter: { events: afterEvents, error: () => failure(fault, afterEvents) } };
}

function failure(
  fault: { readonly code: RunCodeName; readonly message?: string },
  events: number,
): DriverError {
  return new DriverError(fault.code, fault.message ?? "the fake desktop was told to fail", events);
}
