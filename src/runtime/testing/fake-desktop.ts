// The fake desktop, for tests of agents: no display, no native package.
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
} from "../drivers/index.js";
