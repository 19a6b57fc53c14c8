// The model as the loop sees it: one request in, one complete message out. A port acts on nothing, keeps no
// history and never hands over part of a reply. What it returns is untrusted until `readReply` has judged it.
import { CapuchinError } from "../../diagnostics/errors.js";
import type { MissingAccess } from "./access.js";
import type { ServerContextOptions } from "./history/compaction.js";
import type { Message, ToolEntry } from "./message.js";

/** Everything that a request says, before it takes its form on the wire. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly tool: ToolEntry;
  readonly messages: readonly Message[];
  /** Tokens of this reply at most. */
  readonly maxTokens: number;
  readonly temperature?: number;
  /** Positions of the messages that carry a cache point, at most three; the newest two of the user's unless told. */
  readonly cachePoints?: readonly number[];
  /** What the server may do with a conversation that has grown long. */
  readonly serverContext?: ServerContextOptions;
}

/**
 * `hosted` speaks the API's own tools, where a reply without calls is the end. Only scripts may declare `simple`,
 * which also knows `done` and `stop` with a `summary`.
 */
export type Dialect = "hosted" | "simple";

/** A model as a run asks it: one request in, one complete reply out. */
export interface ModelPort {
  /** For people and the trace: `anthropic:claude-opus-5-5`, `script:form.json`, `replay:DIR`. */
  readonly id: string;
  /** The model id that this port insists on; the spec's model, else the default, when absent. */
  readonly model?: string;
  readonly dialect?: Dialect;
  /**
   * Asks once, without retrying. Resolves to the complete reply's JSON; rejects with a ModelError, or with the
   * signal's reason as soon as it is aborted.
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<unknown>;
  /** Frees connections and servers. Idempotent. */
  close(): Promise<void>;
}

/** `transient`: the same request may succeed later. `malformed`: the reply was no message. `fatal`: asking again is no use. */
export type ModelFault = "transient" | "malformed" | "fatal";

/** A request that brought no usable reply. Its message holds no key and no unescaped text of the server. */
export class ModelError extends CapuchinError {
  override readonly name = "ModelError";
  readonly fault: ModelFault;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | undefined;
  /** Whether the server refused the request for its pictures: with fewer of them it may be taken. */
  readonly aboutPictures: boolean;
  /** Whether the server refused the request as longer than the model's context. */
  readonly aboutLength: boolean;
  /** The access that the server says is missing, where that is why it refused. */
  readonly missing: MissingAccess | undefined;

  constructor(
    fault: ModelFault,
    message: string,
    details: {
      readonly status?: number;
      readonly retryAfterMs?: number | undefined;
      readonly missing?: MissingAccess | undefined;
      readonly aboutPictures?: boolean;
      readonly aboutLength?: boolean;
    } = {},
  ) {
    super("E_PROTOCOL", message, { retryable: fault === "transient" });
    this.fault = fault;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.missing = details.missing;
    this.aboutPictures = details.aboutPictures ?? false;
    this.aboutLength = details.aboutLength ?? false;
  }
}
