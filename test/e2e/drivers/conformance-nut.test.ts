import { describe, test } from "vitest";
import { builtConformance } from "../../tools/built.js";
import { conform } from "../../tools/conform.js";
import { PROFILES } from "../../tools/driver-profiles.js";

const { conformanceOf } = await builtConformance();

describe("the nut driver conforms, on a virtual display, with what it refuses", () => {
  for (const it of conformanceOf(PROFILES.nut)) test(it.name, () => conform(it, { driver: "nut" }));
});
