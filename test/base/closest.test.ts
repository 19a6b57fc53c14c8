import { expect, test } from "vitest";
import { closestName } from "../../src/base/closest.js";

const OPTIONS = ["cap", "width", "height", "maxTurns", "denyKeys", "name"];

test.each([
  ["widht", "width"],
  ["hieght", "height"],
  ["denykeys", "denyKeys"],
  ["deny_keys", "denyKeys"],
  ["maxTurn", "maxTurns"],
  ["pac", undefined],
  ["colour", undefined],
  ["x".repeat(100), undefined],
])("%s is taken for %s", (got, meant) => {
  expect(closestName(got, OPTIONS)).toBe(meant);
});
