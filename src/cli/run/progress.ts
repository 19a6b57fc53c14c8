// A run as it happens, for people: one heading a turn, one line an action with its verdict and its effect. Every
// text that a model or a screen wrote is escaped; colour only where a terminal reads.

import { escapeText } from "../../base/escape.js";
import { isInputAction } from "../../contract/actions.js";
import type { RunEvent } from "../../runtime/dispatch/run-event.js";

type Style = "bold" | "dim" | "red" | "green" | "yellow";

const CODES: Readonly<Record<Style, string>> = {
  bold: "1",
  dim: "2",
  red: "31",
  green: "32",
  yellow: "33",
};

export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;
export const coloured: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;

type ActionEvent = Extract<RunEvent, { type: "action" }>;

const SUMMARY_WIDTH = 44;

function cut(text: string, limit: number): string {
  const points = [...text];
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join("")}…`;
}

function effectOf(event: ActionEvent, paint: Paint): string {
  // Looking and waiting have no effect to confirm.
  if (event.name !== undefined && !isInputAction(event.name)) return paint("dim", "done");
  switch (event.effect) {
    case "confirmed":
      return paint("green", "confirmed");
    case "suspected_noop":
      return paint("yellow", "no change seen");
    case "partial":
      return paint("yellow", "partial");
    case "unverifiable":
      return paint("yellow", "not verifiable");
    default:
      return "";
  }
}

function verdictOf(event: ActionEvent, paint: Paint): string {
  const why = [event.code, event.reason].filter((part) => part !== undefined && part !== "").join(": ");
  switch (event.verdict) {
    case "allow":
      return `${paint("green", "allowed")}  ${effectOf(event, paint)}`;
    case "deny":
      return `${paint("red", "denied")}   ${escapeText(why)}`;
    case "failed":
      return `${paint("red", "failed")}   ${escapeText(why)}`;
    case "not_executed":
      return paint("dim", "not run");
  }
}

/** The line for an event; undefined for events that say nothing to people. */
export function describeEvent(event: RunEvent, paint: Paint): string | undefined {
  switch (event.type) {
    case "turn":
      return paint("bold", `turn ${event.turn}`) + paint("dim", ` of at most ${event.maxTurns}`);
    case "reply": {
      const words = escapeText(event.untrustedText.replace(/\s+/g, " ").trim());
      return words === "" ? undefined : `  ${paint("dim", `model: “${cut(words, 100)}”`)}`;
    }
    case "action": {
      const by = event.source === "agent" ? "agent: " : "";
      // Of a call that could not be read the reason is all there is; it is said once.
      const what = event.summary === event.reason ? "a malformed call" : escapeText(event.summary);
      const summary = cut(`${by}${what}`, SUMMARY_WIDTH).padEnd(SUMMARY_WIDTH);
      return `  ${summary}  ${verdictOf(event, paint)}`.trimEnd();
    }
    case "advice":
      return `${paint("yellow", "note")} ${escapeText(event.message)}`;
    case "retry":
      return `  ${paint("yellow", "asked again")} in ${event.waitMs} ms: ${escapeText(event.reason)}`;
    case "pruned":
    // How the run ended is said once, by its result; a run may hold several loops.
    case "end":
      return undefined;
  }
}
