// `capuchin/testing`: what users test their own agents and drivers with: a desktop and a model that are played, a
// clock that only moves when told, a journal in memory, and the conformance suite of the driver port.
export type { Desktop, DesktopSession, OpenOptions, Performed, PerformOptions } from "../cap/desktop-port.js";
export { MemoryJournal } from "../control/memory-journal.js";
export {
  type ConformanceCase,
  type ConformanceTools,
  conformanceOf,
  type DriverProfile,
  driverConformance,
  type ObservedEvent,
  SAMPLE_TEXT,
} from "./driver-conformance.js";
export {
  type FakeDesktop,
  type FakeDesktopOptions,
  type FakeEvent,
  type FakeFault,
  type FakeFrame,
  type FakePixels,
  type FakeScreens,
  type FakeView,
  fakeDesktop,
} from "./fake-desktop.js";
export { ManualClock } from "./manual-clock.js";
export { type MessagesServer, type MessagesServerOptions, startMessagesServer } from "./messages-server.js";
export { streamEvents } from "./script-reply.js";
export type { ScriptWire } from "./script-wire.js";
export {
  type ScriptContext,
  type ScriptedModel,
  type ScriptFunction,
  type ScriptOptions,
  type ScriptReply,
  type ScriptRequest,
  type ScriptSource,
  script,
  scriptFile,
} from "./scripted-model.js";
export type { ScriptEvent } from "./stream-text.js";
