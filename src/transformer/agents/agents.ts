// The agents of a program: each class that `computerUse` is applied to, with what it declares, once. A class whose
// declaration is itself reported has unknown words, and nothing more is said about them.
import { ts } from "ts-morph";
import type { CapabilityWord } from "../../contract/capability.js";
import type { Declaration } from "../../contract/declaration.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import { createFinding, type Finding } from "../finding.js";
import type { Places } from "../place.js";
import { agentId } from "./agent-id.js";
import { type JudgedOptions, judgeOptions } from "./declare.js";
import type { Application } from "./discover.js";
import { describeKind, describeUnfitClass } from "./kinds.js";

export interface Agent {
  readonly id: string;
  readonly node: ts.ClassLikeDeclaration;
  readonly application: Application;
  /** Undefined when the declaration is reported: its words are not known. */
  readonly words: readonly CapabilityWord[] | undefined;
  readonly declaration: Declaration | undefined;
  readonly capSite: ts.Node | undefined;
}

export interface FoundAgents {
  readonly agents: readonly Agent[];
  readonly byClass: ReadonlyMap<ts.Node, Agent>;
  readonly findings: readonly Finding[];
}

interface Context {
  readonly checker: ts.TypeChecker;
  readonly evaluator: Evaluator;
  readonly places: Places;
}

function order(a: Application, b: Application): number {
  const [left, right] = [a.site.getSourceFile().fileName, b.site.getSourceFile().fileName];
  if (left !== right) return left < right ? -1 : 1;
  return a.site.getStart() - b.site.getStart();
}

function notAnAgent(application: Application, kind: string): Finding {
  const advice =
    kind === "an anonymous class"
      ? 'give the class a name, or pass name: "…"'
      : kind === "an abstract class"
        ? "decorate the concrete class that extends it"
        : "decorate the class that runs";
  return createFinding("CU6020", { kind, advice }, application.site);
}

function duplicate(
  what: string,
  first: Application,
  later: Application,
  advice: string,
  places: Places,
): Finding {
  const other = places.site(first.site, "");
  const at = `${other.file}:${other.line}:${other.column}`;
  return createFinding("CU6024", { what, other: at, advice }, later.site);
}

/** The name of the function that a generated module has for an agent. */
export function specFunctionName(id: string): string {
  return `computerUseSpec_${id.replace(/[^A-Za-z0-9_]/g, "_")}`;
}

function findNameClashes(agents: readonly Agent[], places: Places): Finding[] {
  const findings: Finding[] = [];
  const seen = new Map<string, Agent>();
  for (const agent of agents) {
    const key = specFunctionName(agent.id).toLowerCase();
    const first = seen.get(key);
    if (!first) {
      seen.set(key, agent);
      continue;
    }
    const what =
      first.id === agent.id
        ? `two agents are called ${agent.id}`
        : `the agents ${first.id} and ${agent.id} have names that are too much alike`;
    const advice = "give one of them a name of its own with the option name";
    findings.push({
      ...duplicate(what, first.application, agent.application, advice, places),
      agent: agent.id,
    });
  }
  return findings;
}

/** Turns applications into agents and says what is wrong with each. */
export function collectAgents(context: Context, applications: readonly Application[]): FoundAgents {
  const findings: Finding[] = [];
  const agents: Agent[] = [];
  const byClass = new Map<ts.Node, Agent>();
  const named: Agent[] = [];
  for (const application of [...applications].sort(order)) {
    const { target } = application;
    if (!ts.isClassLike(target)) {
      findings.push(notAnAgent(application, describeKind(target)));
      continue;
    }
    const first = byClass.get(target);
    if (first) {
      const what = "computerUse is applied twice to one class";
      findings.push(duplicate(what, first.application, application, "keep one of them", context.places));
      continue;
    }
    const judged = judgeOptions(context, application);
    const unfit = describeUnfitClass(target, judged.name !== undefined);
    if (unfit !== undefined) findings.push(notAnAgent(application, unfit));
    const agent = createAgent(context, application, target, judged, unfit === undefined);
    if (unfit === undefined) {
      findings.push(...judged.findings.map((finding) => ({ ...finding, agent: agent.id })));
      named.push(agent);
    }
    agents.push(agent);
    byClass.set(target, agent);
  }
  findings.push(...findNameClashes(named, context.places));
  return { agents, byClass, findings };
}

function createAgent(
  context: Context,
  application: Application,
  node: ts.ClassLikeDeclaration,
  judged: JudgedOptions,
  fit: boolean,
): Agent {
  return {
    id: agentId(node, judged.name, context.places.fileName(node.getSourceFile())),
    node,
    application,
    words: fit ? judged.words : undefined,
    declaration: fit ? judged.declaration : undefined,
    capSite: judged.capSite,
  };
}
