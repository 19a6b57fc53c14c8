// Every row V of the adversarial catalogue is named by a test of the report; a row that loses its test fails here.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROWS = "001 003 006 007 008 009 011 012 013 014 016".split(" ").map((number) => `V-${number}`);

const folders = [import.meta.dirname, join(import.meta.dirname, "../e2e/report")];
const texts = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts") && name !== "vectors.test.ts")
    .map((name) => readFileSync(join(folder, name), "utf8")),
);

it.each(ROWS)("%s is in the name of a test", (id) => {
  expect(texts.some((text) => text.includes(`"${id}: `))).toBe(true);
});
