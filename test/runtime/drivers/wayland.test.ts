import { expect, test } from "vitest";
import { DriverError } from "../../../src/diagnostics/errors.js";
import { requireNoWayland } from "../../../src/runtime/drivers/x11/wayland.js";

const answering = (answer: () => Promise<{ opcode: number; firstEvent: number }>) => ({ extension: answer });
const failing = (code: "E_UNSUPPORTED" | "E_DISPLAY_LOST") =>
  answering(() => Promise.reject(new DriverError(code, "no", 0)));

test("a server that says it is Xwayland is refused, another one is not, and a lost one is told", async () => {
  await expect(
    requireNoWayland(answering(async () => ({ opcode: 150, firstEvent: 0 }))),
  ).rejects.toMatchObject({
    code: "E_UNSUPPORTED",
    message: expect.stringMatching(/Wayland/) as string,
  });
  await expect(requireNoWayland(failing("E_UNSUPPORTED"))).resolves.toBeUndefined();
  await expect(requireNoWayland(failing("E_DISPLAY_LOST"))).rejects.toMatchObject({ code: "E_DISPLAY_LOST" });
});
