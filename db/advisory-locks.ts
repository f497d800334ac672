/**
 * The numbers of our advisory locks. All of them are listed here, because two uses of one number would wait for each
 * other without a reason. Locks on one row of many are named instead; the hash of a name takes the whole 64 bits.
 */
export const ADVISORY_LOCKS = {
  /** One server migrates at a time. */
  migrate: 7_301_001,
  /** One server fills an empty database. */
  seed: 7_301_002,
  /** One server changes the settings of the login. */
  sessionSettings: 7_301_003,
  /** Names and slugs of projects are chosen one at a time. */
  slugs: 7_301_201,
  /** One server publishes to the record. */
  record: 7_301_301,
  /** Tests copy the template database one at a time. */
  testTemplate: 7_301_099,
} as const;

/** Names of locks, for `hashtextextended(name, 0)`. */
export const ADVISORY_LOCK_NAMES = {
  /** One server runs a job at a time. */
  job: (name: string) => `job:${name}`,
  /** Actions that a user may take at most n times are counted and written one at a time (db/user-lock.ts). */
  user: (userId: number) => `user ${userId}`,
  /** One payout at a time is counted towards the daily cap of PAYOUT_PRIVATE_KEY. */
  payoutKey: (wallet: string) => `payout key ${wallet}`,
  /** One server or request at a time enters a chain transaction into the books. */
  transaction: (digest: string) => `transaction ${digest}`,
} as const;

/**
 * Name (`application_name`) of a transaction that only holds a lock, however long it is open: it writes nothing that
 * others would have to wait for.
 */
export const LOCK_HOLDER = 'snapswipe lock';
