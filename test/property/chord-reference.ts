// An independent reading of key texts, for comparison: written from the rules alone, as sets, and on purpose without
// any of the tables or functions it is compared with.

const MODIFIERS: Readonly<Record<string, RegExp>> = {
  ctrl: /^(?:(?:control|ctrl)(?:_[lr])?|ctl)$/,
  alt: /^(?:alt(?:_[lr])?|option|opt)$/,
  shift: /^shift(?:_[lr])?$/,
  super: /^(?:(?:super|meta|hyper)(?:_[lr])?|cmd|command|win|windows|os)$/,
};

const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:return|enter)$/, "return"],
  [/^(?:escape|esc)$/, "escape"],
  [/^(?:delete|del)$/, "delete"],
  [/^(?:backspace|back_space)$/, "backspace"],
  [/^(?:insert|ins)$/, "insert"],
  [/^kp_f([1-4])$/, "f$1"],
];

/** What a key press may amount to in a program or a terminal: pairs of names that mean the same thing. */
const STANDS_FOR: readonly (readonly [pressed: readonly string[], amounts: readonly string[]])[] = [
  [["kp_enter"], ["return"]],
  [["ctrl", "m"], ["return"]],
  [["ctrl", "j"], ["return"]],
  [["kp_delete"], ["delete"]],
  [["kp_decimal"], ["delete"]],
  [["kp_tab"], ["tab"]],
  [["ctrl", "i"], ["tab"]],
  [["ctrl", "bracketleft"], ["escape"]],
  [["ctrl", "3"], ["escape"]],
  [["ctrl", "h"], ["backspace"]],
  [["kp_insert"], ["insert"]],
  [["kp_0"], ["insert"]],
];

/** The names a text asks for, folded; undefined when any part of it is not a plain ASCII name. */
export function referenceNames(text: string): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const part of text.split("+")) {
    if (!/^[A-Za-z0-9_]+$/.test(part)) return undefined;
    const lower = part.toLowerCase();
    const modifier = Object.keys(MODIFIERS).find((name) => MODIFIERS[name]?.test(lower));
    const synonym = SYNONYMS.find(([pattern]) => pattern.test(lower));
    names.add(modifier ?? (synonym ? lower.replace(synonym[0], synonym[1]) : lower));
  }
  return names;
}

/** Everything that a set of names may amount to. */
function amounts(names: ReadonlySet<string>): ReadonlySet<string>[] {
  const all: ReadonlySet<string>[] = [names];
  for (const [pressed, becomes] of STANDS_FOR) {
    if (!pressed.every((name) => names.has(name))) continue;
    const rest = [...names].filter((name) => !pressed.includes(name));
    all.push(new Set([...rest, ...becomes]));
  }
  return all;
}

/** Whether a press of these names holds a denied chord in any form. */
export function referenceDenies(names: ReadonlySet<string>, denied: readonly string[]): boolean {
  const sets = denied.map((text) => referenceNames(text) ?? new Set<string>());
  return amounts(names).some((form) =>
    sets.some((set) => set.size > 0 && [...set].every((name) => form.has(name))),
  );
}
