// One kept frame of a trace, read whole: bounded, and only bytes that have the digest by which a record names them.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { digestBytes } from "../../base/digest.js";
import { FileRefusal, readRegularFile } from "./regular-file.js";
import { FRAMES_FOLDER } from "./trace-files.js";

/** A frame larger than this is not read: about four times the largest that a driver takes. */
export const FRAME_MAX_BYTES = 64 * 1024 * 1024;

export type FrameBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string };

function pathOf(folder: string, digest: string): string {
  return join(folder, FRAMES_FOLDER, `${digest.slice("sha256:".length)}.png`);
}

/** The bytes of a frame, or why they cannot be had, in words that follow "its". */
export function readFrame(folder: string, digest: string): FrameBytes {
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(pathOf(folder, digest), FRAME_MAX_BYTES);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return { ok: false, reason: `its file ${error.message}` };
  }
  if (digestBytes(bytes) !== digest)
    return { ok: false, reason: "its file has another content than was recorded" };
  return { ok: true, bytes };
}

/** Bytes of a frame's file; undefined when there is no regular file. */
export function sizeOfFrame(folder: string, digest: string): number | undefined {
  const stats = lstatSync(pathOf(folder, digest), { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : undefined;
}
