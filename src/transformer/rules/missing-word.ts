// CU6030 by two nets. The call-site rule: the first argument of a call fixes the agent. Reachability: what an
// agent's members lead to must be covered by its words, whoever is the argument. CU6031 where the argument's type
// says nothing. Both nets report one agent, function and place once.

import type { ts } from "ts-morph";
import { wordsNeeded } from "../../contract/api-functions.js";
import { type CapabilityWord, wordsCover } from "../../contract/capability.js";
import type { Agent } from "../agents/agents.js";
import { addWordsFix } from "../agents/declaration-fix.js";
import { createFinding, type Finding } from "../finding.js";
import { firstHopsTo, pathTo } from "../reach/explore.js";
import type { ApiLeaf, PackageLeaf } from "../reach/leaf.js";
import { answersOf, argumentType, isCastToNever } from "./agent-argument.js";
import type { RuleContext } from "./context.js";

type WordLeaf = ApiLeaf | PackageLeaf;

function needsOf(leaf: WordLeaf): readonly CapabilityWord[] {
  return leaf.kind === "api" ? wordsNeeded(leaf.function) : leaf.needs;
}

function functionOf(leaf: WordLeaf): string {
  return leaf.kind === "api" ? leaf.function : `* (through ${leaf.export} of package ${leaf.package})`;
}

function missingWords(
  needs: readonly CapabilityWord[],
  words: readonly CapabilityWord[],
): readonly CapabilityWord[] {
  return needs.filter((needed) => !wordsCover(words, needed));
}

function join(words: readonly string[]): string {
  return words.join(" and ");
}

function agentFinding(
  context: RuleContext,
  agent: Agent,
  leaf: WordLeaf,
  missing: readonly CapabilityWord[],
  may: boolean,
  details: Pick<Finding, "path" | "firstHops">,
): Finding {
  const fix = addWordsFix(agent.capSite, missing, context.places);
  return createFinding(
    "CU6030",
    {
      subject: may ? `${agent.id} may, through a member that another class has too,` : agent.id,
      function: functionOf(leaf),
      needed: join(missing),
      advice:
        "add it to cap if the agent may do this, or else delete the call (code that never runs counts too)",
    },
    leaf.place,
    { agent: agent.id, ...details, ...(fix ? { fix } : {}) },
  );
}

/** The net of reachability. */
function reachFindings(context: RuleContext): Map<string, Finding> {
  const found = new Map<string, Finding>();
  for (const { agent, roots, exploration } of context.reach.agents) {
    if (!agent.words) continue;
    for (const reached of exploration.reached.values()) {
      const { leaf } = reached;
      if (leaf.kind !== "api" && leaf.kind !== "package") continue;
      const missing = missingWords(needsOf(leaf), agent.words);
      if (missing.length === 0) continue;
      let may = reached.edge.may;
      for (let state: typeof reached.state | undefined = reached.state; state; state = state.from) {
        may ||= state.edge?.may ?? false;
      }
      const path = pathTo(reached, context.places);
      const firstHops = firstHopsTo(leaf, context.reach.graph, exploration, roots, context.places);
      const finding = agentFinding(context, agent, leaf, missing, may, { path, firstHops });
      found.set(keyOf(agent.id, leaf), finding);
    }
  }
  return found;
}

function keyOf(agent: string, leaf: WordLeaf): string {
  const { file, start } = { file: leaf.place.getSourceFile().fileName, start: leaf.place.getStart() };
  return `${agent}\0${functionOf(leaf)}\0${file}\0${start}`;
}

interface ApiCall {
  readonly call: ts.CallExpression;
  readonly leaf: ApiLeaf;
}

/** Every visible call of an API function, through constants that are nothing but that function too. */
export function apiCalls(context: RuleContext): readonly ApiCall[] {
  const direct = context.reach.graph.leaves.flatMap((leaf) =>
    leaf.kind === "api" && leaf.call ? [{ call: leaf.call, leaf }] : [],
  );
  return [...direct, ...[...context.reach.graph.aliasCalls].map(([call, leaf]) => ({ call, leaf }))];
}

function cannotProve(context: RuleContext, { call, leaf }: ApiCall, reason: string): Finding {
  return createFinding(
    "CU6031",
    { function: leaf.function, reason, advice: "give the argument the type of the agent's class" },
    call.arguments[0] ?? call,
    { path: [context.places.site(leaf.place, `computer.${leaf.function}`)] },
  );
}

/** All findings of both nets; calls that are outside every agent are left to CU6035. */
export function findMissingWords(context: RuleContext, outside: ReadonlySet<ApiLeaf>): Finding[] {
  const byReach = reachFindings(context);
  const found = [...byReach.values()];
  const reportedPlaces = new Set([...byReach.keys()].map((key) => key.slice(key.indexOf("\0"))));
  const seen = new Set(byReach.keys());
  for (const apiCall of apiCalls(context)) {
    const { call, leaf } = apiCall;
    if (outside.has(leaf)) continue;
    const type = argumentType(call, 0, context.checker);
    if (!type) {
      found.push(cannotProve(context, apiCall, "the agent argument is missing or of unknown length"));
      continue;
    }
    if (isCastToNever(call.arguments[0])) {
      found.push(cannotProve(context, apiCall, "the agent argument is cast to never"));
      continue;
    }
    const path = [context.places.site(leaf.place, `computer.${leaf.function}`)];
    for (const answer of answersOf(type, context.checker, context.byClass)) {
      if (answer.kind === "untyped") {
        found.push(cannotProve(context, apiCall, answer.reason));
        continue;
      }
      const name = answer.kind === "agent" ? answer.agent.id : "";
      const key = keyOf(name, leaf);
      if (seen.has(key)) continue;
      seen.add(key);
      if (answer.kind === "agent") {
        const missing = answer.agent.words ? missingWords(needsOf(leaf), answer.agent.words) : [];
        if (missing.length > 0) {
          found.push(agentFinding(context, answer.agent, leaf, missing, false, { path }));
        }
      } else if (needsOf(leaf).length > 0 && !reportedPlaces.has(key.slice(key.indexOf("\0")))) {
        // What needs no word needs no declaration either.
        found.push(noAgent(leaf, answer.name, path));
      }
    }
  }
  return found;
}

function noAgent(leaf: ApiLeaf, name: string, path: Finding["path"]): Finding {
  return createFinding(
    "CU6030",
    {
      subject: `${name}, which is not an agent,`,
      function: leaf.function,
      needed: join(wordsNeeded(leaf.function)),
      advice: "decorate the class with @computerUse, or pass an agent",
    },
    leaf.place,
    path ? { path } : {},
  );
}
