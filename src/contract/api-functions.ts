// The run API: every function of the handle `computer` and the capability words it needs. The run, the checker,
// the docs and the types read this table.
import type { CapabilityWord } from "./capability.js";

interface ApiFunction {
  /** Every word needed; none for `cap` and `wait`. */
  readonly needs: readonly CapabilityWord[];
  /** Words that the model is offered through it, which count as used by an agent that reaches it. */
  readonly offers?: readonly CapabilityWord[];
  /** Answers E_UNSUPPORTED in this version. */
  readonly planned?: true;
}

const SCREEN = ["computer.screen"] as const;
const POINTER = ["computer.input.pointer"] as const;
const KEYBOARD = ["computer.input.keyboard"] as const;
const WINDOWS = ["computer.windows"] as const;

export const API_FUNCTIONS = {
  run: {
    needs: SCREEN,
    offers: [
      "computer.screen",
      "computer.input",
      "computer.input.pointer",
      "computer.input.keyboard",
      "computer.clipboard.read",
    ],
  },
  screenshot: { needs: SCREEN },
  zoom: { needs: SCREEN },
  cursorPosition: { needs: SCREEN },
  observe: { needs: SCREEN, planned: true },
  verify: { needs: SCREEN, planned: true },
  "windows.list": { needs: SCREEN, planned: true },
  move: { needs: POINTER },
  click: { needs: POINTER },
  doubleClick: { needs: POINTER },
  tripleClick: { needs: POINTER },
  rightClick: { needs: POINTER },
  middleClick: { needs: ["computer.input.pointer", "computer.clipboard.read"] },
  drag: { needs: POINTER },
  scroll: { needs: POINTER },
  mouseDown: { needs: POINTER },
  mouseUp: { needs: POINTER },
  type: { needs: KEYBOARD },
  key: { needs: KEYBOARD },
  holdKey: { needs: KEYBOARD },
  "clipboard.read": { needs: ["computer.clipboard.read"], planned: true },
  "clipboard.write": { needs: ["computer.clipboard.write"], planned: true },
  "windows.setFrame": { needs: WINDOWS, planned: true },
  "windows.invokeMenu": { needs: WINDOWS, planned: true },
  "windows.activate": { needs: WINDOWS, planned: true },
  spawn: { needs: ["computer.spawn"], planned: true },
  cap: { needs: [] },
  wait: { needs: [] },
} as const satisfies Record<string, ApiFunction>;

export type ApiFunctionName = keyof typeof API_FUNCTIONS;

export const API_FUNCTION_LIST = Object.keys(API_FUNCTIONS) as readonly ApiFunctionName[];

/** The words an API function needs. */
export function wordsNeeded(name: ApiFunctionName): readonly CapabilityWord[] {
  return API_FUNCTIONS[name].needs;
}

/** Words used by an agent that reaches the function: those it needs and those it offers to the model. */
export function wordsUsed(name: ApiFunctionName): readonly CapabilityWord[] {
  const entry: ApiFunction = API_FUNCTIONS[name];
  return [...entry.needs, ...(entry.offers ?? [])];
}

/** Whether a text names an API function; own keys of the table only. */
export function isApiFunctionName(name: string): name is ApiFunctionName {
  return Object.hasOwn(API_FUNCTIONS, name);
}
