// A vector: one attempt and its benign twin. The attempt must be refused with one of the codes and reach no display;
// the twin has the same shape and must be allowed. Tables build vectors, runners play them.
import type { Point } from "../../src/contract/geometry.js";
import type { RunCodeName } from "../../src/diagnostics/run-codes.js";
import type { CapName } from "./fixtures.js";

export interface Step {
  readonly action: string;
  /** The JSON text of the input object. Text, so that numbers and repeated keys reach the parser as written. */
  readonly json: string;
}

export interface Vector {
  readonly id: string;
  /** What is tried, for the test's name. */
  readonly label: string;
  readonly cap: CapName;
  readonly step: Step;
  readonly codes: readonly RunCodeName[];
  readonly twin: Step;
  readonly twinCap: CapName;
  /** Steps before the attempt, and before the twin; all must be allowed. */
  readonly before: readonly Step[];
  readonly pointer: Point | undefined;
  readonly twinPointer: Point | undefined;
}

/** A step whose input is a plain value. */
export function step(action: string, input: object = {}): Step {
  return { action, json: JSON.stringify(input) };
}

/** A step whose input is written out. */
export function raw(action: string, json: string): Step {
  return { action, json };
}

export interface VectorOptions {
  readonly label?: string;
  readonly cap?: CapName;
  readonly twinCap?: CapName;
  readonly before?: readonly Step[];
  readonly pointer?: Point;
  readonly twinPointer?: Point;
}

function shorten(text: string): string {
  const shown = text.replace(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return shown.length > 100 ? `${shown.slice(0, 99)}…` : shown;
}

export function vector(
  id: string,
  attempt: Step,
  codes: readonly RunCodeName[],
  twin: Step,
  options: VectorOptions = {},
): Vector {
  const cap = options.cap ?? "A";
  return {
    id,
    label: options.label ?? shorten(`${attempt.action} ${attempt.json}`),
    cap,
    step: attempt,
    codes,
    twin,
    twinCap: options.twinCap ?? cap,
    before: options.before ?? [],
    pointer: options.pointer,
    twinPointer: options.twinPointer ?? options.pointer,
  };
}

export interface Judged {
  readonly allowed: boolean;
  readonly code: string | undefined;
  readonly reason: string | undefined;
}

/** The vectors whose attempt was let through, and those whose twin was refused. */
export class Score {
  readonly escapes: string[] = [];
  readonly falseDenials: string[] = [];
  attempts = 0;
  twins = 0;

  attempt(of: Vector, judged: Judged): void {
    this.attempts += 1;
    if (judged.allowed) this.escapes.push(`${of.id} ${of.label}`);
  }

  twin(of: Vector, judged: Judged): void {
    this.twins += 1;
    if (!judged.allowed)
      this.falseDenials.push(`${of.id} ${shorten(`${of.twin.action} ${of.twin.json}`)}: ${judged.code}`);
  }

  print(how: string): void {
    console.info(
      `${how}: ${this.escapes.length} escapes in ${this.attempts} attempts, ${this.falseDenials.length} false denials in ${this.twins} benign twins`,
    );
  }
}
