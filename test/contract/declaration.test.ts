// The options of @computerUse: for each a good value, bad values, and what is said of them.
import { describe, expect, it } from "vitest";
import { checkDeclaration, OPTION_NAMES } from "../../src/contract/declaration.js";

const CAP = "computer.screen + computer.input";

function problemsOf(options: unknown) {
  return checkDeclaration(options).problems;
}

describe("defaults", () => {
  it("are those of the design", () => {
    const { declaration, problems } = checkDeclaration({ cap: CAP });
    expect(problems).toEqual([]);
    expect(declaration).toMatchObject({
      name: undefined,
      width: 1024,
      height: 768,
      capText: CAP,
      capability: "computer.input + computer.screen",
      bounds: { x: 0, y: 0, width: 1024, height: 768 },
      maxActions: undefined,
      maxEvents: 10_000,
      maxTurns: 30,
      maxSeconds: undefined,
      maxTokens: undefined,
      onViolation: "abort",
      display: undefined,
      allowKeys: [],
    });
    expect(declaration?.denyKeys).toHaveLength(19);
  });

  it("count an undefined option as absent", () => {
    const absent = Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined]));
    expect(checkDeclaration({ ...absent, cap: CAP }).declaration).toEqual(
      checkDeclaration({ cap: CAP }).declaration,
    );
    expect(problemsOf({ cap: undefined })).toMatchObject([
      { code: "CU6017", got: "nothing", reason: "is missing" },
    ]);
  });
});

const GOOD: readonly (readonly [option: string, value: unknown])[] = [
  ["width", 1],
  ["width", 16_384],
  ["width", 1280.0],
  ["height", 768],
  ["name", "_Browser9"],
  ["name", "A".repeat(128)],
  ["model", "claude-opus-5-5"],
  ["bounds", { x: 0, y: 0, width: 1024, height: 768 }],
  ["bounds", { x: 1023, y: 767, width: 1, height: 1 }],
  ["denyKeys", []],
  ["denyKeys", ["ctrl+w", "F13"]],
  ["allowKeys", ["alt+Tab", "super", "alt"]],
  ["maxActions", 0],
  ["maxActions", 1_000_000],
  ["maxEvents", 1],
  ["maxTurns", 1],
  ["maxTurns", 10_000],
  ["maxSeconds", 1],
  ["maxTokens", 1],
  ["onViolation", "refuse"],
  ["display", { width: 1920, height: 1080 }],
];

const SIDES = [0, -1, 16_385, 1.5, "1280", Number.NaN, Number.POSITIVE_INFINITY, null, true, [5], {}];
const COUNTS = [-1, 1.5, "20", null, Number.NaN, Number.POSITIVE_INFINITY, 9_007_199_254_740_992, [1], true];

const BAD: readonly (readonly [option: string, code: string, values: readonly unknown[], reason: RegExp])[] =
  [
    ["width", "CU6019", SIDES, /^must be a positive integer from 1 to 16384$/],
    ["height", "CU6019", SIDES, /^must be a positive integer from 1 to 16384$/],
    ["name", "CU6023", ["", "9a", "a-b", "a b", "\u00e9", "A".repeat(129), 5, null], /letters, digits and _/],
    ["model", "CU6023", ["", " x", "a b", "$(id)", "a\n", 5, null, "x".repeat(129)], /model id/],
    [
      "bounds",
      "CU6023",
      [
        [],
        {},
        null,
        [0, 0, 10, 10],
        "0,0,10,10",
        { x: 0, y: 0, width: 0, height: 1 },
        { x: 0.5, y: 0, width: 1, height: 1 },
      ],
      /\{ x, y, width, height \}/,
    ],
    [
      "bounds",
      "CU6023",
      [
        { x: 0, y: 0, width: 1025, height: 768 },
        { x: 1024, y: 0, width: 1, height: 1 },
        { x: 1, y: 1, width: 1024, height: 768 },
      ],
      /inside the viewport, x 0–1023, y 0–767$/,
    ],
    [
      "denyKeys",
      "CU6023",
      ["ctrl+w", {}, null, 5, Array.from({ length: 257 }, () => "a")],
      /array of at most 256/,
    ],
    ["denyKeys", "CU6023", [["ctrl+*"], ["ctrl + w"], ["bogus"]], /key table/],
    ["denyKeys", "CU6023", [[""]], /must not be empty/],
    ["denyKeys", "CU6023", [[5], [null], [["a"]]], /must be a key text/],
    ["denyKeys", "CU6023", [["a+b"]], /at most one key/],
    ["allowKeys", "CU6023", [["ctrl+*"]], /key table/],
    ["maxActions", "CU6023", [...COUNTS, 1_000_001], /^must be an integer from 0 to 1000000$/],
    ["maxEvents", "CU6023", [...COUNTS, 0], /^must be an integer from 1 to/],
    ["maxTurns", "CU6023", [...COUNTS, 0, 10_001], /^must be an integer from 1 to 10000$/],
    ["maxSeconds", "CU6023", [...COUNTS, 0], /^must be an integer from 1 to/],
    ["maxTokens", "CU6023", [...COUNTS, 0], /^must be an integer from 1 to/],
    ["onViolation", "CU6023", ["Abort", "ignore", "", true, null], /"abort" or "refuse"/],
    [
      "display",
      "CU6023",
      [[], {}, null, { width: 0, height: 1 }, { width: 1, height: 1, x: 0 }],
      /\{ width, height \}/,
    ],
    ["cap", "CU6017", ["", "  ", "\n"], /^is blank$/],
    ["cap", "CU6018", [5, null, true, [], {}, ["computer.screen"]], /must be a string/],
    ["cap", "CU6018", ["computer.screen +", "+ computer.screen"], /empty word beside a \+/],
    ["cap", "CU6018", ["computer screen", "a-b"], /no dotted word/],
    ["cap", "CU6018", ["computer.inptu", "a", "fs.write"], /not in the vocabulary/],
  ];

