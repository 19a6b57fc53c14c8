// The journal as the run sees it. `append` returns once the record is durable: a caller that must not act before
// its intent is on disk awaits it.
import type { Digest } from "../../base/digest.js";
import type { RecordData, RecordKind } from "../../contract/journal-records.js";

/** Where a run's records go. What cannot be recorded is not done. */
export interface Journal {
  /** Writes a record durably. @throws CapuchinError E_AUDIT when it cannot; from then on nothing may execute. */
  append<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): Promise<void>;
  /** Keeps a PNG under its digest; the same bytes are kept once. @throws CapuchinError E_AUDIT */
  keepFrame(png: Uint8Array): Promise<Digest>;
  /** Keeps a text document under its digest; the same text is kept once. @throws CapuchinError E_AUDIT */
  keepDocument(text: string): Promise<Digest>;
  /** Where it is, for people: a folder, or "memory". */
  readonly location: string;
  /** Closes the files. Idempotent. */
  close(): Promise<void>;
}
