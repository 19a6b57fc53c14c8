// The build-time checker: from sources to findings and to the spec that the run enforces.
export { specFunctionName } from "./agents/agents.js";
export { type CheckRequest, type CheckResult, checkProject } from "./check.js";
export { buildModule, buildSpec, compareSpec, type OnDisk } from "./emit/spec.js";
export { findProjectOf, type LoadOptions, type LoadRequest } from "./project/load.js";
export { SourceCache } from "./project/source-cache.js";
