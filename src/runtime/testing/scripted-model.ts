// A model played by a script, over HTTP and the real SDK: the same way that the hosted model goes. The script sees
// what the server received, so that it can know nothing that a model could not.
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { randomId } from "../../base/digest.js";
import { describeValue, quoteText } from "../../base/escape.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import { anthropic } from "../dispatch/anthropic.js";
import { type Dialect, ModelError, type ModelPort } from "../dispatch/model-port.js";
import { type MessagesServer, type ScriptFunction, startMessagesServer } from "./messages-server.js";
import { readScriptReply, type ScriptReply } from "./script-reply.js";

export type { ScriptContext, ScriptFunction, ScriptRequest } from "./messages-server.js";
export type { ScriptReply } from "./script-reply.js";

/** How a script is played. */
export interface ScriptOptions {
  /** Where the script comes from; shown in messages and as the model's id, `script:NAME`. */
  readonly name?: string;
  /** `simple` also knows `done` and `stop` with a `summary`, which no hosted tool has. */
  readonly dialect?: Dialect;
  /** Milliseconds for one request. */
  readonly deadlineMs?: number;
  /** Let the SDK receive replies as streams. */
  readonly stream?: boolean;
}

/** A script: replies in order, or a function from what the server received to a reply. */
export type ScriptSource = readonly ScriptReply[] | ScriptFunction;

/** A model played by a script, asked over HTTP through the real SDK. */
export interface ScriptedModel extends ModelPort {
  /** Requests that the server has received. */
  readonly requests: number;
}

const ENDED: ScriptReply = { content: [{ type: "text", text: "done" }], stop_reason: "end_turn" };

/** Plays a list in order; when it has run out, the model says "done" in words. */
function playList(replies: readonly ScriptReply[], name: string): ScriptFunction {
  replies.forEach((reply, index) => {
    const reading = readScriptReply(reply);
    if (!reading.ok) throw new ConfigurationError("E_SPEC", `${name}, reply ${index + 1}: ${reading.reason}`);
  });
  let next = 0;
  return () => replies[next++] ?? ENDED;
}

/**
 * A model played by a script.
 * @throws ConfigurationError when a listed reply is malformed; it names the script and the reply's number.
 */
export function script(source: ScriptSource, options: ScriptOptions = {}): ScriptedModel {
  const name = options.name ?? "inline";
  const play = typeof source === "function" ? source : playList(source, name);
  const apiKey = randomId("script");
  let started: Promise<{ readonly server: MessagesServer; readonly port: ModelPort }> | undefined;
  let server: MessagesServer | undefined;
  /** Requests of servers that are closed. */
  let earlier = 0;

  async function start() {
    server = await startMessagesServer({ apiKey, play, name });
    const { deadlineMs, stream } = options;
    const port = anthropic({
      apiKey,
      baseURL: server.baseURL,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(stream === undefined ? {} : { stream }),
    });
    return { server, port };
  }

  return {
    id: `script:${name}`,
    ...(options.dialect === undefined ? {} : { dialect: options.dialect }),
    get requests() {
      return earlier + (server?.requests ?? 0);
    },
    async ask(request, signal) {
      started ??= start();
      const running = await started;
      try {
        return await running.port.ask(request, signal);
      } catch (error) {
        // The script's own fault says more than the answer that it led to.
        const { fault } = running.server;
        if (fault && !signal.aborted)
          throw new ModelError("fatal", `the script failed: ${quoteText(fault.message, 400)}`);
        throw error;
      }
    },
    async close() {
      // Asked again later, the script goes on behind a new server.
      const running = await started?.catch(() => undefined);
      started = undefined;
      if (!running) return;
      earlier += running.server.requests;
      server = undefined;
      await running.port.close();
      await running.server.close();
    },
  };
}

/** Imports an ES module for `scriptFile`; `.ts` needs one that compiles. */
export type ModuleLoader = (path: string) => Promise<unknown>;

const FILE_MAX_BYTES = 64 * 1024 * 1024;

function wrong(path: string, why: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError("E_SPEC", `the script ${quoteText(path, 300)} ${why}`, { cause });
}

async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const isAbsent = (error as { code?: unknown }).code === "ENOENT";
    throw wrong(path, isAbsent ? "does not exist" : "cannot be read", error);
  }
  if (text.length > FILE_MAX_BYTES) throw wrong(path, "is too large");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(
      path,
      `is not JSON: ${error instanceof Error ? describeValue(error.message, 200) : "?"}`,
      error,
    );
  }
}

interface LoadedScript {
  readonly source: unknown;
  readonly dialect: unknown;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

async function loadScript(path: string, load: ModuleLoader): Promise<LoadedScript> {
  const kind = extname(path).toLowerCase();
  if (kind === ".json") {
    const value = await readJson(path);
    if (Array.isArray(value)) return { source: value, dialect: undefined };
    return { source: member(value, "replies"), dialect: member(value, "dialect") };
  }
  if (kind !== ".mjs" && kind !== ".js" && kind !== ".ts") {
    throw wrong(path, "must be a .json, .mjs, .js or .ts file");
  }
  let module: unknown;
  try {
    module = await load(path);
  } catch (error) {
    throw wrong(
      path,
      `cannot be loaded: ${error instanceof Error ? describeValue(error.message, 300) : "unknown"}`,
      error,
    );
  }
  return { source: member(module, "default"), dialect: member(module, "dialect") };
}

/**
 * A model played by a file: `.json` is an array of replies, or `{ dialect, replies }`; a module's default export is
 * such an array or a function, and it may export `dialect`.
 * @throws ConfigurationError that names the file, and the reply where one is malformed.
 */
export async function scriptFile(
  path: string,
  options: Omit<ScriptOptions, "name" | "dialect"> & { readonly load?: ModuleLoader } = {},
): Promise<ScriptedModel> {
  const { load = (file) => import(pathToFileURL(file).href), ...rest } = options;
  const { source, dialect } = await loadScript(path, load);
  if (dialect !== undefined && dialect !== "hosted" && dialect !== "simple") {
    throw wrong(path, `declares the dialect ${describeValue(dialect)}; there are "hosted" and "simple"`);
  }
  if (typeof source !== "function" && !Array.isArray(source)) {
    throw wrong(
      path,
      "gives no replies: a .json holds an array of them or { dialect, replies }, a module exports such an array or a function by default",
    );
  }
  return script(source as ScriptSource, {
    ...rest,
    name: basename(path),
    ...(dialect === undefined ? {} : { dialect }),
  });
}
