// The two code tables. Codes are for life: a row that goes or changes its meaning is a decision, made here on purpose.
import { describe, expect, it } from "vitest";
import {
  BUILD_CODE_LIST,
  BUILD_CODES,
  buildMessage,
  isBuildCode,
} from "../../src/diagnostics/build-codes.js";
import {
  CapuchinError,
  ConfigurationError,
  DriverError,
  MissingCapError,
  NoRunError,
  SandboxViolation,
} from "../../src/diagnostics/errors.js";
import { isRunCode, RUN_CODE_LIST, RUN_CODES } from "../../src/diagnostics/run-codes.js";

/** Code, and whether it is only a warning, as the design lists them. */
const BUILD = [
  "CU6017",
  "CU6018",
  "CU6019",
  "CU6020",
  "CU6021",
  "CU6022",
  "CU6023",
  "CU6024",
  "CU6030",
  "CU6031",
  "CU6032",
  "CU6033",
  "CU6034",
  "CU6035",
  "CU6036",
  "CU6039",
  "CU6040",
  "CU6041",
  "CU6042",
  "CU6050",
  "CU6051",
  "CU6052",
];
const WARNINGS = ["CU6039", "CU6041"];

const RUN = [
  "E_SCHEMA",
  "E_UNKNOWN_TOOL",
  "E_UNKNOWN_ACTION",
  "E_GRANT",
  "E_BOUNDS",
  "E_BOUNDS_FOCUS",
  "E_KEY_DENIED",
  "E_KEY_UNKNOWN",
  "E_KEY_UNSUPPORTED",
  "E_TEXT_DENIED",
  "E_TEXT_UNSUPPORTED",
  "E_LIMIT",
  "E_QUOTA",
  "E_TURNS",
  "E_STATE",
  "E_CAP_FORGED",
  "E_CAP_FOREIGN",
  "E_CAP_WIDEN",
  "E_REVOKED",
  "E_SPEC",
  "E_SPEC_DRIFT",
  "E_SPEC_SIG",
  "E_LEASE",
  "E_APPROVAL",
  "E_REPLAY",
  "E_CONFLICT",
  "E_STALE",
  "E_INDETERMINATE",
  "E_ENV_DRIFT",
  "E_AUDIT",
  "E_BACKEND",
  "E_PROTOCOL",
  "E_DISPLAY_LOST",
  "E_STUCK",
  "E_UNSUPPORTED",
  "E_CONFIG",
  "E_INTERNAL",
];

describe("build codes", () => {
  it("are those of the design, each once", () => {
    expect([...BUILD_CODE_LIST].sort()).toEqual([...BUILD].sort());
    expect(BUILD_CODE_LIST.filter((code) => BUILD_CODES[code].severity === "warning")).toEqual(WARNINGS);
  });

  it("have a slug of their own, a title and a message", () => {
    const slugs = BUILD_CODE_LIST.map((code) => BUILD_CODES[code].slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    for (const code of BUILD_CODE_LIST) {
      expect(BUILD_CODES[code].title).toMatch(/^\S.*[^.\s]$/);
      expect(BUILD_CODES[code].message).toMatch(/\S/);
    }
  });

  it("fill every placeholder once, and take no second look at what was filled in", () => {
    expect(buildMessage("CU6019", { option: "width", reason: "must be {got}", got: "5" })).toBe(
      "`width` must be {got} (got 5)",
    );
    expect(buildMessage("CU6040", { code: "$&" })).toContain("$&");
  });

  it("are own keys only", () => {
    for (const name of ["__proto__", "constructor", "CU9999", "cu6017"])
      expect(isBuildCode(name)).toBe(false);
    expect(isBuildCode("CU6017")).toBe(true);
  });
});

describe("run codes", () => {
  it("are those of the design, each once", () => {
    expect([...RUN_CODE_LIST].sort()).toEqual([...RUN].sort());
    for (const name of ["__proto__", "toString", "e_schema"]) expect(isRunCode(name)).toBe(false);
  });

  it("say to the model a fixed phrase without values, names of hosts or limits", () => {
    for (const code of RUN_CODE_LIST) {
      const { toModel, title } = RUN_CODES[code];
      expect(toModel).toMatch(/^[A-Z][A-Za-z ,;+_-]*\.$/);
      expect(toModel).not.toMatch(/[{}<>$\d]/);
      expect(title).toMatch(/^[^.]+$/);
    }
  });

  it("never call something without an effect when it may have had one", () => {
    for (const code of ["E_INDETERMINATE", "E_BACKEND", "E_DISPLAY_LOST", "E_INTERNAL"] as const)
      expect(RUN_CODES[code]).toMatchObject({ effect: "possible", next: "stop" });
    const others = RUN_CODE_LIST.filter((code) => RUN_CODES[code].effect === "possible");
    expect(others).toEqual(["E_INDETERMINATE", "E_BACKEND", "E_DISPLAY_LOST", "E_INTERNAL"]);
  });

  it("stop a run for whatever is wrong with its authority, its trace or its display", () => {
    for (const code of RUN_CODE_LIST) {
      if (!/^E_(?:CAP_|SPEC|AUDIT|REVOKED|LEASE|QUOTA|TURNS|ENV|DISPLAY|BACKEND|STUCK|INDET)/.test(code))
        continue;
      expect(RUN_CODES[code].next, code).toBe("stop");
    }
  });
});

describe("errors", () => {
  it("carry their code, cause and whether to try again", () => {
    const cause = new Error("why");
    const error = new CapuchinError("E_LEASE", "held", { retryable: true, cause });
    expect(error).toMatchObject({ name: "CapuchinError", code: "E_LEASE", retryable: true, cause });
    expect(new CapuchinError("E_LEASE", "held")).toMatchObject({ retryable: false });
    expect("cause" in new CapuchinError("E_LEASE", "held")).toBe(false);
  });

  it.each([
    [new NoRunError("click"), "NoRunError", "E_STATE", /launch/],
    [
      new MissingCapError("Filler", "type", ["computer.input.keyboard"]),
      "MissingCapError",
      "E_GRANT",
      /Filler.*computer\.input\.keyboard.*computer\.type/,
    ],
    [new SandboxViolation("denied_key", "E_KEY_DENIED", "no"), "SandboxViolation", "E_KEY_DENIED", /no/],
    [new ConfigurationError("E_SPEC", "bad"), "ConfigurationError", "E_SPEC", /bad/],
    [new DriverError("E_BACKEND", "broken", 3), "DriverError", "E_BACKEND", /broken/],
  ])("%s tell what they are", (error, name, code, message) => {
    expect(error).toBeInstanceOf(CapuchinError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name, code });
    expect(error.message).toMatch(message);
  });
});
