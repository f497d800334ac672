/** Two uses of one number would wait for each other without a reason. */
export const ADVISORY_LOCKS = {
  migrate: 7_301_001,
  seed: 7_301_002,
  sessionSettings: 7_301_003,
  slugs: 7_301_201,
  record: 7_301_301,
  testTemplate: 7_301_099,
} as const;

export const ADVISORY_LOCK_NAMES = {
  job: (name: string) => `job:${name}`,
  user: (userId: number) => `user ${userId}`,
  payoutKey: (wallet: string) => `payout key ${wallet}`,
  transaction: (digest: string) => `transaction ${digest}`,
} as const;

/** `application_name` of a transaction that only holds a lock and writes nothing. */
export const LOCK_HOLDER = 'snapswipe lock';
