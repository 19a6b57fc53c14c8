// Every number that bounds a declaration or one action, in one place. Units are in the names.

export const LIMITS = {
  /** Viewport and display sides, pixels. */
  sideMin: 1,
  sideMax: 16_384,
  defaultWidth: 1024,
  defaultHeight: 768,

  defaultMaxTurns: 30,
  maxTurnsMax: 10_000,
  maxActionsMax: 1_000_000,
  defaultMaxEvents: 10_000,
  maxEventsMax: 100_000_000,
  maxSecondsMax: 604_800,
  maxTokensMax: 1_000_000_000,
  /** Refusals that a run under `onViolation: "refuse"` survives. */
  refusalsPerRun: 10,

  waitMaxMs: 10_000,
  holdMinMs: 10,
  holdMaxMs: 10_000,
  repeatMax: 100,
  scrollAmountMax: 100,
  textMaxCodePoints: 10_000,
  keyTextMaxCharacters: 64,
  keyTokensMax: 5,

  specMaxBytes: 4 * 1024 * 1024,
  replyMaxBytes: 32 * 1024 * 1024,
  nameMaxCharacters: 128,
  keyListMax: 256,
} as const;
