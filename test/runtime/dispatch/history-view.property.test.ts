// What holds of every request of a conversation, whatever its turns were and whenever pictures went.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PruneLimits } from "../../../src/runtime/dispatch/history/prune-policy.js";
import type { ThinkingRule } from "../../../src/runtime/dispatch/history/thinking.js";
import { History, storedImage } from "../../../src/runtime/dispatch/history.js";
import type { Message, ReplyBlock } from "../../../src/runtime/dispatch/message.js";
import { type RequestBody, requestBody } from "../../../src/runtime/dispatch/request.js";
import { findRequestProblem } from "../../../src/runtime/testing/request-rules.js";

interface Turn {
  /** A picture with the answer, or words only; one for each call. */
  readonly pictures: readonly boolean[];
  readonly thinks: boolean;
  readonly says: boolean;
  /** A picture or a word of ours behind the answers. */
  readonly after: "none" | "picture" | "nudge";
  readonly bytes: number;
}

const turnArbitrary: fc.Arbitrary<Turn> = fc.record({
  pictures: fc.array(fc.boolean(), { minLength: 0, maxLength: 5 }),
  thinks: fc.boolean(),
  says: fc.boolean(),
  after: fc.constantFrom("none", "picture", "nudge"),
  bytes: fc.integer({ min: 1, max: 400 }),
});

const limitsArbitrary: fc.Arbitrary<PruneLimits> = fc
  .record({ maxImages: fc.integer({ min: 1, max: 12 }), keepImages: fc.integer({ min: 1, max: 12 }) })
  .map(({ maxImages, keepImages }) => ({
    maxImages,
    keepImages: Math.min(keepImages, maxImages),
    maxImageCharacters: 4000,
  }));

let pictures = 0;

function picture(bytes: number) {
  pictures += 1;
  return storedImage({
    bytes: new Uint8Array(bytes).fill(pictures % 251),
    mediaType: "image/png",
    size: { width: 8, height: 8 },
    frame: `frame ${pictures}`,
  });
}

function addTurn(history: History, turn: Turn, index: number): readonly ReplyBlock[] {
  const ids = turn.pictures.map((_, at) => `t${index}_${at}`);
  const reply: ReplyBlock[] = [
    ...(turn.thinks ? [{ type: "thinking", thinking: `thought ${index}`, signature: `s${index}` }] : []),
    ...(turn.says || ids.length === 0 ? [{ type: "text", text: `words ${index}` }] : []),
    ...ids.map((id) => ({ type: "tool_use", id, name: "left_click", toolset_name: "computer", input: {} })),
  ];
  history.addReply(reply);
  const results = ids.map((callId, at) => ({
    callId,
    toolset: "computer",
    content: [
      { type: "text" as const, text: "Clicked." },
      ...(turn.pictures[at] ? [picture(turn.bytes)] : []),
    ],
    isError: false,
  }));
  const after =
    turn.after === "picture"
      ? [picture(turn.bytes)]
      : turn.after === "nudge" || ids.length === 0
        ? [{ type: "text" as const, text: "Go on." }]
        : [];
  history.addResults(results, after);
  return reply;
}

function begin(limits: PruneLimits, rule: ThinkingRule): History {
  const history = new History(limits, rule);
  history.addUser([{ type: "text", text: "go" }, picture(20)]);
  return history;
}

function bodyOf(history: History): RequestBody {
  return requestBody({
    model: "m",
    system: "s",
    tool: { type: "computer_toolset_20260801" },
    messages: history.view(),
    cachePoints: history.cachePoints(),
    maxTokens: 1,
  });
}

/** The bytes of messages as the cache compares them: without the marks. */
function bytesOf(messages: readonly unknown[]): string {
  return JSON.stringify(messages, (key, value) => (key === "cache_control" ? undefined : value)).slice(1, -1);
}

