// CU6039: a declared word that adds nothing. Silent where use is not known: where something about the agent's code
// could not be proved.
import { API_FUNCTIONS, type ApiFunctionName, wordsUsed } from "../../contract/api-functions.js";
import { type CapabilityWord, parseCapability, wordCovers } from "../../contract/capability.js";
import type { Agent } from "../agents/agents.js";
import { dropWordFix } from "../agents/declaration-fix.js";
import { createFinding, type Finding } from "../finding.js";
import type { RuleContext } from "./context.js";
import type { Spawn } from "./spawn.js";

const DOUBTFUL: ReadonlySet<string> = new Set(["CU6031", "CU6032", "CU6033", "CU6034", "CU6050"]);

function isOffered(name: ApiFunctionName, word: CapabilityWord): boolean {
  const entry: { readonly needs: unknown; readonly offers?: readonly CapabilityWord[] } = API_FUNCTIONS[name];
  return entry.offers?.some((offered) => wordCovers(offered, word) || wordCovers(word, offered)) ?? false;
}

function isUsed(
  word: CapabilityWord,
  functions: readonly ApiFunctionName[],
  children: readonly CapabilityWord[],
) {
  const byFunction = functions.some(
    (name) => isOffered(name, word) || wordsUsed(name).some((used) => wordCovers(word, used)),
  );
  // A word below one that the child declares is what the child's wider word comes down to.
  return byFunction || children.some((used) => wordCovers(word, used) || wordCovers(used, word));
}

/** Whether something that is not proved may be part of the agent's code. */
function isDoubtful(agent: Agent, context: RuleContext, findings: readonly Finding[]): boolean {
  const closure = context.closures.of(agent.node.getSourceFile());
  return findings.some(({ code, agent: about, span }) => {
    if (!DOUBTFUL.has(code)) return false;
    if (about !== undefined) return about === agent.id;
    if (!span || !closure.has(span.file)) return false;
    // What stands in another agent's class is that agent's doubt.
    const holder = [...context.byClass.keys()].find(
      (node) =>
        node.getSourceFile() === span.file && node.getStart() <= span.start && span.end <= node.getEnd(),
    );
    return holder === undefined || holder === agent.node;
  });
}

function redundantFindings(agent: Agent, context: RuleContext): Finding[] {
  const text = agent.declaration?.capText;
  const parsed = text === undefined ? undefined : parseCapability(text);
  const at = agent.capSite;
  if (!parsed?.ok || !at) return [];
  return parsed.redundant.map(({ word, reason, by }) => {
    const why = reason === "repeated" ? "is repeated" : `is granted by ${by} already`;
    const fix = dropWordFix(at, word, reason === "repeated" ? 1 : 0, context.places);
    return createFinding("CU6039", { word, reason: why }, at, { agent: agent.id, ...(fix ? { fix } : {}) });
  });
}

/** The findings about words that add nothing; `others` are all findings so far. */
export function findUnusedWords(
  context: RuleContext,
  spawns: readonly Spawn[],
  others: readonly Finding[],
): Finding[] {
  const found: Finding[] = [];
  for (const { agent, exploration } of context.reach.agents) {
    const at = agent.capSite;
    if (!agent.words || !at) continue;
    const redundant = redundantFindings(agent, context);
    found.push(...redundant);
    if (isDoubtful(agent, context, others)) continue;
    const functions = [...exploration.reached.keys()].flatMap((leaf) =>
      leaf.kind === "api" ? [leaf.function] : [],
    );
    const inPackages = [...exploration.reached.keys()].flatMap((leaf) =>
      leaf.kind === "package" ? leaf.needs : [],
    );
    const children = spawns
      .filter((spawn) => spawn.parents.includes(agent))
      .flatMap((spawn) => spawn.children.flatMap((child) => child.words ?? []));
    const parsed = parseCapability(agent.words.join(" + "));
    const doubled = new Set(parsed.ok ? parsed.redundant.map((each) => each.word) : []);
    for (const word of new Set(agent.words)) {
      if (doubled.has(word) || isUsed(word, functions, [...children, ...inPackages])) continue;
      const fix = dropWordFix(at, word, 0, context.places);
      const reason = "is needed by nothing that the agent reaches";
      found.push(createFinding("CU6039", { word, reason }, at, { agent: agent.id, ...(fix ? { fix } : {}) }));
    }
  }
  return found;
}
