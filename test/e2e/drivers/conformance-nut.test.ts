import { describe, test } from "vitest";
import { builtConformance, builtDrivers } from "../../tools/built.js";
import { observed } from "../../tools/observed.js";
import { startEventRecorder } from "../../tools/recorder.js";

const { virtualDesktop } = await builtDrivers();
const { driverConformance } = await builtConformance();

describe("nut conforms", () => {
  test.each(driverConformance)("$name", async ({ run }) => {
    const session = await virtualDesktop({ driver: "nut" }).open({ size: { width: 300, height: 200 } });
    try {
      const recorder = await startEventRecorder(session);
      try {
        await run(session, { events: async () => (await recorder.events()).map(observed) });
      } finally {
        await recorder.stop();
      }
    } finally {
      await session.close();
    }
  });
});
