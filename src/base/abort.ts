// Abort signals, taken structurally so that any library's signal will do.

/** What an abort signal must have; the DOM's, Node's and polyfills' signals all do. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The reason of an aborted signal as an Error. */
export function abortReason(signal: AbortSignalLike | undefined): Error {
  const reason = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}

/** A real `AbortSignal` that follows the given one. */
export function followSignal(signal: AbortSignalLike | undefined): AbortController {
  const controller = new AbortController();
  if (signal?.aborted) controller.abort(abortReason(signal));
  else signal?.addEventListener("abort", () => controller.abort(abortReason(signal)), { once: true });
  return controller;
}

/** Settles with the promise, or rejects with the signal's reason as soon as it is aborted. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) {
    promise.catch(() => {});
    throw abortReason(signal);
  }
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortReason(signal));
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    promise.catch(() => {});
  }
}
