// Sizes and pixel density of nut-js's pictures: derived from the picture, reduced only where that was declared.
import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { NutDriver } from "../../../src/runtime/drivers/nut/nut-driver.js";
import { agreeOnScale, pictureOf } from "../../../src/runtime/drivers/nut/nut-picture.js";
import { PlainSurroundings } from "../../../src/runtime/drivers/nut/plain-surroundings.js";
import { imageOf, playNut } from "./played-nut.js";

const POINTS = { width: 4, height: 3 };
const TWICE = { width: 8, height: 6 };

describe("the scale", () => {
  test("is one where picture and pointer agree, declared or not", () => {
    expect(agreeOnScale(POINTS, POINTS, undefined)).toEqual({ size: POINTS, factor: 1 });
    expect(agreeOnScale(POINTS, POINTS, TWICE)).toEqual({ size: POINTS, factor: 1 });
  });

  test("is a whole number where the points were declared as the display", () => {
    expect(agreeOnScale(TWICE, POINTS, POINTS)).toEqual({ size: POINTS, factor: 2 });
  });

  test.each([
    ["nothing declared", TWICE, undefined],
    ["the pixels declared", TWICE, TWICE],
    ["no whole multiple (225 %)", { width: 9, height: 7 }, POINTS],
    ["a smaller picture", { width: 2, height: 1 }, POINTS],
    ["another factor in each direction", { width: 8, height: 9 }, POINTS],
  ])("is refused with %s, and both sizes are named", (_, image, declared) => {
    expect(() => agreeOnScale(image, POINTS, declared)).toThrow(
      expect.objectContaining({
        code: "E_ENV_DRIFT",
        message: expect.stringMatching(
          `4 × 3 points, the picture has ${image.width} × ${image.height} pixels`,
        ) as string,
      }),
    );
  });
});

test("colours and rows come out right, padding or not, and a part is cut at its own place", async () => {
  const image = imageOf(4, 3, (x, y) => [10 * x, 50 * y, 200 + x]);
  const { png, size } = await pictureOf(
    image,
    { size: POINTS, factor: 1 },
    { x: 1, y: 2, width: 2, height: 1 },
  );
  expect(size).toEqual({ width: 2, height: 1 });
  expect([...decode(png).data]).toEqual([201, 100, 10, 202, 100, 20]);
});

test("two by two pixels become one, their mean", async () => {
  const image = imageOf(8, 6, (x, y) => (x % 2 === 0 && y % 2 === 0 ? [0, 0, 200] : [0, 0, 100]));
  const { png } = await pictureOf(image, { size: POINTS, factor: 2 }, undefined);
  expect([...decode(png).data].slice(0, 6)).toEqual([125, 0, 0, 125, 0, 0]);
});

test("a picture of another size than at the opening, or cut short, is refused", async () => {
  const scale = { size: POINTS, factor: 1 };
  const whole = imageOf(4, 3, () => [0, 0, 0]);
  await expect(
    pictureOf(
      imageOf(5, 3, () => [0, 0, 0]),
      scale,
      undefined,
    ),
  ).rejects.toMatchObject({ code: "E_ENV_DRIFT" });
  const short = { ...whole, data: whole.data.subarray(1) };
  await expect(pictureOf(short, scale, undefined)).rejects.toMatchObject({ code: "E_BACKEND" });
  await expect(pictureOf(whole, scale, { x: 1, y: 0, width: 4, height: 1 })).rejects.toMatchObject({
    code: "E_SCHEMA",
  });
});

test("on a display of double density the driver takes clicks in points and gives pictures in points", async () => {
  const image = imageOf(TWICE.width, TWICE.height, () => [9, 9, 9]);
  const { nut, calls } = playNut({ screen: POINTS, image });
  const around = await PlainSurroundings.open(nut, "darwin");
  await expect(NutDriver.open(nut, around, { platform: "darwin" })).rejects.toMatchObject({
    code: "E_ENV_DRIFT",
  });
  const driver = await NutDriver.open(nut, around, { platform: "darwin", declared: POINTS });
  expect(driver.size).toEqual(POINTS);
  const { signal } = new AbortController();
  const frame = await driver.perform({ kind: "capture" }, signal, () => {});
  expect(frame).toMatchObject({ kind: "frame", size: POINTS });
  await driver.perform({ kind: "move", at: { x: 3, y: 2 } }, signal, () => {});
  expect(calls).toEqual(["to 3,2"]);
});
