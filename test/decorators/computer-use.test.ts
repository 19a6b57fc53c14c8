// The decorator in its three forms, and the store behind it, which nothing outside can write.
import "reflect-metadata";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { computerUse, findDeclaration, MIRROR_KEY } from "../../src/decorators/index.js";

const OPTIONS = { cap: "computer.screen + computer.input", width: 1280, height: 800 } as const;

/** Compiles source in a decorator mode and returns its class `Agent`. `seen` receives what `note` is called with. */
async function compiled(mode: "standard" | "legacy", source: string, seen: unknown[] = []): Promise<unknown> {
  const { code } = await transform(source, {
    loader: "ts",
    target: "es2022",
    tsconfigRaw: { compilerOptions: { experimentalDecorators: mode === "legacy" } },
  });
  const make = new Function(
    "computerUse",
    "note",
    `${code}\nreturn typeof Agent === "undefined" ? undefined : Agent;`,
  );
  return make(computerUse, (value: unknown) => seen.push(value));
}

const CALL = `computerUse({ cap: "computer.screen + computer.input", width: 1280, height: 800 })`;

describe.each(["standard", "legacy"] as const)("%s decorators", (mode) => {
  it("declare the class and leave it as it is", async () => {
    const made = (await compiled(
      mode,
      `@${CALL} class Agent { static kind = 1; value = 2; constructor(readonly given: number) {} run() { return this.value + this.given; } }`,
    )) as new (
      given: number,
    ) => { run(): number };
    expect(findDeclaration(made)).toMatchObject({
      width: 1280,
      capability: "computer.input + computer.screen",
    });
    expect(new made(3).run()).toBe(5);
    expect(made.name).toBe("Agent");
    expect((made as unknown as { kind: number }).kind).toBe(1);
  });

  it("F-018 two on one class throw", async () => {
    await expect(compiled(mode, `@${CALL} @${CALL} class Agent {}`)).rejects.toMatchObject({
      code: "E_SPEC",
    });
  });

  it.each([
    ["a method", `class Agent { @${CALL} run() {} }`],
    ["a static method", `class Agent { @${CALL} static run() {} }`],
    ["a field", `class Agent { @${CALL} run = 1; }`],
    ["an accessor", `class Agent { @${CALL} get run() { return 1; } }`],
  ])("F-018 on %s throw", async (_what, source) => {
    await expect(compiled(mode, source)).rejects.toMatchObject({ code: "E_SPEC" });
  });

  it("F-019 a subclass is no agent unless it declares for itself", async () => {
    const seen: unknown[] = [];
    const source = `@computerUse({ cap: "computer.screen" }) class Base {}
      class Plain extends Base {}
      @computerUse({ cap: "computer.input" }) class Agent extends Base {}
      note(Base); note(Plain); note(Agent);`;
    await compiled(mode, source, seen);
    const [base, plain, agent] = seen.map((made) => findDeclaration(made)?.capability);
    expect([base, plain, agent]).toEqual(["computer.screen", undefined, "computer.input"]);
  });
});

it("F-018 legacy parameter decorators throw, whichever parameter", async () => {
  await expect(
    compiled("legacy", `class Agent { constructor(@${CALL} x: number) {} }`),
  ).rejects.toMatchObject({
    code: "E_SPEC",
  });
  await expect(compiled("legacy", `class Agent { run(@${CALL} x: number) {} }`)).rejects.toMatchObject({
    code: "E_SPEC",
  });
});

describe("the plain call", () => {
  it("returns the same class", () => {
    class Agent {}
    expect(computerUse(OPTIONS)(Agent)).toBe(Agent);
    expect(findDeclaration(Agent)?.height).toBe(800);
    const named = computerUse({ cap: "computer.screen", name: "Other" })(class {});
    expect(findDeclaration(named)?.name).toBe("Other");
  });

  it("one decorator may serve two classes", () => {
    const decorate = computerUse(OPTIONS);
    class A {}
    class B {}
    decorate(A);
    decorate(B);
    expect(findDeclaration(A)).toEqual(findDeclaration(B));
  });

  it.each([
    ["an object", {}],
    ["an instance", new (class Agent {})()],
    ["null", null],
    ["nothing", undefined],
    ["a text", "Agent"],
    ["an arrow function", () => 1],
    ["an async function", async () => 1],
    ["a method", { run() {} }.run],
  ])("refuses %s", (_what, target) => {
    expect(() => computerUse(OPTIONS)(target as never)).toThrow(expect.objectContaining({ code: "E_SPEC" }));
    expect(findDeclaration(target)).toBeUndefined();
  });
});

