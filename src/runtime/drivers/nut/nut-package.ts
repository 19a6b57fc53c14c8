// The optional package `@nut-tree-fork/nut-js`, loaded on use and only in the driver process: what it loads can end
// its process at any call. Only the version that was measured, and only where its native part exists.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { escapeText } from "../../../base/escape.js";
import { ConfigurationError, DriverError } from "../../../diagnostics/errors.js";

const NAME = "@nut-tree-fork/nut-js";
/** The version that docs/platforms.md speaks of. */
export const NUT_VERSION = "4.2.6";

export interface NutImage {
  readonly width: number;
  readonly height: number;
  /** Rows of `byteWidth` bytes; each pixel blue, green, red and one more. */
  readonly data: Uint8Array;
  readonly channels: number;
  readonly byteWidth: number;
}

export interface NutPackage {
  readonly Key: Readonly<Record<string, number | string>>;
  readonly Button: { readonly LEFT: number; readonly MIDDLE: number; readonly RIGHT: number };
  readonly providerRegistry: {
    getKeyboard(): {
      setKeyboardDelay(ms: number): void;
      pressKey(...keys: number[]): Promise<void>;
      releaseKey(...keys: number[]): Promise<void>;
    };
    getMouse(): {
      setMouseDelay(ms: number): void;
      setMousePosition(to: { readonly x: number; readonly y: number }): Promise<void>;
      currentMousePosition(): Promise<{ readonly x: number; readonly y: number }>;
      pressButton(button: number): Promise<void>;
      releaseButton(button: number): Promise<void>;
      scrollUp(amount: number): Promise<void>;
      scrollDown(amount: number): Promise<void>;
      scrollLeft(amount: number): Promise<void>;
      scrollRight(amount: number): Promise<void>;
    };
    getScreen(): {
      grabScreen(): Promise<NutImage>;
      screenSize(): Promise<{ readonly width: number; readonly height: number }>;
    };
  };
}

/** A machine, as far as it decides whether the package can be loaded. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** The version of glibc that this process runs with; undefined for another C library. */
  readonly glibc: string | undefined;
}

export function thisMachine(): Machine {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return {
    platform: process.platform,
    arch: process.arch,
    glibc: report?.header?.glibcVersionRuntime,
  };
}

/** @throws ConfigurationError E_UNSUPPORTED where the package has no native part, with what to use instead. */
export function requireNutMachine({ platform, arch, glibc }: Machine): void {
  if (platform === "darwin" || platform === "win32") return;
  const refuse = (why: string) =>
    new ConfigurationError(
      "E_UNSUPPORTED",
      `the nut driver cannot run here: ${why}; use the x11 driver (--driver x11)`,
    );
  if (platform !== "linux") throw refuse(`there is no nut-js for ${platform}`);
  if (arch !== "x64") throw refuse(`nut-js for Linux is built for x64 only, this is ${arch}`);
  if (glibc === undefined) throw refuse("nut-js for Linux needs glibc");
}

const require = createRequire(import.meta.url);

/** Looks that the measured version is installed, without loading it. @throws ConfigurationError E_UNSUPPORTED */
export function requireNutInstalled(find: (path: string) => string = require.resolve): void {
  const install = `install it with \`npm install ${NAME}@${NUT_VERSION}\``;
  let version: unknown;
  try {
    version = JSON.parse(readFileSync(find(`${NAME}/package.json`), "utf8")).version;
  } catch (cause) {
    throw new ConfigurationError(
      "E_UNSUPPORTED",
      `the nut driver needs the optional package ${NAME}: ${install}, or use the x11 driver`,
      { cause },
    );
  }
  if (version === NUT_VERSION) return;
  throw new ConfigurationError(
    "E_UNSUPPORTED",
    `the nut driver is proved with ${NAME} ${NUT_VERSION} only, version ${escapeText(String(version)).slice(0, 40)} is installed: ${install}`,
  );
}

/** Loads the package, with its delays switched off. Only for a process that may end at any moment. */
export function loadNut(): NutPackage {
  requireNutMachine(thisMachine());
  requireNutInstalled();
  let nut: NutPackage;
  try {
    nut = require("@nut-tree-fork/nut-js") as NutPackage;
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "";
    throw new DriverError(
      "E_UNSUPPORTED",
      `${NAME} is installed, but its native part cannot be loaded: ${escapeText(why)}`,
      0,
      { cause },
    );
  }
  // Its own are 300 ms a key. They live in this process only and end with it.
  nut.providerRegistry.getKeyboard().setKeyboardDelay(0);
  nut.providerRegistry.getMouse().setMouseDelay(0);
  return nut;
}
