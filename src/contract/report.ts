// The JSON report of `capuchin check`: a closed shape that tools outside this project read. Lines and columns are
// 1-based, columns in UTF-16 code units; files are relative to the tsconfig's folder, with `/`.
import { z } from "zod";
import { reportedAgentSchema, sitedSymbolSchema } from "./agent-spec.js";

const count = z.int().min(0);
const position = z.int().min(1);

export const severitySchema = z.enum(["error", "warning"]);
export type Severity = z.infer<typeof severitySchema>;

/** One text edit that would clear the finding. Offsets are UTF-16 code units into the file, end exclusive. */
export const fixSchema = z.strictObject({
  description: z.string().min(1),
  edits: z.array(z.strictObject({ file: z.string(), start: count, end: count, newText: z.string() })),
});
export type Fix = Readonly<z.infer<typeof fixSchema>>;

export const diagnosticSchema = z.strictObject({
  code: z.string().regex(/^CU\d{4}$/),
  severity: severitySchema,
  message: z.string().min(1),
  /** Absent for a finding about the project as a whole, as are the positions. */
  file: z.string().optional(),
  line: position.optional(),
  column: position.optional(),
  endLine: position.optional(),
  endColumn: position.optional(),
  agent: z.string().optional(),
  path: z.array(sitedSymbolSchema).optional(),
  firstHops: z.array(sitedSymbolSchema).optional(),
  because: z.array(sitedSymbolSchema).optional(),
  suppressed: z.strictObject({ reason: z.string().min(1) }).optional(),
  fix: fixSchema.optional(),
});
export type Diagnostic = Readonly<z.infer<typeof diagnosticSchema>>;

export const endorsementSchema = z.strictObject({
  file: z.string(),
  line: position,
  column: position,
  agent: z.string().optional(),
  reason: z.string(),
});
export type Endorsement = Readonly<z.infer<typeof endorsementSchema>>;

export const REPORT_VERSION = 1;

export const reportSchema = z.strictObject({
  version: z.literal(REPORT_VERSION),
  ok: z.boolean(),
  agents: z.array(reportedAgentSchema),
  diagnostics: z.array(diagnosticSchema),
  endorsements: z.array(endorsementSchema),
  stats: z.strictObject({
    files: count,
    agents: count,
    errors: count,
    warnings: count,
    suppressed: count,
  }),
});
export type Report = Readonly<z.infer<typeof reportSchema>>;
