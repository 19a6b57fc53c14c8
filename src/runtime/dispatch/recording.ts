// A conversation with a model on disk: one file a reply, numbered in order, readable by its owner only, since it
// holds what the model said and typed; only declared secrets are masked. Each file carries its digest and names the
// one before it, so that a recording which was edited is not played. `recordTo` writes it around another port,
// `replay` plays it.
import { constants, promises as files } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { JsonValue } from "../../base/canonical-json.js";
import { DIGEST_PATTERN, type Digest, digestBytes, digestJson } from "../../base/digest.js";
import { describeValue, quoteText } from "../../base/escape.js";
import { LIMITS } from "../../contract/limits.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import { Redactor, SECRET_MARK } from "../control/redaction.js";
import { wordsOf } from "./kept-reply.js";
import type { Message, ReplyBlock } from "./message.js";
import { ModelError, type ModelPort, type ModelRequest } from "./model-port.js";
import { secretsOf, withSecrets } from "./port-secrets.js";

const RECORDING_VERSION = 2;

const digest = z.string().regex(DIGEST_PATTERN);

const recordedReplySchema = z.strictObject({
  version: z.literal(RECORDING_VERSION),
  /** The digest of the file before; of the empty text in the first one. */
  previous: digest,
  /** Digest of the request's shape: who said what kind of thing, in which order. */
  shape: digest,
  model: z.string().max(256),
  tool: z.string().max(128),
  reply: z.unknown(),
  /** Of everything else in the file. */
  digest,
});
type RecordedReply = z.infer<typeof recordedReplySchema>;

const NO_FILE = digestBytes("");

/** The digest that a file must carry. @throws TypeError for numbers that JSON cannot write. */
function digestOf(file: Omit<RecordedReply, "digest"> & { readonly digest?: string }): Digest {
  const { digest: _carried, ...content } = file;
  return digestJson(content);
}

/** The digits keep the files in order in any listing. */
function fileName(index: number): string {
  return `reply-${String(index).padStart(5, "0")}.json`;
}

const FILE_NAME = /^reply-\d{5}\.json$/;

/** What stands for a secret in a call's id, which has to stay one. */
const ID_MARK = "_secret_";

type MaskId = (id: string) => string;

function blockShape(block: Message["content"][number], maskId: MaskId): JsonValue {
  if (block.type !== "tool_result" || !("tool_use_id" in block)) return block.type;
  const id = maskId(String(block["tool_use_id"]));
  return [block.type, id, "is_error" in block && block["is_error"] === true];
}

/**
 * What a request and its recording must have in common: tool, roles, kinds of blocks, ids answered and failures. The
 * pixels and words in between differ from run to run.
 */
export function requestShape(request: ModelRequest, maskId: MaskId = (id) => id): Digest {
  const messages = request.messages.map((message) => [
    message.role,
    message.content
      .filter((block) => block.type !== "image" && block.type !== "text")
      .map((block) => blockShape(block, maskId)),
  ]);
  return digestJson([request.tool.type, messages] as JsonValue);
}

