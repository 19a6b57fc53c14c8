// CU6050: a file that the grammar cannot read. One finding a file, at the first error; nothing about it is proved.
import { ts } from "ts-morph";
import { escapeText } from "../../base/escape.js";
import { createFinding, type Finding } from "../finding.js";

type ParsedFile = ts.SourceFile & { readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };

/** The parse error of a file, if it has one. */
export function findParseError(file: ts.SourceFile): Finding | undefined {
  const [first] = (file as ParsedFile).parseDiagnostics ?? [];
  if (!first) return undefined;
  const reason = escapeText(ts.flattenDiagnosticMessageText(first.messageText, " ").replace(/\.$/, ""));
  const end = Math.min(file.text.length, first.start + Math.max(1, first.length));
  return createFinding("CU6050", { reason }, { file, start: Math.min(first.start, file.text.length), end });
}
