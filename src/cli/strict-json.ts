// JSON with one meaning: an object that names a member twice is refused, since two parsers would read two things.

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

interface Frame {
  /** Names met so far in an object; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The next string is a name. */
  expectsName: boolean;
}

/** The end of the string token that starts at `start`, in a text that is known to be JSON. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The first name that one object of the text holds twice. The text is known to be JSON. */
function findRepeatedName(text: string): string | undefined {
  const stack: Frame[] = [];
  for (let at = 0; at < text.length; at++) {
    const frame = stack.at(-1);
    switch (text[at]) {
      case "{":
        stack.push({ names: new Set(), expectsName: true });
        break;
      case "[":
        stack.push({ names: undefined, expectsName: false });
        break;
      case "}":
      case "]":
        stack.pop();
        break;
      case ",":
        if (frame?.names) frame.expectsName = true;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (frame?.names && frame.expectsName) {
          // Decoded, since "a" and "\u0061" are one name.
          const name: string = JSON.parse(text.slice(at, end));
          if (frame.names.has(name)) return name;
          frame.names.add(name);
          frame.expectsName = false;
        }
        at = end - 1;
        break;
      }
    }
  }
  return undefined;
}

/** Parses UTF-8 bytes as JSON without repeated names. */
export function parseStrictJson(bytes: Uint8Array): JsonReading {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, reason: "not UTF-8" };
  }
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "not JSON" };
  }
  const repeated = findRepeatedName(text);
  if (repeated !== undefined)
    return { ok: false, reason: `the name ${JSON.stringify(repeated)} occurs twice` };
  return { ok: true, value };
}
