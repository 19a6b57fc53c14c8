// Pictures that nut-js has taken, as PNG files in display pixels. The size is that of the picture itself; where it has
// more pixels than the pointer has places, it is reduced, but only by whole numbers and to a size that was declared.
import { containsRect, formatRect, type Rect, type Size, wholeOf } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { encodePng } from "../session/png.js";
import type { NutImage } from "./nut-package.js";

const CHANNELS = 4;

export interface Scale {
  /** The display in the units in which the pointer moves. */
  readonly size: Size;
  /** Pixels of the picture for one of them, in each direction. */
  readonly factor: number;
}

function format({ width, height }: Size): string {
  return `${width} × ${height}`;
}

/**
 * How the picture's pixels and the pointer's places agree.
 * @param pointer the size that nut-js reports, in which the pointer moves
 * @param declared the display's size, when the caller declared it
 * @throws DriverError E_ENV_DRIFT when they do not.
 */
export function agreeOnScale(image: Size, pointer: Size, declared: Size | undefined): Scale {
  if (image.width === pointer.width && image.height === pointer.height) return { size: pointer, factor: 1 };
  const differ = `the pointer moves over ${format(pointer)} points, the picture has ${format(image)} pixels`;
  const factor = image.width / pointer.width;
  if (!Number.isInteger(factor) || factor < 1 || image.height !== factor * pointer.height) {
    throw new DriverError(
      "E_ENV_DRIFT",
      `${differ}, and none is a whole multiple of the other: set the display's scale to 100 %`,
      0,
    );
  }
  if (declared?.width !== pointer.width || declared.height !== pointer.height) {
    throw new DriverError(
      "E_ENV_DRIFT",
      `${differ}: declare the display as ${format(pointer)}, and pictures are reduced to that`,
      0,
    );
  }
  return { size: pointer, factor };
}

/** The PNG of the picture, or of a part of it in display pixels. */
export async function pictureOf(
  image: NutImage,
  scale: Scale,
  part: Rect | undefined,
): Promise<{ readonly png: Uint8Array; readonly size: Size }> {
  const { size, factor } = scale;
  const region = part ?? wholeOf(size);
  if (!containsRect(wholeOf(size), region)) {
    throw new DriverError("E_SCHEMA", `the region ${formatRect(region)} is not inside the display`, 0);
  }
  requireImage(image, { width: size.width * factor, height: size.height * factor });
  const rgb = reduce(image, region, factor);
  const whole = { width: region.width, height: region.height };
  return { png: await encodePng(rgb, whole), size: whole };
}

function requireImage(image: NutImage, wanted: Size): void {
  if (image.width !== wanted.width || image.height !== wanted.height) {
    throw new DriverError(
      "E_ENV_DRIFT",
      `the picture now has ${format(image)} pixels, it had ${format(wanted)} when the display was opened`,
      0,
    );
  }
  const bytes = image.byteWidth * image.height;
  if (image.channels !== CHANNELS || image.byteWidth < CHANNELS * image.width || image.data.length < bytes) {
    throw new DriverError("E_BACKEND", `nut-js gave ${image.data.length} bytes of pixels`, 0);
  }
}

/** Each pixel is the mean of a square of `factor` × `factor`; blue comes first in the picture, red in the result. */
export function reduce(image: NutImage, region: Rect, factor: number): Uint8Array {
  const { data, byteWidth } = image;
  const rgb = new Uint8Array(3 * region.width * region.height);
  let to = 0;
  for (let y = region.y; y < region.y + region.height; y++) {
    for (let x = region.x; x < region.x + region.width; x++) {
      for (const channel of [2, 1, 0]) {
        let sum = 0;
        for (let dy = 0; dy < factor; dy++) {
          const row = (y * factor + dy) * byteWidth;
          for (let dx = 0; dx < factor; dx++) sum += data[row + CHANNELS * (x * factor + dx) + channel] ?? 0;
        }
        rgb[to++] = Math.round(sum / (factor * factor));
      }
    }
  }
  return rgb;
}
