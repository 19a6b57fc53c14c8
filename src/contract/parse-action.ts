// From an untrusted tool call to a well-formed action, or a refusal with its code. The only parser of actions:
// the loop, the run API, MCP and `capuchin gate` all come through here.
import type { z } from "zod";
import { closestName } from "../base/closest.js";
import { describeValue } from "../base/escape.js";
import { SnapshotError, snapshot } from "../base/snapshot.js";
import { ACTION_LIST, ACTIONS, type Action, type ActionName, isActionName } from "./actions.js";

export type ParseCode = "E_SCHEMA" | "E_LIMIT" | "E_UNKNOWN_TOOL" | "E_UNKNOWN_ACTION" | "E_PROTOCOL";

export type ParsedAction =
  | { readonly ok: true; readonly action: Action }
  | { readonly ok: false; readonly code: ParseCode; readonly reason: string };

function refuse(code: ParseCode, reason: string): ParsedAction {
  return { ok: false, code, reason };
}

function describeIssues(error: z.ZodError): { code: ParseCode; reason: string } {
  // A malformed field outranks one that is only too big: limits are judged on well-formed actions.
  const issues = error.issues;
  const isLimit = (issue: z.core.$ZodIssue) =>
    issue.code === "custom" && issue.params?.["code"] === "E_LIMIT";
  const issue = issues.find((candidate) => !isLimit(candidate)) ?? issues[0];
  if (!issue) return { code: "E_SCHEMA", reason: "is malformed" };
  const where = issue.path.length > 0 ? `${issue.path.map(String).join(".")}: ` : "";
  if (isLimit(issue)) return { code: "E_LIMIT", reason: `${where}over the limit of one action` };
  if (issue.code === "unrecognized_keys") {
    return {
      code: "E_SCHEMA",
      reason: `unknown field ${issue.keys.map((key) => describeValue(key)).join(", ")}`,
    };
  }
  return { code: "E_SCHEMA", reason: `${where}${issue.message}` };
}

/** Parses the input of a named action. The input is copied once; getters are read a single time. */
export function parseAction(name: ActionName, input: unknown): ParsedAction {
  let copy: unknown;
  try {
    copy = snapshot(input);
  } catch (error) {
    return refuse("E_SCHEMA", error instanceof SnapshotError ? error.message : "the input cannot be read");
  }
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) {
    return refuse("E_SCHEMA", `the input must be an object, got ${describeValue(copy)}`);
  }
  const parsed = ACTIONS[name].input.safeParse(copy);
  if (!parsed.success) {
    const { code, reason } = describeIssues(parsed.error);
    return refuse(code, `${name}: ${reason}`);
  }
  return { ok: true, action: { name, input: parsed.data } as Action };
}

/** The two wire styles: one tool with `input.action`, or one tool a member with `toolset_name`. */
export type WireStyle = "single" | "toolset";

export interface WireCall {
  readonly name: unknown;
  readonly toolset_name?: unknown;
  readonly input?: unknown;
}

function unknownAction(got: unknown): ParsedAction {
  const close = typeof got === "string" ? closestName(got, ACTION_LIST) : undefined;
  return refuse(
    "E_UNKNOWN_ACTION",
    `no action ${describeValue(got)}${close ? `; did you mean ${close}?` : ""}`,
  );
}

function parseSingle(input: unknown): ParsedAction {
  let copy: unknown;
  try {
    copy = snapshot(input);
  } catch (error) {
    return refuse("E_SCHEMA", error instanceof SnapshotError ? error.message : "the input cannot be read");
  }
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) {
    return refuse("E_SCHEMA", `the input must be an object, got ${describeValue(copy)}`);
  }
  const { action, ...rest } = copy as Record<string, unknown>;
  if (typeof action !== "string")
    return refuse("E_SCHEMA", `action must be a string, got ${describeValue(action)}`);
  return isActionName(action) ? parseAction(action, rest) : unknownAction(action);
}

/**
 * Routes a tool call by (toolset_name, name) and parses it. `styles` are the wire styles accepted: in a run only
 * the declared one. A member's name without its toolset is E_PROTOCOL, since a plain tool may share it.
 */
export function parseToolCall(call: WireCall, styles: readonly WireStyle[]): ParsedAction {
  let parts: WireCall;
  try {
    const { name, toolset_name, input } = call;
    parts = { name, toolset_name, input };
  } catch {
    return refuse("E_PROTOCOL", "the tool call cannot be read");
  }
  const { name, toolset_name: toolset, input } = parts;
  if (typeof name !== "string")
    return refuse("E_PROTOCOL", `a tool call needs a name, got ${describeValue(name)}`);
  const hasToolset = toolset !== undefined && toolset !== null;
  if (hasToolset) {
    if (toolset !== "computer") return refuse("E_PROTOCOL", `unknown toolset ${describeValue(toolset)}`);
    if (!styles.includes("toolset"))
      return refuse("E_PROTOCOL", "this run declares one computer tool, not the toolset");
    if (name === "computer") return refuse("E_PROTOCOL", "the tool computer is no member of the toolset");
    return isActionName(name) ? parseAction(name, input) : unknownAction(name);
  }
  if (name === "computer") {
    if (!styles.includes("single"))
      return refuse("E_PROTOCOL", "this run declares the toolset; name a member and toolset_name");
    return parseSingle(input);
  }
  if (isActionName(name)) return refuse("E_PROTOCOL", `${name} needs toolset_name "computer"`);
  return refuse("E_UNKNOWN_TOOL", `no tool ${describeValue(name)}`);
}
