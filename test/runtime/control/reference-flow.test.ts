// The reference flow over a runtime that lies, fails or dawdles: what was mutated, and whether all was given back.
import { describe, expect, it } from "vitest";
import { digestBytes } from "../../../src/base/digest.js";
import type { ActionPreview } from "../../../src/contract/control.js";
import { parseAction } from "../../../src/contract/parse-action.js";
import {
  buildReferenceGraph,
  type ReferenceFlowOptions,
} from "../../../src/runtime/control/reference-flow.js";
import { ManualClock } from "../../../src/runtime/testing/manual-clock.js";
import { ENVELOPE, type Faults, FaultyRuntime } from "./faulty-runtime.js";

const parsed = parseAction("left_click", { coordinate: [200, 200] });
if (!parsed.ok) throw new Error(parsed.reason);
const PROPOSED = { actionId: "action-1", action: parsed.action, fromModel: true };

function setup(faults: Faults = {}, options: Partial<ReferenceFlowOptions> = {}) {
  const runtime = new FaultyRuntime({ reserves: true, ...faults });
  const clock = new ManualClock("2026-01-01T00:00:01.000Z");
  const flow = buildReferenceGraph(runtime, { clock, sessionId: "session-1", ...options });
  return { runtime, clock, run: () => flow.run(PROPOSED) };
}

const confirm = (preview: ActionPreview): ActionPreview => ({
  ...preview,
  executable: false,
  blocker: "approval_required",
  policy: { ...preview.policy, decision: "confirm" },
});

describe("a run without faults", () => {
  it("observes at once, mutates once, and gives back what it took", async () => {
    const { runtime, run } = setup();
    const result = await run();
    expect(result).toMatchObject({
      status: "executed",
      receipt: { status: "committed" },
      verification: { outcome: "committed_unverified" },
    });
    expect(runtime.mutations).toBe(1);
    expect(runtime.overlap).toBeGreaterThanOrEqual(2);
    expect(runtime.calls.slice(3)).toEqual([
      "previewAction",
      "reserveTarget",
      "acquireLease",
      "executeAction",
      "verify",
      "releaseLease",
      "releaseTarget",
    ]);
  });

  it("hands the preview's postcondition to verification", async () => {
    const postcondition = { kind: "screen_changed", before: digestBytes("before") } as const;
    const { run } = setup({
      preview: (preview) => ({ ...preview, envelope: { ...preview.envelope, postcondition } }),
    });
    expect(await run()).toMatchObject({ verification: { outcome: "verified" } });
  });

  it("does without reservations where the runtime has none", async () => {
    const { runtime, run } = setup({ reserves: false });
    expect(await run()).toMatchObject({ status: "executed" });
    expect(runtime.count("releaseTarget")).toBe(0);
  });
});

describe("approval", () => {
  it("no approver means no: nothing is reserved, leased or mutated", async () => {
    const { runtime, run } = setup({ preview: confirm });
    await expect(run()).rejects.toMatchObject({ code: "E_APPROVAL" });
    expect(runtime.mutations + runtime.count("reserveTarget") + runtime.count("acquireLease")).toBe(0);
  });

  it.each([undefined, ""])("an approver that answers %j means no", async (answer) => {
    const { runtime, run } = setup({ preview: confirm }, { approve: async () => answer });
    await expect(run()).rejects.toMatchObject({ code: "E_APPROVAL" });
    expect(runtime.mutations).toBe(0);
  });

  it("an approver that throws means no", async () => {
    const approve = async (): Promise<string> => {
      throw new Error("the approver went away");
    };
    const { runtime, run } = setup({ preview: confirm }, { approve });
    await expect(run()).rejects.toThrow("the approver went away");
    expect(runtime.mutations).toBe(0);
  });

  it("exactly the grant that was given reaches the runtime", async () => {
    const { runtime, run } = setup({ preview: confirm }, { approve: async () => "grant-exact" });
    expect(await run()).toMatchObject({ status: "executed" });
    expect(runtime.grants).toEqual(["grant-exact"]);
  });

  it("an approver is not asked where the policy allows, and cannot overrule a denial", async () => {
    let asked = 0;
    const approve = async () => {
      asked += 1;
      return "grant";
    };
    const allowed = setup({}, { approve });
    await allowed.run();
    expect(allowed.runtime.grants).toEqual([undefined]);
    const denied = setup(
      {
        preview: (preview) => ({
          ...preview,
          executable: false,
          blocker: "policy_denied",
          policy: { ...preview.policy, decision: "deny" },
        }),
      },
      { approve },
    );
    expect(await denied.run()).toMatchObject({ status: "blocked" });
    expect(denied.runtime.mutations).toBe(0);
    expect(asked).toBe(0);
  });
});