describe("each option", () => {
  it.each(GOOD)("takes %s %j", (option, value) => {
    const { declaration, problems } = checkDeclaration({ cap: CAP, [option]: value });
    expect(problems).toEqual([]);
    if (!["bounds", "denyKeys", "allowKeys", "display"].includes(option))
      expect((declaration as unknown as Record<string, unknown>)[option]).toBe(value);
  });

  const rows = BAD.flatMap(([option, code, values, reason]) =>
    values.map((value) => [option, value, code, reason] as const),
  );
  it.each(rows)("refuses %s %j with %s", (option, value, code, reason) => {
    const { declaration, problems } = checkDeclaration({ cap: CAP, [option]: value });
    expect(declaration).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code, option, reason: expect.stringMatching(reason) });
    expect(problems[0]?.got).not.toBe("");
  });

  it("is tried by a good and a bad value", () => {
    for (const name of OPTION_NAMES) {
      expect(
        BAD.some(([option]) => option === name),
        name,
      ).toBe(true);
      expect(name === "cap" || GOOD.some(([option]) => option === name), name).toBe(true);
    }
  });
});

describe("problems", () => {
  it("are all reported, in the order of the options, a missing cap last", () => {
    const options = { width: 0, bonds: 1, maxTurns: 0, denyKeys: ["x y"], onViolation: "never" };
    expect(problemsOf(options).map((problem) => [problem.code, problem.option])).toEqual([
      ["CU6019", "width"],
      ["CU6022", "bonds"],
      ["CU6023", "maxTurns"],
      ["CU6023", "denyKeys"],
      ["CU6023", "onViolation"],
      ["CU6017", "cap"],
    ]);
  });

  it.each([
    ["width 0 before a bad cap", { width: 0, cap: "a-b" }, ["CU6019", "CU6018"]],
    ["a bad cap before width 0", { cap: "a-b", width: 0 }, ["CU6018", "CU6019"]],
    ["nothing at all", {}, ["CU6017"]],
  ])("come in source order: %s", (_what, options, codes) => {
    expect(problemsOf(options).map((problem) => problem.code)).toEqual(codes);
  });

  it.each([
    ["bonds", "bounds"],
    ["Width", "width"],
    ["heigth", "height"],
    ["maxTurn", "maxTurns"],
    ["denykeys", "denyKeys"],
    ["capability", undefined],
    ["__proto__", undefined],
    ["constructor", undefined],
    ["quota", undefined],
  ])("an unknown option %s is named, with the likely one", (option, suggestion) => {
    const options: Record<string, unknown> = { cap: CAP };
    Object.defineProperty(options, option, { value: 1, enumerable: true, configurable: true });
    const [problem] = problemsOf(options);
    expect(problem).toMatchObject({ code: "CU6022", option });
    expect(problem?.suggestion).toBe(suggestion);
  });

  it.each([undefined, null, 5, "computer.screen", [], () => 1])(
    "an argument that is no object is refused: %o",
    (options) => {
      expect(problemsOf(options)).toMatchObject([{ code: "CU6017" }]);
    },
  );

  it("judges bounds against the declared size, and not at all when the size is wrong", () => {
    const bounds = { x: 0, y: 0, width: 1280, height: 800 };
    expect(problemsOf({ cap: CAP, width: 1280, height: 800, bounds })).toEqual([]);
    expect(problemsOf({ cap: CAP, width: 1279, height: 800, bounds })).toHaveLength(1);
    expect(problemsOf({ cap: CAP, width: 0, height: 800, bounds }).map((problem) => problem.code)).toEqual([
      "CU6019",
    ]);
  });

  it("shows the value escaped and cut", () => {
    const [problem] = problemsOf({ cap: `computer.\u202e${"x".repeat(500)}` });
    expect(problem?.got).toContain("\\u{202e}");
    expect(problem?.got.length).toBeLessThan(160);
  });
});

describe("keys", () => {
  it("are canonical, sorted and without repeats, whatever was written", () => {
    const { declaration } = checkDeclaration({
      cap: CAP,
      denyKeys: ["Ctrl+W", "w+control", "ALT+ctrl+del"],
      allowKeys: ["Tab+alt"],
    });
    expect(declaration?.denyKeys.filter((key) => key === "ctrl+w")).toEqual(["ctrl+w"]);
    expect(declaration?.denyKeys).not.toContain("alt+Tab");
    expect(declaration?.allowKeys).toEqual(["alt+Tab"]);
    expect([...(declaration?.denyKeys ?? [])].sort()).toEqual(declaration?.denyKeys);
  });
});
