// The journal that a run writes to: the one door to the trace, behind which nothing is masked any more. Every record
// and document is redacted before it is made; the digests of withheld texts are put under the run's own key.
import { canonicalJson, type JsonValue } from "../../base/canonical-json.js";
import { type Digest, digestBytes } from "../../base/digest.js";
import type { Keeps, RecordData, RecordKind } from "../../contract/journal-records.js";
import type { Journal } from "./journal-port.js";
import { type Redactor, SECRET_MARK } from "./redaction.js";

/** Which kinds say by a digest what was sent or answered, without keeping it whole. */
const WITHHOLDING: ReadonlySet<RecordKind> = new Set<RecordKind>(["model_request", "model_reply"]);
/** Digests over an action's arguments, typed text included. */
const OVER_ARGUMENTS = new Set(["argsDigest", "actionDigest"]);

/** What ids, names of tools and stop reasons look like. */
const NAME = /^[A-Za-z0-9_.:-]{1,128}$/;
const WITHHELD = "withheld";

type Json = { readonly [key: string]: JsonValue };

function isObject(value: JsonValue | undefined): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `{ digest, length }`, and nothing else is written so. */
function isWithheldText(value: Json): boolean {
  return Object.keys(value).length === 2 && typeof value["digest"] === "string" && "length" in value;
}

export class RedactedJournal implements Journal {
  readonly redactor: Redactor;
  readonly keepsFrames: boolean;
  readonly keepsWords: boolean;
  readonly #journal: Journal;

  constructor(journal: Journal, redactor: Redactor, keeps: Partial<Pick<Keeps, "words" | "frames">> = {}) {
    this.#journal = journal;
    this.redactor = redactor;
    this.keepsFrames = keeps.frames !== "digest-only";
    this.keepsWords = keeps.words === "kept";
  }

  get location(): string {
    return this.#journal.location;
  }

  async append<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): Promise<void> {
    await this.#journal.append(kind, this.#redacted(kind, data));
  }

  async keepFrame(png: Uint8Array): Promise<Digest> {
    return this.keepsFrames ? this.#journal.keepFrame(png) : digestBytes(png);
  }

  /** Keeps a JSON document. What is no JSON is refused: it could not be redacted. */
  async keepDocument(text: string): Promise<Digest> {
    const value: unknown = JSON.parse(text);
    return this.#journal.keepDocument(canonicalJson(this.redactor.value(value)));
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** The names in a reply are the model's own words where they are no names. */
  #withNames(kind: RecordKind, data: Json): Json {
    if (kind !== "model_reply") return data;
    const calls = data["calls"];
    const named = (value: JsonValue | undefined) =>
      typeof value === "string" && (NAME.test(value) || value.includes(SECRET_MARK)) ? value : WITHHELD;
    return {
      ...data,
      stopReason: named(data["stopReason"]),
      calls: Array.isArray(calls)
        ? calls.map((call: JsonValue) =>
            isObject(call) ? { id: named(call["id"]), name: named(call["name"]) } : call,
          )
        : [],
    };
  }

  #redacted<Kind extends RecordKind>(kind: Kind, data: RecordData<Kind>): RecordData<Kind> {
    const masked = this.redactor.record(data) as unknown as Json;
    const keyed = this.#keyed(this.#withNames(kind, masked));
    const { digest } = keyed;
    const whole =
      WITHHOLDING.has(kind) && typeof digest === "string"
        ? { ...keyed, digest: this.redactor.keyed(digest) }
        : keyed;
    return whole as unknown as RecordData<Kind>;
  }

  /** The value with the digests of what it withholds under the run's key. */
  #keyed(value: Json): Json {
    const digests = isWithheldText(value) ? new Set([...OVER_ARGUMENTS, "digest"]) : OVER_ARGUMENTS;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (typeof member === "string" && digests.has(key)) return [key, this.redactor.keyed(member)];
        return [key, isObject(member) ? this.#keyed(member) : member];
      }),
    );
  }
}
