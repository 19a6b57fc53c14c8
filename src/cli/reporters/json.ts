// The JSON report as one document.
import type { CheckResult } from "../../transformer/index.js";

/** The report as JSON text with a closing newline. */
export function formatJson(result: CheckResult): string {
  return `${JSON.stringify(result.report, null, 2)}\n`;
}
