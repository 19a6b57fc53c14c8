// The reach of a program: its graph, and what each agent and the loading of its modules lead to.
import type { ts } from "ts-morph";
import type { Agent } from "../agents/agents.js";
import type { ApiModel } from "../link/api.js";
import type { ImportClosures } from "../link/import-closure.js";
import type { Mentions } from "../link/mention.js";
import type { DynamicCode } from "../rules/dynamic-code.js";
import type { ProgramIndex } from "../summarise/program-index.js";
import { type Exploration, explore, membersOf } from "./explore.js";
import { buildGraph, type ReachGraph } from "./graph.js";
import { containerOf, Hierarchy } from "./hierarchy.js";
import { findApiLeaves, type Leaf } from "./leaf.js";
import { OwnerFinder } from "./owners.js";

export interface AgentReach {
  readonly agent: Agent;
  readonly roots: ReadonlySet<ts.Node>;
  readonly exploration: Exploration;
}

export interface ProgramReach {
  readonly graph: ReachGraph;
  readonly owners: OwnerFinder;
  readonly hierarchy: Hierarchy;
  readonly agents: readonly AgentReach[];
  readonly reachedByAgents: ReadonlySet<Leaf>;
  /** What the top levels of modules lead to, agents not entered. */
  readonly loading: Exploration;
}

export interface ReachParts {
  readonly api: ApiModel;
  readonly mentions: Mentions;
  readonly index: ProgramIndex;
  readonly closures: ImportClosures;
  readonly agents: readonly Agent[];
  readonly byClass: ReadonlyMap<ts.Node, Agent>;
  readonly dynamic: DynamicCode;
  /** Leaves besides API functions and dynamic code. */
  readonly otherLeaves: readonly Leaf[];
}

/** Computes the reach of a program. */
export function computeReach(parts: ReachParts): ProgramReach {
  const { mentions, index, api, byClass, dynamic } = parts;
  const { checker } = mentions;
  const hierarchy = new Hierarchy(checker, index);
  const owners = new OwnerFinder(checker, (node) => byClass.has(node));
  const leaves: Leaf[] = [...findApiLeaves(api, mentions, index), ...dynamic.leaves, ...parts.otherLeaves];
  const graph = buildGraph({ ...parts, hierarchy, owners }, leaves, dynamic.workers);
  const agents = parts.agents.map((agent) => {
    const members = membersOf(agent.node, hierarchy, checker);
    const exploration = explore(graph, members.roots, checker, members);
    return { agent, roots: new Set(members.roots), exploration };
  });
  const reachedByAgents = new Set(agents.flatMap((each) => [...each.exploration.reached.keys()]));
  const enters = (node: ts.Node) => {
    const container = containerOf(node);
    return !byClass.has(node) && !(container && byClass.has(container));
  };
  const modules = index.files.map((each) => each.file);
  const loading = explore(graph, modules, checker, undefined, enters);
  return { graph, owners, hierarchy, agents, reachedByAgents, loading };
}
