// What every rule reads: the program, its agents and its reach. Rules only read it; each returns its findings.
import type { ts } from "ts-morph";
import type { Agent } from "../agents/agents.js";
import type { ApiModel } from "../link/api.js";
import type { ImportClosures } from "../link/import-closure.js";
import type { Mentions } from "../link/mention.js";
import type { PackageLookup } from "../link/packages.js";
import type { Places } from "../place.js";
import type { ProgramReach } from "../reach/reach.js";
import type { ProgramIndex } from "../summarise/program-index.js";
import type { DynamicCode } from "./dynamic-code.js";
import type { DeclaredPackages } from "./packages.js";

export interface RuleContext {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly api: ApiModel;
  readonly index: ProgramIndex;
  readonly mentions: Mentions;
  readonly packages: PackageLookup;
  readonly declared: DeclaredPackages;
  readonly closures: ImportClosures;
  readonly places: Places;
  readonly byClass: ReadonlyMap<ts.Node, Agent>;
  readonly reach: ProgramReach;
  readonly dynamic: DynamicCode;
}
