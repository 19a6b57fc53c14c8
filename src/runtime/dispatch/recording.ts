// A conversation with a model on disk: one file a reply, numbered in order, readable by its owner only, since it
// holds what the model said and typed. `recordTo` writes it around another port, `replay` plays it.
import { constants, promises as files } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { JsonValue } from "../../base/canonical-json.js";
import { DIGEST_PATTERN, type Digest, digestJson } from "../../base/digest.js";
import { describeValue, quoteText } from "../../base/escape.js";
import { LIMITS } from "../../contract/limits.js";
import { ConfigurationError } from "../../diagnostics/errors.js";
import type { Message } from "./message.js";
import { ModelError, type ModelPort, type ModelRequest } from "./model-port.js";

const RECORDING_VERSION = 1;

const recordedReplySchema = z.strictObject({
  version: z.literal(RECORDING_VERSION),
  /** Digest of the request's shape: who said what kind of thing, in which order. */
  shape: z.string().regex(DIGEST_PATTERN),
  model: z.string().max(256),
  tool: z.string().max(128),
  reply: z.unknown(),
});
type RecordedReply = z.infer<typeof recordedReplySchema>;

/** The digits keep the files in order in any listing. */
function fileName(index: number): string {
  return `reply-${String(index).padStart(5, "0")}.json`;
}

const FILE_NAME = /^reply-\d{5}\.json$/;

function blockShape(block: Message["content"][number]): JsonValue {
  if (block.type !== "tool_result" || !("tool_use_id" in block)) return block.type;
  return [block.type, block["tool_use_id"] as string, "is_error" in block && block["is_error"] === true];
}

/**
 * What a request and its recording must have in common: tool, roles, kinds of blocks, ids answered and failures. The
 * pixels and words in between differ from run to run.
 */
export function requestShape(request: ModelRequest): Digest {
  const messages = request.messages.map((message) => [
    message.role,
    message.content
      .filter((block) => block.type !== "image" && block.type !== "text")
      .map((block) => blockShape(block)),
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

/**
 * A port that asks another one and keeps each complete reply in a folder, which must be new or hold no recording.
 * A reply that cannot be kept is not handed on.
 */
export function recordTo(folder: string, port: ModelPort): ModelPort {
  let next = 1;
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

  return {
    id: port.id,
    ...(port.model === undefined ? {} : { model: port.model }),
    ...(port.dialect === undefined ? {} : { dialect: port.dialect }),
    async ask(request, signal) {
      prepared ??= prepare();
      await prepared;
      const reply = await port.ask(request, signal);
      const kept: RecordedReply = {
        version: RECORDING_VERSION,
        shape: requestShape(request),
        model: request.model,
        tool: request.tool.type,
        reply,
      };
      await writeNew(join(folder, fileName(next)), `${JSON.stringify(kept, null, 2)}\n`);
      next += 1;
      return reply;
    },
    close: () => port.close(),
  };
}

function broken(name: string, why: string): ModelError {
  return new ModelError("fatal", `the recording cannot be played: ${name} ${why}`);
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

async function readRecorded(folder: string, index: number): Promise<RecordedReply> {
  const name = fileName(index);
  const text = await readText(join(folder, name), name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(name, "is not JSON");
  }
  const parsed = recordedReplySchema.safeParse(value);
  if (!parsed.success) {
    throw broken(name, `is malformed: ${describeValue(parsed.error.issues[0]?.message ?? "", 200)}`);
  }
  return parsed.data;
}

/**
 * A model that plays a recording in order. A missing or ended recording, and a run that goes another way than the
 * recorded one, is E_PROTOCOL.
 */
export function replay(folder: string): ModelPort {
  let next = 1;
  return {
    id: `replay:${quoteText(folder, 200).slice(1, -1)}`,
    async ask(request, signal) {
      signal.throwIfAborted();
      const index = next;
      const recorded = await readRecorded(folder, index);
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
      return recorded.reply;
    },
    async close() {},
  };
}
