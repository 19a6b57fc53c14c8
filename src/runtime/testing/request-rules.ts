// What the hosted API refuses about a request, as far as its documentation says and a computer-use loop can get it
// wrong. The scripted server answers 400 like the API would, so that a loop with a broken history fails in tests.
import { z } from "zod";
import { ACTION_LIST, type ActionName } from "../../contract/actions.js";
import { toolsOf } from "../../contract/models.js";

const text = z.looseObject({ type: z.literal("text"), text: z.string().regex(/\S/, "blank text") });
const image = z.looseObject({
  type: z.literal("image"),
  source: z.looseObject({
    type: z.literal("base64"),
    media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
    data: z.base64().min(1),
  }),
});
const result = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  toolset_name: z.string().optional(),
  is_error: z.boolean().optional(),
  content: z.union([z.string().min(1), z.array(z.union([text, image])).min(1)]),
});
const toolUse = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, "a tool's name"),
  toolset_name: z.string().nullish(),
  input: z.record(z.string(), z.unknown()),
});
const assistantBlock = z.union([
  toolUse,
  text,
  z
    .looseObject({ type: z.string() })
    .refine((block) => block.type !== "tool_use" && block.type !== "text", "malformed or empty block"),
]);
const message = z.union([
  z.strictObject({
    role: z.literal("user"),
    content: z.union([
      z.array(z.union([result, text, image])).min(1),
      z
        .string()
        .min(1)
        .transform((words) => [{ type: "text" as const, text: words }]),
    ]),
  }),
  z.strictObject({ role: z.literal("assistant"), content: z.array(assistantBlock).min(1) }),
]);

export const messagesRequestSchema = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  messages: z.array(message).min(1),
  /** A tool without a type is the caller's own. */
  tools: z.array(z.looseObject({ type: z.string().optional(), name: z.string().optional() })).optional(),
});
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;
type WireMessage = MessagesRequest["messages"][number];
type Result = z.infer<typeof result>;

const IMAGES_MAX_FULL_SIZE = 20;
const CACHE_POINTS_MAX = 4;

function blocksOf(wire: WireMessage): readonly { readonly type: string; readonly [key: string]: unknown }[] {
  return wire.content;
}

function isResult(block: { readonly type: string }): block is Result {
  return block.type === "tool_result";
}

function callsOf(wire: WireMessage | undefined) {
  if (wire?.role !== "assistant") return [];
  return wire.content.filter((block): block is z.infer<typeof toolUse> => block.type === "tool_use");
}

function findResultProblem(one: Result): string | undefined {
  const hasImage = typeof one.content !== "string" && one.content.some((block) => block.type === "image");
  return one.is_error === true && hasImage ? `the error result ${one.tool_use_id} holds an image` : undefined;
}

/** The answers in a user message against the calls of the message before. */
function findPairProblem(before: WireMessage | undefined, wire: WireMessage): string | undefined {
  const blocks = blocksOf(wire);
  const results = blocks.filter(isResult);
  const calls = callsOf(before);
  if (blocks.some((block, index) => isResult(block) && index >= results.length)) {
    return "tool_result blocks must come first in a message";
  }
  for (const call of calls) {
    const answers = results.filter((one) => one.tool_use_id === call.id);
    if (answers.length !== 1) return `the tool_use ${call.id} has ${answers.length} results`;
    if ((answers[0]?.toolset_name ?? undefined) !== (call.toolset_name ?? undefined)) {
      return `the result of ${call.id} does not repeat its toolset_name`;
    }
  }
  const stray = results.find((one) => !calls.some((call) => call.id === one.tool_use_id));
  if (stray) return `the result ${stray.tool_use_id} answers no tool_use of the message before`;
  return results.map(findResultProblem).find((problem) => problem !== undefined);
}

function count(value: unknown, matches: (item: Record<string, unknown>) => boolean): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = !Array.isArray(value) && matches(value as Record<string, unknown>) ? 1 : 0;
  return Object.values(value).reduce((sum: number, inner) => sum + count(inner, matches), own);
}

const TOOLSET = "computer_toolset_20260801";
const SIDE = z.int().min(1);
const shared = { cache_control: z.unknown().optional() };
const single = {
  ...shared,
  name: z.literal("computer"),
  display_width_px: SIDE,
  display_height_px: SIDE,
  display_number: z.int().optional(),
};
const memberConfig = z.strictObject({
  enabled: z.boolean().optional(),
  defer_loading: z.boolean().optional(),
});

