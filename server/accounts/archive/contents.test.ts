import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { toCsv } from '#shared/csv.ts';
import { downloadArchive, jsonOf, textOf } from '../../testing/archive.ts';
import { createTestApp, PUBLIC_ORIGIN } from '../../testing/app.ts';
import { behindTheTriggers, insertProjects, insertUser } from '../../testing/builders.ts';
import { newUser, type TestUser } from '../../testing/client.ts';
import { PARTS } from './parts.ts';

const server = await createTestApp();
const { db } = server.services;

/** Which of the two users: no value of one is also a value of the other. */
type N = 1 | 2;

/** Rows of the two users alternate, so that an order other than that of the ids shows. */
const idOf = (n: N, k: number): number => 5_000_000 + 10 * k + n;
const SHARED = [5_900_001, 5_900_002] as const;
const at = (n: N, k: number): string => new Date(Date.UTC(2026, 0, k, n, 10 + k, 20 + k, 123)).toISOString();
const hashOf = (n: N, k: number): string => `${n}${k}`.padEnd(32, 'a');
const networkOf = (n: N, k: number): string => `${k}${n}`.padEnd(32, 'b');
const uuidOf = (n: N, k: number): string => `${k}000000${n}-0000-4000-8000-000000000000`;
/** A history of readings, as PostgreSQL writes it in JSON. */
const bits = (number: number): string => number.toString(2).padStart(64, '0');
/** A time, as PostgreSQL writes it in JSON. */
const inSql = (iso: string): string => iso.replace('Z', '+00:00');

type Values = readonly unknown[];

