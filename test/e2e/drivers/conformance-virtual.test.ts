import { describe, test } from "vitest";
import { builtConformance } from "../../tools/built.js";
import { conform } from "../../tools/conform.js";
import { PROFILES } from "../../tools/driver-profiles.js";

const { conformanceOf } = await builtConformance();

describe("the X11 driver conforms, on a virtual display", () => {
  for (const it of conformanceOf(PROFILES.x11)) test(it.name, () => conform(it, { driver: "x11" }));
});
