import { describe, test } from "vitest";
import { fakeDesktop } from "../../../src/runtime/drivers/index.js";
import { conformanceOf } from "../../../src/runtime/testing/driver-conformance.js";
import { PROFILES } from "../../tools/driver-profiles.js";

describe("the fake desktop conforms", () => {
  test.each(conformanceOf(PROFILES.fake))("$name", async ({ run }) => {
    const desktop = fakeDesktop();
    const session = await desktop.open({ size: { width: 300, height: 200 } });
    try {
      await run(session, {
        events: async () =>
          desktop.events.map((event) => {
            if (event.type === "motion") return event;
            const { modifiers: _, ...rest } = event;
            return rest;
          }),
      });
    } finally {
      await session.close();
    }
  });
});
