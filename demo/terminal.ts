// How the demo prints: headings, short explanations, marks. Colour only on a terminal, and not when NO_COLOR is set.

const coloured = process.stdout.isTTY === true && !process.env["NO_COLOR"];

function paint(code: string, text: string): string {
  return coloured ? `\u001b[${code}m${text}\u001b[0m` : text;
}

export function heading(letter: string, text: string): void {
  console.log(`\n${paint("1;36", `(${letter}) ${text}`)}`);
}

export function explain(text: string): void {
  console.log(paint("2", `    ${text}`));
}

export function show(text: string): void {
  for (const line of text.trimEnd().split("\n")) console.log(`    ${line}`);
}

export function command(words: readonly string[]): void {
  console.log(paint("2", `    $ ${words.map(quote).join(" ")}`));
}

function quote(word: string): string {
  const [first = "", ...more] = word.split("\n");
  if (more.length > 0) return `'${first} …'`;
  return /^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The parts that went wrong so far. */
export const failures: string[] = [];

/** Prints a mark; a bad one makes the demo fail in the end. */
export function mark(ok: boolean, text: string): void {
  console.log(`    ${ok ? paint("32", "✓") : paint("31", "✗")} ${text}`);
  if (!ok) failures.push(text);
}
