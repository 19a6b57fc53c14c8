// Screens of a desktop that is at work: a bar, a mail list, a form that fills up, a dialog now and then, a small photo.
// Everything follows from the scene's number. Text is drawn from made-up glyphs with grey edges, so that the files
// are about as large as those of a real desktop with the same amount of text on it.
import { encode } from "fast-png";

export const SIZE = { width: 1280, height: 800 };

/** A small generator of numbers, the same on every machine. */
function numbers(seed) {
  let state = (seed * 2654435761 + 1) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const GLYPH = { width: 7, height: 11 };
/** 96 glyphs, each a few strokes with half-lit neighbours. */
const GLYPHS = Array.from({ length: 96 }, (_, code) => {
  const next = numbers(code + 17);
  const ink = new Float32Array(GLYPH.width * GLYPH.height);
  const mark = (x, y, value) => {
    if (x < 0 || y < 0 || x >= GLYPH.width || y >= GLYPH.height) return;
    const at = y * GLYPH.width + x;
    ink[at] = Math.max(ink[at], value);
  };
  for (let stroke = 0; stroke < 3 && code > 0; stroke++) {
    const upright = next() < 0.5;
    const from = Math.floor(next() * 3);
    const place = Math.floor(next() * (upright ? GLYPH.width - 2 : GLYPH.height - 2)) + 1;
    for (let at = from; at < (upright ? GLYPH.height - 1 : GLYPH.width - 1); at++) {
      const [x, y] = upright ? [place, at] : [at, place];
      mark(x, y, 0.8 + 0.2 * next());
      mark(x + (upright ? 1 : 0), y + (upright ? 0 : 1), 0.2 + 0.3 * next());
    }
  }
  return ink;
});

class Canvas {
  constructor() {
    this.data = new Uint8Array(SIZE.width * SIZE.height * 3);
  }

  set(x, y, colour) {
    const at = 3 * (y * SIZE.width + x);
    this.data[at] = colour[0];
    this.data[at + 1] = colour[1];
    this.data[at + 2] = colour[2];
  }

  fill(x, y, width, height, colour) {
    for (let row = y; row < Math.min(SIZE.height, y + height); row++)
      for (let column = x; column < Math.min(SIZE.width, x + width); column++) this.set(column, row, colour);
  }

  text(x, y, words, colour = [30, 30, 34], ground = [255, 255, 255]) {
    [...words].forEach((character, index) => {
      const ink = GLYPHS[Math.max(0, character.charCodeAt(0) - 32) % 96];
      for (let row = 0; row < GLYPH.height; row++)
        for (let column = 0; column < GLYPH.width; column++) {
          const amount = ink[row * GLYPH.width + column];
          const at = x + index * GLYPH.width + column;
          if (amount === 0 || at >= SIZE.width) continue;
          this.set(
            at,
            y + row,
            colour.map((part, channel) => Math.round(part * amount + ground[channel] * (1 - amount))),
          );
        }
    });
  }

  window(x, y, width, height, title) {
    this.fill(x - 1, y - 1, width + 2, height + 2, [120, 124, 132]);
    this.fill(x, y, width, 26, [72, 96, 140]);
    this.text(x + 10, y + 8, title, [250, 250, 250], [72, 96, 140]);
    this.fill(x, y + 26, width, height - 26, [255, 255, 255]);
  }

  /** Soft hills of colour with grain, as a scaled photo has them. */
  photo(x, y, width, height, seed) {
    const next = numbers(seed);
    const [a, b, c] = [next() * 6, next() * 6, next() * 6];
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const grain = (next() - 0.5) * 10;
        const wave = (shift, speed) => 120 + 70 * Math.sin(shift + (column * speed + row * 0.9) / 40) + grain;
        this.set(x + column, y + row, [wave(a, 1), wave(b, 0.7), wave(c, 1.3)].map(Math.round));
      }
  }
}

const WORDS =
  "account address amount answer approval archive attached before between booking branch budget calendar change charge city client column comment company contact contract copy country customer date delivery department detail discount document draft due email enter estimate expense field file final folder form freight goods group hotel invoice item journey letter line list manager meeting message minute month name note number office order overview page paid partner payment period person phone place plan please price print product project public quarter question receipt record reference region remark reply report request result return room route sales sample save search section send service sheet ship signed source staff start state status stock street subject summary supplier table task tax team term ticket time title today total travel unit update user value vendor version visit week work year".split(
    " ",
  );

function sentence(next, length) {
  let words = "";
  while (words.length < length) words += `${WORDS[Math.floor(next() * WORDS.length)]} `;
  return words.slice(0, length);
}

/** The PNG of a scene. Neighbouring scenes share most of their pixels; every seventh opens another window. */
export function drawScene(scene) {
  const canvas = new Canvas();
  canvas.fill(0, 0, SIZE.width, SIZE.height, [58, 88, 122]);
  canvas.fill(0, 0, SIZE.width, 28, [38, 40, 46]);
  canvas.text(
    12,
    9,
    `Files   Mail   Calendar   Orders        10:${String(scene % 60).padStart(2, "0")}`,
    [230, 230, 230],
    [38, 40, 46],
  );
  const chapter = Math.floor(scene / 7);
  canvas.window(24, 52, 590, 720, "Mail");
  for (let row = 0; row < 36; row++) {
    const next = numbers(1000 * chapter + row);
    canvas.text(36, 90 + row * 18, sentence(next, 78), row === scene % 36 ? [20, 60, 200] : [40, 40, 44]);
  }
  canvas.window(636, 52, 620, 470, `Order ${4000 + chapter}`);
  for (let row = 0; row < 18; row++) {
    const next = numbers(7000 + 100 * chapter + row);
    canvas.text(650, 92 + row * 24, sentence(next, 18), [90, 90, 96]);
    canvas.fill(800, 88 + row * 24, 440, 18, [244, 246, 250]);
    if (row <= scene % 18) canvas.text(806, 92 + row * 24, sentence(next, 52), [20, 20, 24], [244, 246, 250]);
  }
  canvas.window(636, 546, 620, 226, "Preview");
  canvas.photo(650, 582, 220, 176, chapter);
  for (let row = 0; row < 9; row++)
    canvas.text(884, 590 + row * 18, sentence(numbers(9000 + 10 * scene + row), 50));
  if (scene % 11 === 5) {
    canvas.window(420, 300, 420, 160, "Save changes");
    canvas.text(440, 350, sentence(numbers(scene), 52));
    canvas.fill(560, 410, 100, 30, [72, 96, 140]);
  }
  return encode({ width: SIZE.width, height: SIZE.height, data: canvas.data, channels: 3 });
}