/** The fields of each version of the computer tool, and no others. */
const COMPUTER_TOOLS: Readonly<Record<string, z.ZodType>> = {
  [TOOLSET]: z.strictObject({
    ...shared,
    type: z.literal(TOOLSET),
    configs: z.partialRecord(z.enum(ACTION_LIST as [ActionName, ...ActionName[]]), memberConfig).optional(),
  }),
  computer_20251124: z.strictObject({
    ...single,
    type: z.literal("computer_20251124"),
    enable_zoom: z.boolean().optional(),
  }),
  computer_20250124: z.strictObject({ ...single, type: z.literal("computer_20250124") }),
  computer_20241022: z.strictObject({ ...single, type: z.literal("computer_20241022") }),
};

type WireTool = NonNullable<MessagesRequest["tools"]>[number];

function findEntryProblem(tool: WireTool, model: string, beta: string): string | undefined {
  const type = tool.type ?? "";
  const schema = Object.hasOwn(COMPUTER_TOOLS, type) ? COMPUTER_TOOLS[type] : undefined;
  if (schema === undefined) return `unknown tool type ${type}`;
  const issue = schema.safeParse(tool).error?.issues[0];
  if (issue) return `${type}: ${issue.path.map(String).join(".")} ${issue.message}`;
  const takes: readonly string[] | undefined = toolsOf(model);
  if (takes && !takes.includes(type)) return `${model} does not support ${type}`;
  const date = /^computer_(\d{4})(\d{2})(\d{2})$/.exec(type);
  const header = date ? `computer-use-${date[1]}-${date[2]}-${date[3]}` : undefined;
  if (header !== undefined && !beta.split(",").includes(header))
    return `${type} needs the beta header ${header}`;
  return undefined;
}

function findToolProblem(request: MessagesRequest, beta: string): string | undefined {
  const tools = request.tools ?? [];
  const isOwn = ({ type }: WireTool) => type === undefined || type === "custom";
  const hosted = tools.filter((tool) => !isOwn(tool));
  const isComputer = ({ name, type }: WireTool) => name === "computer" || type === TOOLSET;
  if (tools.filter(isComputer).length > 1) return "more than one tool is called computer";
  for (const tool of hosted) {
    const problem = findEntryProblem(tool, request.model, beta);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function endsInThinking(wire: WireMessage): boolean {
  const type = wire.role === "assistant" ? wire.content.at(-1)?.type : undefined;
  return type === "thinking" || type === "redacted_thinking";
}

/** The last API version that takes sampling parameters. */
const SAMPLING_VERSION = "2023-06-01";
const SAMPLING = ["temperature", "top_p", "top_k"];

/** What is wrong with a request; undefined when the API would take it. `beta` and `version` are its headers. */
export function findRequestProblem(body: unknown, beta: string, version?: string): string | undefined {
  const parsed = messagesRequestSchema.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "malformed"}`;
  }
  const request = parsed.data;
  const sampling = SAMPLING.find((key) => key in request);
  if (sampling !== undefined && version !== SAMPLING_VERSION) return `${sampling}: not in this API version`;
  if (request.messages[0]?.role !== "user") return "the first message must be the user's";
  const toolProblem = findToolProblem(request, beta);
  if (toolProblem !== undefined) return toolProblem;
  for (const [index, wire] of request.messages.entries()) {
    if (wire.role !== "user") continue;
    const problem = findPairProblem(request.messages[index - 1], wire);
    if (problem !== undefined) return problem;
  }
  if (request.messages.some(endsInThinking)) return "an assistant message may not end in thinking";
  const last = request.messages.at(-1);
  const ending = last?.role === "assistant" ? last.content.at(-1) : undefined;
  if (ending?.type === "text" && /\s$/.test(String(ending["text"]))) {
    return "the last assistant message may not end in blanks";
  }
  const unanswered = request.messages.find(
    (wire, index) => callsOf(wire).length > 0 && request.messages[index + 1]?.role !== "user",
  );
  if (unanswered) return "a tool_use has no tool_result in the next message";
  if (count(request.messages, (item) => item["type"] === "image") > IMAGES_MAX_FULL_SIZE) {
    return `more than ${IMAGES_MAX_FULL_SIZE} images`;
  }
  if (count(body, (item) => "cache_control" in item) > CACHE_POINTS_MAX) return "too many cache points";
  return undefined;
}
