#!/usr/bin/env node
// The executable: nothing but the process around `runCommandLine`.
import { runCommandLine } from "./command-line.js";
import { processIo } from "./process-io.js";

// Ends the process even when an agent's module left timers or sockets open.
process.exit(await runCommandLine(process.argv.slice(2), processIo()));
