/**
 * The numbers of our advisory locks: all of them are here, as two uses of one number would wait for each other without a reason.
 * Jobs lock by a hash of their name (server/jobs/scheduler.ts), which takes the whole 64 bits.
 */
export const ADVISORY_LOCKS = {
  /** One server migrates at a time. */
  migrate: 7_301_001,
  /** One server fills an empty database. */
  seed: 7_301_002,
  /** One server sets the statement timeout of the login. */
  statementTimeout: 7_301_003,
  /** Names and slugs of projects are chosen one at a time. */
  slugs: 7_301_201,
  /** Tests copy the template database one at a time. */
  testTemplate: 7_301_099,
} as const;
