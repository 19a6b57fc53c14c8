// Node's module hooks, which run in a thread of their own: TypeScript is compiled as it is imported, and relative
// imports resolve as the checker resolves them. Files of packages (below node_modules) are left to Node. What needs
// a compiler is asked of the main thread, which has one loaded; this thread stays small.
import { readFile, stat } from "node:fs/promises";
import type { InitializeHook, LoadHook, ResolveHook } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { candidatesFor } from "./candidates.js";
import type { CompilerAnswer, CompilerQuestion } from "./compiler-port.js";

export interface LoaderData {
  readonly port: MessagePort;
  /** A file URL inside this package: where `capuchin` is looked for when a module resolves none. */
  readonly fallback: string;
  /** JavaScript files that were checked, by absolute path. */
  readonly checkedScripts: readonly string[];
  /** Whether the project maps bare specifiers to its own files. */
  readonly mapsSpecifiers: boolean;
}

type Asked = CompilerQuestion extends infer Question
  ? Question extends CompilerQuestion
    ? Omit<Question, "id">
    : never
  : never;

let data: LoaderData | undefined;
let lastId = 0;
const waiting = new Map<number, (answer: CompilerAnswer) => void>();

export const initialize: InitializeHook<LoaderData> = (given) => {
  data = given;
  given.port.on("message", (answer: CompilerAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
};

async function ask(question: Asked): Promise<string | undefined> {
  const id = ++lastId;
  const answer = await new Promise<CompilerAnswer>((resolve) => {
    waiting.set(id, resolve);
    data?.port.postMessage({ ...question, id });
  });
  if (answer.problem !== undefined) throw new Error(answer.problem);
  return answer.text;
}

function projectFileOf(url: string | undefined): string | undefined {
  if (!url?.startsWith("file:")) return undefined;
  const path = fileURLToPath(url);
  return /[\\/]node_modules[\\/]/.test(path) ? undefined : path;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function findRelative(specifier: string, parent: string): Promise<string | undefined> {
  const target = new URL(specifier, parent);
  if (target.protocol !== "file:") return undefined;
  for (const path of candidatesFor(fileURLToPath(target))) {
    if (await isFile(path)) return pathToFileURL(path).href;
  }
  return undefined;
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../") || specifier.startsWith("file:");
}

/** Where the project itself says that a specifier leads; undefined leaves it to Node. */
async function findInProject(specifier: string, parentURL: string | undefined): Promise<string | undefined> {
  const parent = projectFileOf(parentURL);
  if (parent === undefined || parentURL === undefined) return undefined;
  if (isRelative(specifier)) return await findRelative(specifier, parentURL);
  if (!data?.mapsSpecifiers || specifier.startsWith("node:")) return undefined;
  const path = await ask({ kind: "resolve", specifier, parent });
  return path === undefined ? undefined : pathToFileURL(path).href;
}

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const found = await findInProject(specifier, context.parentURL);
  if (found !== undefined) return nextResolve(found, context);
  if (specifier !== "capuchin" && !specifier.startsWith("capuchin/")) return nextResolve(specifier, context);
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND" || !data) throw error;
    return nextResolve(specifier, { ...context, parentURL: data.fallback });
  }
};

/** Confirms that JavaScript which Node loads by itself is what was checked. */
async function confirm(path: string, source: unknown): Promise<void> {
  const isBytes = source instanceof Uint8Array;
  // CommonJS comes without its source; then the file is the best there is.
  const text =
    typeof source === "string" ? source : isBytes ? Buffer.from(source).toString("utf8") : undefined;
  await ask({ kind: "confirm", path, text: text ?? (await readFile(path, "utf8")) });
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const path = projectFileOf(url);
  const isScript = path !== undefined && /\.[cm]?tsx?$/.test(path);
  const isJson = path?.endsWith(".json") === true && context.importAttributes?.["type"] !== "json";
  if (path === undefined || (!isScript && !isJson)) {
    const loaded = await nextLoad(url, context);
    if (path !== undefined && data?.checkedScripts.includes(path)) await confirm(path, loaded.source);
    return loaded;
  }
  const text = await readFile(path, "utf8");
  const source = await ask({ kind: isScript ? "compile" : "json", path, text });
  return { format: "module", source: source ?? "", shortCircuit: true };
};
