// The model and the desktop that the flags name, made by the module's own copy of the runtime.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { quoteText } from "../../base/escape.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import type { Desktop } from "../../runtime/cap/desktop-port.js";
import type { ModelPort } from "../../runtime/dispatch/model-port.js";
import type { CliIo } from "../io.js";
import type { ChosenAgent } from "./choose-agent.js";
import { requireProgram } from "./find-program.js";
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
      return runtime.replay(requireRecording(resolve(io.cwd, choice.path)));
  }
}

/** @throws ConfigurationError when the folder holds no recording, which else would be found out in mid-run only. */
function requireRecording(folder: string): string {
  if (existsSync(join(folder, "reply-00001.json"))) return folder;
  throw new ConfigurationError(
    "E_CONFIG",
    `${quoteText(folder, 300)} holds no recording (there is no reply-00001.json); capuchin run --record DIR makes one`,
  );
}

/** The program of `--app` by its absolute path. */
function appOf([name = "", ...words]: readonly string[], io: CliIo): { argv: string[]; cwd: string } {
  return { argv: [requireProgram(name, io), ...words], cwd: io.cwd };
}

/** The model, recorded where that was asked for. @throws ConfigurationError without a key or a usable script. */
export async function makeModel(
  runtime: Runtime,
  flags: RunFlags,
  io: CliIo,
  secrets: readonly string[],
): Promise<ModelPort> {
  const port = await makePort(runtime, flags, io);
  return flags.record === undefined
    ? port
    : runtime.recordTo(resolve(io.cwd, flags.record), port, { secrets });
}

/** The desktop; nothing is opened yet. */
export function makeDesktop(runtime: Runtime, flags: RunFlags, agent: ChosenAgent, io: CliIo): Desktop {
  switch (flags.desktop ?? "virtual") {
    case "virtual":
      return runtime.virtualDesktop({
        ...(flags.app ? { apps: [appOf(flags.app, io)] } : {}),
        ...(flags.driver ? { driver: flags.driver } : {}),
      });
    case "fake":
      return runtime.fakeDesktop();
    case "host":
      return runtime.hostDesktop({
        ...(agent.display ? { size: agent.display } : {}),
        ...(flags.driver ? { driver: flags.driver } : {}),
        ...(flags.unproved ? { unproved: true } : {}),
      });
  }
}
