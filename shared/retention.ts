import { ADMIN_SESSION_HOURS, CHALLENGE_TTL_MS, NOTICES_KEPT, SESSION_DAYS } from './constants.ts';
import { TREND_MAX_DAYS } from './contract/trends.ts';
import { plural } from './numbers/plural.ts';
import { STANDING_VOTER_DAYS } from './states/votes.ts';

/** Retention of data: a time, the newest rows of each user, or as long as the site exists. */
export type Kept = { minutes: number } | { hours: number } | { days: number } | { newest: number } | 'permanently';

export interface Retention {
  /** Name of the data on the privacy page and in the documents. */
  data: string;
  tables: readonly string[];
  kept: Kept;
  since: string;
  personal: boolean;
}

const HOUR_MS = 3_600_000;

/**
 * Retention of all data, in one table: the jobs delete by these numbers, and the privacy page and
 * docs/operate/backup.md name them. A test finds each table of the database here.
 */
export const RETENTION = {
  challenges: {
    data: 'Requests to sign in that were not completed',
    tables: ['auth_challenges'],
    kept: { minutes: CHALLENGE_TTL_MS / 60_000 },
    since: 'the request',
    personal: true,
  },
  sessions: {
    data: 'Sessions: a hash of their secret, the kind of browser, and when it was last seen',
    tables: ['sessions'],
    kept: { days: SESSION_DAYS },
    since: 'the sign-in, or until the sign-out',
    personal: true,
  },
  adminSessions: {
    data: 'Admin sessions',
    tables: ['admin_sessions'],
    kept: { hours: ADMIN_SESSION_HOURS },
    since: 'the login',
    personal: true,
  },
  unpaidOrders: {
    data: 'Orders that were never paid for',
    tables: ['payments'],
    kept: { days: 30 },
    since: 'the end of the order',
    personal: true,
  },
  failedClaims: {
    data: 'Transactions that were named as a payment and paid for nothing',
    tables: ['payments'],
    kept: { days: 30 },
    since: 'the last look at the chain',
    personal: true,
  },
  orderPictures: {
    data: 'Pictures of orders that were never paid for',
    tables: ['images'],
    kept: { days: 2 },
    since: 'the last change of the order',
    personal: true,
  },
  unusedPictures: {
    data: 'Pictures that nothing shows any longer, such as replaced ones of a profile',
    tables: ['images'],
    kept: { hours: 1 },
    since: 'their upload, at the earliest',
    personal: true,
  },
  networks: {
    data: 'Networks of voters, as salted hashes',
    tables: ['voter_networks'],
    kept: { days: STANDING_VOTER_DAYS },
    since: 'the day of the vote',
    personal: true,
  },
  networkSalts: {
    data: 'The salt of these hashes',
    tables: ['network_salts'],
    kept: { days: 1 },
    since: 'the beginning of its UTC day',
    personal: false,
  },
  readings: {
    data: 'Plans of the readings of balances',
    tables: ['standing_readings', 'standing_reads'],
    kept: { days: STANDING_VOTER_DAYS },
    since: 'the day of the reading',
    personal: true,
  },
  pushSubscriptions: {
    data: 'Browsers that get notifications: the address at their push service, and their public key',
    tables: ['push_subscriptions'],
    kept: { days: SESSION_DAYS },
    since: 'the sign-in, or until the sign-out; until the push service reports the browser as gone',
    personal: true,
  },
  pushMessages: {
    data: 'Notifications for these browsers, sent and waiting',
    tables: ['push_messages'],
    kept: { days: 1 },
    since: 'the notification',
    personal: true,
  },
  newestNotices: {
    data: 'Notices',
    tables: ['notices'],
    kept: { newest: NOTICES_KEPT },
    since: '',
    personal: true,
  },
  notices: {
    data: 'Notices, however few there are',
    tables: ['notices'],
    kept: { days: 365 },
    since: 'the notice',
    personal: true,
  },
  projectEvents: {
    data: 'Views, clicks and shares of a listing, counted by day',
    tables: ['project_events_days'],
    kept: { days: TREND_MAX_DAYS },
    since: 'the day',
    personal: false,
  },
  storageFigures: {
    data: 'Figures of how much the database holds, and the list of backups',
    tables: ['storage_figures', 'backups'],
    kept: { days: 400 },
    since: 'the day',
    personal: false,
  },
  invariantRuns: {
    data: 'Results of the check of the books',
    tables: ['invariant_runs'],
    kept: { days: 90 },
    since: 'the check',
    personal: false,
  },
  books: {
    data: 'Votes, their changes, and those that were taken back, ledger, payments, withdrawals and what was paid to each wallet',
    tables: [
      'votes',
      'vote_changes',
      'undone_votes',
      'token_ledger',
      'payments',
      'withdrawals',
      'books',
      'book_totals',
    ],
    kept: 'permanently',
    since: 'balances and payments have to be provable',
    personal: true,
  },
  votesState: {
    data: 'Which votes are verified, and why others are not',
    tables: [
      'votes_set_aside',
      'voter_standing',
      'restated_votes',
      'changed_states',
      'standing_days',
      'rhythm_days',
      'appeals',
    ],
    kept: 'permanently',
    since: 'results are counted from it',
    personal: true,
  },
  reasons: {
    data: 'Why you voted: team, product, token, risk or community; public as totals only',
    tables: ['vote_reasons'],
    kept: 'permanently',
    since: 'until you take them away or the account is deleted',
    personal: true,
  },
  follows: {
    data: 'Projects that you follow, and messages about them that wait',
    tables: ['follows', 'turn_notices'],
    kept: 'permanently',
    since: 'until you unfollow them or the account is deleted',
    personal: true,
  },
  deletions: {
    data: 'Keyed hashes of deleted accounts, which identify no person',
    tables: ['account_keys', 'deleted_wallets', 'deletion_marks', 'former_totals'],
    kept: 'permanently',
    since: 'a wallet must not vote twice on the same projects in a listing period',
    personal: false,
  },
  record: {
    data: 'The public record, and the secrets that hide who voted in it',
    tables: [
      'log_files',
      'staged_files',
      'log_checkpoints',
      'log_anchors',
      'voter_secrets',
      'record_digests',
      'log_cosignatures',
      'recorded_totals',
    ],
    kept: 'permanently',
    since: 'anyone can check the published record at any time',
    personal: true,
  },
  consents: {
    data: 'Versions of the terms that you agreed to when you signed in or paid, with the times',
    tables: ['terms_consents'],
    kept: 'permanently',
    since: 'until the account is deleted',
    personal: true,
  },
  profiles: {
    data: 'Accounts with their profile, numbers, activity and daily deck',
    tables: [
      'archive_requests',
      'push_settings',
      'user_allowances',
      'users',
      'user_stats',
      'activity',
      'asked_again',
      'daily_decks',
      'top_voters',
    ],
    kept: 'permanently',
    since: 'until the account is deleted',
    personal: true,
  },
  projects: {
    data: 'Projects with all versions of their listings, proofs of ownership, their pictures (of blanked ones the hashes), reviews, replies and reports',
    tables: [
      'projects',
      'catalogue_imports',
      'reason_figures',
      'project_slugs',
      'project_stats',
      'opinion_days',
      'project_days',
      'project_trends',
      'project_turns',
      'expiry_notices',
      'change_notices',
      'identity_changes',
      'listing_versions',
      'ownerships',
      'packages',
      'ownership_events',
      'images',
      'blanked_pictures',
      'reviews',
      'review_replies',
      'reports',
    ],
    kept: 'permanently',
    since: 'they are published',
    personal: true,
  },
  claims: {
    data: 'Claims on listings of others; what the lister answers goes with the decision',
    tables: ['claims'],
    kept: { days: 31 },
    since: 'the decision, and until a refund that it names is sent',
    personal: true,
  },
  auditLog: {
    data: 'The audit log: what admins did, with their address; admins and their roles',
    tables: ['admins', 'audit_log', 'admin_login_attempts'],
    kept: 'permanently',
    since: 'what admins did has to be provable',
    personal: true,
  },
  housekeeping: {
    data: 'Settings, totals, and what the server knows of itself',
    tables: [
      'config',
      'job_runs',
      'payment_recipients',
      'schema_migrations',
      'restores',
      'database_copies',
      'recounted_totals',
      'totals',
      'totals_state',
      'closed_days',
      'verified_stats',
      'vote_state_days',
      'vote_totals',
    ],
    kept: 'permanently',
    since: 'it is needed to run the site',
    personal: false,
  },
} as const satisfies Record<string, Retention>;

export function keptWords(kept: Kept): string {
  if (kept === 'permanently') return kept;
  if ('newest' in kept) return `the newest ${kept.newest} of each user`;
  const [unit = '', amount = 0] = Object.entries(kept)[0] ?? [];
  return plural(amount, unit.slice(0, -1));
}

export function keptMs(kept: { minutes: number } | { hours: number } | { days: number }): number {
  if ('minutes' in kept) return kept.minutes * 60_000;
  return 'hours' in kept ? kept.hours * HOUR_MS : kept.days * 24 * HOUR_MS;
}
