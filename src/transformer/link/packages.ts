// Which package a file belongs to: the nearest package.json above it that has a name.
import { dirname } from "node:path";
import type { ts } from "ts-morph";

export interface OwningPackage {
  readonly folder: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Answers by folder, each folder asked once. */
export class PackageLookup {
  readonly #byFolder = new Map<string, OwningPackage | undefined>();
  readonly #system: Pick<ts.System, "readFile">;

  constructor(system: Pick<ts.System, "readFile">) {
    this.#system = system;
  }

  /** The package of a file, or undefined where no named package.json stands above it. */
  packageOf(fileName: string): OwningPackage | undefined {
    return this.#ofFolder(dirname(fileName));
  }

  #ofFolder(folder: string): OwningPackage | undefined {
    if (this.#byFolder.has(folder)) return this.#byFolder.get(folder);
    const own = this.#read(folder);
    const above = dirname(folder);
    const found = own ?? (above === folder ? undefined : this.#ofFolder(above));
    this.#byFolder.set(folder, found);
    return found;
  }

  #read(folder: string): OwningPackage | undefined {
    const text = this.#system.readFile(`${folder}/package.json`);
    if (text === undefined) return undefined;
    try {
      const manifest: unknown = JSON.parse(text);
      if (typeof manifest !== "object" || manifest === null) return undefined;
      const name = (manifest as { name?: unknown }).name;
      if (typeof name !== "string") return undefined;
      return { folder, name, manifest: manifest as Record<string, unknown> };
    } catch {
      return undefined;
    }
  }
}

/** The package part of a bare module specifier, or undefined for a path. */
export function packageOfSpecifier(text: string): string | undefined {
  if (text.startsWith(".") || text.startsWith("/") || text.startsWith("#")) return undefined;
  const [first = "", second = ""] = text.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