describe("options", () => {
  it.each([
    ["no cap", {}, "CU6017"],
    ["an unknown word", { cap: "computer.inptu" }, "CU6018"],
    ["no width", { cap: "computer.screen", width: 0 }, "CU6019"],
    ["an unknown option", { cap: "computer.screen", bonds: 1 }, "CU6022"],
    ["a wrong limit", { cap: "computer.screen", maxTurns: 0 }, "CU6023"],
    ["nothing", undefined, "CU6017"],
    ["null", null, "CU6017"],
    ["a text", "computer.screen", "CU6017"],
    ["a list", ["computer.screen"], "CU6017"],
  ])("%s is a configuration error with the build's code", (_what, options, code) => {
    expect(() => computerUse(options as never)).toThrow(
      expect.objectContaining({
        name: "ConfigurationError",
        code: "E_SPEC",
        message: expect.stringContaining(code),
      }),
    );
  });

  it("Q-018 quotas that are no whole numbers are refused, and zero means none", () => {
    for (const maxActions of [
      -1,
      1.5,
      "20",
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      9_007_199_254_740_992,
    ]) {
      expect(() => computerUse({ cap: "computer.screen", maxActions } as never)).toThrow(
        expect.objectContaining({ code: "E_SPEC" }),
      );
    }
    class Agent {}
    computerUse({ cap: "computer.screen", maxActions: 0 })(Agent);
    expect(findDeclaration(Agent)?.maxActions).toBe(0);
  });

  it("are read once and kept as they were", () => {
    let reads = 0;
    const denyKeys = ["ctrl+w"];
    const options = {
      cap: "computer.screen" as const,
      denyKeys,
      get maxActions() {
        return reads++ === 0 ? 3 : 1000;
      },
    };
    class Agent {}
    computerUse(options)(Agent);
    denyKeys.length = 0;
    expect(findDeclaration(Agent)).toMatchObject({
      maxActions: 3,
      denyKeys: expect.arrayContaining(["ctrl+w"]),
    });
    expect(reads).toBe(1);
  });

  it("that cannot be copied are a configuration error", () => {
    const deep: Record<string, unknown> = { cap: "computer.screen" };
    deep["bounds"] = { x: { x: { x: { x: { x: { x: 1 } } } } } };
    expect(() => computerUse(deep as never)).toThrow(expect.objectContaining({ code: "E_SPEC" }));
    expect(() => computerUse({ cap: () => "computer.screen" } as never)).toThrow(
      expect.objectContaining({ code: "E_SPEC" }),
    );
  });
});

describe("mirrors", () => {
  const metadata = Symbol.metadata ?? Symbol.for("Symbol.metadata");

  it("show the options to others", () => {
    const context = {
      kind: "class",
      name: "Agent",
      metadata: {},
      addInitializer() {},
    } as unknown as ClassDecoratorContext;
    class Agent {}
    computerUse(OPTIONS)(Agent, context as never);
    expect(context.metadata[MIRROR_KEY]).toEqual(OPTIONS);
    expect(Reflect.getMetadata(MIRROR_KEY, Agent)).toEqual(OPTIONS);
    expect(metadata).toBeTypeOf("symbol");
  });

  it("F-020 are no source: what is written to them changes nothing", () => {
    class Agent {}
    computerUse({ cap: "computer.screen" })(Agent);
    const before = findDeclaration(Agent);
    Object.defineProperty(Agent, metadata, { value: { [MIRROR_KEY]: { cap: "computer.input" } } });
    Reflect.defineMetadata(MIRROR_KEY, { cap: "computer.input" }, Agent);
    expect(findDeclaration(Agent)).toBe(before);
    expect(before?.capability).toBe("computer.screen");
    class Other {}
    Reflect.defineMetadata(MIRROR_KEY, { cap: "computer.input" }, Other);
    expect(findDeclaration(Other)).toBeUndefined();
  });

  it("cannot be used to change the declaration", () => {
    class Agent {}
    computerUse({ cap: "computer.screen", denyKeys: ["ctrl+w"] })(Agent);
    const declaration = findDeclaration(Agent) as unknown as {
      denyKeys: string[];
      bounds: { x: number };
      width: number;
    };
    expect(() => declaration.denyKeys.push("a")).toThrow(TypeError);
    expect(() => {
      declaration.bounds.x = 5;
    }).toThrow(TypeError);
    expect(() => {
      declaration.width = 5;
    }).toThrow(TypeError);
  });
});

describe("F-019 and proxies", () => {
  it("a proxy, a bound copy or an heir of an agent class is no agent", () => {
    class Agent {}
    computerUse(OPTIONS)(Agent);
    for (const other of [
      new Proxy(Agent, {}),
      Agent.bind(null),
      Object.create(Agent),
      Agent.prototype,
      new Agent(),
    ])
      expect(findDeclaration(other)).toBeUndefined();
  });
});
