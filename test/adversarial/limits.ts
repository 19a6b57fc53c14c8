// Limits of one action and of a run (rows Q).
import type { RunCodeName } from "../../src/diagnostics/run-codes.js";
import { raw, type Step, step, type Vector, vector } from "./vector.js";

const click = step("left_click", { coordinate: [200, 200] });
const hold = (duration: string) => raw("hold_key", `{"text":"a","duration":${duration}}`);
const wait = (duration: string) => raw("wait", `{"duration":${duration}}`);

const DURATIONS: readonly (readonly [json: string, codes: readonly RunCodeName[]])[] = [
  ["0", ["E_SCHEMA"]],
  ["-1", ["E_SCHEMA"]],
  ["0.009", ["E_SCHEMA"]],
  ["0.0105", ["E_SCHEMA"]],
  ['"1"', ["E_SCHEMA"]],
  ['"NaN"', ["E_SCHEMA"]],
  ["null", ["E_SCHEMA"]],
  ["true", ["E_SCHEMA"]],
  ["[1]", ["E_SCHEMA"]],
  ["10.001", ["E_LIMIT"]],
  ["301", ["E_LIMIT"]],
  ["1e9", ["E_LIMIT"]],
  ["1e400", ["E_LIMIT", "E_SCHEMA"]],
];

const spent = (count: number, of: Step) => Array.from({ length: count }, () => of);

export const LIMIT_VECTORS: readonly Vector[] = [
  vector("Q-001", click, ["E_QUOTA"], click, { cap: "Q", twinCap: "A", before: spent(3, click) }),
  ...["screenshot", "cursor_position"].map((action) =>
    vector("Q-001", step(action), ["E_QUOTA"], step(action), {
      cap: "Q",
      twinCap: "A",
      before: spent(3, click),
    }),
  ),
  vector("Q-005", wait("0"), ["E_QUOTA"], wait("0"), { cap: "Q", twinCap: "A", before: spent(3, wait("0")) }),
  ...["-1", "-0.001", "0.0005", '"0"', "null"].map((json) =>
    vector("Q-005", wait(json), ["E_SCHEMA"], wait("0")),
  ),
  vector("Q-005", step("wait"), ["E_SCHEMA"], wait("0")),
  ...["10.001", "301", "1e9"].map((json) => vector("Q-005", wait(json), ["E_LIMIT"], wait("0.001"))),
  ...DURATIONS.map(([json, codes]) => vector("Q-008", hold(json), codes, hold("0.01"))),
  vector("Q-008", step("hold_key", { text: "a" }), ["E_SCHEMA"], hold("0.5")),
];
