// The mentions of a whole program, by name, with the renamings that lead from one name to another.
import type { ts } from "ts-morph";
import { type FileIndex, indexFile, type MentionNode } from "./file-index.js";

export interface ProgramIndex {
  readonly files: readonly FileIndex[];
  readonly byFile: ReadonlyMap<ts.SourceFile, FileIndex>;
  /** Every node that may mention something of that name, under its own name or one it was renamed to. */
  mentionsOf(name: string): readonly MentionNode[];
}

/** Indexes the files that are checked. */
export function indexProgram(sources: readonly ts.SourceFile[]): ProgramIndex {
  const files = sources.map(indexFile);
  const byFile = new Map(files.map((index) => [index.file, index]));
  const renamed = new Map<string, Set<string>>();
  const mentions = new Map<string, MentionNode[]>();
  for (const index of files) {
    for (const [from, to] of index.aliases) {
      const known = renamed.get(from);
      if (known) known.add(to);
      else renamed.set(from, new Set([to]));
    }
    for (const [name, nodes] of index.mentions) {
      const known = mentions.get(name);
      if (known) known.push(...nodes);
      else mentions.set(name, [...nodes]);
    }
  }
  const answers = new Map<string, readonly MentionNode[]>();
  const mentionsOf = (name: string): readonly MentionNode[] => {
    const known = answers.get(name);
    if (known) return known;
    const names = new Set([name]);
    for (const each of names) for (const next of renamed.get(each) ?? []) names.add(next);
    const found = [...names].flatMap((each) => mentions.get(each) ?? []);
    answers.set(name, found);
    return found;
  };
  return { files, byFile, mentionsOf };
}
