// One run from flags to result: prepare, load, launch, watch, report. Whatever stops it, the display is released and
// the trace is ended before this returns.
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { raceAbort } from "../../base/abort.js";
import { systemClock } from "../../base/clock.js";
import { escapeText } from "../../base/escape.js";
import { requireValue } from "../../base/require.js";
import type { Spec } from "../../contract/agent-spec.js";
import type { Desktop } from "../../runtime/cap/desktop-port.js";
import type { RunResult } from "../../runtime/runs/run-result.js";
import { readTraceFolder } from "../../runtime/store/trace-folder.js";
import { defaultTraceFolder } from "../../runtime/store/trace-journal.js";
import type { CliIo } from "../io.js";
import { EXIT_FAILED, SIGNAL_EXIT } from "../io.js";
import { registerModuleLoader } from "../module-loader/register.js";
import { type ChosenAgent, chooseAgent } from "./choose-agent.js";
import { documentOf, documentOfFailure, type RunEnd } from "./document.js";
import type { RunFlags } from "./flags.js";
import { makeDesktop, makeModel } from "./make-parts.js";
import { prepareSpec, requireModule } from "./prepare.js";
import type { RunSecrets } from "./run-secrets.js";
import { loadRuntimeOf, type Runtime } from "./runtime-copy.js";
import { describeCause, type StopRequest } from "./stop-request.js";
import { Teller } from "./teller.js";

/** A folder name that sorts by time and clashes with none. */
function newTraceName(): string {
  return `${systemClock.now().replaceAll(":", ".")}-${randomBytes(4).toString("hex")}`;
}

async function loadModule(path: string): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("E_")) throw error;
    throw new ModuleFailure(error);
  }
}

/** The module's own code failed while it was loaded. */
export class ModuleFailure extends Error {
  override readonly name = "ModuleFailure";

  constructor(cause: unknown) {
    const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    // Where it happened is worth more than the whole stack; the source map has made it the TypeScript's own place.
    const place =
      cause instanceof Error
        ? /\n {4}(at (?!.*\bnode:internal\/).*)/.exec(cause.stack ?? "")?.[1]
        : undefined;
    const shown = place === undefined ? what : `${what} (${place})`;
    super(`the module could not be loaded: ${shown}`, { cause });
  }
}

/** What one call of the command is about. */
interface Job {
  readonly flags: RunFlags;
  readonly io: CliIo;
  readonly stop: StopRequest;
  readonly teller: Teller;
  /** Declared secrets. */
  readonly secrets: readonly string[];
}

interface Loaded {
  readonly runtime: Runtime;
  readonly agent: ChosenAgent;
}

async function loadAgent(modulePath: string, { flags, teller }: Job): Promise<Loaded> {
  const { runtime, note } = await loadRuntimeOf(modulePath);
  if (note !== undefined) teller.line(`note: ${escapeText(note)}`);
  const agent = chooseAgent(await loadModule(modulePath), runtime.findDeclaration, flags.agent);
  return { runtime, agent };
}

/** The desktop, and whether it was the display itself that could not be had. */
function watchOpening(desktop: Desktop): { readonly desktop: Desktop; failed(): boolean } {
  let failed = false;
  return {
    failed: () => failed,
    desktop: {
      kind: desktop.kind,
      async open(options) {
        try {
          return await desktop.open(options);
        } catch (error) {
          failed = options.signal?.aborted !== true;
          throw error;
        }
      },
    },
  };
}

function stoppedEnd(stop: StopRequest): RunEnd | undefined {
  const { cause } = stop;
  if (!cause) return undefined;
  const message = describeCause(cause);
  switch (cause.kind) {
    case "signal":
      return documentOfFailure("stopped", { code: "E_REVOKED", message }, SIGNAL_EXIT[cause.signal]);
    case "uncaught":
    case "exit":
      return documentOfFailure("failed", { code: "E_STATE", message }, EXIT_FAILED);
    case "unwatched":
      return documentOfFailure("stopped", { code: "E_REVOKED", message }, EXIT_FAILED);
  }
}