type Change<Name extends keyof Faults> = readonly [string, NonNullable<Faults[Name]>, RegExp];

describe("answers that do not belong to the action", () => {
  const previews: readonly Change<"preview">[] = [
    ["another action", (p) => ({ ...p, envelope: { ...p.envelope, actionId: "action-2" } }), /actionId/],
    ["another tool", (p) => ({ ...p, envelope: { ...p.envelope, tool: "type" } }), /tool/],
    ["another session", (p) => ({ ...p, envelope: { ...p.envelope, sessionId: "session-2" } }), /sessionId/],
    [
      "executable although denied",
      (p) => ({ ...p, policy: { ...p.policy, decision: "deny" } }),
      /contradicts itself/,
    ],
    ["executable although blocked", (p) => ({ ...p, blocker: "stopped" }), /contradicts itself/],
    ["not executable without a blocker", (p) => ({ ...p, executable: false }), /contradicts itself/],
    [
      "expired",
      (p) => ({ ...p, envelope: { ...p.envelope, expiresAt: "2026-01-01T00:00:00.500Z" } }),
      /expired/,
    ],
    [
      "an unreadable time",
      (p) => ({ ...p, envelope: { ...p.envelope, proposedAt: "soon" } }),
      /unreadable proposedAt/,
    ],
    [
      "an unreadable end",
      (p) => ({ ...p, envelope: { ...p.envelope, expiresAt: "" } }),
      /unreadable expiresAt/,
    ],
    [
      "an end before its beginning",
      (p) => ({ ...p, envelope: { ...p.envelope, expiresAt: "2025-12-31T00:00:00.000Z" } }),
      /non-positive validity window/,
    ],
    [
      "a life of a year",
      (p) => ({ ...p, envelope: { ...p.envelope, expiresAt: "2027-01-01T00:00:00.000Z" } }),
      /too long/,
    ],
  ];
  it.each(previews)("preview: %s", async (_what, preview, message) => {
    const { runtime, run } = setup({ preview });
    await expect(run()).rejects.toThrow(message);
    expect(runtime.mutations + runtime.count("reserveTarget") + runtime.count("acquireLease")).toBe(0);
  });

  const leases: readonly Change<"lease">[] = [
    ["another session", (l) => ({ ...l, sessionId: "session-2" }), /sessionId/],
    ["another principal", (l) => ({ ...l, principalId: "principal-2" }), /principalId/],
    ["another agent", (l) => ({ ...l, agentId: "other" }), /agentId/],
    ["another mode", (l) => ({ ...l, executionMode: "background" }), /executionMode/],
    ["another display", (l) => ({ ...l, displayId: "display-2" }), /displayId/],
    ["released", (l) => ({ ...l, state: "released" }), /not active/],
    ["revoked", (l) => ({ ...l, state: "revoked" }), /not active/],
    ["expired by its state", (l) => ({ ...l, state: "expired" }), /not active/],
    ["expired by its time", (l) => ({ ...l, expiresAt: "2026-01-01T00:00:01.000Z" }), /expired/],
    ["an unreadable end", (l) => ({ ...l, expiresAt: "never" }), /unreadable/],
    ["no budget", (l) => ({ ...l, actionBudget: 0 }), /budget/],
    ["budget used up", (l) => ({ ...l, actionsUsed: 1 }), /no remaining action budget: 1 of 1 used/],
    ["a budget that is no number", (l) => ({ ...l, actionBudget: Number.NaN }), /budget/],
  ];
  it.each(leases)("lease: %s", async (_what, lease, message) => {
    const { runtime, run } = setup({ lease });
    await expect(run()).rejects.toThrow(message);
    expect(runtime.mutations).toBe(0);
    expect([runtime.count("releaseLease"), runtime.count("releaseTarget")]).toEqual([1, 1]);
  });

  it("lease: one with budget left is taken", async () => {
    const { run } = setup({ lease: (lease) => ({ ...lease, actionBudget: 3, actionsUsed: 2 }) });
    expect(await run()).toMatchObject({ status: "executed" });
  });

  const reservations: readonly Change<"reservation">[] = [
    ["another session", (r) => ({ ...r, sessionId: "session-2" }), /sessionId/],
    ["another principal", (r) => ({ ...r, principalId: "principal-2" }), /principalId/],
    ["another intent", (r) => ({ ...r, intentId: "action-2" }), /intentId/],
    ["another display", (r) => ({ ...r, displayId: "display-2" }), /displayId/],
    ["released", (r) => ({ ...r, state: "released" }), /not active/],
    ["expired", (r) => ({ ...r, expiresAt: "2026-01-01T00:00:00.000Z" }), /expired/],
    ["an unreadable end", (r) => ({ ...r, expiresAt: "x" }), /unreadable/],
  ];
  it.each(reservations)("reservation: %s", async (_what, reservation, message) => {
    const { runtime, run } = setup({ reservation });
    await expect(run()).rejects.toThrow(message);
    expect(runtime.mutations + runtime.count("acquireLease")).toBe(0);
    expect(runtime.count("releaseTarget")).toBe(1);
  });

  const receipts: readonly Change<"receipt">[] = [
    ["another action", (r) => ({ ...r, actionId: "action-2" }), /actionId/],
    ["another digest", (r) => ({ ...r, actionDigest: digestBytes("other") }), /actionDigest/],
    ["another session", (r) => ({ ...r, sessionId: "session-2" }), /sessionId/],
    ["another lease", (r) => ({ ...r, leaseId: "lease-2" }), /leaseId/],
    ["an older epoch", (r) => ({ ...r, epoch: 0 }), /epoch/],
  ];
  it.each(receipts)("receipt: %s", async (_what, receipt, message) => {
    const { runtime, run } = setup({ receipt });
    await expect(run()).rejects.toThrow(message);
    expect(runtime.mutations).toBe(1);
    expect(runtime.count("verify")).toBe(0);
    expect([runtime.count("releaseLease"), runtime.count("releaseTarget")]).toEqual([1, 1]);
  });
});

