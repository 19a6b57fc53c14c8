// What holds for every project: adding a reference never removes a finding, a call put anywhere is found, and the
// bytes of the report do not depend on the order of files.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/contract/report.js";
import { createProject } from "./support/project.js";

const IMPORT = 'import { computer, computerUse } from "capuchin";\n';

/** Ways in which one function leads to another. */
const LINKS: readonly ((target: string) => string)[] = [
  (target) => `await ${target}(agent);`,
  (target) => `const keep = [${target}]; await keep[0]?.(agent);`,
  (target) => `await [agent].map(${target})[0];`,
  (target) => `await (false ? ${target} : undefined)?.(agent);`,
  (target) => `await ${target}.call(undefined, agent);`,
  (target) => `const held = { f: ${target} }; await held.f(agent);`,
  (target) => `await Promise.resolve(agent).then(${target});`,
  (target) => `setLater(() => ${target}(agent));`,
];

interface Graph {
  readonly functions: number;
  readonly links: readonly { readonly from: number; readonly to: number; readonly form: number }[];
  readonly calls: readonly number[];
}

const graphs: fc.Arbitrary<Graph> = fc.integer({ min: 2, max: 6 }).chain((functions) =>
  fc.record({
    functions: fc.constant(functions),
    links: fc.array(
      fc.record({
        from: fc.integer({ min: 0, max: functions - 1 }),
        to: fc.integer({ min: 0, max: functions - 1 }),
        form: fc.integer({ min: 0, max: LINKS.length - 1 }),
      }),
      { maxLength: 10 },
    ),
    calls: fc.uniqueArray(fc.integer({ min: 0, max: functions - 1 }), { maxLength: 3 }),
  }),
);

/** Each function in a file of its own; the agent calls the first. */
function render(graph: Graph): Record<string, string> {
  const files: Record<string, string> = {
    "a.ts": `${IMPORT}import { f0 } from "./f0.js";\n@computerUse({ cap: "computer.screen" })\nexport class A {\n  async run() { await computer.screenshot(this); await f0(this); }\n}\n`,
  };
  for (let at = 0; at < graph.functions; at++) {
    const own = graph.links.filter((link) => link.from === at);
    const targets = [...new Set(own.map((link) => link.to))].filter((to) => to !== at);
    const body = own.map((link) => `  { ${LINKS[link.form]?.(`f${link.to}`)} }`).join("\n");
    const call = graph.calls.includes(at) ? "  await computer.click(agent, { x: 1, y: 1 });\n" : "";
    files[`f${at}.ts`] = [
      'import { computer } from "capuchin";',
      'import type { A } from "./a.js";',
      ...targets.map((to) => `import { f${to} } from "./f${to}.js";`),
      "declare function setLater(run: () => unknown): void;",
      `export async function f${at}(agent: A): Promise<unknown> {\n${call}${body}\n  void setLater; void computer; return agent;\n}\n`,
    ].join("\n");
  }
  return files;
}

function reachable(graph: Graph): ReadonlySet<number> {
  const seen = new Set([0]);
  for (const at of seen) for (const link of graph.links) if (link.from === at) seen.add(link.to);
  return seen;
}

function check(files: Record<string, string>, order?: (all: readonly string[]) => readonly string[]) {
  const project = createProject(files);
  try {
    return project.check(order).report;
  } finally {
    project.remove();
  }
}

const keyOf = (each: Diagnostic) => `${each.code} ${each.file} ${each.agent}`;

test("an agent is charged with exactly what it leads to, by path as a plain graph search finds it", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const report = check(render(graph));
      const reach = reachable(graph);
      const expected = graph.calls.map((at) => `f${at}.ts`).sort();
      const found = report.diagnostics.filter((each) => each.code === "CU6030");
      // The call-site rule charges A for every call; only reached ones have a path from its member.
      expect(found.map((each) => each.file).sort()).toEqual(expected);
      const withPath = found.filter((each) => (each.path?.length ?? 0) > 1).map((each) => each.file);
      expect(withPath.sort()).toEqual(
        expected.filter((_, index) => reach.has(sortedCalls(graph)[index] ?? -1)),
      );
    }),
    { numRuns: 12 },
  );
}, 120_000);

function sortedCalls(graph: Graph): readonly number[] {
  return [...graph.calls].sort((a, b) => (`f${a}.ts` < `f${b}.ts` ? -1 : 1));
}

test("adding a reference never removes a finding", () => {
  fc.assert(
    fc.property(graphs, fc.nat(), fc.nat(), fc.nat(), (graph, from, to, form) => {
      const link = {
        from: from % graph.functions,
        to: to % graph.functions,
        form: form % LINKS.length,
      };
      const before = check(render(graph)).diagnostics.map(keyOf);
      const after = new Set(
        check(render({ ...graph, links: [...graph.links, link] })).diagnostics.map(keyOf),
      );
      for (const each of before) expect([...after]).toContain(each);
    }),
    { numRuns: 8 },
  );
}, 120_000);

test("the report has the same bytes whatever the order of files", () => {
  const files = render({
    functions: 5,
    links: [0, 1, 2, 3].flatMap((at) => [
      { from: at, to: at + 1, form: at },
      { from: at, to: 4, form: 1 },
    ]),
    calls: [2, 4],
  });
  const project = createProject(files);
  try {
    const bytes = (order?: (all: readonly string[]) => readonly string[]) => {
      const { report } = project.check(order);
      return JSON.stringify(report);
    };
    const plain = bytes();
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const shuffled = bytes((all) =>
          all
            .map((name) => ({ name, key: numbers.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ name }) => name),
        );
        expect(shuffled).toBe(plain);
      }),
      { numRuns: 6 },
    );
  } finally {
    project.remove();
  }
}, 120_000);
