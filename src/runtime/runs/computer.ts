// The handle: the run API, whose first argument is always the agent. Every function goes through the run's one door;
// none returns text from a screen or a model untainted. What is planned answers E_UNSUPPORTED.
import { z } from "zod";
import type { ActionName } from "../../contract/actions.js";
import type { ApiFunctionName } from "../../contract/api-functions.js";
import type { Effect } from "../../contract/control.js";
import { type Point, pointSchema, type Rect, rectSchema } from "../../contract/geometry.js";
import { parseAction } from "../../contract/parse-action.js";
import { CapuchinError, SandboxViolation } from "../../diagnostics/errors.js";
import type { ComputerCap } from "../cap/computer-cap.js";
import type { ActionOutcome } from "../control/action-port.js";
import { frameAt } from "../dispatch/pictures/picture-maker.js";
import type { AgentConstructor } from "./agent-class.js";
import { type LoopOptions, requireScope } from "./scope.js";
import type { Tainted } from "./tainted.js";

/** What an executed action is known to have done. */
export interface ActionResult {
  /** `confirmed`: seen to have an effect; `suspected_noop`: nothing changed on the screen; `unverifiable`: not known. */
  readonly effect: Effect;
}

const pointerTarget = pointSchema.extend({ modifiers: z.string().optional() });
/** A viewport point, with modifiers such as `"ctrl+shift"` held. */
export type PointerTarget = Readonly<z.input<typeof pointerTarget>>;

const dragTarget = z.strictObject({ from: pointSchema, to: pointSchema, modifiers: z.string().optional() });
/** From where to where, and the keys held down meanwhile. */
export type DragTarget = Readonly<z.input<typeof dragTarget>>;

const scrollTarget = z.strictObject({
  x: z.int().optional(),
  y: z.int().optional(),
  direction: z.enum(["up", "down", "left", "right"]),
  amount: z.int(),
  modifiers: z.string().optional(),
});
/** Wheel clicks at a viewport point, or at the pointer when x and y are absent. */
export type ScrollTarget = Readonly<z.input<typeof scrollTarget>>;

const keyPress = z.union([z.string(), z.strictObject({ keys: z.string(), repeat: z.int().optional() })]);
/** A chord, alone or with how often it is pressed. */
export type KeyPress = Readonly<z.input<typeof keyPress>> | string;

const keyHold = z.strictObject({ keys: z.string(), ms: z.int() });
/** Which chord is held down, and for how long. */
export type KeyHold = Readonly<z.input<typeof keyHold>>;

function readArgument<Out>(called: ApiFunctionName, schema: z.ZodType<Out>, value: unknown): Out {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new CapuchinError(
    "E_SCHEMA",
    `computer.${called}: ${issue?.path.map(String).join(".") || "the argument"}: ${issue?.message ?? "is malformed"}`,
  );
}

type Done = Extract<ActionOutcome, { status: "done" }>;

/** Runs one action, or throws what its outcome amounts to. */
async function act(agent: object, called: ApiFunctionName, name: ActionName, input: object): Promise<Done> {
  const scope = requireScope(agent, called);
  const door = await scope.door();
  const outcome = await door.act(parseAction(name, input), { by: "agent", turn: 0 }, scope.signal);
  if (outcome.status === "done") return outcome;
  const text = `computer.${called}: ${outcome.reason}`;
  if (outcome.status === "refused" && outcome.violation)
    throw new SandboxViolation(outcome.kind, outcome.code, text);
  throw new CapuchinError(outcome.code, text);
}

async function actFor(
  agent: object,
  called: ApiFunctionName,
  name: ActionName,
  input: object,
): Promise<ActionResult> {
  return { effect: (await act(agent, called, name, input)).effect };
}

async function picture(
  agent: object,
  called: ApiFunctionName,
  name: ActionName,
  input: object,
): Promise<Tainted<Uint8Array>> {
  const done = await act(agent, called, name, input);
  if (!done.frame) throw new CapuchinError("E_BACKEND", `computer.${called}: no picture came back`);
  const scope = requireScope(agent, called);
  // The agent's own numbers are viewport pixels, so its screenshot has the viewport's size, whatever the display's is.
  const size = name === "screenshot" ? scope.cap.viewport : done.frame.size;
  return scope.taint(await frameAt(done.frame, size));
}

