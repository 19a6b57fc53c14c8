// The project's own settings: the member `capuchin` of the nearest package.json. A closed shape; an unknown key is
// an error, since a misspelt exclusion would otherwise pass as none.
import { dirname, join } from "node:path";
import type { ts } from "ts-morph";
import { z } from "zod";

const settingsSchema = z.strictObject({
  /** Files that are no roots of the check, each with the reason; a file that a checked file imports stays checked. */
  exclude: z.array(z.strictObject({ files: z.string().min(1), reason: z.string().trim().min(1) })).optional(),
});
export type ProjectSettings = Readonly<z.infer<typeof settingsSchema>>;

export type SettingsReading =
  | { readonly ok: true; readonly settings: ProjectSettings; readonly folder: string }
  | { readonly ok: false; readonly reason: string };

function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${["capuchin", ...issue.path].map(String).join(".")}: ${issue.message}`)
    .join("; ");
}

/** Reads the settings that hold for a folder. A package.json without `capuchin` gives empty settings. */
export function readSettings(folder: string, system: Pick<ts.System, "readFile">): SettingsReading {
  for (let at = folder; ; at = dirname(at)) {
    const text = system.readFile(join(at, "package.json"));
    if (text !== undefined) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(text.replace(/^\uFEFF/, ""));
      } catch {
        return { ok: false, reason: "package.json is not JSON" };
      }
      const own =
        typeof parsed === "object" && parsed !== null && Object.hasOwn(parsed, "capuchin")
          ? (parsed as { capuchin: unknown }).capuchin
          : {};
      const settings = settingsSchema.safeParse(own);
      return settings.success
        ? { ok: true, settings: settings.data, folder: at }
        : { ok: false, reason: `package.json: ${describeIssues(settings.error)}` };
    }
    if (dirname(at) === at) return { ok: true, settings: {}, folder };
  }
}

/** A glob as a pattern over paths with `/`: `**` crosses folders, `*` and `?` do not. */
export function globPattern(glob: string): RegExp {
  const body = glob
    .replace(/^\.\//, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/|\*\*|\*|\?/g, (part) =>
      part === "**/" ? "(?:.*/)?" : part === "**" ? ".*" : part === "*" ? "[^/]*" : "[^/]",
    );
  return new RegExp(`^${body.endsWith("/") ? `${body}.*` : body}$`);
}
