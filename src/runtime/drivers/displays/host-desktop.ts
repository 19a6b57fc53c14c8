// The display that a person is using: driven only when it is asked for by name, and only at the size that was agreed.
import process from "node:process";
import type { Size } from "../../../contract/geometry.js";
import { ConfigurationError, DriverError } from "../../../diagnostics/errors.js";
import type { Desktop, DesktopSession } from "../../cap/desktop-port.js";
import { openDriverSession } from "../session/driver-session.js";
import { x11Program } from "../x11/program.js";

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
  /** Only `x11` is there. */
  readonly driver?: "x11" | "nut";
}

export function hostDesktop(options: HostDesktopOptions = {}): Desktop {
  return {
    kind: "host",
    async open({ size, display: declared, signal }): Promise<DesktopSession> {
      signal?.throwIfAborted();
      requireX11(options);
      const display = options.display ?? process.env["DISPLAY"];
      if (!display) {
        throw new ConfigurationError(
          "E_UNSUPPORTED",
          "the host desktop needs an X display and DISPLAY is not set: start it inside an X session, or use the virtual desktop",
        );
      }
      const authority = options.authority ?? process.env["XAUTHORITY"];
      const session = await openDriverSession("host", x11Program({ display, authority }), signal);
      const wanted = options.size ?? declared ?? size;
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

function requireX11({ driver = "x11" }: HostDesktopOptions): void {
  if (driver === "nut") {
    throw new ConfigurationError(
      "E_UNSUPPORTED",
      "the nut driver is not there yet: use --driver x11 on Linux, or the virtual desktop",
    );
  }
  if (process.platform === "linux") return;
  throw new ConfigurationError(
    "E_UNSUPPORTED",
    `the host desktop is driven over X11, this is ${process.platform}: use the fake desktop`,
  );
}
