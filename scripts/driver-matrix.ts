// Prints what each driver does and refuses, by running the conformance suite on all of them: X11 and nut on private
// displays with an independent recorder as witness, and the fake desktop. Exits 1 when a driver does not conform.
import process from "node:process";
import { builtConformance } from "../test/tools/built.js";
import { conform, conformFake } from "../test/tools/conform.js";
import { PROFILES } from "../test/tools/driver-profiles.js";

type Driver = keyof typeof PROFILES;
const DRIVERS = Object.keys(PROFILES) as Driver[];
const WIDTH = 78;

const { conformanceOf } = await builtConformance();
const failures: string[] = [];

async function cellOf(driver: Driver, index: number): Promise<string> {
  const it = conformanceOf(PROFILES[driver])[index];
  if (!it) return "–";
  try {
    await (driver === "fake" ? conformFake(it) : conform(it, { driver }));
    return "✓";
  } catch (error) {
    failures.push(`${driver}: ${it.name}\n    ${error instanceof Error ? error.message : String(error)}`);
    return "✗";
  }
}

function print(name: string, cells: readonly string[]): void {
  const words = name.length > WIDTH ? `${name.slice(0, WIDTH - 1)}…` : name;
  process.stdout.write(`${words.padEnd(WIDTH)} ${cells.map((cell) => cell.padEnd(5)).join("")}\n`);
}

print("case", DRIVERS);
for (const [index, { name }] of conformanceOf(PROFILES.fake).entries()) {
  const cells: string[] = [];
  for (const driver of DRIVERS) cells.push(await cellOf(driver, index));
  print(name, cells);
}
for (const driver of DRIVERS) {
  const { refusedKeys, refusedCharacters } = PROFILES[driver];
  const list = [...refusedKeys, ...refusedCharacters];
  process.stdout.write(
    `\n${driver} refuses: ${list.length === 0 ? "nothing of the table" : list.join(" ")}\n`,
  );
}
for (const failure of failures) process.stdout.write(`\n✗ ${failure}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
