// The token between gate and driver: nothing else passes, and it passes once.
import { describe, expect, it } from "vitest";
import type { DriverAction } from "../../../src/contract/driver-protocol.js";
import { mintPermitted, type PermittedAction, requirePermitted } from "../../../src/runtime/cap/permitted.js";
import { fakeDesktop } from "../../../src/runtime/drivers/index.js";

const PLAN = { kind: "move", at: { x: 5, y: 6 } } as const satisfies DriverAction;

describe("a permitted action", () => {
  it("gives its plan once", () => {
    const token = mintPermitted(PLAN);
    expect(requirePermitted(token)).toEqual(PLAN);
    expect(() => requirePermitted(token)).toThrow(expect.objectContaining({ code: "E_REPLAY" }));
  });

  it("keeps the plan that was judged, whatever becomes of the object it was made from", () => {
    const plan = { kind: "move" as const, at: { x: 5, y: 6 } };
    const token = mintPermitted(plan);
    plan.at.x = 999;
    expect(requirePermitted(token)).toEqual(PLAN);
  });

  it("shows nothing and cannot be changed", () => {
    const token = mintPermitted(PLAN);
    expect(Reflect.ownKeys(token)).toEqual([]);
    expect(Object.getPrototypeOf(token)).toBeNull();
    expect(Object.isFrozen(token)).toBe(true);
  });

  it.each<readonly [string, (token: PermittedAction) => unknown]>([
    ["a plan", () => PLAN],
    ["an empty object", () => ({})],
    ["a frozen object without prototype", () => Object.freeze(Object.create(null))],
    ["a clone", (token) => structuredClone(token)],
    ["a copy", (token) => ({ ...token })],
    ["an heir", (token) => Object.create(token)],
    ["a proxy", (token) => new Proxy(token, {})],
    ["null", () => null],
    ["nothing", () => undefined],
    ["a text", () => "move"],
  ])("is not %s", async (_what, make) => {
    const forged = make(mintPermitted(PLAN)) as PermittedAction;
    const refused = { code: "E_CAP_FORGED" };
    expect(() => requirePermitted(forged)).toThrow(expect.objectContaining(refused));
    const desktop = fakeDesktop();
    const session = await desktop.open({ size: { width: 64, height: 48 } });
    await expect(session.perform(forged)).rejects.toMatchObject(refused);
    expect(desktop.events).toEqual([]);
    await session.close();
  });

  it("moves a pointer once, however often it is handed in", async () => {
    const desktop = fakeDesktop();
    const session = await desktop.open({ size: { width: 64, height: 48 } });
    const token = mintPermitted(PLAN);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => session.perform(token)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect(desktop.events).toHaveLength(1);
    await session.close();
  });
});
