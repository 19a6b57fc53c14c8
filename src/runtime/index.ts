// `capuchin/runtime`: what host code and the command line run agents with: models, desktops, the dispatcher, traces.

export { findDeclaration } from "../decorators/index.js";
export type { ComputerCapBuilder } from "./cap/cap-builder.js";
export { ComputerCap, createGate } from "./cap/computer-cap.js";
export type { Desktop, DesktopSession, OpenOptions, Performed, PerformOptions } from "./cap/desktop-port.js";
export type { Gate, GateContext, Verdict } from "./cap/gate.js";
export type { PermittedAction } from "./cap/permitted.js";
export type { ActionOutcome, ActionPort, ActionSource, Frame } from "./control/action-port.js";
export type { ComputerUseRuntime, ProposedAction } from "./control/computer-use-runtime.js";
export type { Journal } from "./control/journal-port.js";
export { LocalRuntime, type LocalRuntimeOptions } from "./control/local-runtime.js";
export { MemoryJournal } from "./control/memory-journal.js";
export { type ApprovalPort, buildReferenceGraph, type FlowResult } from "./control/reference-flow.js";
export type { MissingAccess } from "./dispatch/access.js";
export { type AnthropicOptions, anthropic, anthropicFromEnvironment } from "./dispatch/anthropic.js";
export { type ComputerTools, type ComputerToolsOptions, computerTools } from "./dispatch/computer-tools.js";
export type { ComputerRequest, MessagesClient, MessagesEndpoint } from "./dispatch/direct-request.js";
export type { DispatchResult } from "./dispatch/dispatch-result.js";
export { Dispatcher, type DispatcherOptions, type RunOptions } from "./dispatch/dispatcher.js";
export type { ServerContextOptions } from "./dispatch/history/compaction.js";
export type { PruneLimits } from "./dispatch/history/prune-policy.js";
export { ModelError, type ModelPort, type ModelRequest } from "./dispatch/model-port.js";
export { recordTo, replay } from "./dispatch/recording.js";
export type { RunEvent, RunEventListener } from "./dispatch/run-event.js";
export type { UnchangedScreens } from "./dispatch/unchanged.js";
export {
  type AppOptions,
  type FakeDesktop,
  type FakeDesktopOptions,
  fakeDesktop,
  type HostDesktopOptions,
  hostDesktop,
  type VirtualDesktop,
  type VirtualDesktopOptions,
  type VirtualSession,
  virtualDesktop,
} from "./drivers/index.js";
export { type AskOptions, askWithComputer } from "./runs/ask-with-computer.js";
export {
  type AnswerBlock,
  type CallResult,
  type CallVerdict,
  type ComputerAnswer,
  type ComputerCall,
  HALT_TEXT,
  type OtherCall,
} from "./runs/computer-answer.js";
export { launch } from "./runs/launch.js";
export type { LaunchOptions } from "./runs/launch-options.js";
export { Run } from "./runs/run.js";
export type { RunCounts, RunError, RunResult } from "./runs/run-result.js";
export {
  type ScriptContext,
  type ScriptedModel,
  type ScriptFunction,
  type ScriptReply,
  type ScriptRequest,
  type ScriptSource,
  script,
  scriptFile,
} from "./testing/scripted-model.js";
