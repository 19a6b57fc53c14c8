// Pause, as the loop sees it. Stopping is the abort signal's; this only holds the loop at its checkpoints.

export interface RunControl {
  /**
   * Resolves when the run may go on, at once if it is not paused. `waited` says that it was paused meanwhile: what
   * was decided before is then stale. Rejects with the signal's reason when it is aborted.
   */
  checkpoint(signal: AbortSignal): Promise<{ readonly waited: boolean }>;
}

/** A run that nobody pauses. */
export const UNPAUSED: RunControl = {
  checkpoint: async () => ({ waited: false }),
};