const insertInto = (trx: Db, table: string, columns: string, rows: readonly Values[]) =>
  sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.split(' ').map((column) => sql.ref(column)))})
    OVERRIDING SYSTEM VALUE VALUES ${sql.join(rows.map((row) => sql`(${sql.join(row)})`))}`.execute(trx);

/** Columns and rows of a list of the archive. */
interface List {
  columns: string;
  rows: readonly Values[];
}

/** Expected content of a user's archive, by the name of its list. */
function listsOf(n: N): Record<string, List> {
  const m = n === 1 ? 2 : 1;
  return {
    votes: {
      columns: 'projectId project period vote snaps at notCounted decision daysRead daysHeld',
      rows: [
        [SHARED[0], 'Reef', 1, n === 1 ? 'bullish' : 'bearish', 10 + n, at(n, 1), null, 'verified', 30 + n, 20 + n],
        [SHARED[0], 'Reef', 2, 'bullish', 20 + n, at(n, 2), `Clockwork ${n}; Bought ${n}`, null, null, null],
        [SHARED[1], '=SUM(A1)', 1, 'bearish', 30 + n, at(n, 3), `Sold ${n}`, null, null, null],
      ],
    },
    'undone-votes': {
      columns: 'id projectId period vote snaps at undoneAt',
      rows: [
        [idOf(n, 1), 40 + n, 2, 'bullish', 50 + n, at(n, 4), at(n, 5)],
        [idOf(n, 2), 60 + n, 3, 'bearish', 70 + n, at(n, 6), at(n, 7)],
      ],
    },
    ledger: {
      columns: 'kind ref snaps at',
      rows: [
        ['review_burn', idOf(n, 1), -80 - n, at(n, 1)],
        ['review_burn', idOf(n, 2), -90 - n, at(n, 2)],
        ['review_burn', idOf(n, 3), -100 - n, at(n, 3)],
        // Withdrawals and reviews are numbered separately: this number is that of a review of the other user.
        ['withdrawal_hold', idOf(m, 1), -110 - n, at(n, 4)],
        ['hold_release', idOf(m, 1), 110 + n, at(n, 5)],
        ['payout', idOf(m, 1), -120 - n, at(n, 6)],
        ['vote_undone', idOf(n, 1), -130 - n, at(n, 7)],
        ['account_burn', idOf(n, 9), -140 - n, at(n, 8)],
      ],
    },
    payments: {
      columns:
        'id purpose state projectId amountMist receivedMist digest paidBy refundedMist refundDigest message order createdAt updatedAt',
      rows: [
        [
          [uuidOf(n, 1), 'submit', 'fulfilled', 150 + n, `${n}9007199254740993`, `${n}9007199254740995`],
          [`digest ${n}a`, `payer ${n}a`, null, null, null, { name: `Ordered ${n}` }, at(n, 1), at(n, 2)],
        ].flat(),
        [
          [uuidOf(n, 2), 'renew', 'refunded', 160 + n, `${n}000`, `${n}001`, `digest ${n}b`, `payer ${n}b`],
          [`${n}9007199254740997`, `refund ${n}`, `Too late ${n}`, { days: n }, at(n, 3), at(n, 4)],
        ].flat(),
        [
          [uuidOf(n, 3), 'update', 'expired', null, `${n}002`, null, null, null, null, null, null],
          [{ website: `https://${n}.example` }, at(n, 5), at(n, 6)],
        ].flat(),
      ],
    },
    withdrawals: {
      columns: 'id snaps walletAddress state digest reason createdAt updatedAt',
      rows: [
        [idOf(n, 1), 170 + n, `wallet ${n}a`, 'paid', `payout ${n}`, null, at(n, 1), at(n, 2)],
        [idOf(n, 2), 180 + n, `wallet ${n}b`, 'rejected', null, `Not yet ${n}`, at(n, 3), at(n, 4)],
      ],
    },
    projects: {
      columns:
        'id slug name category description twitterHandle website picture createdAt expiresAt hiddenAt hiddenReason',
      rows: [
        [
          [idOf(n, 1), `own-${n}-a`, `Own ${n} a`, 'DeFi', `About ${n} a`, `handle${n}a`, `https://${n}a.example`],
          [hashOf(n, 1), at(n, 1), at(n, 2), null, null],
        ].flat(),
        [
          [idOf(n, 2), `own-${n}-b`, `Own ${n} b`, 'NFT', `About ${n} b`, `handle${n}b`, null],
          [hashOf(n, 2), at(n, 3), at(n, 4), at(n, 5), `Spam ${n}`],
        ].flat(),
      ],
    },
    reviews: {
      columns: 'id projectId content createdAt hiddenAt hiddenReason',
      rows: [
        [idOf(n, 1), SHARED[0], `=Review ${n} a`, at(n, 1), null, null],
        [idOf(n, 2), idOf(m, 1), `Review "${n}"\nb`, at(n, 2), at(n, 3), `Rude ${n}`],
        [idOf(n, 3), idOf(m, 2), `Review ${n}, c`, at(n, 4), null, null],
      ],
    },
    // Ids of the reviews that the other user wrote about the projects of this one.
    replies: {
      columns: 'id projectId content createdAt hiddenAt hiddenReason',
      rows: [
        [idOf(m, 2), idOf(n, 1), `Reply ${n} a`, at(n, 5), null, null],
        [idOf(m, 3), idOf(n, 2), `Reply ${n} b`, at(n, 6), at(n, 7), `Off topic ${n}`],
      ],
    },
    reports: {
      columns: 'id subject subjectId reason text createdAt resolvedAt resolution',
      rows: [
        [idOf(n, 1), 'project', 190 + n, 'scam', `Report ${n} a`, at(n, 1), at(n, 2), 'dismissed'],
        [idOf(n, 2), 'reply', 200 + n, 'abuse', `Report ${n} b`, at(n, 3), null, null],
      ],
    },
    appeals: {
      columns: 'id text createdAt answer answeredAt',
      rows: [
        [idOf(n, 1), `Appeal ${n} a`, at(n, 1), `Answer ${n}`, at(n, 2)],
        [idOf(n, 2), `Appeal ${n} b`, at(n, 3), null, null],
      ],
    },
    activity: {
      columns: 'id kind text snaps amountMist digest createdAt',
      rows: [
        [idOf(n, 1), 'review_posted', `Activity ${n} a`, -210 - n, null, null, at(n, 1)],
        [idOf(n, 2), 'payment_refunded', `Activity ${n} b`, 0, `${n}9007199254740999`, `refund ${n}`, at(n, 2)],
      ],
    },
    notices: {
      columns: 'id kind text link createdAt readAt',
      rows: [
        [idOf(n, 1), 'reply', `Notice ${n} a`, `/project/${n}`, at(n, 1), at(n, 2)],
        [idOf(n, 2), 'expiry', `Notice ${n} b`, null, at(n, 3), null],
      ],
    },
    networks: {
      columns: 'day network',
      rows: [
        [`2026-01-1${n}`, networkOf(n, 1)],
        [`2026-01-1${n}`, networkOf(n, 2)],
        ['2026-01-20', networkOf(n, 0)],
      ],
    },
  };
}

