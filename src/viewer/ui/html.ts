// HTML that is safe by construction: text and attribute values are escaped when an element is made, and there is no
// way to put a text in raw but the two that hold the page's own script and style. Names of elements, attributes,
// classes and ids come from this folder's code, never from a trace.
import { escapeText } from "../../base/escape.js";

/** Finished markup. Only this file makes it. */
export class Html {
  readonly text: string;
  /** @internal */
  constructor(text: string, key: symbol) {
    if (key !== MAKER) throw new TypeError("markup is made by h(), asset() and island()");
    this.text = text;
  }
}

const MAKER = Symbol("maker");

export type Child = Html | string | number | undefined | false | readonly Child[];
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Somebody's text as the page shows it: invisible and reordering characters by code point, then as HTML text. Written
 * in ASCII alone, which a browser reads a good deal faster where there are many megabytes of it.
 */
export function escapeHtml(text: string): string {
  return escapeText(text).replace(
    /[&<>"']|[^\x20-\x7e]/gu,
    (character) => ENTITIES[character] ?? `&#${character.codePointAt(0)};`,
  );
}

const VOID = new Set(["meta", "img", "input", "br"]);

function textOf(child: Child): string {
  if (child === undefined || child === false) return "";
  if (child instanceof Html) return child.text;
  if (typeof child === "string" || typeof child === "number") return escapeHtml(String(child));
  return child.map(textOf).join("");
}

function attributeText([name, value]: [string, string | number | boolean | undefined]): string {
  if (value === undefined || value === false) return "";
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
}

/** An element with escaped attributes and children. */
export function h(name: string, attributes: Attributes, ...children: Child[]): Html {
  const open = `<${name}${Object.entries(attributes).map(attributeText).join("")}>`;
  if (VOID.has(name)) return new Html(open, MAKER);
  return new Html(`${open}${textOf(children)}</${name}>`, MAKER);
}

/** Several pieces of markup, one after the other. */
export function all(...children: Child[]): Html {
  return new Html(textOf(children), MAKER);
}

/** An element's opening tag alone, for what is written in pieces; `close` ends it. */
export function open(name: string, attributes: Attributes): Html {
  return new Html(`<${name}${Object.entries(attributes).map(attributeText).join("")}>`, MAKER);
}

export function close(name: string): Html {
  return new Html(`</${name}>`, MAKER);
}

/** The page's own script or style. @throws TypeError when the text would end its element. */
export function asset(name: "script" | "style", text: string): Html {
  if (/<\/|<!--/.test(text)) throw new TypeError(`the ${name} of the page must not hold markup`);
  return new Html(`<${name}>${text}</${name}>`, MAKER);
}

/** JSON for the page's script: nothing in it can end the element, open a comment or break a line. */
export function island(id: string, value: unknown): Html {
  const json = JSON.stringify(value).replace(
    /[<>&'\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new Html(`<script type="application/json" id="${id}">${json}</script>`, MAKER);
}
