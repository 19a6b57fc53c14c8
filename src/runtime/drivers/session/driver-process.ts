// What every driver process does: serve its driver over standard input and output, or, with the argument `release`,
// let everything go and end. It ends with its parent, whatever it was doing, and leaves no key and no button down.
import process from "node:process";
import { raceAbort } from "../../../base/abort.js";
import { deadline } from "../../../base/clock.js";
import type { DriverReply, Released } from "../../../contract/driver-protocol.js";
import type { Size } from "../../../contract/geometry.js";
import { failureOf, type ServedDriver, serveDriver } from "./driver-server.js";

/** Longer than any release takes on a display that answers at all. */
const LAST_RELEASE_MS = 3000;

/** A driver with the display that it has opened. */
export interface OpenedDriver extends ServedDriver {
  readonly size: Size;
  readonly serverId: string;
  readonly released: Released;
  /** Settles when the display is gone. */
  readonly lost: Promise<string>;
}

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

async function serve(driver: OpenedDriver): Promise<void> {
  const release = async () => {
    const limit = deadline(LAST_RELEASE_MS, new Error("the display does not answer"));
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

/** Runs this process as a driver's, to its end. */
export async function runDriverProcess(driver: {
  open(): Promise<OpenedDriver>;
  release(): Promise<Released>;
}): Promise<never> {
  // A parent that is gone must not end this process through a broken pipe before keys are released.
  process.stdout.on("error", () => {});
  try {
    if (process.argv[2] === "release") {
      reply({ type: "released", id: 1, released: await driver.release() });
    } else {
      await serve(await driver.open());
    }
    return await end(0);
  } catch (error) {
    reply({ type: "failed", failure: failureOf(error) });
    return await end(1);
  }
}