const BARRED = 'projects you may not vote on for now, because an account of this wallet that was deleted did';
const ALLOWANCES = 'allowances that you have used';
const SECRET = 'secret of your votes in the public record: keep it to yourself';

const accountOf = ({ id, address }: TestUser, n: N) => ({
  profile: {
    id,
    walletAddress: address,
    username: `Keeper_${n}`,
    avatarHash: hashOf(n, 0),
    twitterLink: `https://x.com/keeper${n}`,
    telegramLink: `https://t.me/keeper${n}`,
    discordLink: `https://discord.gg/keeper${n}`,
    createdAt: inSql(at(n, 1)),
  },
  counters: {
    userId: id,
    totalVotes: 10 + n,
    bullish: 20 + n,
    bearish: 30 + n,
    streak: 40 + n,
    lastDay: `2026-01-0${n}`,
    windowStartedAt: inSql(at(n, 2)),
    windowVotes: 50 + n,
    balance: 60 + n,
    tokensEarned: 70 + n,
    peakEarned: 75 + n,
  },
  [ALLOWANCES]: [{ kind: 'pictures', startedAt: inSql(at(n, 7)), used: 120 + n }],
  [BARRED]: [80 + n, 90 + n],
  standing: {
    userId: id,
    readOn: `2026-01-1${n}`,
    daysRead: 4 + n,
    daysHeld: 10 + n,
    state: 'standing',
    historyRead: bits(n),
    historyHeld: bits(2 * n),
  },
  sessions: [
    {
      device: `Older ${n}`,
      signedInAt: inSql(at(n, 3)),
      lastSeenAt: inSql(at(n, 4)),
      expiresAt: inSql(at(n, 5)),
    },
    {
      device: `Newer ${n}`,
      signedInAt: inSql(at(n, 6)),
      // A future time, which the request for the archive does not change.
      lastSeenAt: `208${n}-01-01T00:00:00+00:00`,
      expiresAt: `209${n}-01-01T00:00:00+00:00`,
    },
  ],
  dailyDeck: { userId: id, day: `2026-02-0${n}`, projectIds: [100 + n, 110 + n], kinds: ['new', 'feed'] },
  [SECRET]: `${n}c`.repeat(32),
});

/** Pictures that a user shows: of the profile and of both listings. */
const picturesOf = (n: N): Array<[name: string, content: string]> =>
  [0, 1, 2].map((k) => [`pictures/${hashOf(n, k)}.webp`, `picture ${n} ${k}`]);

async function insertAccount(trx: Db, user: TestUser, n: N): Promise<void> {
  const { profile, counters, sessions, standing, dailyDeck, ...rest } = accountOf(user, n);
  const [older, newer] = sessions;
  const { id, ...named } = profile;
  await trx.updateTable('users').set(named).where('id', '=', id).execute();
  const { userId, ...counted } = counters;
  await trx
    .updateTable('userStats')
    .set({ ...counted, barredProjects: rest[BARRED], barredPeriods: [1, 2] })
    .where('userId', '=', userId)
    .execute();
  for (const allowance of rest[ALLOWANCES])
    await trx
      .insertInto('userAllowances')
      .values({ userId, ...allowance })
      .execute();
  await sql`UPDATE sessions SET device = ${newer?.device}, created_at = ${newer?.signedInAt}, last_seen_at = ${newer?.lastSeenAt},
    expires_at = ${newer?.expiresAt} WHERE user_id = ${user.id}`.execute(trx);
  await insertInto(trx, 'sessions', 'token_hash user_id device created_at last_seen_at expires_at', [
    [Buffer.alloc(32, n), user.id, older?.device, older?.signedInAt, older?.lastSeenAt, older?.expiresAt],
  ]);
  await insertInto(trx, 'voter_standing', 'user_id read_on days_read days_held state history_read history_held', [
    Object.values(standing),
  ]);
  await insertInto(trx, 'daily_decks', 'user_id day project_ids kinds', [Object.values(dailyDeck)]);
  await sql`INSERT INTO voter_secrets (user_id, secret) VALUES (${user.id}, decode(${`${n}c`.repeat(32)}, 'hex'))
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret`.execute(trx);
}