function pointsOf(body: RequestBody): number[] {
  return body.messages.flatMap(({ content }, index) =>
    content.some((block) => block.cache_control) ? [index] : [],
  );
}

function assertTurns(check: (history: History, turn: Turn, index: number) => void, runs = 80): void {
  fc.assert(
    fc.property(
      limitsArbitrary,
      fc.constantFrom<ThinkingRule>("stays", "goes-with-pictures"),
      fc.array(turnArbitrary, { minLength: 1, maxLength: 30 }),
      (limits, rule, turns) => {
        const history = begin(limits, rule);
        turns.forEach((turn, index) => {
          check(history, turn, index);
        });
      },
    ),
    { numRuns: runs },
  );
}

test("between two prunings the bytes of each request continue those of the one before [I27]", () => {
  assertTurns((history, turn, index) => {
    const before = bytesOf(history.view());
    addTurn(history, turn, index);
    if (history.prune().length > 0) return;
    expect(bytesOf(history.view()).startsWith(`${before},`)).toBe(true);
  });
});

test("at most four cache points, and one where the request before stored all that it sent", () => {
  assertTurns((history, turn, index) => {
    const before = bodyOf(history);
    addTurn(history, turn, index);
    const isPruned = history.prune().length > 0;
    const points = pointsOf(bodyOf(history));
    expect(points.length).toBeLessThanOrEqual(3);
    expect(points.at(-1)).toBe(history.view().length - 1);
    if (!isPruned) expect(points).toContain(pointsOf(before).at(-1));
  });
});

test("after a pruning a point finds what is stored before the oldest picture that went", () => {
  let found = 0;
  assertTurns((history, turn, index) => {
    addTurn(history, turn, index);
    const before = bodyOf(history);
    const [stable] = pointsOf(before);
    if (stable === undefined || history.prune().length === 0) return;
    const oldest = before.messages.findIndex((message) => JSON.stringify(message).includes('"image"'));
    if (stable >= oldest) return;
    const after = bodyOf(history);
    expect(pointsOf(after)).toContain(stable);
    // Thinking behind the first pictures goes with them; from then on nothing before the point changes.
    const isSame =
      bytesOf(after.messages.slice(0, stable + 1)) === bytesOf(before.messages.slice(0, stable + 1));
    if (isSame) found += 1;
  });
  expect(found).toBeGreaterThan(10);
});

test("pruning alters no reply but for whole thinking blocks, breaks no pair and takes no message away [L22, L23, L24, I27]", () => {
  assertTurns((history, turn, index) => {
    const reply = addTurn(history, turn, index);
    history.prune();
    const view = history.view();
    expect(
      findRequestProblem({ model: "m", max_tokens: 1, messages: view as Message[] }, ""),
    ).toBeUndefined();
    const sent = view.filter(({ role }) => role === "assistant").at(-1)?.content;
    const withoutThinking = reply.filter(({ type }) => type !== "thinking");
    expect([reply, withoutThinking]).toContainEqual(sent);
    expect(view.at(-1)?.role).toBe("user");
    expect(view).toHaveLength(2 * (index + 1) + 1);
  });
});

test("the newest picture is always sent, and the limits hold for all others [I6]", () => {
  fc.assert(
    fc.property(limitsArbitrary, fc.array(turnArbitrary, { maxLength: 30 }), (limits, turns) => {
      const history = begin(limits, "stays");
      turns.forEach((turn, index) => {
        addTurn(history, turn, index);
        history.prune();
        expect(history.newestFrame).toBe(`frame ${pictures}`);
        expect(history.pictures.length).toBeLessThanOrEqual(limits.maxImages);
        const characters = JSON.stringify(history.view()).match(/"data":"[^"]*"/g) ?? [];
        const total = characters.reduce((sum, text) => sum + text.length - 9, 0);
        expect(history.pictures.length === 1 || total <= limits.maxImageCharacters).toBe(true);
      });
    }),
    { numRuns: 60 },
  );
});
