// Places as reports name them: the file relative to the project's folder with `/`, line and column 1-based,
// columns in UTF-16 code units; a byte order mark counts none.
import { relative } from "node:path";
import { ts } from "ts-morph";
import { escapeText } from "../base/escape.js";
import type { SitedSymbol } from "../contract/agent-spec.js";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Names places relative to one folder. */
export class Places {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The path of a file relative to the project's folder. */
  fileName(file: ts.SourceFile): string {
    return relative(this.#root, file.fileName).replaceAll("\\", "/") || file.fileName;
  }

  position(file: ts.SourceFile, offset: number): Position {
    const { line, character } = ts.getLineAndCharacterOfPosition(file, offset);
    const mark = line === 0 && file.text.startsWith("\uFEFF") ? 1 : 0;
    return { line: line + 1, column: character + 1 - mark };
  }

  /** A node's place with a name for it. */
  site(node: ts.Node, symbol: string): SitedSymbol {
    const file = node.getSourceFile();
    return {
      file: this.fileName(file),
      ...this.position(file, node.getStart(file)),
      symbol: escapeText(symbol),
    };
  }
}

/** The text of a node on one line, cut to a length that fits a message. */
export function shortText(node: ts.Node, limit = 60): string {
  const text = node.getText().replace(/\s+/g, " ");
  const points = [...text];
  return escapeText(points.length > limit ? `${points.slice(0, limit - 1).join("")}…` : text);
}
