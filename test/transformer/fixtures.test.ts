// Every case under test/fixtures/checker: the diagnostics are exactly the marked ones.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCases } from "./support/case-file.js";
import { compareMarkers, createProject } from "./support/project.js";

const FOLDER = join(import.meta.dirname, "../fixtures/checker");

for (const name of readdirSync(FOLDER).filter((each) => each.endsWith(".cases"))) {
  describe(name, () => {
    for (const each of readCases(readFileSync(join(FOLDER, name), "utf8"))) {
      test(each.id, () => {
        const project = createProject(each.files);
        try {
          const { report } = project.check();
          const placed = report.diagnostics.filter((diagnostic) => diagnostic.file !== undefined);
          const wrong = compareMarkers(project.expected, placed);
          const unplaced = report.diagnostics.filter((diagnostic) => diagnostic.file === undefined);
          expect(wrong).toEqual([]);
          expect(unplaced.map((diagnostic) => diagnostic.code)).toEqual(each.projectCodes);
        } finally {
          project.remove();
        }
      });
    }
  });
}
