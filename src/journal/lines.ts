// Splits a stream of bytes at line feeds with bounded memory: a line over the limit is reported once, by name, and
// its bytes are dropped as they come. Only the line feed ends a line.

export type StreamLine =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** A line longer than the limit; none of it is kept. */
  | { readonly kind: "oversize" }
  /** The last bytes, when no line feed follows them. */
  | { readonly kind: "unterminated"; readonly bytes: Uint8Array };

const LINE_FEED = 0x0a;

function joined(parts: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return parts.length === 0 ? last : Buffer.concat([...parts, last]);
}

/**
 * The lines of a stream, without their line feeds. `oversize` is yielded as soon as the limit is passed, so that a
 * reader may stop there. An oversize line that the end of the stream cuts short is `oversize`, once.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<StreamLine, void, undefined> {
  let parts: Uint8Array[] = [];
  let held = 0;
  let dropping = false;
  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      const found = chunk.indexOf(LINE_FEED, start);
      const end = found === -1 ? chunk.length : found;
      const piece = chunk.subarray(start, end);
      start = end + 1;
      if (!dropping && held + piece.length > maxBytes) {
        dropping = true;
        parts = [];
        held = 0;
        yield { kind: "oversize" };
      }
      if (found === -1) {
        // Copied, because the owner of a chunk may use its memory again; a Buffer's own slice would not copy.
        if (!dropping && piece.length > 0) parts.push(new Uint8Array(piece));
        if (!dropping) held += piece.length;
        continue;
      }
      if (!dropping) yield { kind: "line", bytes: joined(parts, piece) };
      dropping = false;
      parts = [];
      held = 0;
    }
  }
  if (!dropping && held > 0) yield { kind: "unterminated", bytes: joined(parts, new Uint8Array(0)) };
}
