// Forward over the graph: what an agent's members lead to, by which shortest path and which first steps, and what
// the loading of modules leads to outside every agent.
import { ts } from "ts-morph";
import type { SitedSymbol } from "../../contract/agent-spec.js";
import type { Places } from "../place.js";
import { type Edge, isLeaf, type ReachGraph, type Target } from "./graph.js";
import type { Hierarchy } from "./hierarchy.js";
import { comparePlaces, type Leaf } from "./leaf.js";
import { displayName, memberNames, nameNode } from "./names.js";

/** A declaration, entered on the agent's own object or on any. */
interface State {
  readonly node: ts.Node;
  readonly self: boolean;
  readonly from: State | undefined;
  readonly edge: Edge | undefined;
}

export interface Reached {
  readonly leaf: Leaf;
  readonly state: State;
  readonly edge: Edge;
}

export interface Exploration {
  /** Each leaf once, by a shortest path. */
  readonly reached: ReadonlyMap<Leaf, Reached>;
  readonly files: ReadonlySet<ts.SourceFile>;
  readonly visited: ReadonlySet<ts.Node>;
}

interface AgentMembers {
  readonly roots: readonly ts.Node[];
  readonly chain: ReadonlySet<ts.Node>;
  /** Under each name the members that an object of the agent has, overridden ones left out. */
  readonly effective: ReadonlyMap<string, ReadonlySet<ts.Node>>;
}

/** The members of an agent: its own, and the inherited ones that nothing overrides. */
export function membersOf(
  node: ts.ClassLikeDeclaration,
  hierarchy: Hierarchy,
  checker: ts.TypeChecker,
): AgentMembers {
  const chain = hierarchy.chainOf(node);
  const effective = new Map<string, Set<ts.Node>>();
  const roots: ts.Node[] = [node];
  for (const each of chain) {
    const here = new Map<string, ts.Node[]>();
    for (const member of each.members) {
      if (ts.isConstructorDeclaration(member) && each !== node) continue;
      const names = ts.isPropertyName(member.name ?? member) ? memberNames(member, checker) : [];
      for (const name of names) here.set(name, [...(here.get(name) ?? []), member]);
      if (names.length === 0 || names.some((name) => !effective.has(name))) roots.push(member);
    }
    for (const [name, members] of here) if (!effective.has(name)) effective.set(name, new Set(members));
  }
  return { roots, chain: new Set<ts.Node>(chain), effective };
}

/** Whether an edge on the agent's own object can be taken: `this.x` means the member that the object really has. */
function isTaken(edge: Edge, members: AgentMembers, checker: ts.TypeChecker): boolean {
  if (edge.receiver !== "this" || isLeaf(edge.to)) return true;
  const known = memberNames(edge.to, checker).map((name) => members.effective.get(name));
  return known.every((each) => each === undefined || each.has(edge.to as ts.Node));
}

/** Explores from roots; `agent` gives the members whose object the roots run on. */
export function explore(
  graph: ReachGraph,
  roots: readonly ts.Node[],
  checker: ts.TypeChecker,
  members?: AgentMembers,
  enters: (node: ts.Node) => boolean = () => true,
): Exploration {
  const reached = new Map<Leaf, Reached>();
  const files = new Set<ts.SourceFile>();
  const seen = { self: new Set<ts.Node>(), other: new Set<ts.Node>() };
  const queue: State[] = [];
  const push = (state: State) => {
    const set = state.self ? seen.self : seen.other;
    if (set.has(state.node)) return;
    set.add(state.node);
    queue.push(state);
  };
  for (const node of roots) push({ node, self: members !== undefined, from: undefined, edge: undefined });
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at];
    if (!state) break;
    for (const edge of graph.edges.get(state.node) ?? []) {
      if (state.self && members && !isTaken(edge, members, checker)) continue;
      files.add(edge.place.getSourceFile());
      if (isLeaf(edge.to)) {
        if (!reached.has(edge.to)) reached.set(edge.to, { leaf: edge.to, state, edge });
        continue;
      }
      if (!enters(edge.to)) continue;
      files.add(edge.to.getSourceFile());
      push({ node: edge.to, self: state.self && edge.receiver !== undefined, from: state, edge });
    }
  }
  return { reached, files, visited: new Set([...seen.self, ...seen.other]) };
}

/** The name of a leaf in messages and paths. */
export function leafName(leaf: Leaf): string {
  switch (leaf.kind) {
    case "api":
      return `computer.${leaf.function}`;
    case "dynamic":
      return leaf.construct;
    case "package":
      return `${leaf.export} of package ${leaf.package}`;
    case "unresolved":
      return leaf.reason;
  }
}

/** The path to a reached leaf: the root, each step at the place that takes it, the leaf. */
export function pathTo(reached: Reached, places: Places): SitedSymbol[] {
  const steps: SitedSymbol[] = [places.site(reached.edge.place, leafName(reached.leaf))];
  for (let state: State | undefined = reached.state; state; state = state.from) {
    const name = displayName(state.node);
    steps.unshift(places.site(state.edge?.place ?? nameNode(state.node), name));
  }
  return steps;
}

interface Step {
  readonly owner: ts.Node;
  readonly edge: Edge;
}

/** The edges of an exploration by what they lead to. */
const reversed = new WeakMap<Exploration, ReadonlyMap<Target, readonly Step[]>>();

function reverse(graph: ReachGraph, exploration: Exploration): ReadonlyMap<Target, readonly Step[]> {
  const known = reversed.get(exploration);
  if (known) return known;
  const steps = new Map<Target, Step[]>();
  for (const owner of exploration.visited) {
    for (const edge of graph.edges.get(owner) ?? []) {
      const list = steps.get(edge.to);
      if (list) list.push({ owner, edge });
      else steps.set(edge.to, [{ owner, edge }]);
    }
  }
  reversed.set(exploration, steps);
  return steps;
}

/** Whether a target is a declaration inside its owner: what that leads to is a step of the owner itself. */
function isWithin(target: Target, owner: ts.Node): boolean {
  if (isLeaf(target) || ts.isSourceFile(owner) || ts.isClassLike(owner)) return false;
  return (
    target.getSourceFile() === owner.getSourceFile() && owner.pos <= target.pos && target.end <= owner.end
  );
}

/** Every distinct first step from a root that leads to a leaf, in the order of places. */
export function firstHopsTo(
  leaf: Leaf,
  graph: ReachGraph,
  exploration: Exploration,
  roots: ReadonlySet<ts.Node>,
  places: Places,
): SitedSymbol[] {
  const steps = reverse(graph, exploration);
  const leading = new Set<Target>([leaf]);
  const first: Step[] = [];
  for (const target of leading) {
    for (const step of steps.get(target) ?? []) {
      leading.add(step.owner);
      if (roots.has(step.owner) && !isWithin(target, step.owner)) first.push(step);
    }
  }
  const hops = new Map<string, SitedSymbol>();
  for (const { owner, edge } of first.sort((a, b) => comparePlaces(a.edge.place, b.edge.place))) {
    const to = isLeaf(edge.to) ? leafName(edge.to) : displayName(edge.to);
    const hop = places.site(edge.place, `${displayName(owner)} -> ${to}`);
    hops.set(`${hop.file}\0${hop.line}\0${hop.column}\0${hop.symbol}`, hop);
  }
  return [...hops.values()];
}
