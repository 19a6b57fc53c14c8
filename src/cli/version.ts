// The version of this package, read from its own package.json, so that there is one place to change it.
import { readFileSync } from "node:fs";

/** The version, such as 0.1.0. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return String((JSON.parse(text) as { version: unknown }).version);
}
