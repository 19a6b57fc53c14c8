// Xwayland looks like an X server, but only programs of X11 get input through it, and pictures of it are black.
import { DriverError } from "../../../diagnostics/errors.js";
import type { XConnection } from "./connection.js";

/** @throws DriverError E_UNSUPPORTED when the server says that it is Xwayland. */
export async function requireNoWayland(connection: Pick<XConnection, "extension">): Promise<void> {
  const isWayland = await connection.extension("XWAYLAND").then(
    () => true,
    (error: unknown) => {
      if (error instanceof DriverError && error.code === "E_UNSUPPORTED") return false;
      throw error;
    },
  );
  if (!isWayland) return;
  throw new DriverError(
    "E_UNSUPPORTED",
    "this display belongs to a Wayland session (Xwayland): log in to a session of X11, or use the virtual desktop",
    0,
  );
}
