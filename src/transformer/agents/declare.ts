// Judges the options of one application: everything that `checkDeclaration` says, at the nodes that said it, and
// CU6021 for what is not known. An unknown option is replaced by one that fits, so that it is reported once.
import { ts } from "ts-morph";
import { describeValue } from "../../base/escape.js";
import { type CapabilityWord, parseCapability } from "../../contract/capability.js";
import {
  checkDeclaration,
  type Declaration,
  type DeclarationProblem,
  OPTION_NAMES,
} from "../../contract/declaration.js";
import { LIMITS } from "../../contract/limits.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import {
  chainOf,
  findUnknown,
  type ObjectValue,
  toPlain,
  UNKNOWN_REASONS,
  type UnknownValue,
  type Value,
} from "../evaluate/value.js";
import { createFinding, type Finding } from "../finding.js";
import { type Places, shortText } from "../place.js";
import { declarationFix, mutableFix } from "./declaration-fix.js";
import type { Application } from "./discover.js";

export interface JudgedOptions {
  readonly findings: readonly Finding[];
  /** Present when every option evaluates and fits. */
  readonly declaration: Declaration | undefined;
  /** The words of `cap`, undefined when they are not known. */
  readonly words: readonly CapabilityWord[] | undefined;
  readonly capSite: ts.Node | undefined;
  readonly name: string | undefined;
}

interface Context {
  readonly checker: ts.TypeChecker;
  readonly evaluator: Evaluator;
  readonly places: Places;
}

const UNJUDGED = { declaration: undefined, words: undefined, capSite: undefined, name: undefined } as const;

const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  cap: "computer.screen",
  width: LIMITS.sideMax,
  height: LIMITS.sideMax,
};

function isOption(key: string): boolean {
  return (OPTION_NAMES as readonly string[]).includes(key);
}

/** CU6021 with the chain down to the node that cannot be evaluated. */
function notStatic(context: Context, option: string, unknown: UnknownValue, site: ts.Node): Finding {
  const chain = chainOf(unknown);
  const steps = chain.filter(
    (step, index) => step.reason !== "dependent" || chain[index + 1]?.node !== step.node,
  );
  const origin = chain[chain.length - 1] ?? unknown;
  const because = steps.map((step) =>
    context.places.site(step.node, `${shortText(step.node, 48)} ${UNKNOWN_REASONS[step.reason]}`),
  );
  const fix = mutableFix(origin, context.evaluator, context.checker, context.places);
  return createFinding(
    "CU6021",
    { option, reason: `${shortText(origin.node, 48)} ${UNKNOWN_REASONS[origin.reason]}` },
    site,
    { because, ...(fix ? { fix } : {}) },
  );
}

function problemFinding(
  context: Context,
  application: Application,
  options: ObjectValue | undefined,
  problem: DeclarationProblem,
): Finding {
  const member = problem.option === undefined ? undefined : options?.members.get(problem.option);
  const valueSite = member?.valueSite ?? application.site;
  const fix = declarationFix(problem, application, member, context.places);
  const details = fix ? { fix } : {};
  const { got, reason, suggestion, option = "options" } = problem;
  const hint = suggestion === undefined ? "" : `; did you mean ${describeValue(suggestion)}?`;
  switch (problem.code) {
    case "CU6017":
      return createFinding("CU6017", { reason, got }, application.site, details);
    case "CU6018":
      return createFinding("CU6018", { reason, got, hint }, valueSite, details);
    case "CU6019":
      return createFinding("CU6019", { option, reason, got }, valueSite, details);
    case "CU6022":
      return createFinding("CU6022", { got, reason, hint }, member?.keySite ?? application.site, details);
    case "CU6023":
      return createFinding("CU6023", { option, reason, got }, valueSite, details);
  }
}

function judgeObject(context: Context, application: Application, options: ObjectValue): JudgedOptions {
  const findings: Finding[] = [];
  const plain: Record<string, unknown> = Object.create(null);
  let complete = options.lost.length === 0;
  for (const part of options.lost) findings.push(notStatic(context, "options", part.value, part.site));
  if (!complete) plain["cap"] = PLACEHOLDERS["cap"];
  for (const [key, member] of options.members) {
    const unknown = isOption(key) ? findUnknown(member.value) : undefined;
    if (!unknown) {
      plain[key] = isOption(key) ? toPlain(member.value) : null;
      continue;
    }
    complete = false;
    findings.push(notStatic(context, key, unknown, member.valueSite));
    if (Object.hasOwn(PLACEHOLDERS, key)) plain[key] = PLACEHOLDERS[key];
  }
  const checked = checkDeclaration(plain);
  for (const problem of checked.problems) {
    findings.push(problemFinding(context, application, options, problem));
  }
  const cap = options.members.get("cap");
  const capText = cap && toPlain(cap.value);
  const parsed = typeof capText === "string" ? parseCapability(capText) : undefined;
  const name = plain["name"];
  return {
    findings,
    declaration: complete ? checked.declaration : undefined,
    words: parsed?.ok ? parsed.words : undefined,
    capSite: cap?.valueSite,
    name:
      typeof name === "string" && !checked.problems.some((each) => each.option === "name") ? name : undefined,
  };
}

/** Judges the options of an application whose target is a fit class. */
export function judgeOptions(context: Context, application: Application): JudgedOptions {
  const { value } = application.evaluation;
  if (value.kind === "unknown") {
    return { ...UNJUDGED, findings: [notStatic(context, "options", value, application.site)] };
  }
  const args: readonly Value[] = value.kind === "decorator" ? value.args : [];
  const sites: readonly ts.Node[] = value.kind === "decorator" ? value.argSites : [];
  const surplus = sites
    .slice(1)
    .map((site) =>
      createFinding("CU6022", { got: "a second argument", reason: "is not an option", hint: "" }, site),
    );
  const [first] = args;
  const [site = application.site] = sites;
  if (first?.kind === "unknown") {
    return { ...UNJUDGED, findings: [notStatic(context, "options", first, site), ...surplus] };
  }
  if (first?.kind === "object") {
    const judged = judgeObject(context, application, first);
    return { ...judged, findings: [...judged.findings, ...surplus] };
  }
  const problem: DeclarationProblem = first
    ? { code: "CU6017", got: describeValue(toPlain(first)), reason: "takes one object with a cap" }
    : { code: "CU6017", got: "nothing", reason: "is missing" };
  return { ...UNJUDGED, findings: [problemFinding(context, application, undefined, problem), ...surplus] };
}

/** The object literal that an application's options are written as, where they are written in place. */
export function optionsLiteral(site: Application["site"]): ts.ObjectLiteralExpression | undefined {
  const expression = ts.isDecorator(site) ? site.expression : site;
  const argument = ts.isCallExpression(expression) ? expression.arguments[0] : undefined;
  return argument && ts.isObjectLiteralExpression(argument) ? argument : undefined;
}
