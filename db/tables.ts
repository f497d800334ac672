import {
  ADMIN_SESSION_HOURS,
  CHALLENGE_TTL_MS,
  NOTICES_KEPT,
  SESSION_DAYS,
  VOTE_REWARD_TOKENS,
} from '#shared/constants.ts';
import { TREND_MAX_DAYS } from '#shared/contract/trends.ts';
import { projectTextFields } from '#shared/listings/project-fields.ts';
import { plural } from '#shared/numbers/plural.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { REASONS } from '#shared/voting/reasons.ts';

/** How long rows are kept: a time, the newest rows of each user, or as long as the site exists. */
export type Kept = { minutes: number } | { hours: number } | { days: number } | { newest: number } | 'permanently';

/** A file of the archive that users download, in SQL: the table is `t`, the user's id `reader`. */
export interface ArchivePart {
  /** Name of the file, if it is not that of the table. */
  name?: string;
  about: string;
  /** Separated by ' | '; the first ones are the key by which the file is read in pages. */
  columns: string;
  keyColumns?: number;
  /** Condition for the user's rows, if the table has no user_id. */
  of?: string;
  joins?: string;
}

export interface Table {
  /** Whether a deletion of the account deletes the user's rows; server/people/accounts/erase.ts says what becomes of others. */
  erased?: boolean;
  /**
   * A row that waited for the deletion of its account is refused, or skipped where the server writes it. 'otherwise': jobs and admins
   * write it, it comes with another row that is refused, or the window of votes has no room for it.
   */
  late?: 'skip' | 'otherwise';
  /** 'account': a part of account.json. */
  archive?: ArchivePart | 'account' | null;
}

export const STORAGE_SUBJECTS = ['votes', 'ledger', 'pictures', 'record', 'people', 'other'] as const;

export interface Data {
  /** Name of the data on the privacy page. */
  data: string;
  tables: Record<string, Table>;
  kept: Kept;
  since: string;
  /** False for data that leads to no user or admin. */
  isPersonal?: false;
  /** Subject under which the panel counts its size; by default 'people' for personal data. */
  storage?: (typeof STORAGE_SUBJECTS)[number];
}

const HOUR_MS = 3_600_000;

const named = (names: string): Record<string, Table> => Object.fromEntries(names.split(' ').map((name) => [name, {}]));
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const PROJECT = 'p.name AS project';
const REASONS_GIVEN = `concat_ws(' ', ${REASONS.map((name, bit) => `CASE WHEN t.reasons & ${2 ** bit} > 0 THEN '${name}' END`).join(', ')}) AS reasons`;
const VOTE = "CASE WHEN t.bullish THEN 'bullish' ELSE 'bearish' END AS vote";
const JOIN_PROJECT = 'JOIN projects p ON p.id = t.project_id';
const ON_OWN_LISTING = 't.project_id = ANY (ARRAY(SELECT id FROM projects WHERE owner_id = reader))';

/**
 * Every table of the database, once. Archive, erasure, retention, the privacy page, sizes in the panel, triggers against late rows, and
 * tests come from it; tests compare it with the schema.
 */