/** What a stop from outside makes of a result. */
function endOf(result: RunResult, environmentFailed: boolean, stop: StopRequest): RunEnd {
  const end = documentOf(result, environmentFailed);
  const { cause } = stop;
  if (!cause || cause.kind === "unwatched") return end;
  if (cause.kind === "signal") return { ...end, exitCode: SIGNAL_EXIT[cause.signal] };
  const { text: _text, tainted: _tainted, value: _value, ...document } = end.document;
  const error = { code: "E_STATE", message: describeCause(cause), retryable: false };
  return { document: { ...document, outcome: "failed", error }, exitCode: EXIT_FAILED };
}

async function addAnchor(end: RunEnd): Promise<RunEnd> {
  const { trace } = end.document;
  if (trace === "none" || trace === "memory") return end;
  const report = await readTraceFolder(trace).catch(() => undefined);
  if (!report) return end;
  return { ...end, document: { ...end.document, anchor: { records: report.records, head: report.head } } };
}

/** What the work comes to, or undefined as soon as the run is to be stopped: a module may never finish loading. */
async function unlessStopped<T>(work: Promise<T>, stop: StopRequest): Promise<T | undefined> {
  try {
    return await raceAbort(work, stop.signal);
  } catch (error) {
    if (stop.cause) return undefined;
    throw error;
  }
}

async function launchAgent(loaded: Loaded, spec: Spec, job: Job): Promise<RunEnd> {
  const { flags, io, stop, teller, secrets } = job;
  const { runtime, agent } = loaded;
  const model = await unlessStopped(makeModel(runtime, flags, io, secrets), stop);
  if (!model) return requireValue(stoppedEnd(stop), "a stop has a cause");
  try {
    teller.doing("opening the display");
    const opening = watchOpening(makeDesktop(runtime, flags, agent, io));
    const trace =
      flags.trace === undefined
        ? defaultTraceFolder(newTraceName(), io.env, io.home)
        : resolve(io.cwd, flags.trace);
    teller.line(
      `${escapeText(agent.name)} on the ${opening.desktop.kind} desktop with ${escapeText(model.id)}`,
    );
    const run = runtime.launch(agent.agentClass, {
      goal: flags.goal,
      model,
      spec,
      desktop: opening.desktop,
      trace,
      secrets,
      exportName: agent.exportName,
      onEvent: (event) => teller.event(event),
      ...(flags.traceWords ? { traceWords: "kept" as const } : {}),
      ...(flags.traceFrames === undefined ? {} : { traceFrames: flags.traceFrames }),
      ...(flags.method === undefined ? {} : { method: flags.method }),
      ...(flags.maxTurns === undefined ? {} : { maxTurns: flags.maxTurns }),
    });
    const onStop = () => {
      teller.doing("stopping: letting go of what is held");
      void run.stop(stop.cause ? describeCause(stop.cause) : "stopped");
    };
    stop.signal.addEventListener("abort", onStop, { once: true });
    if (stop.signal.aborted) onStop();
    return await addAnchor(endOf(await run, opening.failed(), stop));
  } finally {
    await model.close();
  }
}

async function execute(module: string, job: Job): Promise<RunEnd> {
  const { flags, io, stop, teller } = job;
  const modulePath = requireModule(io.cwd, module);
  teller.doing(flags.spec === undefined ? "checking the project" : "reading the spec");
  const { project, spec, errors, checkedTexts } = await prepareSpec(modulePath, flags, io, teller);
  if (!spec) {
    const message = `the check found ${errors} error${errors === 1 ? "" : "s"}; nothing was run`;
    return documentOfFailure("failed", { code: "E_SPEC", message }, EXIT_FAILED);
  }
  io.divertForeignOutput(teller.around);
  teller.doing("loading the module");
  registerModuleLoader(project, checkedTexts);
  const loaded = await unlessStopped(loadAgent(modulePath, job), stop);
  return stoppedEnd(stop) ?? (await launchAgent(requireValue(loaded, "a stop has a cause"), spec, job));
}

/** Runs the agent. Rejects for what kept it from being started. */
export async function executeRun(
  module: string,
  flags: RunFlags,
  secrets: RunSecrets,
  stop: StopRequest,
): Promise<RunEnd> {
  const { io, declared } = secrets;
  const teller = new Teller(io.stderr, { env: io.env, onClosed: () => stop.noteUnwatched() });
  try {
    const end = await execute(module, { flags, io, stop, teller, secrets: declared });
    return { ...end, elapsedMs: teller.elapsedMs };
  } finally {
    await teller.end();
    await secrets.flush();
  }
}
