// A package `capuchin` of declarations only, for projects that the tests write: the public names and types, no code.

const METHODS = [
  "screenshot",
  "zoom",
  "cursorPosition",
  "observe",
  "verify",
  "move",
  "click",
  "doubleClick",
  "tripleClick",
  "rightClick",
  "middleClick",
  "drag",
  "scroll",
  "mouseDown",
  "mouseUp",
  "type",
  "key",
  "holdKey",
  "wait",
];

const INDEX = `
export interface ComputerUseOptions {
  readonly cap: string;
  readonly width?: number;
  readonly height?: number;
  readonly name?: string;
  readonly [option: string]: unknown;
}
type AgentClass = abstract new (...args: never[]) => object;
export interface ComputerUseDecorator {
  <T extends AgentClass>(target: T, context: ClassDecoratorContext<T>): void;
  <T extends AgentClass>(target: T): T;
}
export declare function computerUse(options: ComputerUseOptions): ComputerUseDecorator;
export interface Tainted<T> { trust(reason: string): T; matching(pattern: RegExp): string; }
export interface Result { readonly text: Tainted<string>; }
export interface Computer {
  run(agent: object, goal: string, options?: { system?: string }): Promise<Result>;
${METHODS.map((name) => `  ${name}(agent: object, value?: unknown): Promise<unknown>;`).join("\n")}
  spawn(agent: object, child: AgentClass, goal: string, options?: object): Promise<{ readonly result: Promise<Result> }>;
  cap(agent: object): object;
  readonly clipboard: {
    read(agent: object): Promise<Tainted<string>>;
    write(agent: object, text: string): Promise<void>;
  };
  readonly windows: {
    list(agent: object): Promise<unknown>;
    setFrame(agent: object, frame: object): Promise<void>;
    invokeMenu(agent: object, path: unknown): Promise<void>;
    activate(agent: object, window: unknown): Promise<void>;
  };
}
export declare const computer: Computer;
export declare function launch<T extends object>(agent: new (...args: never[]) => T, options: { goal: string; create?: () => T; derive?: boolean }): Promise<unknown>;
`;

/** The files of the stub, by path inside its folder. */
export function stubPackage(version = "0.0.0"): ReadonlyMap<string, string> {
  return new Map([
    [
      "package.json",
      JSON.stringify({
        name: "capuchin",
        version,
        type: "module",
        exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
      }),
    ],
    ["index.d.ts", INDEX],
  ]);
}