function clicker(called: ApiFunctionName, name: ActionName) {
  return async (agent: object, target: PointerTarget): Promise<ActionResult> => {
    requireScope(agent, called);
    const { x, y, modifiers } = readArgument(called, pointerTarget, target);
    return actFor(agent, called, name, {
      coordinate: [x, y],
      ...(modifiers === undefined ? {} : { text: modifiers }),
    });
  };
}

function planned(called: ApiFunctionName) {
  return async (agent: object, _value?: unknown): Promise<never> => {
    requireScope(agent, called);
    throw new CapuchinError("E_UNSUPPORTED", `computer.${called} is not built yet in this version`);
  };
}

/** A child run's handle. */
export interface ChildRun {
  readonly events: AsyncIterable<unknown>;
  readonly result: Promise<unknown>;
  send(text: string): Promise<void>;
  cancel(): Promise<void>;
}

/** The clipboard of the run's display. */
export interface ComputerClipboard {
  /** Needs `computer.clipboard.read`. Answers E_UNSUPPORTED in this version. */
  read(agent: object): Promise<Tainted<string>>;
  /** Needs `computer.clipboard.write`. Answers E_UNSUPPORTED in this version. */
  write(agent: object, text: string): Promise<ActionResult>;
}

/** The windows of the run's display. */
export interface ComputerWindows {
  /** Needs `computer.screen`. Answers E_UNSUPPORTED in this version. */
  list(agent: object): Promise<Tainted<unknown>>;
  /** Needs `computer.windows`. Answers E_UNSUPPORTED in this version. */
  setFrame(agent: object, frame: { readonly window: string } & Rect): Promise<ActionResult>;
  /** Needs `computer.windows`. Answers E_UNSUPPORTED in this version. */
  invokeMenu(
    agent: object,
    menu: { readonly window: string; readonly path: readonly string[] },
  ): Promise<ActionResult>;
  /** Needs `computer.windows`. Answers E_UNSUPPORTED in this version. */
  activate(agent: object, window: string): Promise<ActionResult>;
}

/**
 * The run API. Coordinates are viewport pixels, integers, origin top left. Outside a run every function throws
 * NoRunError; without the word, MissingCapError; what the cap forbids, SandboxViolation.
 */
export interface Computer {
  /**
   * The model loop: needs `computer.screen`; the model is offered what the cap grants. Resolves to the model's final
   * words. Rejects with the run's stop reason: SandboxViolation, or a CapuchinError such as E_TURNS or E_STUCK.
   */
  run(agent: object, goal: string, options?: LoopOptions): Promise<Tainted<string>>;
  /** A PNG of the whole viewport, in viewport pixels. */
  screenshot(agent: object): Promise<Tainted<Uint8Array>>;
  /** A PNG of a region, which must lie inside the bounds; in pixels of the display. */
  zoom(agent: object, region: Rect): Promise<Tainted<Uint8Array>>;
  cursorPosition(agent: object): Promise<Point>;
  /** Answers E_UNSUPPORTED in this version. */
  observe(agent: object): Promise<Tainted<unknown>>;
  /** Answers E_UNSUPPORTED in this version. */
  verify(agent: object, expected: unknown): Promise<unknown>;
  move(agent: object, target: Point): Promise<ActionResult>;
  click(agent: object, target: PointerTarget): Promise<ActionResult>;
  doubleClick(agent: object, target: PointerTarget): Promise<ActionResult>;
  tripleClick(agent: object, target: PointerTarget): Promise<ActionResult>;
  rightClick(agent: object, target: PointerTarget): Promise<ActionResult>;
  /** Needs `computer.clipboard.read` besides the pointer: it pastes. */
  middleClick(agent: object, target: PointerTarget): Promise<ActionResult>;
  drag(agent: object, target: DragTarget): Promise<ActionResult>;
  scroll(agent: object, target: ScrollTarget): Promise<ActionResult>;
  /** Presses the left button at the pointer. */
  mouseDown(agent: object): Promise<ActionResult>;
  /** Releases the left button at the pointer. */
  mouseUp(agent: object): Promise<ActionResult>;
  /** Types plain text, exactly. Text from a screen or a model must be endorsed first. */
  type(agent: object, text: string): Promise<ActionResult>;
  /** Presses a chord, such as `"ctrl+s"`, once or `repeat` times. */
  key(agent: object, keys: KeyPress): Promise<ActionResult>;
  /** Holds a chord down for `ms` milliseconds. */
  holdKey(agent: object, hold: KeyHold): Promise<ActionResult>;
  /** Answers E_UNSUPPORTED in this version. */
  spawn(agent: object, child: AgentConstructor, goal: string, options?: object): Promise<ChildRun>;
  /** The run's cap. Needs no word. */
  cap(agent: object): ComputerCap;
  /** Waits so many milliseconds, 0 to 10,000. Needs no word. */
  wait(agent: object, ms: number): Promise<void>;
  readonly clipboard: ComputerClipboard;
  readonly windows: ComputerWindows;
}

