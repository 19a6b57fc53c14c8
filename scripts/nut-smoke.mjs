// What the nut driver answers on this machine: a picture, and a pointer that is read back. Nothing is pressed or typed.
// A permission that is missing is told and is no failure; a wrong answer is one. Needs `npm run build`.
import process from "node:process";

/** @param {string} path */
const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { hostDesktop } = await built("runtime/index.js");
const { mintPermitted } = await built("runtime/cap/permitted.js");

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const fail = (/** @type {string} */ line) => {
  say(`✗ ${line}`);
  process.exitCode = 1;
};

/** Opens the display whatever its size is: a wrong size is answered with the right one. */
async function open() {
  const options = /** @type {const} */ ({ driver: "nut", unproved: true });
  try {
    return await hostDesktop(options).open({ size: { width: 1, height: 1 } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, width, height] = /(?:has|over) (\d+) × (\d+) (?:pixels|points)/.exec(message) ?? [];
    if (width === undefined || height === undefined) throw error;
    say(`  ${message}`);
    const size = { width: Number(width), height: Number(height) };
    return hostDesktop({ ...options, size }).open({ size });
  }
}

let session;
try {
  session = await open();
} catch (error) {
  say(`– ${process.platform} ${process.arch}: the display cannot be driven here: ${error}`);
}
if (session) {
  say(`✓ opened: ${session.size.width} × ${session.size.height}, ${session.serverId}`);
  try {
    const frame = await session.perform(mintPermitted({ kind: "capture" }));
    if (frame.kind === "frame")
      say(`✓ a picture of ${frame.png.length} bytes; whether it shows the windows is not known`);
    for (const at of [
      { x: 40, y: 50 },
      { x: session.size.width - 41, y: session.size.height - 51 },
    ]) {
      try {
        const moved = await session.perform(mintPermitted({ kind: "move", at }));
        const same = moved.kind === "delivered" && moved.pointer.x === at.x && moved.pointer.y === at.y;
        if (same) say(`✓ the pointer is at (${at.x}, ${at.y})`);
        else fail(`the pointer was sent to (${at.x}, ${at.y}) and success was reported`);
      } catch (error) {
        say(`– the pointer may not be moved here: ${error}`);
      }
    }
  } catch (error) {
    say(`– no picture may be taken here: ${error}`);
  } finally {
    await session.close();
  }
}