describe("failures", () => {
  it("an envelope that expires while the lease is acquired is not executed", async () => {
    let expire = () => {};
    const { runtime, clock, run } = setup({
      lease: (lease) => ({ ...lease, expiresAt: "2026-01-01T00:10:00.000Z" }),
      whileLeasing: () => expire(),
    });
    expire = () => clock.advance(Date.parse(ENVELOPE.expiresAt) - Date.parse(clock.now()));
    await expect(run()).rejects.toMatchObject({ code: "E_STALE" });
    expect(runtime.mutations).toBe(0);
    expect([runtime.count("releaseLease"), runtime.count("releaseTarget")]).toEqual([1, 1]);
  });

  it("a lease that cannot be had passes its error on, and the target is given back", async () => {
    const { runtime, run } = setup({ throws: { acquireLease: "no lease today" } });
    await expect(run()).rejects.toThrow("no lease today");
    expect(runtime.mutations).toBe(0);
    expect([runtime.count("releaseLease"), runtime.count("releaseTarget")]).toEqual([0, 1]);
  });

  it("a verification that throws leaves one mutation, and all is given back", async () => {
    const { runtime, run } = setup({ throws: { verify: "cannot look" } });
    await expect(run()).rejects.toThrow("cannot look");
    expect(runtime.mutations).toBe(1);
    expect([runtime.count("releaseLease"), runtime.count("releaseTarget")]).toEqual([1, 1]);
  });

  it("a failed clean-up is told beside the failure it followed, and hides neither", async () => {
    const { runtime, run } = setup({ throws: { acquireLease: "no lease", releaseTarget: "stuck" } });
    await expect(run()).rejects.toThrow(/^no lease; clean-up also failed: release the target: stuck$/);
    expect(runtime.count("releaseTarget")).toBe(1);
  });

  it("a failed clean-up alone is an error too, after the mutation, and the other clean-up still runs", async () => {
    const { runtime, run } = setup({ throws: { releaseLease: "stuck" } });
    await expect(run()).rejects.toThrow(/^clean-up failed: release the lease: stuck$/);
    expect(runtime.mutations).toBe(1);
    expect(runtime.count("releaseTarget")).toBe(1);
  });

  it.each([
    "discoverCapabilities",
    "observeVisual",
    "observeSemantic",
    "previewAction",
    "reserveTarget",
  ] as const)("%s failing ends it before anything is taken", async (name) => {
    const { runtime, run } = setup({ throws: { [name]: "failed" } });
    await expect(run()).rejects.toThrow("failed");
    expect(runtime.mutations + runtime.count("acquireLease") + runtime.count("releaseTarget")).toBe(0);
  });

  it("a route that cannot be recorded ends it before anything is taken", async () => {
    const runtime = new FaultyRuntime({ reserves: true });
    const flow = buildReferenceGraph(runtime, {
      clock: new ManualClock("2026-01-01T00:00:01.000Z"),
      sessionId: "session-1",
    });
    const routed = async () => {
      throw new Error("no record");
    };
    await expect(flow.run(PROPOSED, undefined, routed)).rejects.toThrow("no record");
    expect(runtime.mutations + runtime.count("reserveTarget") + runtime.count("acquireLease")).toBe(0);
  });
});
