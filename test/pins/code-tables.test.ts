// The codes that others store and compare. A red pin means: decide, note it in CHANGELOG.md, then change the pin.
import { expect, test } from "vitest";
import { BUILD_CODES } from "../../src/diagnostics/build-codes.js";
import { RUN_CODES } from "../../src/diagnostics/run-codes.js";

test("build codes: number, severity, slug", () => {
  const table = Object.entries(BUILD_CODES).map(
    ([code, { severity, slug }]) => `${code} ${severity} ${slug}`,
  );
  expect(table).toEqual([
    "CU6017 error missing-cap",
    "CU6018 error malformed-cap",
    "CU6019 error malformed-dimension",
    "CU6020 error not-an-agent",
    "CU6021 error not-static",
    "CU6022 error unknown-option",
    "CU6023 error invalid-limit",
    "CU6024 error duplicate-agent",
    "CU6030 error missing-word",
    "CU6031 error cannot-prove",
    "CU6032 error handle-escapes",
    "CU6033 error dynamic-code",
    "CU6034 error no-summary",
    "CU6035 error outside-agent",
    "CU6036 error child-beyond-parent",
    "CU6039 warning unused-word",
    "CU6040 error suppression-without-reason",
    "CU6041 warning unused-suppression",
    "CU6042 error unknown-suppression",
    "CU6050 error parse-error",
    "CU6051 error project",
    "CU6052 error stale-spec",
  ]);
});

test("run codes: name, what happens next, whether events may have been sent", () => {
  const table = Object.entries(RUN_CODES).map(([code, { next, effect }]) => `${code} ${next} ${effect}`);
  expect(table).toEqual([
    "E_SCHEMA refuse none",
    "E_UNKNOWN_TOOL refuse none",
    "E_UNKNOWN_ACTION refuse none",
    "E_GRANT refuse none",
    "E_BOUNDS refuse none",
    "E_BOUNDS_FOCUS refuse none",
    "E_KEY_DENIED refuse none",
    "E_KEY_UNKNOWN refuse none",
    "E_KEY_UNSUPPORTED refuse none",
    "E_TEXT_DENIED refuse none",
    "E_TEXT_UNSUPPORTED refuse none",
    "E_LIMIT refuse none",
    "E_QUOTA stop none",
    "E_TURNS stop none",
    "E_STATE refuse none",
    "E_CAP_FORGED stop none",
    "E_CAP_FOREIGN stop none",
    "E_CAP_WIDEN stop none",
    "E_REVOKED stop none",
    "E_SPEC stop none",
    "E_SPEC_DRIFT stop none",
    "E_SPEC_SIG stop none",
    "E_LEASE stop none",
    "E_APPROVAL ask none",
    "E_REPLAY refuse none",
    "E_CONFLICT refuse none",
    "E_STALE refuse none",
    "E_INDETERMINATE stop possible",
    "E_ENV_DRIFT stop none",
    "E_AUDIT stop none",
    "E_BACKEND stop possible",
    "E_PROTOCOL retry none",
    "E_DISPLAY_LOST stop possible",
    "E_STUCK stop none",
    "E_UNSUPPORTED refuse none",
    "E_CONFIG stop none",
    "E_INTERNAL stop possible",
  ]);
});
