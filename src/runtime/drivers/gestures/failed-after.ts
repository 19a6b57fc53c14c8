// A failure of an action, with the number of events that had been sent when it struck.
import { DriverError } from "../../../diagnostics/errors.js";

export function withEvents(error: unknown, events: number): DriverError {
  if (error instanceof DriverError) {
    return error.events === events
      ? error
      : new DriverError(error.code, error.message, events, { cause: error });
  }
  const message = error instanceof Error ? error.message : "unknown failure";
  return new DriverError("E_BACKEND", message, events, { cause: error });
}
