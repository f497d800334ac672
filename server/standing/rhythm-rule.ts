/** Thresholds of the rhythm rule (R39), published on /trust and in docs/trust-rules. */
export const RHYTHM = {
  minVotes: 7,
  orderShare: 0.8,
  minAlike: 3,
  maxChance: 0.01,
  minPacedVotes: 12,
  maxPaceSpread: 0.12,
} as const;
