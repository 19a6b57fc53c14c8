// The one place where a desktop is asked to do something, and where its answer is judged: a desktop may be anybody's
// code. An answer that is none, or an error that does not say how far it came, is never taken for success; after
// input it means that something may have happened.
import { z } from "zod";
import { describeValue } from "../../base/escape.js";
import type { DriverAction } from "../../contract/driver-protocol.js";
import {
  contains,
  type Point,
  pointSchema,
  type Size,
  sizeSchema,
  wholeOf,
} from "../../contract/geometry.js";
import { CapuchinError, DriverError } from "../../diagnostics/errors.js";
import type { DesktopSession, Performed } from "../cap/desktop-port.js";
import type { PermittedAction } from "../cap/permitted.js";

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("frame"), png: z.instanceof(Uint8Array), size: sizeSchema }),
  z.object({ kind: z.literal("cursor"), at: pointSchema }),
  z.object({ kind: z.literal("delivered"), events: z.int().min(0), pointer: pointSchema }),
]);

/** The part of a plan that says what the answer must be. */
type Asked = Pick<DriverAction, "kind"> & { readonly region?: Size | undefined };

/** What an action is answered with. */
function answerKind({ kind }: Asked): Performed["kind"] {
  if (kind === "capture") return "frame";
  return kind === "cursor" ? "cursor" : "delivered";
}

/** A fault of the desktop's: after input nobody knows how much was done. */
function fault(asked: Asked, reason: string, cause?: unknown): DriverError {
  const code = answerKind(asked) === "delivered" ? "E_INDETERMINATE" : "E_BACKEND";
  return new DriverError(code, `the desktop ${reason}`, 0, cause === undefined ? undefined : { cause });
}

function judgePlace(asked: Asked, display: Size, at: Point): void {
  if (!contains(wholeOf(display), at))
    throw fault(
      asked,
      `says the pointer is at ${at.x}, ${at.y}, outside its ${display.width} × ${display.height}`,
    );
}

function judge(asked: Asked, display: Size, answer: unknown): Performed {
  const parsed = answerSchema.safeParse(answer);
  const wanted = answerKind(asked);
  if (!parsed.success || parsed.data.kind !== wanted)
    throw fault(asked, `answered ${asked.kind} with ${describeValue(answer, 100)}, which is no ${wanted}`);
  const performed = parsed.data;
  if (performed.kind === "frame") {
    const { width, height } = asked.region ?? display;
    const { size } = performed;
    if (size.width !== width || size.height !== height) {
      const reason = `the display was ${width} × ${height} there and its picture is ${size.width} × ${size.height}`;
      throw new DriverError("E_ENV_DRIFT", reason, 0);
    }
  } else {
    judgePlace(asked, display, performed.kind === "cursor" ? performed.at : performed.pointer);
  }
  return performed;
}

/**
 * Has a desktop carry out a permitted action.
 * @throws DriverError E_ENV_DRIFT for a picture of another size; E_INDETERMINATE after input, else E_BACKEND, for an
 * answer that is none or an error of no known kind; whatever CapuchinError the desktop throws.
 */
export async function performOn(
  desktop: DesktopSession,
  asked: Asked,
  permitted: PermittedAction,
  signal: AbortSignal | undefined,
): Promise<Performed> {
  try {
    // Judged in here: an answer that throws when it is read is no answer either.
    return judge(asked, desktop.size, await desktop.perform(permitted, signal ? { signal } : {}));
  } catch (error) {
    if (error instanceof CapuchinError) throw error;
    const said = error instanceof Error ? error.message : error;
    throw fault(asked, `failed with ${describeValue(said, 200)}`, error);
  }
}
