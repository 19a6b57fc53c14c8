// Where an export may write: anywhere but over the trace that it reads, and each output in a place of its own.
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { quoteText } from "../base/escape.js";
import { DOCUMENTS_FOLDER, FRAMES_FOLDER, TRACE_FILE } from "../runtime/store/trace-files.js";
import { UsageError } from "./usage-error.js";

/** The path by the real name of its folder; as it is where there is no such folder, which is refused later. */
function realPlace(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

/** Which file a path leads to, whatever the path is called; undefined where there is none. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev}.${ino}`;
  } catch {
    return undefined;
  }
}

function isPartOfTrace(folder: string, path: string): boolean {
  const place = realPlace(path);
  const inner = [FRAMES_FOLDER, DOCUMENTS_FOLDER].map((name) => realPlace(join(folder, name, ".")) + sep);
  const trace = join(folder, TRACE_FILE);
  const identity = identityOf(path);
  return (
    inner.some((start) => place.startsWith(start)) ||
    place === realPlace(trace) ||
    (identity !== undefined && identity === identityOf(trace))
  );
}

/** @throws UsageError when an output would take the place of a file of the trace, or of another output. */
export function requireOutputsApart(folder: string, paths: readonly string[]): void {
  const places = new Set<string>();
  for (const path of paths) {
    if (isPartOfTrace(folder, path)) {
      throw new UsageError(`${quoteText(path, 300)} belongs to the trace itself: name a file that does not`);
    }
    const place = realPlace(path);
    if (places.has(place)) {
      throw new UsageError(`${quoteText(path, 300)} is named twice: give each output a file of its own`);
    }
    places.add(place);
  }
}
