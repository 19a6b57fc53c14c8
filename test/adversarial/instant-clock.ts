// A clock on which every sleep is over at once, so that held keys and waits take no real time.
import { abortReason } from "../../src/base/abort.js";
import type { Clock } from "../../src/base/clock.js";

export function instantClock(): Clock {
  let ms = 0;
  return {
    now: () => new Date(Date.UTC(2026, 0, 1) + ms).toISOString(),
    monotonic: () => ms,
    async sleep(wanted, signal) {
      if (signal?.aborted) throw abortReason(signal);
      ms += wanted;
    },
  };
}