export const computer: Computer = Object.freeze<Computer>({
  run: (agent, goal, options = {}) => {
    const scope = requireScope(agent, "run");
    if (typeof goal !== "string" || goal.trim() === "")
      throw new CapuchinError("E_SCHEMA", "computer.run takes a goal in words");
    return scope.loop(goal, options);
  },
  screenshot: (agent) => picture(agent, "screenshot", "screenshot", {}),
  zoom: async (agent, region) => {
    requireScope(agent, "zoom");
    const { x, y, width, height } = readArgument("zoom", rectSchema, region);
    return picture(agent, "zoom", "zoom", { region: [x, y, x + width, y + height] });
  },
  cursorPosition: async (agent) => {
    const { pointer } = await act(agent, "cursorPosition", "cursor_position", {});
    if (!pointer) throw new CapuchinError("E_BACKEND", "computer.cursorPosition: no position came back");
    return pointer;
  },
  observe: planned("observe"),
  verify: planned("verify"),
  move: async (agent, target) => {
    requireScope(agent, "move");
    const { x, y } = readArgument("move", pointSchema, target);
    return actFor(agent, "move", "mouse_move", { coordinate: [x, y] });
  },
  click: clicker("click", "left_click"),
  doubleClick: clicker("doubleClick", "double_click"),
  tripleClick: clicker("tripleClick", "triple_click"),
  rightClick: clicker("rightClick", "right_click"),
  middleClick: clicker("middleClick", "middle_click"),
  drag: async (agent, target) => {
    requireScope(agent, "drag");
    const { from, to, modifiers } = readArgument("drag", dragTarget, target);
    const text = modifiers === undefined ? {} : { text: modifiers };
    return actFor(agent, "drag", "left_click_drag", {
      start_coordinate: [from.x, from.y],
      coordinate: [to.x, to.y],
      ...text,
    });
  },
  scroll: async (agent, target) => {
    requireScope(agent, "scroll");
    const { x, y, direction, amount, modifiers } = readArgument("scroll", scrollTarget, target);
    if ((x === undefined) !== (y === undefined))
      throw new CapuchinError("E_SCHEMA", "computer.scroll takes both x and y, or neither");
    return actFor(agent, "scroll", "scroll", {
      scroll_direction: direction,
      scroll_amount: amount,
      ...(x === undefined || y === undefined ? {} : { coordinate: [x, y] }),
      ...(modifiers === undefined ? {} : { text: modifiers }),
    });
  },
  mouseDown: (agent) => actFor(agent, "mouseDown", "left_mouse_down", {}),
  mouseUp: (agent) => actFor(agent, "mouseUp", "left_mouse_up", {}),
  type: async (agent, text) => {
    requireScope(agent, "type");
    return actFor(agent, "type", "type", {
      text: readArgument("type", z.string("takes a plain string; endorse a tainted one first"), text),
    });
  },
  key: async (agent, keys) => {
    requireScope(agent, "key");
    const press = readArgument("key", keyPress, keys);
    const input =
      typeof press === "string"
        ? { text: press }
        : { text: press.keys, ...(press.repeat === undefined ? {} : { repeat: press.repeat }) };
    return actFor(agent, "key", "key", input);
  },
  holdKey: async (agent, hold) => {
    requireScope(agent, "holdKey");
    const { keys, ms } = readArgument("holdKey", keyHold, hold);
    return actFor(agent, "holdKey", "hold_key", { text: keys, duration: ms / 1000 });
  },
  spawn: planned("spawn"),
  cap: (agent) => requireScope(agent, "cap").cap,
  wait: async (agent, ms) => {
    requireScope(agent, "wait");
    await act(agent, "wait", "wait", { duration: readArgument("wait", z.int(), ms) / 1000 });
  },
  clipboard: Object.freeze<ComputerClipboard>({
    read: planned("clipboard.read"),
    write: planned("clipboard.write"),
  }),
  windows: Object.freeze<ComputerWindows>({
    list: planned("windows.list"),
    setFrame: planned("windows.setFrame"),
    invokeMenu: planned("windows.invokeMenu"),
    activate: planned("windows.activate"),
  }),
});
