// Runs one case of the conformance suite on a private display, with the recorder as its witness.
import type { FakeEvent, VirtualDesktopOptions } from "../../src/runtime/drivers/index.js";
import type { ConformanceCase, ObservedEvent } from "../../src/runtime/testing/driver-conformance.js";
import { builtDrivers } from "./built.js";
import { observed } from "./observed.js";
import { startEventRecorder } from "./recorder.js";

export async function conform(
  { run }: ConformanceCase,
  options: Pick<VirtualDesktopOptions, "driver" | "layout">,
): Promise<void> {
  const { virtualDesktop } = await builtDrivers();
  const desktop = virtualDesktop({ ...options, appOutput: "ignore" });
  const session = await desktop.open({ size: { width: 400, height: 300 } });
  try {
    const recorder = await startEventRecorder(session);
    try {
      await run(session, {
        events: async () => (await recorder.events()).map(observed),
        focus: async () => {
          await session.startApp({ argv: ["xterm", "-e", "cat"] });
        },
      });
    } finally {
      await recorder.stop();
    }
  } finally {
    await session.close();
  }
}

/** Runs one case on the fake desktop, which is its own witness. */
export async function conformFake({ run }: ConformanceCase): Promise<void> {
  const { fakeDesktop } = await builtDrivers();
  const desktop = fakeDesktop();
  const session = await desktop.open({ size: { width: 400, height: 300 } });
  try {
    await run(session, { events: async () => desktop.events.map(observedOnFake) });
  } finally {
    await session.close();
  }
}

export function observedOnFake(event: FakeEvent): ObservedEvent {
  if (event.type === "motion") return event;
  const { modifiers: _, ...rest } = event;
  return rest;
}
