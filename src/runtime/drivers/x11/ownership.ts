// One driver at a time for a display, and one identity for a server. The owner of a selection is a live connection
// by definition: when its driver dies, the server forgets it.
import { Buffer } from "node:buffer";
import { randomId } from "../../../base/digest.js";
import { DriverError } from "../../../diagnostics/errors.js";
import { core } from "./requests.js";
import type { XDisplay } from "./x-display.js";

const OWNER = "_CAPUCHIN_DRIVER";
const IDENTITY = "_CAPUCHIN_SERVER";
const IDENTITY_PATTERN = /^x11-[0-9a-f]{32}$/;
/** The predefined atom of the type STRING. */
const STRING = 31;

/**
 * Takes the display, and gives the identity of its server, the same under whatever name it is reached.
 * @throws DriverError E_LEASE when another driver has it.
 */
export async function takeDisplay(display: XDisplay): Promise<string> {
  const { connection } = display;
  const [selection, property] = await Promise.all([connection.atom(OWNER), connection.atom(IDENTITY)]);
  const window = connection.newId();
  connection.send(core.createHiddenWindow(window, display.root));
  return display.undisturbed(async () => {
    const { body } = await connection.ask(core.getSelectionOwner(selection));
    if (body.readUInt32LE(0) !== 0) {
      throw new DriverError("E_LEASE", "another driver has this display: one run at a time", 0);
    }
    connection.send(core.setSelectionOwner(window, selection));
    const known = (await connection.property(display.root, IDENTITY))?.toString("latin1");
    if (known !== undefined && IDENTITY_PATTERN.test(known)) return known;
    const identity = randomId("x11");
    connection.send(core.changeProperty(display.root, property, STRING, 8, Buffer.from(identity, "latin1")));
    await connection.sync();
    return identity;
  });
}