async function insertPictures(trx: Db, n: N): Promise<void> {
  const columns = 'hash width_px content_type bytes width height created_at';
  const picture = (hash: string, widthPx: number, content: string): Values => [
    hash,
    widthPx,
    'image/webp',
    Buffer.from(content),
    1,
    1,
    at(n, 1),
  ];
  await insertInto(trx, 'images', columns, [
    // Smaller copies and a replaced picture next to them, not in the order of their names.
    ...[2, 1, 0].flatMap((k) => [
      picture(hashOf(n, k), 96, `small ${n} ${k}`),
      picture(hashOf(n, k), 0, `picture ${n} ${k}`),
    ]),
    picture(hashOf(n, 8), 0, `replaced ${n}`),
  ]);
}

/** The rows of a user's lists, the last ones first. */
async function insertLists(trx: Db, userId: number, n: N): Promise<void> {
  const lists = listsOf(n);
  const rowsOf = (name: string): Values[] => (lists[name]?.rows ?? []).toReversed();
  const isBullish = (vote: unknown): boolean => vote === 'bullish';
  await insertInto(
    trx,
    'votes',
    'user_id project_id period bullish tokens created_at',
    rowsOf('votes').map(([project, , period, vote, snaps, time]) => [
      userId,
      project,
      period,
      isBullish(vote),
      snaps,
      time,
    ]),
  );
  await insertInto(
    trx,
    'vote_decisions',
    'user_id project_id period cast_at state days_read days_held',
    rowsOf('votes')
      .filter((row) => row[7] !== null)
      .map(([project, , period, , , time, , decision, read, held]) => [
        userId,
        project,
        period,
        time,
        decision,
        read,
        held,
      ]),
  );
  await insertInto(trx, 'votes_set_aside', 'user_id project_id period reason detail actor', [
    [userId, SHARED[0], 2, 'rhythm', `Clockwork ${n}`, 'test'],
    [userId, SHARED[0], 2, 'moderator', `Bought ${n}`, 'test'],
    [userId, SHARED[1], 1, 'moderator', `Sold ${n}`, 'test'],
    [userId, SHARED[1], 2, 'moderator', `Of no vote ${n}`, 'test'],
  ]);
  await insertInto(
    trx,
    'undone_votes',
    'id project_id period bullish tokens created_at undone_at user_id',
    rowsOf('undone-votes').map((row) => [...row.with(3, isBullish(row[3])), userId]),
  );
  await insertInto(
    trx,
    'payments',
    'id purpose state project_id amount_mist received_mist digest paid_by refunded_mist refund_digest message draft created_at updated_at user_id order_hash chain_id expires_at',
    rowsOf('payments').map((row) => [...row, userId, 'hash', 'chain', at(n, 9)]),
  );
  await insertInto(
    trx,
    'projects',
    'id slug name category description twitter_handle website image_hash created_at expires_at hidden_at hidden_reason owner_id',
    rowsOf('projects').map((row) => [...row, userId]),
  );
  await insertInto(
    trx,
    'review_replies',
    'review_id content created_at hidden_at hidden_reason',
    rowsOf('replies').map((row) => row.toSpliced(1, 1)),
  );
  await insertInto(
    trx,
    'voter_networks',
    'day network user_id',
    rowsOf('networks').map(([day, network]) => [day, Buffer.from(String(network), 'hex'), userId]),
  );
  await insertInto(
    trx,
    'withdrawals',
    'id token_amount wallet_address state digest reason created_at updated_at user_id batch_id',
    rowsOf('withdrawals').map((row) => [...row, userId, row[3] === 'paid' ? uuidOf(n, 9) : null]),
  );
  for (const [list, columns, table = list] of [
    ['ledger', 'kind ref amount created_at', 'token_ledger'],
    ['reviews', 'id project_id content created_at hidden_at hidden_reason'],
    ['reports', 'id subject subject_id reason text created_at resolved_at resolution'],
    ['appeals', 'id text created_at answer answered_at'],
    ['activity', 'id kind text tokens amount_mist digest created_at'],
    ['notices', 'id kind text link created_at read_at'],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await insertInto(
      trx,
      table,
      `${columns} user_id`,
      rowsOf(list).map((row) => [...row, userId]),
    );
}

describe('the archive of a user next to another one with data of every kind [R55]', () => {
  const users: TestUser[] = [];
  const archives: Array<Map<string, Buffer>> = [];
  const NS: readonly N[] = [1, 2];

  beforeAll(async () => {
    for (const _ of NS) users.push(await newUser(server));
    const owner = await insertUser(db);
    await behindTheTriggers(db, async (trx) => {
      const columns = 'id slug name category description image_hash twitter_handle owner_id created_at expires_at';
      const picture = hashOf(1, 9);
      await insertInto(trx, 'projects', columns, [
        [SHARED[0], 'reef', 'Reef', 'DeFi', 'A reef', picture, 'reef', owner, at(1, 1), at(1, 2)],
        [SHARED[1], 'sum', '=SUM(A1)', 'DeFi', 'A sum', picture, 'sum', owner, at(1, 1), at(1, 2)],
      ]);
      for (const [i, user] of users.entries()) {
        const n = NS[i] ?? 1;
        await insertAccount(trx, user, n);
        await insertPictures(trx, n);
        await insertLists(trx, user.id, n);
        // By an owner of a project of neither user.
        await insertInto(trx, 'review_replies', 'review_id content', [[idOf(n, 1), 'Of a stranger']]);
      }
    });
    for (const user of users) archives.push(await downloadArchive(user));
  });

  describe.each(NS)('user %d', (n) => {
    const archive = (): Map<string, Buffer> => archives[n - 1] ?? new Map();

    test('an archive has these files, in this order', () => {
      const lists = PARTS.flatMap(({ name }) => [`${name}.json`, `${name}.csv`]);
      const pictures = picturesOf(n).map(([name]) => name);
      expect([...archive().keys()]).toEqual(['README.txt', 'account.json', ...lists, ...pictures]);
      expect(PARTS.map(({ name }) => name)).toEqual(Object.keys(listsOf(n)));
      expect(textOf(archive(), 'README.txt')).toContain(`Your data on ${PUBLIC_ORIGIN}, as of `);
    });

    test("an archive's account has the user's values in the database", () => {
      const user = users[n - 1];
      if (!user) throw new Error('no such user');
      expect(jsonOf(archive(), 'account.json')).toEqual(accountOf(user, n));
    });

    test.each(Object.entries(listsOf(n)))(
      'an archive has every row of %s, each value in its column, and no other',
      (name, list) => {
        const names = list.columns.split(' ');
        const objects = list.rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i], value])));
        expect(jsonOf(archive(), `${name}.json`)).toEqual(objects);
        expect(textOf(archive(), `${name}.csv`)).toBe(toCsv(names, objects));
      },
    );

    test('an archive has the pictures that the user shows, as they were uploaded, and no other', () => {
      const pictures = [...archive()].filter(([name]) => name.startsWith('pictures/'));
      expect(pictures.map(([name, bytes]) => [name, bytes.toString()])).toEqual(picturesOf(n));
    });
  });
});

