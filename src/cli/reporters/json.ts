// The JSON report as one document.
import type { CheckResult } from "../../transformer/index.js";
import { jsonDocument } from "../json-text.js";

/** The report as JSON text with a closing newline; what would disturb a terminal is escaped as JSON does. */
export function formatJson(result: CheckResult): string {
  return jsonDocument(result.report);
}
