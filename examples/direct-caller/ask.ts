// A caller with a client and a loop of its own: Capuchin makes the tool, reads the calls and guards the desktop; the
// conversation is the caller's.
import type Anthropic from "@anthropic-ai/sdk";
import {
  askWithComputer,
  type ComputerCap,
  createGate,
  type DesktopSession,
  HALT_TEXT,
} from "capuchin/runtime";

/** Lets the model work towards a goal for at most `turns` requests; says whether it called itself done. */
export async function work(
  client: Anthropic,
  desktop: DesktopSession,
  allow: ComputerCap,
  goal: string,
  turns = 10,
): Promise<boolean> {
  const gate = createGate(allow, desktop.size);
  const messages: object[] = [{ role: "user", content: goal }];
  for (let turn = 0; turn < turns; turn++) {
    const request = { model: "claude-opus-5-5", max_tokens: 4096, messages };
    const answer = await askWithComputer(client, request, { allow });
    if (answer.step === "complete") return true;
    if (answer.step === "end") return false;
    if (answer.turn) messages.push(answer.turn);
    const results: object[] = [];
    let failed = false;
    for (const call of answer.calls) {
      const verdict = failed ? undefined : call.commit(gate, { pointer: undefined });
      if (!verdict?.ok) {
        results.push(call.failed(verdict ? "This is not allowed." : HALT_TEXT));
        failed = true;
        continue;
      }
      const performed = await desktop.perform(verdict.permitted);
      results.push(performed.kind === "frame" ? call.done("", performed.png) : call.done("Done."));
    }
    if (results.length > 0) messages.push({ role: "user", content: results });
  }
  return false;
}
