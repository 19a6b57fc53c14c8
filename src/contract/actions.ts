// The computer actions: one entry for each of the 17 members of the hosted toolset, with its strict parameters, the
// capability words it needs and its effect class. Everything that offers, parses or lists actions reads this table.
// Parameters after the hosted toolset's documentation (docs/origins.md). Coordinates are viewport pixels.
import { z } from "zod";
import type { CapabilityWord } from "./capability.js";
import { LIMITS } from "./limits.js";

export type EffectClass = "observe" | "navigate" | "edit";

/** Zod issue params that turn a failed check into E_LIMIT instead of E_SCHEMA. */
export const TOO_BIG = { params: { code: "E_LIMIT" } } as const;

/** Absent and null mean the same for an optional field. */
function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((value): z.output<T> | undefined => value ?? undefined)
    .optional();
}

const coordinate = z
  .tuple([z.int(), z.int()])
  // `+ 0` turns minus zero into zero, so that one point has one written form.
  .transform(([x, y]) => ({ x: x + 0, y: y + 0 }));

/** An integer from `min` to `max`; a magnitude above `max` is too big, anything else below `min` is malformed. */
function boundedInteger(min: number, max: number) {
  return z
    .number()
    .refine((value) => !Number.isInteger(value) || Math.abs(value) <= max, TOO_BIG)
    .refine(
      (value) => Number.isInteger(value) && (value >= min || Math.abs(value) > max),
      `must be an integer from ${min} to ${max}`,
    );
}

/** Seconds on the wire, whole milliseconds here. */
function duration(minMs: number, maxMs: number) {
  return z
    .number()
    .refine((seconds) => seconds * 1000 <= maxMs, TOO_BIG)
    .refine(
      (seconds) => seconds * 1000 > maxMs || Math.abs(seconds * 1000 - Math.round(seconds * 1000)) < 1e-6,
      "must be whole milliseconds",
    )
    .refine((seconds) => Math.round(seconds * 1000) >= minMs, `must be at least ${minMs / 1000} seconds`)
    .transform((seconds) => Math.round(seconds * 1000));
}

const keyText = z.string().min(1);
const modifierText = optional(keyText);
const directionSchema = z.enum(["up", "down", "left", "right"]);
export type ScrollDirection = z.infer<typeof directionSchema>;

const region = z
  .tuple([z.int(), z.int(), z.int(), z.int()])
  .refine(([x0, y0, x1, y1]) => x1 > x0 && y1 > y0, "must be [x0, y0, x1, y1] with x1 > x0 and y1 > y0")
  .refine(
    ([x0, y0, x1, y1]) => Number.isSafeInteger(x1 - x0) && Number.isSafeInteger(y1 - y0),
    "is too far across to be a region",
  )
  .transform(([x0, y0, x1, y1]) => ({ x: x0 + 0, y: y0 + 0, width: x1 - x0, height: y1 - y0 }));

const nothing = z.strictObject({});
const click = z.strictObject({ coordinate: optional(coordinate), text: modifierText });

interface ActionEntry {
  readonly input: z.ZodType;
  readonly needs: readonly CapabilityWord[];
  readonly effect: EffectClass;
  readonly title: string;
  /** The single-tool versions that know the action; the toolset knows all. */
  readonly single: readonly ("computer_20241022" | "computer_20250124" | "computer_20251124")[];
}

const ALL = ["computer_20241022", "computer_20250124", "computer_20251124"] as const;
const LATER = ["computer_20250124", "computer_20251124"] as const;
const SCREEN = ["computer.screen"] as const;
const POINTER = ["computer.input.pointer"] as const;
const KEYBOARD = ["computer.input.keyboard"] as const;

export const ACTIONS = {
  screenshot: { input: nothing, needs: SCREEN, effect: "observe", title: "Take a screenshot", single: ALL },
  cursor_position: {
    input: nothing,
    needs: SCREEN,
    effect: "observe",
    title: "Read the pointer's position",
    single: ALL,
  },
  zoom: {
    input: z.strictObject({ region }),
    needs: SCREEN,
    effect: "observe",
    title: "Look at a region closely",
    single: ["computer_20251124"],
  },
  mouse_move: {
    input: z.strictObject({ coordinate }),
    needs: POINTER,
    effect: "navigate",
    title: "Move the pointer",
    single: ALL,
  },
  left_click: { input: click, needs: POINTER, effect: "navigate", title: "Click", single: ALL },
  right_click: { input: click, needs: POINTER, effect: "navigate", title: "Right-click", single: ALL },
  middle_click: {
    input: click,
    needs: ["computer.input.pointer", "computer.clipboard.read"],
    effect: "edit",
    title: "Middle-click (pastes)",
    single: ALL,
  },
  double_click: { input: click, needs: POINTER, effect: "navigate", title: "Double-click", single: ALL },
  triple_click: { input: click, needs: POINTER, effect: "navigate", title: "Triple-click", single: LATER },
  left_click_drag: {
    input: z.strictObject({ start_coordinate: coordinate, coordinate, text: modifierText }),
    needs: POINTER,
    effect: "navigate",
    title: "Drag",
    single: ALL,
  },
  left_mouse_down: {
    input: nothing,
    needs: POINTER,
    effect: "navigate",
    title: "Press the left button",
    single: LATER,
  },
  left_mouse_up: {
    input: nothing,
    needs: POINTER,
    effect: "navigate",
    title: "Release the left button",
    single: LATER,
  },
  scroll: {
    input: z.strictObject({
      coordinate: optional(coordinate),
      scroll_direction: directionSchema,
      scroll_amount: boundedInteger(1, LIMITS.scrollAmountMax),
      text: modifierText,
    }),
    needs: POINTER,
    effect: "navigate",
    title: "Scroll",
    single: LATER,
  },
  type: {
    input: z.strictObject({ text: z.string() }),
    needs: KEYBOARD,
    effect: "edit",
    title: "Type text",
    single: ALL,
  },
  key: {
    input: z.strictObject({ text: keyText, repeat: optional(boundedInteger(1, LIMITS.repeatMax)) }),
    needs: KEYBOARD,
    effect: "navigate",
    title: "Press a key",
    single: ALL,
  },
  hold_key: {
    input: z.strictObject({ text: keyText, duration: duration(LIMITS.holdMinMs, LIMITS.holdMaxMs) }),
    needs: KEYBOARD,
    effect: "navigate",
    title: "Hold a key",
    single: LATER,
  },
  wait: {
    input: z.strictObject({ duration: duration(0, LIMITS.waitMaxMs) }),
    needs: [],
    effect: "observe",
    title: "Wait",
    single: LATER,
  },
} as const satisfies Record<string, ActionEntry>;

export type ActionName = keyof typeof ACTIONS;

export const ACTION_LIST = Object.keys(ACTIONS) as readonly ActionName[];

/** Whether a text names an action; own keys of the table only. */
export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

/** One well-formed action: a member and its parsed input. Key texts are still as written; the gate reads them. */
export type Action = {
  [Name in ActionName]: {
    readonly name: Name;
    readonly input: Readonly<z.output<(typeof ACTIONS)[Name]["input"]>>;
  };
}[ActionName];

/** What is charged as an input action: everything but looking and waiting. */
export function isInputAction(name: ActionName): boolean {
  return ACTIONS[name].effect !== "observe";
}
