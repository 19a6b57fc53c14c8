// What this run of the demo is about: the seed, the goal, the files.

export interface Plan {
  readonly seed: number;
  readonly fake: boolean;
  readonly live: boolean;
  readonly sabotage: string | undefined;
  /** The declared viewport, and the virtual display's size. */
  readonly size: { readonly width: number; readonly height: number };
  /** The model id that the agent declares; decides how large its pictures are. */
  readonly modelId: string | undefined;
  /** Whether the agent is the example itself. */
  readonly isExample: boolean;
  readonly agent: string;
  readonly project: string;
  readonly folder: string;
  readonly spec: string;
  readonly answer: string;
  readonly trace: string;
  readonly goal: string;
  /** The model script that fills in the form. */
  readonly script: string;
  /** What is to be typed, field by field. */
  readonly entries: Entries;
  /** What the form program must print. */
  readonly expected: string;
  /** Whether the agent runs on a display that it did not open. */
  readonly host: boolean;
  readonly driver: "x11" | "nut";
  /** Whether the model's server fails on the way. */
  readonly faulty: boolean;
}

export type Entries = readonly (readonly [name: string, value: string])[];

/** What is to be typed, field by field; the first value needs shifted keys, quotes, accents and Chinese characters. */
export const ENTRIES: Entries = [
  ["Name", `O'Brien & Söhne <a@b.c> 100% #1 "x" 日本`],
  ["Note", "Ring twice; gate 7 (left) -> ask for José"],
  ["City", "Köln"],
];

/** The same in characters that every driver types exactly on a US keyboard map; symbols need Shift. */
export const PLAIN_ENTRIES: Entries = [
  ["Name", `Ann O'Brien & Co <a@b.c> 100% #1 "x"`],
  ["Note", "Ring twice; gate 7 (left) -> ask for Jo"],
  ["City", "Berlin"],
];

export function goalOf(entries: Entries): string {
  const lines = entries.map(([name, value]) => `${name}: ${value}`);
  return ["Fill in the form on the screen, its fields from top to bottom, and press OK.", ...lines].join(
    "\n",
  );
}

const SABOTAGES = ["previous", "black", "scaled"];

const EXAMPLE_SIZE = { width: 1024, height: 768 };

function readSize(text: string | undefined): { width: number; height: number } {
  if (text === undefined) return EXAMPLE_SIZE;
  const [, width, height] = /^([1-9]\d{2,3})x([1-9]\d{2,3})$/.exec(text) ?? [];
  if (width === undefined || height === undefined) {
    throw new Error(`--size takes WIDTHxHEIGHT, such as 1920x1080, not ${text}`);
  }
  return { width: Number(width), height: Number(height) };
}

function readModelId(text: string | undefined): string | undefined {
  if (text === undefined || /^[a-z0-9][a-z0-9.-]*$/.test(text)) return text;
  throw new Error(`--model-id takes a model id, such as claude-sonnet-4-6, not ${text}`);
}

export function readPlan(flags: {
  seed?: string | undefined;
  fake: boolean;
  live: boolean;
  sabotage?: string | undefined;
  size?: string | undefined;
  "model-id"?: string | undefined;
  desktop?: string | undefined;
  driver?: string | undefined;
}): Plan {
  const { sabotage, desktop = "virtual", driver = "x11" } = flags;
  if (desktop !== "virtual" && desktop !== "host") {
    throw new Error(`--desktop takes virtual or host, not ${desktop}`);
  }
  if (driver !== "x11" && driver !== "nut") throw new Error(`--driver takes x11 or nut, not ${driver}`);
  const host = desktop === "host";
  if (!host && flags.driver !== undefined) throw new Error("--driver goes with --desktop host");
  if (
    host &&
    (sabotage ?? flags.size ?? flags["model-id"] ?? (flags.fake || flags.live || undefined)) !== undefined
  ) {
    throw new Error("--desktop host goes with --seed, --driver and --skip-check only");
  }
  if (sabotage !== undefined && !SABOTAGES.includes(sabotage)) {
    throw new Error(`--sabotage takes one of ${SABOTAGES.join(", ")}, not ${sabotage}`);
  }
  const seed = flags.seed === undefined ? 1 + Math.floor(Math.random() * 99_999) : Number(flags.seed);
  if (!Number.isSafeInteger(seed) || seed < 0 || seed > 999_999_999) {
    throw new Error(`--seed takes a whole number from 0 to 999999999, not ${flags.seed}`);
  }
  const folder = "out/demo";
  const size = readSize(flags.size);
  const modelId = readModelId(flags["model-id"]);
  const isExample =
    modelId === undefined && size.width === EXAMPLE_SIZE.width && size.height === EXAMPLE_SIZE.height;
  return {
    seed,
    fake: flags.fake,
    live: flags.live,
    sabotage,
    size,
    modelId,
    isExample,
    agent: isExample ? "examples/form-filler/agent.ts" : `${folder}/agent/agent.ts`,
    project: isExample ? "examples/tsconfig.json" : `${folder}/agent/tsconfig.json`,
    folder,
    spec: `${folder}/computer-use.json`,
    answer: `${folder}/answer.txt`,
    trace: `${folder}/trace`,
    goal: goalOf(ENTRIES),
    entries: ENTRIES,
    expected: expectedOf(ENTRIES),
    host,
    driver,
    script: host
      ? "demo/model/form-script.mjs"
      : sabotage === undefined
        ? "demo/model/faulty-form-script.mjs"
        : `demo/model/sabotaged-${sabotage}.mjs`,
    faulty: sabotage === undefined && !flags.live && !host,
  };
}

/** What the form program must print. */
export function expectedOf(entries: Entries): string {
  return entries.map(([, value]) => `${value}\n`).join("");
}
