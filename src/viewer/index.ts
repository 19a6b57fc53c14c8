// The report of a run: verified records in, one page or one table out.
export { csvHead, csvLine } from "./model/csv.js";
export type { ActionRow, NoteRow, Row, TurnRow } from "./model/row.js";
export { TimeLine } from "./model/time-line.js";
export type { Totals } from "./model/totals.js";
export { RowWindow, type Shown } from "./model/window.js";
export { judgeRequest, type PageServer, type PageServerOptions, servePage } from "./serve.js";
export type { Judgement } from "./ui/overview.js";
export { contentPolicy, type FrameReading, type KeptSource, type PageInput, pageOf } from "./ui/page.js";
