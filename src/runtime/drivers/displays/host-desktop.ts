// The display that a person is using: driven only when it is asked for by name, and only at the size that was agreed.
import process from "node:process";
import type { Size } from "../../../contract/geometry.js";
import { ConfigurationError, DriverError } from "../../../diagnostics/errors.js";
import type { Desktop, DesktopSession } from "../../cap/desktop-port.js";
import { nutOnX11Program, nutProgram } from "../nut/program.js";
import type { DriverProgram } from "../session/driver-link.js";
import { openDriverSession } from "../session/driver-session.js";
import { type DisplayAddress, x11Program } from "../x11/program.js";

/** Which display of this machine is used, and how it is driven. */
export interface HostDesktopOptions {
  /** The display; that of DISPLAY unless told. */
  readonly display?: string;
  /** The file with its cookie; that of XAUTHORITY, else the one in the home directory, unless told. */
  readonly authority?: string;
  /**
   * The display's own size; the one that the agent declares unless told, and the viewport is scaled to it. Where none
   * is declared the display must have exactly the viewport's size.
   */
  readonly size?: Size;
  /**
   * `x11` (the default) on Linux; `nut` there and on macOS and Windows, through the optional package
   * `@nut-tree-fork/nut-js`. What each can do is in docs/platforms.md.
   */
  readonly driver?: HostDriver;
  /** Allows the nut driver on macOS and Windows, where nothing of it was ever proved. */
  readonly unproved?: boolean;
}

/** What drives a display. */
export type HostDriver = "x11" | "nut";

/** The display that a person is using. What an agent does there, it does to that person's programs. */
export function hostDesktop(options: HostDesktopOptions = {}): Desktop {
  return {
    kind: "host",
    async open({ size, display, signal }): Promise<DesktopSession> {
      signal?.throwIfAborted();
      const declared = options.size ?? display;
      const session = await openDriverSession("host", programFor(options, declared), signal);
      const wanted = declared ?? size;
      const { width, height } = session.size;
      if (width !== wanted.width || height !== wanted.height) {
        await session.close();
        throw new DriverError(
          "E_ENV_DRIFT",
          `the display has ${width} × ${height} pixels, ${wanted.width} × ${wanted.height} were declared: declare the display's size, or change the viewport`,
          0,
        );
      }
      return session;
    },
  };
}

function programFor(options: HostDesktopOptions, declared: Size | undefined): DriverProgram {
  const { driver = "x11", unproved = false } = options;
  if (process.platform === "linux") {
    const address = addressOf(options);
    return driver === "nut" ? nutOnX11Program(address, { declared }) : x11Program(address);
  }
  if (driver === "nut") return nutProgram({ declared, unproved });
  throw new ConfigurationError(
    "E_UNSUPPORTED",
    `the x11 driver drives the displays of Linux, this is ${process.platform}: use --driver nut, or the fake desktop`,
  );
}

function addressOf({ display = process.env["DISPLAY"], authority }: HostDesktopOptions): DisplayAddress {
  if (!display) {
    throw new ConfigurationError(
      "E_UNSUPPORTED",
      "the host desktop needs an X display and DISPLAY is not set: start it inside an X session, or use the virtual desktop",
    );
  }
  return { display, authority: authority ?? process.env["XAUTHORITY"] };
}
