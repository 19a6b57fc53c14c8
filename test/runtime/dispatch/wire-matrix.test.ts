// Every version of the hosted tool, streamed and whole, under caps from little to everything, with every member:
// through the real SDK to a server on loopback. Expectations are written out here after the API's documentation.
import { afterEach, describe, expect, test } from "vitest";
import type { ToolVersion } from "../../../src/contract/models.js";
import { type ScriptRequest, script } from "../../../src/runtime/testing/scripted-model.js";
import { bench, closeAll, FULL_CAP, instantClock, resultsOf, say } from "./setup.js";

afterEach(closeAll);

const SET = "computer_toolset_20260801";

interface Wire {
  readonly version: ToolVersion;
  readonly model: string;
  readonly beta: string | undefined;
}

const WIRES: readonly Wire[] = [
  { version: SET, model: "claude-opus-5-5", beta: undefined },
  { version: "computer_20251124", model: "claude-opus-4-6", beta: "computer-use-2025-11-24" },
  { version: "computer_20250124", model: "claude-haiku-4-5", beta: "computer-use-2025-01-24" },
  { version: "computer_20241022", model: "claude-3-5-sonnet-20241022", beta: "computer-use-2024-10-22" },
];

const POINTER = "computer.input.pointer";
const KEYBOARD = "computer.input.keyboard";

interface Member {
  readonly name: string;
  readonly needs: readonly string[];
  /** The single-tool versions that know it. */
  readonly single: readonly ("1022" | "0124" | "1124")[];
  readonly input: Readonly<Record<string, unknown>>;
  /** What stands first in its result when it is done. */
  readonly answer: "image" | "text";
}

const ALL = ["1022", "0124", "1124"] as const;
const LATER = ["0124", "1124"] as const;
const point = { coordinate: [30, 40] };

// In an order in which one after the other is possible.
const MEMBERS: readonly Member[] = [
  { name: "cursor_position", needs: ["computer.screen"], single: ALL, input: {}, answer: "text" },
  {
    name: "zoom",
    needs: ["computer.screen"],
    single: ["1124"],
    input: { region: [0, 0, 40, 30] },
    answer: "image",
  },
  { name: "mouse_move", needs: [POINTER], single: ALL, input: point, answer: "text" },
  { name: "left_click", needs: [POINTER], single: ALL, input: point, answer: "text" },
  { name: "right_click", needs: [POINTER], single: ALL, input: point, answer: "text" },
  {
    name: "middle_click",
    needs: [POINTER, "computer.clipboard.read"],
    single: ALL,
    input: point,
    answer: "text",
  },
  { name: "double_click", needs: [POINTER], single: ALL, input: point, answer: "text" },
  { name: "triple_click", needs: [POINTER], single: LATER, input: point, answer: "text" },
  {
    name: "left_click_drag",
    needs: [POINTER],
    single: ALL,
    input: { start_coordinate: [1, 2], coordinate: [30, 40] },
    answer: "text",
  },
  { name: "left_mouse_down", needs: [POINTER], single: LATER, input: {}, answer: "text" },
  { name: "left_mouse_up", needs: [POINTER], single: LATER, input: {}, answer: "text" },
  {
    name: "scroll",
    needs: [POINTER],
    single: LATER,
    input: { ...point, scroll_direction: "down", scroll_amount: 2 },
    answer: "text",
  },
  { name: "type", needs: [KEYBOARD], single: ALL, input: { text: "ab" }, answer: "text" },
  { name: "key", needs: [KEYBOARD], single: ALL, input: { text: "ctrl+s" }, answer: "text" },
  {
    name: "hold_key",
    needs: [KEYBOARD],
    single: LATER,
    input: { text: "a", duration: 0.01 },
    answer: "text",
  },
  { name: "wait", needs: [], single: LATER, input: { duration: 0 }, answer: "text" },
  { name: "screenshot", needs: ["computer.screen"], single: ALL, input: {}, answer: "image" },
];

const CAPS: readonly (readonly [string, readonly string[]])[] = [
  ["computer.screen", ["computer.screen"]],
  ["computer.screen + computer.input.pointer", ["computer.screen", POINTER]],
  ["computer.screen + computer.input.keyboard", ["computer.screen", KEYBOARD]],
  [
    "computer.screen + computer.input.pointer + computer.clipboard.read",
    ["computer.screen", POINTER, "computer.clipboard.read"],
  ],
  [FULL_CAP, ["computer.screen", POINTER, KEYBOARD, "computer.clipboard.read"]],
];

