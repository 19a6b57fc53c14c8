#!/usr/bin/env node
// The executable: nothing but the process around `runCommandLine`.
import { runCommandLine } from "./command-line.js";
import { processIo } from "./process-io.js";

// Taken before any agent's code runs, which loses its own way to end the process.
const exit = process.exit.bind(process);
// Ends the process even when an agent's module left timers or sockets open.
exit(await runCommandLine(process.argv.slice(2), processIo()));