describe('lists of more than two pages [R55]', () => {
  const ROWS = 2_001;
  const users: TestUser[] = [];
  let files = new Map<string, Buffer>();
  const numbers = Array.from({ length: ROWS }, (_, i) => i + 1);
  const id = (i: number): number => 7_000_000 + 2 * i;
  const uuid = (i: number): string => `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`;
  const dayOf = (i: number): string => `2026-0${1 + Math.floor((i - 1) / 900)}-01`;
  const networkHex = (i: number): string => i.toString(16).padStart(32, '0');
  let projects: number[] = [];

  beforeAll(async () => {
    for (const _ of [1, 2]) users.push(await newUser(server));
    projects = await insertProjects(db, 3);
    const [own = 0] = await insertProjects(db, 1, { ownerId: users[0]?.id ?? 0 });
    const [foreign = 0] = await insertProjects(db, 1, { ownerId: users[1]?.id ?? 0 });
    await behindTheTriggers(db, async (trx) => {
      for (const [odd, user] of users.entries()) {
        const mine = odd === 0 ? own : foreign;
        const theirs = odd === 0 ? foreign : own;
        // From the last to the first, alternating with those of the other user, whose numbers are between them.
        const series = sql`(SELECT i, ${id(0)}::int + 2 * i + ${odd}::int AS id FROM generate_series(${ROWS}::int, 1, -1) i) s`;
        const userId = sql`${user.id}::bigint`;
        const insert = (table: string, columns: string, values: ReturnType<typeof sql>) =>
          sql`INSERT INTO ${sql.table(table)} (${sql.raw(columns)}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM ${series}`.execute(
            trx,
          );
        await insert(
          'votes',
          'user_id, created_at, project_id, tokens, period, bullish',
          sql`${userId}, now(), (${projects}::int[])[1 + (i - 1) / 667], 10, 1 + (i - 1) % 667, true`,
        );
        await insert(
          'undone_votes',
          'id, user_id, created_at, undone_at, project_id, tokens, period, bullish',
          sql`id, ${userId}, now(), now(), 1, 10, 1, true`,
        );
        await insert('reviews', 'id, project_id, user_id, content', sql`id, ${theirs}::int, ${userId}, 'Review'`);
        await insert('review_replies', 'review_id, content', sql`id + ${odd === 0 ? 1 : -1}::int, ${`Reply ${mine}`}`);
        for (const kind of ['review_burn', 'hold_release'])
          await insert(
            'token_ledger',
            'user_id, ref, amount, created_at, kind',
            sql`${userId}, id, 1, now(), ${kind}::ledger_kind`,
          );
        await insert(
          'payments',
          'id, user_id, purpose, state, draft, order_hash, amount_mist, expires_at',
          sql`('00000000-0000-400' || ${odd}::int || '-8000-' || lpad(to_hex(i), 12, '0'))::uuid, ${userId}, 'submit', 'expired', '{}', '', 1, now()`,
        );
        await insert('withdrawals', 'id, user_id, wallet_address, token_amount', sql`id, ${userId}, '0x1', 50`);
        await insert(
          'reports',
          'id, user_id, subject, subject_id, reason, text',
          sql`id, ${userId}, 'project', i, 'spam', ''`,
        );
        await insert(
          'appeals',
          'id, user_id, text, answer, answered_at',
          sql`id, ${userId}, 'Appeal', 'Answer', now()`,
        );
        await insert('activity', 'id, user_id, kind, text', sql`id, ${userId}, 'review_posted', 'Line'`);
        await insert('notices', 'id, user_id, kind, text', sql`id, ${userId}, 'reply', 'Notice'`);
        await insert(
          'voter_networks',
          'day, network, user_id',
          sql`make_date(2026, 1 + (i - 1) / 900, 1), decode(lpad(to_hex(i), 32, '0'), 'hex'), ${userId}`,
        );
        await insert(
          'projects',
          'id, slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at',
          sql`id, 'many-' || id, 'Many', 'DeFi', 'One of many', ${hashOf(1, 9)}, 'many', ${userId}, now()`,
        );
      }
    });
    files = await downloadArchive(users[0] as TestUser);
  });

  const ids = (): unknown[][] => numbers.map((i) => [id(i)]);
  test.each<[name: string, keys: () => unknown[][]]>([
    ['votes', () => numbers.map((i) => [projects[Math.floor((i - 1) / 667)], 1 + ((i - 1) % 667)])],
    ['undone-votes', ids],
    ['ledger', () => ['review_burn', 'hold_release'].flatMap((kind) => numbers.map((i) => [kind, id(i)]))],
    ['payments', () => numbers.map((i) => [uuid(i)])],
    ['withdrawals', ids],
    ['projects', () => [[expect.any(Number)], ...ids()]],
    ['reviews', ids],
    ['replies', () => numbers.map((i) => [id(i) + 1])],
    ['reports', ids],
    ['appeals', ids],
    ['activity', ids],
    ['notices', ids],
    ['networks', () => numbers.map((i) => [dayOf(i), networkHex(i)])],
  ])('an archive has all rows of %s once and in order, in both formats', (name, keys) => {
    const part = PARTS.find((each) => each.name === name);
    const rows = jsonOf(files, `${name}.json`) as Array<Record<string, unknown>>;
    expect(rows.map((row) => part?.key.map((column) => row[column]))).toEqual(keys());
    expect(textOf(files, `${name}.csv`)).toBe(toCsv(part?.columns ?? [], rows));
  });
});
