// Entry of the driver process: `node driver-process.js` serves the display of DISPLAY over standard input and output;
// with the argument `release` it lets everything go and ends. It ends with its parent, whatever it was doing, and
// always leaves no key and no button down.
import process from "node:process";
import { raceAbort } from "../../../base/abort.js";
import { deadline } from "../../../base/clock.js";
import type { DriverReply } from "../../../contract/driver-protocol.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { failureOf, serveDriver } from "./driver-server.js";
import { releaseEverything } from "./neutral-state.js";
import { XDisplay } from "./x-display.js";
import { XDriver } from "./x-driver.js";

/** Longer than any release takes on a server that answers at all. */
const LAST_RELEASE_MS = 3000;

function reply(message: DriverReply): void {
  // Once the parent is gone nobody reads; the release still matters.
  if (process.stdout.writable) process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function flushed(): Promise<void> {
  await new Promise<void>((resolve) => {
    if (!process.stdout.writable) resolve();
    else process.stdout.write("", () => resolve());
  });
}

async function end(code: number): Promise<never> {
  await flushed().catch(() => {});
  process.exit(code);
}

function displayName(): string {
  const name = process.env["DISPLAY"];
  if (!name) throw new DriverError("E_UNSUPPORTED", "no display is named: DISPLAY is not set", 0);
  return name;
}

async function serve(): Promise<void> {
  const driver = await XDriver.open(displayName());
  const release = async () => {
    const limit = deadline(LAST_RELEASE_MS, new Error("the X server does not answer"));
    await raceAbort(driver.releaseAll(), limit.signal).catch(() => {});
    limit.clear();
  };
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void release().then(() => end(1)));
  }
  process.once("uncaughtException", (error) => {
    reply({ type: "failed", failure: failureOf(error) });
    void release().then(() => end(1));
  });
  void driver.lost.then((reason) => {
    reply({ type: "failed", failure: { code: "E_DISPLAY_LOST", message: reason.slice(0, 2000), events: 0 } });
    return end(3);
  });
  reply({ type: "ready", size: driver.size, serverId: driver.serverId, released: driver.released });
  try {
    await serveDriver(driver, process.stdin, reply);
  } finally {
    await release();
  }
}

async function release(): Promise<void> {
  const display = await XDisplay.open(displayName());
  // The dead driver may have been inside a server grab of somebody else's; a release must get through.
  display.ignoreGrabs(true);
  const released = await releaseEverything(display);
  display.ignoreGrabs(false);
  await display.connection.sync();
  reply({ type: "released", id: 1, released });
}

// A parent that is gone must not end this process through a broken pipe before keys are released.
process.stdout.on("error", () => {});

try {
  await (process.argv[2] === "release" ? release() : serve());
  await end(0);
} catch (error) {
  reply({ type: "failed", failure: failureOf(error) });
  await end(1);
}