async function requireFolder(folder: string): Promise<void> {
  const stats = await files.lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) {
    throw new ConfigurationError(
      "E_SPEC",
      `${quoteText(folder, 300)} is no folder that a recording can be in`,
    );
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await files.open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

export interface RecordOptions {
  /** Masked in what is kept, as the port's API key always is. Everything else is kept as the model said it. */
  readonly secrets?: readonly string[];
}

/** A reply with its secrets masked; calls keep ids that can be answered. */
function masked(reply: unknown, redactor: Redactor, maskId: MaskId): unknown {
  const value: unknown = redactor.value(reply);
  const blocks = (value as { content?: unknown } | null)?.content;
  if (!Array.isArray(blocks)) return value;
  const words = blocks.map((block: unknown) => (isBlock(block) ? wordsOf(block) : undefined));
  // What is split over two blocks is found only when they are read as one text.
  const together = redactor.wordsTogether(words.map((text) => text ?? ""));
  const content = blocks.map((block: unknown, index) => {
    if (isCall(block)) return { ...block, id: maskId(block.id) };
    if (words[index] === undefined || !isBlock(block)) return block;
    return { ...block, [block.type]: together[index] };
  });
  return { ...(value as object), content };
}

function isBlock(block: unknown): block is ReplyBlock {
  return typeof block === "object" && block !== null && "type" in block && typeof block.type === "string";
}

function isCall(block: unknown): block is { readonly id: string } {
  return typeof block === "object" && block !== null && "id" in block && typeof block.id === "string";
}

/**
 * A port that asks another one and keeps each complete reply in a folder, which must be new or hold no recording.
 * A reply that cannot be kept is not handed on.
 * @throws ConfigurationError E_SPEC for what cannot be a secret.
 */
export function recordTo(folder: string, port: ModelPort, options: RecordOptions = {}): ModelPort {
  const redactor = new Redactor(options.secrets);
  redactor.addSecrets(secretsOf(port));
  const maskId: MaskId = (id) => redactor.text(id).replaceAll(SECRET_MARK, ID_MARK);
  let next = 1;
  let previous = NO_FILE;
  let prepared: Promise<void> | undefined;

  async function prepare(): Promise<void> {
    await files.mkdir(folder, { recursive: true, mode: 0o700 });
    await requireFolder(folder);
    const names = await files.readdir(folder);
    if (names.some((name) => FILE_NAME.test(name))) {
      throw new ConfigurationError(
        "E_SPEC",
        `${quoteText(folder, 300)} holds a recording already: choose another folder`,
      );
    }
  }

  async function keep(request: ModelRequest, reply: unknown): Promise<void> {
    const kept = {
      version: RECORDING_VERSION,
      previous,
      shape: requestShape(request, maskId),
      model: request.model,
      tool: request.tool.type,
      reply: masked(reply, redactor, maskId),
    } as const;
    // As a reader will find it: a number that JSON cannot write is written as null.
    const written = JSON.parse(JSON.stringify(kept)) as Omit<RecordedReply, "digest">;
    const digest = digestOf(written);
    await writeNew(join(folder, fileName(next)), `${JSON.stringify({ ...written, digest }, null, 2)}\n`);
    next += 1;
    previous = digest;
  }

  const recording: ModelPort = {
    id: port.id,
    ...(port.model === undefined ? {} : { model: port.model }),
    ...(port.dialect === undefined ? {} : { dialect: port.dialect }),
    async ask(request, signal) {
      prepared ??= prepare();
      await prepared;
      const reply = await port.ask(request, signal);
      await keep(request, reply);
      return reply;
    },
    close: () => port.close(),
  };
  return withSecrets(recording, secretsOf(port));
}

function broken(name: string, why: string): ModelError {
  return new ModelError("fatal", `the recording cannot be played: ${name} ${why}`);
}

function drifted(name: string, why: string): ConfigurationError {
  return new ConfigurationError(
    "E_SPEC_DRIFT",
    `the recording is not what was recorded: ${name} ${why}; record it anew`,
  );
}

async function readText(path: string, name: string): Promise<string> {
  const file = await files.open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    const { code } = error as { code?: unknown };
    throw broken(name, code === "ENOENT" ? "is not there; the recording has ended" : "cannot be opened");
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw broken(name, "is no regular file");
    if (stats.size > 2 * LIMITS.replyMaxBytes) throw broken(name, "is too large");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function hasVersion(value: unknown, version: number): boolean {
  return typeof value === "object" && value !== null && "version" in value && value.version === version;
}

async function readRecorded(folder: string, index: number, previous: string): Promise<RecordedReply> {
  const name = fileName(index);
  const text = await readText(join(folder, name), name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(name, "is not JSON");
  }
  if (hasVersion(value, 1)) throw broken(name, "is of version 1, which carries no digests; record it anew");
  const parsed = recordedReplySchema.safeParse(value);
  if (!parsed.success) {
    throw broken(name, `is malformed: ${describeValue(parsed.error.issues[0]?.message ?? "", 200)}`);
  }
  const { data } = parsed;
  if (!carriesItsDigest(data)) throw drifted(name, "was changed after it was written");
  if (data.previous !== previous) throw drifted(name, "does not follow the file before it");
  return data;
}

function carriesItsDigest(file: RecordedReply): boolean {
  try {
    return digestOf(file) === file.digest;
  } catch {
    return false;
  }
}

/**
 * A model that plays a recording in order. A missing or ended recording, and a run that goes another way than the
 * recorded one, is E_PROTOCOL; a file that was edited, exchanged or moved is E_SPEC_DRIFT.
 */
export function replay(folder: string): ModelPort {
  let next = 1;
  let previous: string = NO_FILE;
  return {
    id: `replay:${quoteText(folder, 200).slice(1, -1)}`,
    async ask(request, signal) {
      signal.throwIfAborted();
      const index = next;
      const recorded = await readRecorded(folder, index, previous);
      if (recorded.tool !== request.tool.type) {
        throw broken(fileName(index), `was made with the tool ${describeValue(recorded.tool)}`);
      }
      if (recorded.shape !== requestShape(request)) {
        throw broken(
          fileName(index),
          "answers another course of events: an action now failed or succeeded that did not then",
        );
      }
      next += 1;
      previous = recorded.digest;
      return recorded.reply;
    },
    async close() {},
  };
}
