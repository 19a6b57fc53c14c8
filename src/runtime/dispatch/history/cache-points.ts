// Where cache points go, beside the one after tools and system text. The API stores what stands before a point and
// finds it again at that point, or at most twenty blocks before another one. A request may have four points in all.
//   - the newest user message: stores all of it
//   - the one before: finds what the last request stored, however many blocks the turn has
//   - the last one before the oldest picture that is sent: what stands before it stays as it is when pictures go
// In the first request after pictures went the second of these is of no use, since what it stands behind has changed;
// the third one's place before the pruning, where something is stored, takes its turn.

export interface CacheLandmarks {
  /** Positions of the user messages, in order. */
  readonly users: readonly number[];
  /** Position of the message with the oldest picture that is sent. */
  readonly oldestPicture: number | undefined;
  /** The stable point of the requests before a pruning, in the first request after it. */
  readonly reuse: number | undefined;
}

/** The stable point: the last user message before the oldest picture that is sent. */
export function stablePoint({ users, oldestPicture }: CacheLandmarks): number | undefined {
  return oldestPicture === undefined ? undefined : users.findLast((user) => user < oldestPicture);
}

/** Positions of the messages whose last result carries a cache point, in order; at most three. */
export function cachePoints(landmarks: CacheLandmarks): readonly number[] {
  const { users, reuse } = landmarks;
  const points = [stablePoint(landmarks), reuse ?? users.at(-2), users.at(-1)];
  return [...new Set(points.filter((point) => point !== undefined))].sort((a, b) => a - b);
}
