// The capability summaries that packages ship: which words each export needs. A package of which only declarations
// are seen is known by its summary or not at all; a summary that cannot be read counts as none.
import type { ts } from "ts-morph";
import { z } from "zod";
import { CAPABILITY_WORD_LIST, type CapabilityWord } from "../../contract/capability.js";
import type { OwningPackage } from "./packages.js";

export const SUMMARY_FILE = "capuchin.summary.json";

const summarySchema = z.strictObject({
  version: z.literal(1),
  exports: z.record(
    z.string(),
    z.strictObject({ needs: z.array(z.enum(CAPABILITY_WORD_LIST as [CapabilityWord, ...CapabilityWord[]])) }),
  ),
});
export type PackageSummary = Readonly<z.infer<typeof summarySchema>>;

/** Reads summaries, each package once. */
export class Summaries {
  readonly #byFolder = new Map<string, PackageSummary | undefined>();
  readonly #system: Pick<ts.System, "readFile">;

  constructor(system: Pick<ts.System, "readFile">) {
    this.#system = system;
  }

  /** The summary of a package, or undefined when it ships none that can be read. */
  of(owner: OwningPackage): PackageSummary | undefined {
    const { folder } = owner;
    if (this.#byFolder.has(folder)) return this.#byFolder.get(folder);
    const found = this.#read(`${folder}/${SUMMARY_FILE}`);
    this.#byFolder.set(folder, found);
    return found;
  }

  #read(path: string): PackageSummary | undefined {
    const text = this.#system.readFile(path);
    if (text === undefined) return undefined;
    try {
      const parsed = summarySchema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }
}
