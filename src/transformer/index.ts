// The build-time checker: from sources to findings and to the spec that the run enforces.
export { type CheckRequest, type CheckResult, checkProject } from "./check.js";
export { findProjectOf, type LoadOptions, type LoadRequest } from "./project/load.js";
export { SourceCache } from "./project/source-cache.js";
