// The model and the desktop that the flags name, made by the module's own copy of the runtime.
import { resolve } from "node:path";
import type { Desktop } from "../../runtime/cap/desktop-port.js";
import type { ModelPort } from "../../runtime/dispatch/model-port.js";
import type { CliIo } from "../io.js";
import type { ChosenAgent } from "./choose-agent.js";
import type { RunFlags } from "./flags.js";
import type { Runtime } from "./runtime-copy.js";

async function makePort(runtime: Runtime, flags: RunFlags, io: CliIo): Promise<ModelPort> {
  const choice = flags.model ?? { kind: "anthropic", id: undefined };
  const how = flags.stream ? { stream: true } : {};
  switch (choice.kind) {
    case "anthropic":
      return runtime.anthropicFromEnvironment(
        choice.id === undefined ? how : { ...how, model: choice.id },
        io.env,
      );
    case "script":
      return runtime.scriptFile(resolve(io.cwd, choice.path), how);
    case "replay":
      return runtime.replay(resolve(io.cwd, choice.path));
  }
}

/** The model, recorded where that was asked for. @throws ConfigurationError without a key or a usable script. */
export async function makeModel(runtime: Runtime, flags: RunFlags, io: CliIo): Promise<ModelPort> {
  const port = await makePort(runtime, flags, io);
  return flags.record === undefined ? port : runtime.recordTo(resolve(io.cwd, flags.record), port);
}

/** The desktop; nothing is opened yet. */
export function makeDesktop(runtime: Runtime, flags: RunFlags, agent: ChosenAgent, io: CliIo): Desktop {
  switch (flags.desktop ?? "virtual") {
    case "virtual":
      return runtime.virtualDesktop(flags.app ? { apps: [{ argv: flags.app, cwd: io.cwd }] } : {});
    case "fake":
      return runtime.fakeDesktop();
    case "host":
      return runtime.hostDesktop({
        ...(agent.display ? { size: agent.display } : {}),
        ...(flags.driver ? { driver: flags.driver } : {}),
      });
  }
}
