import { describe, expect, it } from "vitest";
import { chooseAgent } from "../../../src/cli/run/choose-agent.js";
import { computerUse, findDeclaration } from "../../../src/decorators/index.js";

const declared = (name?: string) =>
  ({ cap: "computer.screen", ...(name === undefined ? {} : { name }) }) as const;

@computerUse(declared())
class Plain {}

@computerUse(declared("Named"))
class Other {}

const anonymous = computerUse(declared())(class {});
class Undeclared {}

const choose = (module: object, name?: string) => {
  const chosen = chooseAgent(module, findDeclaration, name);
  return [chosen.agentClass, chosen.exportName];
};

describe("chooseAgent", () => {
  it("takes the only declared class, however often it is exported", () => {
    expect(choose({ Undeclared, helper: 1, Plain, default: Plain })).toEqual([Plain, "Plain"]);
  });

  it("finds an agent by its declared name, else its class name, else its export's name", () => {
    const module = { Plain, Other, agent: anonymous };
    expect(choose(module, "Named")).toEqual([Other, "Other"]);
    expect(choose(module, "Plain")).toEqual([Plain, "Plain"]);
    expect(choose(module, "agent")).toEqual([anonymous, "agent"]);
  });

  it("lets an agent's own name win over another's export name", () => {
    expect(choose({ Plain: Other, Other: Plain }, "Plain")).toEqual([Plain, "Other"]);
  });

  it.each([
    [{}, undefined, /exports no class declared/],
    [{ Undeclared }, "Undeclared", /exports no class declared/],
    [{ Plain, Other }, undefined, /several agents \("Plain", "Named"\)/],
    [{ Plain, Other }, "Plainn", /did you mean "Plain"/],
    [{ Plain, Other }, "Zebra", /exports "Plain", "Named"/],
    [{ Other, Named: computerUse(declared())(class Named {}) }, "Named", /several agents .* named "Named"/],
    [{ Plain, Twin: computerUse(declared())(class Plain {}) }, "Plain", /several agents .* named "Plain"/],
  ])("refuses %o, %s", (module, name, message) => {
    expect(() => choose(module, name)).toThrow(message);
    expect(() => choose(module, name)).toThrow(expect.objectContaining({ code: "E_SPEC" }));
  });
});
