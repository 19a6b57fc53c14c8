// The root entry: what agent and host code needs. Loads neither the checker nor a driver nor the model SDK.
import { type Computer, computer as handle } from "./runtime/runs/computer.js";

/** The run API; the first argument of every function is the agent. */
export const computer: Computer = handle;

export type { AgentEntry, Spec } from "./contract/agent-spec.js";
export type { CapabilityWord } from "./contract/capability.js";
export type { ComputerUseOptions, ViolationMode } from "./contract/declaration.js";
export type { Point, Rect, Size } from "./contract/geometry.js";
export type { AgentDecorator } from "./decorators/index.js";
export { computerUse } from "./decorators/index.js";
export {
  CapuchinError,
  ConfigurationError,
  DriverError,
  MissingCapError,
  NoRunError,
  SandboxViolation,
  type ViolationKind,
} from "./diagnostics/errors.js";
export type { RunCodeName } from "./diagnostics/run-codes.js";
export type { ComputerCapBuilder } from "./runtime/cap/cap-builder.js";
export { ComputerCap, type Narrowing } from "./runtime/cap/computer-cap.js";
export type { RunEvent } from "./runtime/dispatch/run-event.js";
export type {
  ActionResult,
  ChildRun,
  Computer,
  ComputerClipboard,
  ComputerWindows,
  DragTarget,
  KeyHold,
  KeyPress,
  PointerTarget,
  ScrollTarget,
} from "./runtime/runs/computer.js";
export { launch } from "./runtime/runs/launch.js";
export type { LaunchOptions } from "./runtime/runs/launch-options.js";
export type { Run } from "./runtime/runs/run.js";
export type { RunCounts, RunError, RunResult } from "./runtime/runs/run-result.js";
export type { LoopOptions } from "./runtime/runs/scope.js";
export { Tainted } from "./runtime/runs/tainted.js";