export const DATA = {
  challenges: {
    data: 'Requests to sign in that were not completed',
    tables: named('auth_challenges'),
    kept: { minutes: CHALLENGE_TTL_MS / 60_000 },
    since: 'the request',
  },
  sessions: {
    data: 'Sessions: a hash of their secret, the kind of browser, and when it was last seen',
    tables: { sessions: { erased: true, archive: 'account' } },
    kept: { days: SESSION_DAYS },
    since: 'the sign-in, or until the sign-out',
  },
  adminSessions: {
    data: 'Admin sessions',
    tables: named('admin_sessions'),
    kept: { hours: ADMIN_SESSION_HOURS },
    since: 'the login',
  },
  unpaidOrders: {
    data: 'Orders that were never paid for',
    tables: named('payments'),
    kept: { days: 30 },
    since: 'the end of the order',
    storage: 'ledger',
  },
  failedClaims: {
    data: 'Transactions that were named as a payment and paid for nothing',
    tables: named('payments'),
    kept: { days: 30 },
    since: 'the last look at the chain',
    storage: 'ledger',
  },
  orderPictures: {
    data: 'Pictures of orders that were never paid for',
    tables: named('images'),
    kept: { days: 2 },
    since: 'the last change of the order',
    storage: 'pictures',
  },
  unusedPictures: {
    data: 'Pictures that nothing shows any longer, such as replaced ones of a profile',
    tables: named('images'),
    kept: { hours: 1 },
    since: 'their upload, at the earliest',
    storage: 'pictures',
  },
  networks: {
    data: 'Networks of voters, as salted hashes',
    tables: {
      voter_networks: {
        erased: false,
        late: 'otherwise',
        archive: {
          name: 'networks',
          about: 'Salted hashes of the networks that votes came from; the salts are gone after a day',
          columns: "day::text AS day | encode(network, 'hex') AS network",
          keyColumns: 2,
        },
      },
    },
    kept: { days: STANDING_VOTER_DAYS },
    since: 'the day of the vote',
  },
  networkSalts: {
    data: 'The salt of these hashes',
    tables: named('network_salts'),
    kept: { days: 1 },
    since: 'the beginning of its UTC day',
    isPersonal: false,
  },
  readings: {
    data: 'Plans of the readings of balances',
    tables: { ...named('standing_readings'), standing_reads: { erased: true, late: 'otherwise', archive: null } },
    kept: { days: STANDING_VOTER_DAYS },
    since: 'the day of the reading',
  },
  pushSubscriptions: {
    data: 'Browsers that get notifications: the address at their push service, and their public key',
    tables: { push_subscriptions: { erased: false, archive: 'account' } },
    kept: { days: SESSION_DAYS },
    since: 'the sign-in, or until the sign-out; until the push service reports the browser as gone',
  },
  pushMessages: {
    data: 'Notifications for these browsers, sent and waiting',
    tables: { push_messages: { erased: false, late: 'otherwise', archive: 'account' } },
    kept: { days: 1 },
    since: 'the notification',
  },
  newestNotices: {
    data: 'Notices',
    tables: {
      notices: {
        erased: true,
        late: 'skip',
        archive: { about: 'Notifications under the bell', columns: 'id | kind | text | link | created_at | read_at' },
      },
    },
    kept: { newest: NOTICES_KEPT },
    since: '',
  },
  notices: {
    data: 'Notices, however few there are',
    tables: named('notices'),
    kept: { days: 365 },
    since: 'the notice',
  },
  projectEvents: {
    data: 'Views, clicks and shares of a listing, counted by day',
    tables: named('project_events_days'),
    kept: { days: TREND_MAX_DAYS },
    since: 'the day',
    isPersonal: false,
  },
  storageFigures: {
    data: 'Figures of how much the database holds, and the list of backups',
    tables: named('storage_figures backups'),
    kept: { days: 400 },
    since: 'the day',
    isPersonal: false,
  },
  invariantRuns: {
    data: 'Results of the check of the books',
    tables: named('invariant_runs'),
    kept: { days: 90 },
    since: 'the check',
    isPersonal: false,
  },
  votes: {
    data: 'Votes, their changes, and those that were taken back',
    tables: {
      votes: {
        erased: false,
        late: 'otherwise',
        archive: {
          about: 'Votes that count or have counted, with the Snaps earned',
          columns: `t.project_id | t.period | ${PROJECT} | ${VOTE} | ${VOTE_REWARD_TOKENS} AS snaps | t.created_at AS at
            | (SELECT string_agg(a.detail, '; ') FROM votes_set_aside a
                WHERE a.user_id = t.user_id AND a.project_id = t.project_id AND a.period = t.period) AS not_counted
            | CASE WHEN w.decided_until >= (s.said_at AT TIME ZONE 'UTC')::date THEN s.unreplaced_state END AS decision
            | e.days_read | e.days_held`,
          keyColumns: 2,
          joins: `${JOIN_PROJECT} LEFT JOIN voter_standing w ON w.user_id = t.user_id
            CROSS JOIN LATERAL (SELECT said_at, unreplaced_state FROM vote_states o
              WHERE o.user_id = t.user_id AND o.project_id = t.project_id AND o.period = t.period OFFSET 0) s
            CROSS JOIN LATERAL (SELECT days_read, days_held FROM vote_evidence x
              WHERE x.user_id = t.user_id AND x.project_id = t.project_id AND x.period = t.period OFFSET 0) e`,
        },
      },
      vote_changes: {
        erased: false,
        archive: {
          name: 'vote-changes',
          about: 'Votes that you changed or confirmed later, oldest first',
          columns: `t.project_id | t.period | t.said_on::text AS day | ${VOTE} | CASE WHEN t.was_bullish THEN 'bullish' ELSE 'bearish' END AS was | t.said_at AS at | ${PROJECT}`,
          keyColumns: 3,
          joins: JOIN_PROJECT,
        },
      },
      undone_votes: {
        erased: false,
        archive: {
          name: 'undone-votes',
          about: 'Votes and changes that were taken back',
          columns: `id | project_id | period | ${VOTE} | tokens AS snaps | created_at AS at | undone_at`,
        },
      },
    },
    kept: 'permanently',
    since: 'results and balances have to be provable',
    storage: 'votes',
  },
  books: {
    data: 'Ledger, payments, withdrawals and what was paid to each wallet',
    tables: {
      ...named('books'),
      token_ledger: {
        erased: false,
        late: 'otherwise',
        archive: {
          name: 'ledger',
          about: 'All other changes of the balance; `ref` is the review or withdrawal',
          columns: 'kind | ref | amount AS snaps | created_at AS at',
          keyColumns: 2,
        },
      },
      payments: {
        erased: false,
        archive: {
          about: 'Orders and payments in SUI; amounts in MIST',
          columns:
            'id | purpose | state | project_id | amount_mist::text AS amount_mist | received_mist::text AS received_mist | digest | paid_by | refunded_mist::text AS refunded_mist | refund_digest | message | draft AS order | created_at | updated_at',
        },
      },
      withdrawals: {
        erased: false,
        archive: {
          about: 'Withdrawals of Snaps',
          columns: 'id | token_amount AS snaps | wallet_address | state | digest | reason | created_at | updated_at',
        },
      },
      book_totals: { erased: false, late: 'otherwise', archive: null },
    },
    kept: 'permanently',
    since: 'balances and payments have to be provable',
    storage: 'ledger',
  },
  votesState: {
    data: 'Which votes are verified, and why others are not',
    tables: {
      ...named('standing_days rhythm_days'),
      votes_set_aside: { erased: false, late: 'otherwise', archive: null },
      voter_standing: { erased: false, late: 'otherwise', archive: 'account' },
      restated_votes: { erased: false, late: 'otherwise', archive: null },
      changed_states: { erased: false, late: 'otherwise', archive: null },
      appeals: {
        erased: true,
        archive: {
          about: 'Appeals against the exclusion of votes, or against hiding a listing',
          columns: 'id | project_id | text | created_at | answer | answered_at',
        },
      },
    },
    kept: 'permanently',
    since: 'results are counted from it',
    storage: 'votes',
  },
  reasons: {
    data: 'Why you voted: team, product, token, risk or community; public as totals only',
    tables: {
      vote_reasons: {
        erased: true,
        archive: {
          name: 'reasons',
          about: 'Why you voted: reasons of your present votes',
          columns: `t.project_id | t.period | ${PROJECT} | ${VOTE} | ${REASONS_GIVEN} | t.given_at`,
          keyColumns: 2,
          joins: JOIN_PROJECT,
        },
      },
    },
    kept: 'permanently',
    since: 'until you take them away or the account is deleted',
  },
  follows: {
    data: 'Projects that you follow, and messages about them that wait',
    tables: {
      follows: {
        erased: true,
        archive: {
          about: 'Projects that you follow by their star',
          columns: `t.project_id | ${PROJECT} | t.since`,
          joins: JOIN_PROJECT,
        },
      },
      turn_notices: { erased: true, late: 'skip', archive: null },
    },
    kept: 'permanently',
    since: 'until you unfollow them or the account is deleted',
  },
  deletions: {
    data: 'Keyed hashes of deleted accounts, which identify no person',
    tables: named('account_keys deleted_wallets deletion_marks former_totals'),
    kept: 'permanently',
    since: 'a wallet must not vote twice on the same projects in a listing period',
    isPersonal: false,
  },
  record: {
    data: 'The public record, and the secrets that hide who voted in it',
    tables: {
      ...named('log_files staged_files log_checkpoints log_anchors record_digests log_cosignatures recorded_totals'),
      voter_secrets: { erased: false, late: 'otherwise', archive: 'account' },
    },
    kept: 'permanently',
    since: 'anyone can check the published record at any time',
    storage: 'record',
  },
  consents: {
    data: 'Versions of the terms that you agreed to when you signed in or paid, with the times',
    tables: { terms_consents: { erased: true, late: 'skip', archive: 'account' } },
    kept: 'permanently',
    since: 'until the account is deleted',
  },
  profiles: {
    data: 'Accounts with their profile, numbers, activity and daily deck',
    tables: {
      ...named('users'),
      push_settings: { erased: true, archive: 'account' },
      user_allowances: { erased: true, archive: 'account' },
      user_stats: { erased: false, late: 'otherwise', archive: 'account' },
      activity: {
        erased: true,
        late: 'skip',
        archive: {
          about: 'The activity list',
          columns: 'id | kind | text | tokens AS snaps | amount_mist::text AS amount_mist | digest | created_at',
        },
      },
      asked_again: { erased: true, late: 'skip', archive: 'account' },
      daily_decks: { erased: true, late: 'skip', archive: 'account' },
      top_voters: { erased: false, late: 'otherwise', archive: null },
    },
    kept: 'permanently',
    since: 'until the account is deleted',
  },
  projects: {
    data: 'Projects with all versions of their listings, proofs of ownership, their pictures (of blanked ones the hashes), reviews, replies and reports',
    tables: {
      ...named(
        'catalogue_imports reason_figures project_slugs project_stats opinion_days project_days project_trends project_turns expiry_notices change_notices identity_changes packages images blanked_pictures',
      ),
      projects: {
        archive: {
          about: 'Own listings; their pictures are in the folder pictures',
          columns: `id | slug | ${projectTextFields.map(snake).join(' | ')} | image_hash AS picture | created_at | expires_at | hidden_at | hidden_reason`,
          of: 'owner_id = reader',
        },
      },
      listing_versions: {
        archive: {
          name: 'versions',
          about:
            'All versions of own listings, with the salts and hashes of the public record; their pictures are in the folder pictures',
          columns:
            "t.project_id | t.number | t.identity | t.name | t.image_hash AS picture | t.twitter_handle | t.website | t.category | t.description | encode(t.salt, 'hex') AS salt | encode(t.hash, 'hex') AS hash | t.created_at | t.blanked_at",
          keyColumns: 2,
          of: ON_OWN_LISTING,
        },
      },
      ownerships: {
        archive: {
          name: 'proofs',
          about: 'Proofs of who controls the coins and packages of own listings',
          columns:
            "t.project_id | t.state | t.subject | t.wallet | t.object_type | t.object_id | encode(t.salt, 'hex') AS salt | encode(t.hash, 'hex') AS hash | t.reason | t.since | t.checked_at",
          of: ON_OWN_LISTING,
        },
      },
      ownership_events: {
        archive: {
          name: 'proof-changes',
          about: 'Changes of these proofs, as the public record has them',
          columns: "t.id | t.project_id | t.state | encode(t.hash, 'hex') AS hash | t.created_at",
          of: ON_OWN_LISTING,
        },
      },
      reviews: {
        erased: false,
        archive: {
          about: 'Reviews and sentences, each of which burned Snaps',
          columns: 'id | project_id | content | created_at | hidden_at | hidden_reason',
          of: "id = ANY (ARRAY(SELECT ref FROM token_ledger WHERE user_id = reader AND kind IN ('review_burn', 'sentence_burn')))",
        },
      },
      review_replies: {
        archive: {
          name: 'replies',
          about: 'Replies to reviews of own projects',
          columns: 't.review_id AS id | r.project_id | t.content | t.created_at | t.hidden_at | t.hidden_reason',
          of: 't.review_id = ANY (ARRAY(SELECT r.id FROM projects p JOIN reviews r ON r.project_id = p.id WHERE p.owner_id = reader))',
          joins: 'JOIN reviews r ON r.id = t.review_id',
        },
      },
      reports: {
        erased: false,
        archive: {
          about: 'Reports of projects, reviews and replies',
          columns: 'id | subject | subject_id | reason | text | created_at | resolved_at | resolution',
        },
      },
    },
    kept: 'permanently',
    since: 'they are published',
    storage: 'other',
  },
  claims: {
    data: 'Claims on listings of others; what the lister answers goes with the decision',
    tables: {
      claims: {
        erased: false,
        archive: {
          about: 'Claims on listings of others, and on own listings those that wait, with the answer',
          columns: `t.id | t.project_id | ${PROJECT} | t.user_id = reader AS is_own | CASE WHEN p.owner_id = reader THEN t.answer END AS answer | t.created_at | t.decided_at`,
          of: `t.user_id = reader OR t.decided_at IS NULL AND ${ON_OWN_LISTING}`,
          joins: JOIN_PROJECT,
        },
      },
    },
    kept: { days: 31 },
    since: 'the decision, and until a refund that it names is sent',
    storage: 'other',
  },
  auditLog: {
    data: 'The audit log: what admins did, with their address; admins and their roles',
    tables: named('admins audit_log admin_login_attempts'),
    kept: 'permanently',
    since: 'what admins did has to be provable',
    storage: 'other',
  },
  housekeeping: {
    data: 'Settings, totals, and what the server knows of itself',
    tables: named(
      'config job_runs payment_recipients schema_migrations restores database_copies recounted_totals totals totals_state closed_days verified_stats vote_state_days vote_totals',
    ),
    kept: 'permanently',
    since: 'it is needed to run the site',
    isPersonal: false,
  },
} satisfies Record<string, Data>;

/** Each table with its declaration. */
export const TABLES: readonly (readonly [string, Table])[] = Object.values<Data>(DATA).flatMap((data) =>
  Object.entries(data.tables),
);
export const ERASED = TABLES.flatMap(([name, { erased }]) => (erased ? [name] : []));
export const GUARDED = TABLES.flatMap(([name, { erased, late }]) =>
  erased === undefined || late === 'otherwise' ? [] : [{ name, late: late ?? 'refuse' }],
);
export const ARCHIVED = TABLES.flatMap(([table, { archive }]) =>
  archive && archive !== 'account'
    ? [{ name: table, table, ...archive, columns: archive.columns.split(/\s+\|\s+/) }]
    : [],
);

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
