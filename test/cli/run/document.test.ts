import { describe, expect, it } from "vitest";
import { documentOf, documentOfError } from "../../../src/cli/run/document.js";
import { CapuchinError, ConfigurationError } from "../../../src/diagnostics/errors.js";
import type { RunResult } from "../../../src/runtime/runs/run-result.js";
import { taint } from "../../../src/runtime/runs/tainted.js";

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
const counts = { turns: 1, actions: 2, usage, trace: "/t" };

function failed(code: string, trace = "/t", outcome = "failed"): RunResult {
  return { outcome, error: { code, message: "m", retryable: false }, ...counts, trace } as RunResult;
}

describe("documentOf", () => {
  it("gives the text as a string and says that it is tainted", () => {
    const result: RunResult = { outcome: "completed", value: { a: 1 }, text: taint("hi\u202e"), ...counts };
    expect(documentOf(result, false)).toEqual({
      exitCode: 0,
      document: { outcome: "completed", value: { a: 1 }, text: "hi\u202e", tainted: true, ...counts },
    });
  });

  it("leaves out a value that JSON cannot say, and never opens a tainted one", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const value of [undefined, () => 1, 1n, cyclic]) {
      const { document } = documentOf({ outcome: "completed", value, text: taint(""), ...counts }, false);
      expect(document).not.toHaveProperty("value");
    }
    const tainted: RunResult = { outcome: "completed", value: taint("secret"), text: taint(""), ...counts };
    expect(JSON.stringify(documentOf(tainted, false).document)).not.toContain("secret");
  });

  const codes: readonly (readonly [RunResult, boolean, number])[] = [
    [failed("E_BOUNDS", "/t", "violation"), false, 1],
    [failed("E_QUOTA", "/t", "budget"), false, 1],
    [failed("E_APPROVAL"), false, 1],
    [failed("E_PROTOCOL"), false, 1],
    [failed("E_AUDIT"), false, 1],
    [failed("E_UNSUPPORTED"), false, 1],
    [failed("E_AUDIT", "none"), false, 2],
    [failed("E_UNSUPPORTED"), true, 2],
    [failed("E_SPEC"), false, 2],
    [failed("E_SPEC_DRIFT"), false, 2],
    [failed("E_ENV_DRIFT"), false, 2],
  ];
  it.each(codes)("C-017 %j, display not had: %s, exits %i", (result, environmentFailed, exitCode) => {
    expect(documentOf(result, environmentFailed).exitCode).toBe(exitCode);
  });
});

describe("documentOfError", () => {
  it("tells configuration from failure, of this copy and of another", () => {
    expect(documentOfError(new ConfigurationError("E_CONFIG", "no key"))?.exitCode).toBe(2);
    expect(documentOfError(new CapuchinError("E_PROTOCOL", "x"))?.exitCode).toBe(1);
    const foreign = Object.assign(new Error("x"), { name: "ConfigurationError", code: "E_SPEC" });
    expect(documentOfError(foreign)).toMatchObject({ exitCode: 2, document: { error: { code: "E_SPEC" } } });
  });

  it("does not take a fault of our own for a result", () => {
    expect(documentOfError(new TypeError("x"))).toBeUndefined();
    expect(documentOfError(Object.assign(new Error("x"), { code: "ENOENT" }))).toBeUndefined();
  });
});
