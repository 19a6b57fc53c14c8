// The cookie of a private display, in a file that only its owner can read.
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";

/** Matches every host, so that the entry serves under any name of the machine. */
const FAMILY_WILD = 0xffff;

function counted(data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  return Buffer.concat([length, data]);
}

/** Writes a new file with one fresh cookie for any display number. */
export function writeAuthorityFile(path: string): void {
  const family = Buffer.alloc(2);
  family.writeUInt16BE(FAMILY_WILD);
  const entry = Buffer.concat([
    family,
    counted(Buffer.alloc(0)),
    counted(Buffer.alloc(0)),
    counted(Buffer.from("MIT-MAGIC-COOKIE-1", "latin1")),
    counted(randomBytes(16)),
  ]);
  writeFileSync(path, entry, { mode: 0o600, flag: "wx" });
}
