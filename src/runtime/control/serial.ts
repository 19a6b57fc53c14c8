// A queue of one: work given to it runs in order, never two at a time.

export interface Serial {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work, work);
      last = next.catch(() => {});
      return next;
    },
  };
}
