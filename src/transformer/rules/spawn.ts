// CU6036: a child may do no more than its parent. The words of both are known from their classes; where a class is
// not known, nothing is proved and that is CU6031.
import type { ts } from "ts-morph";
import { wordsCover } from "../../contract/capability.js";
import type { Agent } from "../agents/agents.js";
import { createFinding, type Finding } from "../finding.js";
import { answersOf, argumentType } from "./agent-argument.js";
import type { RuleContext } from "./context.js";
import { apiCalls } from "./missing-word.js";

export interface Spawn {
  readonly call: ts.CallExpression;
  readonly parents: readonly Agent[];
  readonly children: readonly Agent[];
  /** Why a child is not known, or undefined. */
  readonly unknown: string | undefined;
}

/** Every visible call of `computer.spawn` with the agents on both sides. */
export function findSpawns(context: RuleContext): Spawn[] {
  const { checker, byClass } = context;
  return apiCalls(context)
    .filter(({ leaf }) => leaf.function === "spawn")
    .map(({ call }) => {
      const parent = argumentType(call, 0, checker);
      const child = argumentType(call, 1, checker);
      const parents = parent ? answersOf(parent, checker, byClass) : [];
      const instances = child ? instanceTypes(child) : [];
      const answers = instances.flatMap((type) => answersOf(type, checker, byClass));
      const stranger = answers.find((answer) => answer.kind !== "agent");
      const unknown =
        instances.length === 0
          ? "the child is no class that can be read"
          : stranger &&
            (stranger.kind === "none"
              ? `the child ${stranger.name} is not an agent`
              : "the child is untyped");
      return {
        call,
        parents: parents.flatMap((answer) => (answer.kind === "agent" ? [answer.agent] : [])),
        children: answers.flatMap((answer) => (answer.kind === "agent" ? [answer.agent] : [])),
        unknown,
      };
    });
}

function instanceTypes(type: ts.Type): readonly ts.Type[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.flatMap((part) => part.getConstructSignatures().map((signature) => signature.getReturnType()));
}

/** The findings about children. */
export function findWideChildren(context: RuleContext, spawns: readonly Spawn[]): Finding[] {
  const found: Finding[] = [];
  for (const { call, parents, children, unknown } of spawns) {
    if (unknown !== undefined) {
      const advice = "name the child's class, decorated with @computerUse";
      found.push(
        createFinding("CU6031", { function: "spawn", reason: unknown, advice }, call.arguments[1] ?? call),
      );
    }
    for (const parent of parents) {
      for (const child of children) {
        const { words } = parent;
        if (!words || !child.words) continue;
        const extra = child.words.filter((word) => !wordsCover(words, word));
        if (extra.length === 0) continue;
        const params = { child: child.id, extra: extra.join(" and "), parent: parent.id };
        const because = [context.places.site(child.application.site, child.id)];
        found.push(createFinding("CU6036", params, call, { agent: parent.id, because }));
      }
    }
  }
  for (const leaf of context.reach.graph.leaves) {
    if (leaf.kind !== "api" || leaf.function !== "spawn") continue;
    if (leaf.call || context.reach.graph.aliased.has(leaf)) continue;
    const reason = "spawn is used without a visible call, so that the child is not known";
    const advice = "call computer.spawn(this, Child, goal) where the child is named";
    found.push(createFinding("CU6031", { function: "spawn", reason, advice }, leaf.place));
  }
  return found;
}
