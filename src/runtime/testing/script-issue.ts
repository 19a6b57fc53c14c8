// What is wrong with a script's reply, in words: the place, the field that is unknown or has another value than it may.
import type { z } from "zod";
import { closestName } from "../../base/closest.js";
import { escapeText, quoteText } from "../../base/escape.js";

type Issue = z.core.$ZodIssue;

const FIELDS = [
  ...["content", "stop_reason", "usage", "wire", "events", "status", "headers", "body", "base64"],
  ...["type", "text", "id", "name", "toolset_name", "input", "caller"],
];

/** How far a branch of a union is from what was meant: another type of block is farther than a wrong field. */
function distanceOf(issues: readonly Issue[]): number {
  if (issues.some(({ code, path }) => code === "invalid_type" && path.length === 0)) return 2;
  return issues.some(({ path, code }) => path[0] === "type" || (code === "custom" && path.length === 0))
    ? 1
    : 0;
}

/** The issue that says most: of a union, that of the branch that was meant. */
function tellingIssue(issue: Issue): { readonly issue: Issue; readonly path: readonly PropertyKey[] } {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return { issue, path: issue.path };
  const branches = [...issue.errors].sort((a, b) => distanceOf(a) - distanceOf(b));
  const first = branches[0]?.[0];
  if (!first) return { issue, path: issue.path };
  const inner = tellingIssue(first);
  return { issue: inner.issue, path: [...issue.path, ...inner.path] };
}

function describeFields(keys: readonly string[]): string {
  const known = keys.map((key) => {
    const close = closestName(key, FIELDS);
    return `${quoteText(key)}${close === undefined ? "" : ` (did you mean ${close}?)`}`;
  });
  return `unknown field ${known.join(", ")}`;
}

/** The first thing that is wrong, with its place: `content.0: unknown field "txt" (did you mean text?)`. */
export function describeIssue(error: z.ZodError): string {
  const [first] = error.issues;
  if (!first) return "malformed";
  const { issue, path } = tellingIssue(first);
  const place = path.length === 0 ? "" : `${escapeText(path.map(String).join("."))}: `;
  const what = issue.code === "unrecognized_keys" ? describeFields(issue.keys) : escapeText(issue.message);
  return `${place}${what}`;
}
