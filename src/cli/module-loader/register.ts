// Turns the module hooks on, once in a process.
import { register } from "node:module";
import { MessageChannel } from "node:worker_threads";
import { type CheckedTexts, serveCompiler } from "./compiler-port.js";
import type { LoaderData } from "./hooks.js";
import type { ModuleProject } from "./project-options.js";

/**
 * From now on, imports compile TypeScript by the project's options, and a file that differs from its checked text is
 * not loaded. The caller ends the process by `exit`.
 */
export function registerModuleLoader(project: ModuleProject, checked: CheckedTexts): void {
  process.setSourceMapsEnabled(true);
  const { options } = project;
  const { port1, port2 } = new MessageChannel();
  serveCompiler(port1, options, checked);
  const data: LoaderData = {
    port: port2,
    fallback: import.meta.url,
    checkedScripts: [...checked.keys()].filter((path) => /\.[cm]?jsx?$/.test(path)),
    mapsSpecifiers: options.paths !== undefined || options.baseUrl !== undefined,
  };
  register("./hooks.js", { parentURL: import.meta.url, data, transferList: [port2] });
}
