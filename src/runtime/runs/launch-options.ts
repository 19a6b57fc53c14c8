// The options of `launch`, and that there are no others.
import type { AbortSignalLike } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";
import { closestName } from "../../base/closest.js";
import { quoteText } from "../../base/escape.js";
import type { Spec } from "../../contract/agent-spec.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import type { ComputerCap } from "../cap/computer-cap.js";
import type { Desktop } from "../cap/desktop-port.js";
import type { Journal } from "../control/journal-port.js";
import type { ApprovalPort } from "../control/reference-flow.js";
import type { DispatcherOptions } from "../dispatch/dispatch-options.js";
import type { ServerContextOptions } from "../dispatch/history/compaction.js";
import type { PruneLimits } from "../dispatch/history/prune-policy.js";
import type { ModelPort } from "../dispatch/model-port.js";
import type { RunEvent } from "../dispatch/run-event.js";
import type { UnchangedScreens } from "../dispatch/unchanged.js";

/** Handed to the dispatcher as they are. */
const LOOP_OPTIONS = [
  "maxTurns",
  "pruneLimits",
  "unchangedScreens",
  "serverContext",
] as const satisfies readonly (keyof DispatcherOptions)[];
type HandedOn = Pick<DispatcherOptions, (typeof LOOP_OPTIONS)[number]>;

/** What `launch` needs: the goal, the model and the spec; the rest has its defaults. */
export interface LaunchOptions<Agent extends object> {
  readonly goal: string;
  /** Makers are in `capuchin/runtime`: `anthropic()`, `script()`, `replay()`. Needed once the agent runs the loop. */
  readonly model?: ModelPort;
  /** The spec that `capuchin build` wrote: its path, or the object. */
  readonly spec?: string | Spec;
  /** Without a spec, derive one from the class; recorded in the trace. For tests. */
  readonly derive?: boolean;
  /** Default: the fake desktop, which touches no display. */
  readonly desktop?: Desktop;
  /** A cap of your own; can only narrow the spec's. */
  readonly cap?: ComputerCap;
  /** The method that is called with the goal. Default `run`. */
  readonly method?: string;
  /** Makes the instance. Default: `new AgentClass()`. */
  readonly create?: () => Agent;
  /** A folder for the trace, or a journal. Default: memory. */
  readonly trace?: string | Journal;
  /** Masked in the trace, in events and in error messages. The model's API key always is. */
  readonly secrets?: readonly string[];
  /** `kept`: the trace keeps the model's words, without secrets and typed texts. Default `withheld`. */
  readonly traceWords?: "withheld" | "kept";
  /** `digest-only`: the trace keeps no picture of the screen. Pictures are not redacted. Default `kept`. */
  readonly traceFrames?: "kept" | "digest-only";
  /** Asked where the policy wants a person's word. None means no. */
  readonly approver?: ApprovalPort;
  readonly signal?: AbortSignalLike;
  /** Fewer turns than the spec allows; more are refused. */
  readonly maxTurns?: number;
  /** When old pictures are no longer sent; what is left out has its default. */
  readonly pruneLimits?: Partial<PruneLimits>;
  /** `text`: a screen that is as on the newest picture is answered in words. Default `picture`. */
  readonly unchangedScreens?: UnchangedScreens;
  /** What the server may do with a long conversation; beta, and nothing unless told. */
  readonly serverContext?: ServerContextOptions;
  readonly clock?: Clock;
  readonly onEvent?: (event: RunEvent) => void;
  /** The name under which a module exports the class. */
  readonly exportName?: string;
}

const OPTION_NAMES = [
  "goal",
  "model",
  "spec",
  "derive",
  "desktop",
  "cap",
  "method",
  "create",
  "trace",
  "secrets",
  "traceWords",
  "traceFrames",
  "approver",
  "signal",
  "clock",
  "onEvent",
  "exportName",
  ...LOOP_OPTIONS,
] as const satisfies readonly (keyof LaunchOptions<object>)[];

/** Those of the options that are the loop's own. */
export function loopOptions(options: HandedOn): HandedOn {
  return Object.fromEntries(
    LOOP_OPTIONS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
}

/** A misspelt option must not leave a limit unset. @throws ConfigurationError E_SPEC */
export function requireKnownOptions(options: object): void {
  const known: readonly string[] = OPTION_NAMES;
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const close = closestName(unknown, known);
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new ConfigurationError("E_SPEC", `launch has no option ${quoteText(unknown)}${hint}`);
}
