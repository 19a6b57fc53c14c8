export { type AgentDecorator, type AnyClass, computerUse, MIRROR_KEY } from "./computer-use.js";
export { findDeclaration } from "./definition-store.js";
