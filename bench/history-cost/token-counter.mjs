// Tokens of one block of a body, by the formulas of the package; the size of a picture is read from its own head.
import { join } from "node:path";

const NO_TOOL = { type: "computer_20241022" };

function sizeOf(base64) {
  const header = Buffer.from(base64.slice(0, 48), "base64");
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

/** Sizes of the pictures in a block. */
export function picturesIn(block) {
  if (block.type === "image") return [sizeOf(block.source.data)];
  return Array.isArray(block.content) ? block.content.flatMap(picturesIn) : [];
}

/** A function from a block and its place (`tools`, `system`, a role) to tokens. `folder`: the built dispatch folder. */
export async function tokenCounter(folder) {
  const { requestTokens, toolTokens } = await import(join(folder, "tokens.js"));
  return (place, block) => {
    if (place === "tools") return toolTokens(block);
    if (place === "system")
      return requestTokens({ system: block.text, tool: NO_TOOL, messages: [] }, []).text;
    const message = { role: place, content: [block] };
    const counted = requestTokens({ system: "", tool: NO_TOOL, messages: [message] }, picturesIn(block));
    return counted.text + counted.images;
  };
}
