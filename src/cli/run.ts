// `capuchin run`: checks and builds a module's project in memory (or takes the spec that is named), and runs an
// agent of it. With --json, one document on standard output says how it ended, whatever happened.
import type { Command } from "commander";
import { escapeText, quoteText } from "../base/escape.js";
import { isRunCode } from "../diagnostics/run-codes.js";
import { describeFault, escapeLines } from "./fault.js";
import { requireFlag } from "./flag-values.js";
import { addHelp, SIGNAL_EXITS } from "./help.js";
import type { CliIo } from "./io.js";
import { EXIT_FAILED, EXIT_USAGE } from "./io.js";
import { jsonDocument } from "./json-text.js";
import { documentOfError, documentOfFailure, type RunDocument, type RunEnd } from "./run/document.js";
import { addRunFlags, judgeFlags, type RunFlags } from "./run/flags.js";
import { coloured, type Paint, plain } from "./run/progress.js";
import { type RunSecrets, readRunSecrets } from "./run/run-secrets.js";
import { formatCount, formatElapsed, tokensOf } from "./run/run-status.js";
import { StopRequest } from "./run/stop-request.js";
import { usesColour } from "./terminal/style.js";
import { UsageError } from "./usage-error.js";

function describeCounts({ turns, actions, usage }: RunDocument, elapsedMs: number | undefined): string {
  const counts = [`${turns} turn${turns === 1 ? "" : "s"}`, `${actions} action${actions === 1 ? "" : "s"}`];
  const tokens = tokensOf(usage);
  if (tokens > 0) counts.push(`${formatCount(tokens)} tokens`);
  if (elapsedMs !== undefined) counts.push(formatElapsed(elapsedMs));
  return counts.join(", ");
}

function describeEnd({ document, elapsedMs }: RunEnd, paint: Paint): string {
  const { outcome, error, text, trace, anchor } = document;
  const why = error ? ` ${error.code}: ${escapeLines(error.message)}` : "";
  // Of a run that did not begin there is nothing to count.
  const counts = trace === "none" ? "" : ` (${describeCounts(document, elapsedMs)})`;
  const painted = paint(outcome === "completed" ? "green" : "red", outcome);
  const lines = [`${painted}${counts}${why}`];
  if (error && isRunCode(error.code)) lines.push(`capuchin explain ${error.code} says what to do`);
  if (text !== undefined && text !== "")
    lines.push(`the model's last words, untrusted: ${quoteText(text, 400)}`);
  if (anchor && anchor.records > 0)
    lines.push(`trace ${escapeText(trace)}: ${anchor.records} records, head ${anchor.head}`);
  return lines.map((line) => `${line}\n`).join("");
}

/** What an error before the run comes to as a result. */
function endOfError(error: unknown, debug: boolean): RunEnd {
  const known = documentOfError(error);
  if (known) return known;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError)
    return documentOfFailure("failed", { code: "E_SPEC", message }, EXIT_USAGE);
  if (error instanceof Error && error.name === "ModuleFailure") {
    return documentOfFailure("failed", { code: "E_STATE", message }, EXIT_FAILED);
  }
  return documentOfFailure(
    "failed",
    { code: "E_INTERNAL", message: describeFault(error, debug) },
    EXIT_USAGE,
  );
}

/** Tells how the run ended. Values are masked before they are laid out, so that JSON stays JSON. */
async function report(end: RunEnd, flags: RunFlags, io: CliIo, secrets?: RunSecrets): Promise<number> {
  const document = secrets ? secrets.redactor.value(end.document) : end.document;
  const { stdout, stderr } = secrets?.io ?? io;
  const toPeople = document.outcome === "completed" && !flags.json ? stdout : stderr;
  const paint = usesColour(toPeople, io.env) ? coloured : plain;
  await toPeople.write(describeEnd({ ...end, document }, paint));
  if (flags.json) await io.stdout.write(jsonDocument(document));
  return end.exitCode;
}

async function run(module: string, flags: RunFlags, io: CliIo): Promise<number> {
  judgeFlags(flags);
  const stop = new StopRequest(io);
  const debug = io.env["CAPUCHIN_DEBUG"] === "1";
  let secrets: RunSecrets;
  try {
    secrets = readRunSecrets(flags, io);
  } catch (error) {
    return report(endOfError(error, debug), flags, io);
  }
  // The checker, the compiler and the loader are loaded for this command only.
  const { executeRun } = await import("./run/execute.js");
  const end = await executeRun(module, flags, secrets, stop).catch((error: unknown) =>
    endOfError(error, debug),
  );
  return report(end, flags, io, secrets);
}

export function registerRun(program: Command, io: CliIo, finish: (code: number) => void): void {
  const command = program.command("run").description("run an agent, every action gated and recorded");
  addRunFlags(command);
  addHelp(command, {
    examples: [
      'capuchin run agent.ts --goal "Enter the order" --app "zenity --entry"',
      "capuchin run agent.ts --goal … --spec computer-use.json --trace runs/1 --json",
      "capuchin run agent.ts --goal … --desktop fake --model script:replies.json",
    ],
    exits: {
      0: "completed",
      1: "ended otherwise: violation, budget, turn limit, refused, failed, …; error.code tells which",
      2: "usage, configuration, no display to be had, or a fault of capuchin itself",
      ...SIGNAL_EXITS,
    },
  });
  command.action(async (module: string, flags: RunFlags) => {
    requireFlag(command, flags.goal, "--goal <text>");
    finish(await run(module, flags, io));
  });
}
