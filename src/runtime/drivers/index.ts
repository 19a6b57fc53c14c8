export { type HostDesktopOptions, hostDesktop } from "./displays/host-desktop.js";
export type { App, AppEnd } from "./displays/keeper.js";
export {
  type AppOptions,
  type VirtualDesktop,
  type VirtualDesktopOptions,
  type VirtualSession,
  virtualDesktop,
} from "./displays/virtual-desktop.js";
export {
  type FakeDesktop,
  type FakeDesktopOptions,
  type FakeFault,
  fakeDesktop,
} from "./fake/fake-desktop.js";
export type { FakeEvent, FakeView } from "./fake/fake-events.js";
export type { FakeFrame, FakePixels, FakeScreens } from "./fake/fake-screen.js";