function isKnown(version: ToolVersion, { single }: Member): boolean {
  return version === SET || single.some((short) => version.endsWith(short));
}

/** The clicks of the first version have no fields. */
function inputFor(version: ToolVersion, { name, input }: Member): Readonly<Record<string, unknown>> {
  return version === "computer_20241022" && name.endsWith("_click") ? {} : input;
}

let ids = 0;

function wireCall(version: ToolVersion, name: string, input: object) {
  ids += 1;
  const head = { type: "tool_use" as const, id: `toolu_${ids}` };
  return version === SET
    ? { ...head, name, toolset_name: "computer", input }
    : { ...head, name: "computer", input: { action: name, ...input } };
}

type Call = ReturnType<typeof wireCall>;

/** Plays turns of calls, then "done". */
async function play(wire: Wire, stream: boolean, cap: string, turns: readonly (readonly Call[])[]) {
  const bodies: ScriptRequest[] = [];
  const betas: (string | undefined)[] = [];
  const left = [...turns];
  const model = script(
    (request, context) => {
      bodies.push(request);
      betas.push(context.headers["anthropic-beta"]);
      return [...(left.shift() ?? [say("done")])];
    },
    { stream },
  );
  const made = bench(model, { cap, model: wire.model, onViolation: "refuse" }, { clock: instantClock() });
  const result = await made.dispatcher.run("go");
  expect(result).toMatchObject({ outcome: "completed", turns: turns.length + 1 });
  return { bodies, betas, results: bodies.slice(1).map(resultsOf), events: made.desktop.events };
}

function withoutCachePoint(block: object): object {
  const { cache_control: _point, ...rest } = block as { readonly cache_control?: unknown };
  return rest;
}

function inGroups<T>(items: readonly T[], size: number): T[][] {
  return items.length === 0 ? [] : [items.slice(0, size) as T[], ...inGroups(items.slice(size), size)];
}

const MODES = WIRES.flatMap((wire) => [
  { wire, stream: false, how: "whole" },
  { wire, stream: true, how: "streamed" },
]);

describe.each(MODES)("$wire.version, $how", ({ wire, stream }) => {
  const { version, model, beta } = wire;
  const isSet = version === SET;

  describe.each(CAPS)("%s", (cap, words) => {
    const isGranted = ({ needs }: Member) => needs.every((word) => words.includes(word));
    const granted = MEMBERS.filter(isGranted);
    const withheld = MEMBERS.filter((member) => !isGranted(member));

    test("offers what the cap grants, runs it, and answers in the version's form", async () => {
      const members = granted.filter((member) => isKnown(version, member));
      const calls = members.map((member) => wireCall(version, member.name, inputFor(version, member)));
      const { bodies, betas, results } = await play(wire, stream, cap, [calls]);
      expect(new Set(betas)).toEqual(new Set([beta]));
      for (const body of bodies) {
        expect(body.model).toBe(model);
        expect(body["stream"] ?? false).toBe(stream);
        expect(body).not.toHaveProperty("betas");
        const disabled = Object.fromEntries(withheld.map(({ name }) => [name, { enabled: false }]));
        expect(body.tools).toEqual([
          isSet
            ? { type: version, ...(withheld.length > 0 ? { configs: disabled } : {}) }
            : {
                type: version,
                name: "computer",
                display_width_px: 400,
                display_height_px: 300,
                ...(version === "computer_20251124" ? { enable_zoom: true } : {}),
              },
        ]);
        const told = withheld.filter((member) => isKnown(version, member)).map(({ name }) => name);
        const system = JSON.stringify(body["system"]);
        if (isSet || told.length === 0) expect(system).not.toContain("may not use here");
        for (const name of isSet ? [] : told)
          expect(system).toMatch(new RegExp(`not use here: [^.]*\\b${name}\\b`));
      }
      expect(results).toHaveLength(1);
      expect(results[0]?.map((one) => one.tool_use_id)).toEqual(calls.map(({ id }) => id));
      results[0]?.forEach((one, index) => {
        expect([members[index]?.name, one.is_error, one.content[0]?.type]).toEqual([
          members[index]?.name,
          undefined,
          members[index]?.answer,
        ]);
        expect(one.toolset_name).toBe(isSet ? "computer" : undefined);
        expect(one.content).toHaveLength(1);
      });
    });

    test("refuses what it withholds and what the version does not know, in words, and does nothing", async () => {
      const unknown = MEMBERS.filter((member) => !isKnown(version, member));
      const refused = [...new Set([...withheld, ...unknown])];
      for (const group of inGroups(refused, 9)) {
        const calls = group.map((member) => wireCall(version, member.name, inputFor(version, member)));
        const { results, events } = await play(
          wire,
          stream,
          cap,
          calls.map((one) => [one]),
        );
        expect(events).toEqual([]);
        results.forEach((answers, index) => {
          const member = group[index];
          expect(answers.map(withoutCachePoint)).toEqual([
            {
              type: "tool_result",
              tool_use_id: calls[index]?.id,
              ...(isSet ? { toolset_name: "computer" } : {}),
              is_error: true,
              content: [
                {
                  type: "text",
                  text:
                    member && unknown.includes(member)
                      ? `There is no such action. Got "${member.name}".`
                      : "This agent may not do that.",
                },
              ],
            },
          ]);
        });
      }
    });
  });

  test("calls in the other style, and names that are none, are refused", async () => {
    const click = { coordinate: [3, 4] };
    const other = isSet ? { name: "computer", input: { action: "left_click", ...click } } : undefined;
    const foreign = other ?? { name: "left_click", toolset_name: "computer", input: click };
    const calls = [
      { type: "tool_use" as const, id: "toolu_x1", ...foreign },
      { type: "tool_use" as const, id: "toolu_x2", name: "left_click", input: click },
      wireCall(version, "fly", {}),
      wireCall(version, "Left_Click", click),
    ];
    const { results, events } = await play(
      wire,
      stream,
      FULL_CAP,
      calls.map((one) => [one as Call]),
    );
    expect(events).toEqual([]);
    expect(results.flat().map((one) => one.is_error)).toEqual([true, true, true, true]);
  });
});

