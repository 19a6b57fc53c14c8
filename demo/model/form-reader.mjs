// Finds a form in a picture by its pixels alone: entry fields, what is in them, which one has the focus, and the
// buttons below. Light surfaces that a line encloses are the candidates; their shape and shade tell them apart. In a
// picture that was scaled down a line is only a shade darker than what it parts, so a line is whatever is darker than
// both of its sides. Coordinates are those of the picture.

/**
 * @typedef {import("./picture.mjs").Picture} Picture
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ x: number, y: number }} Point
 * @typedef {{ box: Box, centre: Point, ink: number, focused: boolean }} Field
 * @typedef {{ fields: Field[], buttons: { box: Box, centre: Point }[] }} Form
 * @typedef {{ box: Box, pixels: number, white: number }} Surface
 */

// A surface is light when its darkest channel is at least this; the fields are white, the buttons are not.
const LIGHT = 0xd0;
const WHITE = 0xfa;
const DARK = 0xa0;
// By how much a line is darker than its sides, at least; the shading of a button changes more slowly.
const LINE = 6;
// How far from a point its side begins at most: scaled, a line is up to two pixels wide.
const REACH = 2;
const COLOURFUL = 40;
// A caret is one column of ink; writing has more.
const CARET_COLUMNS = 2;

/** The form of the picture with its fields from top to bottom and its buttons from left to right; undefined where
 * the picture shows none. @param {Picture} picture @returns {Form | undefined} */
export function readForm(picture) {
  const surfaces = lightSurfaces(picture);
  const fields = surfaces
    .filter(looksLikeField)
    .map(({ box }) => ({
      box,
      centre: centreOf(box),
      ink: inkColumns(picture, box),
      focused: hasFocusRing(picture, box),
    }))
    .sort((a, b) => a.box.y - b.box.y);
  const last = fields.at(-1);
  if (last === undefined) return undefined;
  const buttons = surfaces
    .filter((surface) => looksLikeButton(surface) && surface.box.y > last.box.y + last.box.height)
    .map(({ box }) => ({ box, centre: centreOf(box) }))
    .sort((a, b) => a.box.x - b.box.x);
  return { fields, buttons };
}

/** Whether a field holds writing; a lone caret is none. @param {Field} field */
export function isFilled(field) {
  return field.ink > CARET_COLUMNS;
}

/** Whether two readings show the same form at the same place. @param {Form} a @param {Form} b */
export function isSamePlace(a, b) {
  const places = [a, b].map((form) => JSON.stringify(form.fields.map(({ centre }) => centre)));
  return places[0] === places[1];
}

/** @param {Surface} surface */
function looksLikeField({ box, pixels, white }) {
  return (
    box.width >= 50 &&
    box.height >= 9 &&
    box.height <= 60 &&
    box.width > 2 * box.height &&
    pixels >= 0.4 * box.width * box.height &&
    white >= 0.8 * pixels
  );
}

/** @param {Surface} surface */
function looksLikeButton({ box, pixels, white }) {
  return (
    box.width >= 20 &&
    box.height >= 9 &&
    box.height <= 60 &&
    pixels >= 0.5 * box.width * box.height &&
    white < 0.5 * pixels
  );
}

/** Connected light surfaces (4 neighbours), found by filling. @param {Picture} picture @returns {Surface[]} */
function lightSurfaces(picture) {
  const { width, height } = picture;
  const shades = new Uint8Array(width * height);
  for (let at = 0; at < shades.length; at += 1) shades[at] = darkestAt(picture, at);
  const seen = new Uint8Array(width * height);
  // What is dark or part of a line is done with from the start.
  for (let at = 0; at < seen.length; at += 1) {
    if ((shades[at] ?? 0) < LIGHT || isLine(shades, width, at)) seen[at] = 1;
  }
  /** @type {Surface[]} */
  const surfaces = [];
  for (let start = 0; start < width * height; start += 1) {
    if (seen[start] === 0) surfaces.push(fillFrom(picture, start, seen));
  }
  return surfaces;
}

/** Whether the point is darker than both of its sides, in any of four directions.
 * @param {Uint8Array} shades @param {number} width @param {number} at */
function isLine(shades, width, at) {
  return (
    isDarkerThanSides(shades, at, 1) ||
    isDarkerThanSides(shades, at, width) ||
    isDarkerThanSides(shades, at, width + 1) ||
    isDarkerThanSides(shades, at, width - 1)
  );
}

/** @param {Uint8Array} shades @param {number} at @param {number} step */
function isDarkerThanSides(shades, at, step) {
  const enough = (shades[at] ?? 0) + LINE;
  return reaches(shades, at, -step, enough) && reaches(shades, at, step, enough);
}

/** @param {Uint8Array} shades @param {number} at @param {number} step @param {number} enough */
function reaches(shades, at, step, enough) {
  for (let away = 1; away <= REACH; away += 1) if ((shades[at + away * step] ?? 0) >= enough) return true;
  return false;
}

/** @param {Picture} picture @param {number} start @param {Uint8Array} seen @returns {Surface} */
function fillFrom(picture, start, seen) {
  const { width, height } = picture;
  const stack = [start];
  seen[start] = 1;
  let [left, top, right, bottom, pixels, white] = [width, height, 0, 0, 0, 0];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const x = at % width;
    const y = (at - x) / width;
    pixels += 1;
    if (darkestAt(picture, at) >= WHITE) white += 1;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    const next = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width];
    for (const near of next) {
      if (near < 0 || near >= width * height || seen[near] !== 0) continue;
      seen[near] = 1;
      stack.push(near);
    }
  }
  const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  return { box, pixels, white };
}

/** Columns of a field with dark pixels. @param {Picture} picture @param {Box} box */
function inkColumns(picture, box) {
  let columns = 0;
  for (let x = box.x + 2; x < box.x + box.width - 2; x += 1) {
    let dark = false;
    for (let y = box.y + 2; y < box.y + box.height - 2 && !dark; y += 1) {
      dark = darkestAt(picture, y * picture.width + x) < DARK;
    }
    if (dark) columns += 1;
  }
  return columns;
}

/** Whether the line around the box is coloured: the focused field's is, the others' are grey.
 * @param {Picture} picture @param {Box} box */
function hasFocusRing(picture, { x, y, width, height }) {
  const middle = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
  const outside = [1, 2, 3];
  const sides = [
    outside.map((away) => ({ x: middle.x, y: y - away })),
    outside.map((away) => ({ x: middle.x, y: y + height - 1 + away })),
    outside.map((away) => ({ x: x - away, y: middle.y })),
    outside.map((away) => ({ x: x + width - 1 + away, y: middle.y })),
  ];
  return sides.every((side) => side.some((point) => colourfulness(picture, point) > COLOURFUL));
}

/** @param {Picture} picture @param {Point} point */
function colourfulness({ width, height, channels, data }, { x, y }) {
  if (x < 0 || y < 0 || x >= width || y >= height) return 0;
  const offset = (y * width + x) * channels;
  const rgb = [...data.subarray(offset, offset + 3)];
  return Math.max(...rgb) - Math.min(...rgb);
}

/** @param {Picture} picture @param {number} pixel */
function darkestAt({ channels, data }, pixel) {
  const offset = pixel * channels;
  return Math.min(data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0);
}

/** @param {Box} box @returns {Point} */
function centreOf({ x, y, width, height }) {
  return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
}
