// The driver port: what a desktop must offer. Published in `capuchin/testing` with a conformance suite. A driver
// carries out permitted actions, one at a time, in display pixels, and never decides what is allowed.
import type { Released } from "../../contract/driver-protocol.js";
import type { Point, Size } from "../../contract/geometry.js";
import type { PermittedAction } from "./permitted.js";

/** What an action brought back. */
export type Performed =
  | { readonly kind: "frame"; readonly png: Uint8Array; readonly size: Size }
  | { readonly kind: "cursor"; readonly at: Point }
  | { readonly kind: "delivered"; readonly events: number; readonly pointer: Point };

/** How long an action may take, and what cuts it short. */
export interface PerformOptions {
  /** Aborting stops between two events, releases what the action holds, and rejects. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which the driver must have answered; then it is killed and the outcome is unknown. */
  readonly deadlineMs?: number;
}

/** One opened display. Calls are served in order; two actions never interleave. */
export interface DesktopSession {
  /** `virtual`, `fake`, `host`, … */
  readonly kind: string;
  /** Identity of the display server, the same whatever name the display is reached by; the lease's key. */
  readonly serverId: string;
  /** Size of the display in its own pixels. */
  readonly size: Size;
  /** What was found held when the display was opened, and let go. */
  readonly released: Released;
  /**
   * Carries out a permitted action.
   * @throws DriverError with a run code and the number of events already sent.
   */
  perform(action: PermittedAction, options?: PerformOptions): Promise<Performed>;
  /** Waits until the screen has been quiet for `quietMs` milliseconds, at most `maxMs`; says whether it was. */
  settle(quietMs: number, maxMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Lets go of every key and button. Works after a failed action, and after the driver process died. */
  releaseAll(): Promise<Released>;
  /** Settles when the display is lost, with the reason; never rejects. */
  readonly lost: Promise<string>;
  /** Releases everything and ends every process of this session. Idempotent. */
  close(): Promise<void>;
}

/** What a desktop is told when a display is opened. */
export interface OpenOptions {
  /** The declared viewport. */
  readonly size: Size;
  /**
   * The size that the display must have, where it is declared; else it is the viewport's. A virtual display is made
   * to it.
   */
  readonly display?: Size;
  readonly signal?: AbortSignal;
}

/** Something that opens displays: `virtualDesktop()`, `fakeDesktop()`, `hostDesktop()`. */
export interface Desktop {
  readonly kind: string;
  open(options: OpenOptions): Promise<DesktopSession>;
}
