// How many columns of a terminal a text takes, so that a caret stands under what it points at: tabs are expanded,
// wide characters take two columns, combining marks none.

const TAB = 4;

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const COMBINING = /\p{Mark}/u;

/** The columns of a text that holds no tab. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (COMBINING.test(character)) continue;
    columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}

/** The text with each tab as the blanks up to the next stop, given the column at which it starts. */
export function expandTabs(text: string, startColumn: number): string {
  let out = "";
  let column = startColumn;
  for (const character of text) {
    const piece = character === "\t" ? " ".repeat(TAB - (column % TAB)) : character;
    out += piece;
    column += columnsOf(piece);
  }
  return out;
}
