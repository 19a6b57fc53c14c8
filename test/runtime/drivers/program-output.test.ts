import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { EscapedLines } from "../../../src/runtime/drivers/displays/program-output.js";

async function through(...chunks: readonly Uint8Array[]): Promise<string> {
  const lines = new EscapedLines();
  let out = "";
  lines.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  await once(lines, "end");
  return out;
}

describe("what a program writes", () => {
  it("comes as whole lines, escaped, wherever its bytes were cut [C-002]", async () => {
    const bytes = Buffer.from("ok é日\r\n\u001b]52;c;eA==\u0007\n\u202e\tend");
    const expected = "ok é日\n\\u{1b}]52;c;eA==\\u{7}\n\\u{202e}\\u{9}end\n";
    expect(await through(bytes)).toBe(expected);
    expect(await through(...[...bytes].map((byte) => Uint8Array.of(byte)))).toBe(expected);
  });

  it("is held for no line without end", async () => {
    const out = await through(Buffer.alloc(10_000, 0x78));
    expect(out.split("\n").map((line) => line.length)).toEqual([4000, 4000, 2000, 0]);
  });

  it("is replaced where it is no UTF-8, and nothing where there is none", async () => {
    expect(await through(Uint8Array.of(0x61, 0xff, 0x9b, 0x0a))).toBe("a\ufffd\ufffd\n");
    expect(await through()).toBe("");
  });
});
