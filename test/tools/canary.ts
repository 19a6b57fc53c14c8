// Canary texts: put in at one end of the product, looked for in every byte that comes out at the others. The forms
// are made here with Node's own encoders and not with the product's.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { inspect } from "node:util";

/** What a canary looks like in a file: as it is, in JSON, in base64 wherever in a line it starts, in hexadecimal. */
export function canaryForms(canary: string): readonly string[] {
  const bytes = Buffer.from(canary, "utf8");
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    // Without the characters that the bytes around it take part in.
    const core = text.slice(before === 0 ? 0 : before + 1, text.length - 4);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const hex = bytes.toString("hex");
  const json = JSON.stringify(canary).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const printed = inspect(canary).slice(1, -1);
  return [
    ...new Set([canary, json, ascii, printed, encodeURIComponent(canary), hex, hex.toUpperCase(), ...base64]),
  ];
}

/** Every file below a folder. */
export function filesBelow(folder: string): readonly { readonly name: string; readonly bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ name: relative(folder, path), bytes: readFileSync(path) }));
}

/** Where canaries occur: `place: canary`. File names count as content. */
export function findCanaries(
  places: readonly { readonly name: string; readonly bytes: Uint8Array | string }[],
  canaries: Readonly<Record<string, string>>,
): string[] {
  return places.flatMap(({ name, bytes }) => {
    const content = Buffer.concat([Buffer.from(name), Buffer.from([0]), Buffer.from(bytes)]);
    return Object.entries(canaries).flatMap(([what, canary]) =>
      canaryForms(canary)
        .filter((form) => content.includes(form))
        .map((form) => `${name}: ${what} as ${JSON.stringify(form)}`),
    );
  });
}