interface FieldRow {
  readonly name: string;
  readonly input: object;
  /** The versions that know the field. */
  readonly known: readonly ToolVersion[];
}

const TOGETHER: readonly ToolVersion[] = WIRES.map(({ version }) => version);
const NOT_FIRST: readonly ToolVersion[] = [SET, "computer_20251124", "computer_20250124"];

const FIELDS: readonly FieldRow[] = [
  { name: "key", input: { text: "a", repeat: 2 }, known: [SET] },
  { name: "key", input: { text: "a", repeat: null }, known: TOGETHER },
  { name: "left_click", input: { coordinate: [3, 4] }, known: NOT_FIRST },
  { name: "left_click", input: { text: "ctrl" }, known: NOT_FIRST },
  { name: "left_click", input: { coordinate: null, text: null }, known: TOGETHER },
  { name: "right_click", input: { coordinate: [3, 4] }, known: NOT_FIRST },
  { name: "middle_click", input: { coordinate: [3, 4] }, known: NOT_FIRST },
  { name: "double_click", input: { coordinate: [3, 4] }, known: NOT_FIRST },
  { name: "triple_click", input: { coordinate: [3, 4], text: "shift" }, known: NOT_FIRST },
  { name: "scroll", input: { scroll_direction: "up", scroll_amount: 1, text: "ctrl" }, known: NOT_FIRST },
  { name: "left_click_drag", input: { start_coordinate: [1, 1], coordinate: [2, 2] }, known: TOGETHER },
  {
    name: "left_click_drag",
    input: { start_coordinate: [1, 1], coordinate: [2, 2], text: "shift" },
    known: NOT_FIRST,
  },
  { name: "left_click_drag", input: { coordinate: [2, 2] }, known: [] },
  { name: "left_mouse_down", input: { coordinate: [2, 2] }, known: [] },
  {
    name: "screenshot",
    input: { action: "screenshot" },
    known: TOGETHER.filter((version) => version !== SET),
  },
];

describe.each(MODES)("fields of $wire.version, $how", ({ wire, stream }) => {
  test.each(FIELDS)("$name $input", async ({ name, input, known }) => {
    const { results } = await play(wire, stream, FULL_CAP, [[wireCall(wire.version, name, input)]]);
    expect(results[0]?.map((one) => one.is_error ?? false)).toEqual([!known.includes(wire.version)]);
  });
});
