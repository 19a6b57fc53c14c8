// The trace format, without files: records, chain, reader, verifier.
export { RecordChain } from "./chain.js";
export { type StreamLine, splitLines } from "./lines.js";
export {
  EMPTY_HEAD,
  LINE_MAX_BYTES,
  type MadeRecord,
  makeRecord,
  RecordError,
  readRecord,
} from "./record.js";
export {
  type ProblemKind,
  readTrace,
  type TraceProblem,
  type TraceReport,
  verifyTrace,
} from "./verify.js";
