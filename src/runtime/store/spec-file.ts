// A spec on disk: read from a file that nobody else could have put or changed there, then judged by the contract.
import { quoteText } from "../../base/escape.js";
import { readSpecBytes, type Spec } from "../../contract/agent-spec.js";
import { LIMITS } from "../../contract/limits.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import { FileRefusal, readRegularFile } from "./regular-file.js";

/** Reads and judges a spec file. @throws ConfigurationError E_SPEC, with the path and the reason. */
export function readSpecFile(path: string): Spec {
  const refuse = (reason: string, cause?: unknown) =>
    new ConfigurationError("E_SPEC", `the spec ${quoteText(path, 300)} ${reason}`, { cause });
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(path, LIMITS.specMaxBytes);
  } catch (error) {
    if (error instanceof FileRefusal) throw refuse(error.message, error);
    throw error;
  }
  const reading = readSpecBytes(bytes);
  if (!reading.ok) throw refuse(`is refused: ${reading.reason}; write it anew with capuchin build`);
  return reading.spec;
}
