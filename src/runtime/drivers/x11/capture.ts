// Pictures of the screen, or of a part of it that lies inside.
import { containsRect, formatRect, type Rect, type Size, wholeOf } from "../../../contract/geometry.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { encodePng } from "../session/png.js";
import type { XDisplay } from "./x-display.js";

/** Bytes asked for at once; a reply is held in memory as a whole. */
const STRIP_BYTES = 32 * 1024 * 1024;

/** @throws DriverError E_UNSUPPORTED for a display whose pixels are not 24 bits in 32, blue first. */
export function requirePixelFormat(display: XDisplay): void {
  const { rootDepth, display: info } = display.connection;
  if (rootDepth === 24 && info.format[24]?.bits_per_pixel === 32 && info.image_byte_order === 0) return;
  throw new DriverError("E_UNSUPPORTED", `pictures need a display of depth 24, this one has ${rootDepth}`, 0);
}

export async function capture(
  display: XDisplay,
  size: Size,
  part: Rect | undefined,
): Promise<{ readonly png: Uint8Array; readonly size: Size }> {
  const region = part ?? wholeOf(size);
  if (!containsRect(wholeOf(size), region)) {
    throw new DriverError("E_SCHEMA", `the region ${formatRect(region)} is not inside the display`, 0);
  }
  const now = await display.size();
  if (now.width !== size.width || now.height !== size.height) {
    throw new DriverError(
      "E_ENV_DRIFT",
      `the display is now ${now.width} × ${now.height} pixels, it was opened with ${size.width} × ${size.height}`,
      0,
    );
  }
  const rgb = new Uint8Array(3 * region.width * region.height);
  const rows = Math.max(1, Math.floor(STRIP_BYTES / (4 * region.width)));
  for (let top = 0; top < region.height; top += rows) {
    const strip = { ...region, y: region.y + top, height: Math.min(rows, region.height - top) };
    const pixels = await display.pixels(strip);
    if (pixels.length !== 4 * strip.width * strip.height) {
      throw new DriverError("E_BACKEND", `the X server gave ${pixels.length} bytes of pixels`, 0);
    }
    toRgb(pixels, rgb, 3 * region.width * top);
  }
  const whole = { width: region.width, height: region.height };
  return { png: await encodePng(rgb, whole), size: whole };
}

function toRgb(pixels: Uint8Array, rgb: Uint8Array, offset: number): void {
  let to = offset;
  for (let from = 0; from < pixels.length; from += 4) {
    rgb[to] = pixels[from + 2] ?? 0;
    rgb[to + 1] = pixels[from + 1] ?? 0;
    rgb[to + 2] = pixels[from] ?? 0;
    to += 3;
  }
}
