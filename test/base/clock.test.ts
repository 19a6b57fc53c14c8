// Sleeping and deadlines. No duration is asserted: only that a sleep ends, ends once, and ends early when told.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followSignal, raceAbort } from "../../src/base/abort.js";
import { deadline, systemClock } from "../../src/base/clock.js";

describe("the system clock", () => {
  it("gives RFC 3339 times in UTC, and a monotonic number that never goes back", () => {
    expect(systemClock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const times = Array.from({ length: 1000 }, () => systemClock.monotonic());
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, Number.NEGATIVE_INFINITY])(
    "does not sleep %d milliseconds",
    async (ms) => {
      await expect(systemClock.sleep(ms)).rejects.toThrow(RangeError);
    },
  );

  it("ends a sleep of nothing", async () => {
    await expect(systemClock.sleep(0)).resolves.toBeUndefined();
  });

  it("rejects with the signal's reason, before and while sleeping", async () => {
    const reason = new Error("stop");
    await expect(systemClock.sleep(1e9, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = systemClock.sleep(1e9, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });
});

describe("with timers held", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sleeps longer than one timer can: a timer above 2^31 - 1 would fire at once", async () => {
    const long = 2 ** 31 + 5000;
    let done = false;
    const sleeping = systemClock.sleep(long).then(() => {
      done = true;
    });
    await vi.advanceTimersByTimeAsync(long - 1);
    expect(done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toBe(true);
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves no timer behind an aborted sleep", async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(5000, controller.signal);
    controller.abort(new Error("stop"));
    await expect(sleeping).rejects.toThrow("stop");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a deadline fires with its reason, or its parent's, or not at all once cleared", async () => {
    const late = new Error("late");
    const first = deadline(100, late);
    await vi.advanceTimersByTimeAsync(100);
    expect(first.signal.reason).toBe(late);

    const parent = new AbortController();
    const second = deadline(100, late, parent.signal);
    const stop = new Error("stop");
    parent.abort(stop);
    expect(second.signal.reason).toBe(stop);
    second.clear();

    const third = deadline(100, late);
    third.clear();
    await vi.advanceTimersByTimeAsync(1000);
    expect(third.signal.aborted).toBe(false);
    expect(deadline(100, late, AbortSignal.abort(stop)).signal.reason).toBe(stop);
    vi.clearAllTimers();
  });

  it("a deadline of years does not fire at once", async () => {
    const far = deadline(Number.MAX_SAFE_INTEGER, new Error("late"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(far.signal.aborted).toBe(false);
    far.clear();
  });
});

describe("abort signals", () => {
  it("are followed, with their reason made an Error", () => {
    const source = new AbortController();
    const followed = followSignal(source.signal);
    source.abort("text");
    expect(followed.signal.aborted).toBe(true);
    expect(followed.signal.reason).toBeInstanceOf(Error);
    expect(followSignal(undefined).signal.aborted).toBe(false);
  });

  it("win a race and leave no unhandled rejection behind", async () => {
    const controller = new AbortController();
    const failing = Promise.reject(new Error("later"));
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(raceAbort(failing, controller.signal)).rejects.toBe(reason);
    await expect(raceAbort(Promise.resolve(5), new AbortController().signal)).resolves.toBe(5);
  });
});
