// A control session's options over a fake desktop, for tests.
import { type Clock, systemClock } from "../../../src/base/clock.js";
import { digestBytes } from "../../../src/base/digest.js";
import type { ComputerUseOptions } from "../../../src/contract/declaration.js";
import { ComputerCap } from "../../../src/runtime/cap/computer-cap.js";
import type { Desktop } from "../../../src/runtime/cap/desktop-port.js";
import type { ControlSessionOptions } from "../../../src/runtime/control/control-session.js";
import { MemoryJournal } from "../../../src/runtime/control/memory-journal.js";
import { fakeDesktop } from "../../../src/runtime/drivers/index.js";
import { CAPS, entryOf } from "../../adversarial/fixtures.js";

export interface ControlSetup {
  readonly desktop?: Desktop;
  readonly declaration?: ComputerUseOptions;
  readonly journal?: MemoryJournal;
  readonly clock?: Clock;
}

export type TestControlOptions = ControlSessionOptions & { readonly journal: MemoryJournal };

let runs = 0;

export async function controlOptions(setup: ControlSetup = {}): Promise<TestControlOptions> {
  const cap = ComputerCap.fromSpec(entryOf(setup.declaration ?? CAPS.A));
  const desktop = setup.desktop ?? fakeDesktop();
  return {
    cap,
    desktop: await desktop.open({ size: cap.viewport }),
    journal: setup.journal ?? new MemoryJournal(),
    clock: setup.clock ?? systemClock,
    runId: `run-${++runs}`,
    agentId: "Operator",
    policyDigest: digestBytes("policy"),
  };
}
