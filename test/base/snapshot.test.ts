import { describe, expect, it } from "vitest";
import { SnapshotError, snapshot } from "../../src/base/snapshot.js";

describe("snapshot", () => {
  it("B-050 reads each property once", () => {
    let reads = 0;
    const value = {
      get coordinate() {
        return reads++ === 0 ? [200, 200] : [0, 0];
      },
    };
    const copy = snapshot(value) as typeof value;
    expect(copy.coordinate).toEqual([200, 200]);
    expect(copy.coordinate).toEqual([200, 200]);
    expect(reads).toBe(1);
  });

  it("reads a list's length and items once, whatever a proxy answers later", () => {
    const asked: string[] = [];
    const list = new Proxy([1, 2], {
      get(target, key) {
        if (typeof key === "string") asked.push(key);
        return key === "length" && asked.filter((one) => one === "length").length > 1
          ? 1e9
          : Reflect.get(target, key);
      },
    });
    expect(snapshot(list)).toEqual([1, 2]);
    expect(asked).toEqual(["length", "0", "1"]);
  });

  it("copies own enumerable data only, without a prototype", () => {
    const value = Object.create({ inherited: 1 }) as Record<string, unknown>;
    value["own"] = { deep: [1] };
    Object.defineProperty(value, "hidden", { value: 1, enumerable: false });
    const copy = snapshot(value) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(["own"]);
    expect(Object.getPrototypeOf(copy)).toBeNull();
    expect("inherited" in copy).toBe(false);
    value["own"] = 2;
    expect(copy["own"]).toEqual({ deep: [1] });
  });

  it("keeps a key named __proto__ as a plain member", () => {
    const copy = snapshot(JSON.parse('{"__proto__":{"screen":true}}')) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(copy)).toBeNull();
    expect(({} as Record<string, unknown>)["screen"]).toBeUndefined();
  });

  it.each<readonly [string, unknown]>([
    ["a function", { a: () => 1 }],
    ["too many items", Array.from({ length: 65 }, () => 1)],
    [
      "an endless list",
      new Proxy([], { get: (target, key) => (key === "length" ? Number.NaN : Reflect.get(target, key)) }),
    ],
    ["too many members", Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 1]))],
    ["too deep", [[[[[[[1]]]]]]]],
  ])("refuses %s", (_what, value) => {
    expect(() => snapshot(value)).toThrow(SnapshotError);
  });

  it("refuses a value that holds itself", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    expect(() => snapshot(loop)).toThrow(SnapshotError);
  });

  it.each([1, "text", true, null, undefined, [[[[[1]]]]], { a: { b: { c: {} } } }])("takes %j", (value) => {
    expect(snapshot(value)).toEqual(value);
  });
});
