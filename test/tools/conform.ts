// Runs one case of the conformance suite on a private display, with the recorder as its witness.
import type { VirtualDesktopOptions } from "../../src/runtime/drivers/index.js";
import type { ConformanceCase } from "../../src/runtime/testing/driver-conformance.js";
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
