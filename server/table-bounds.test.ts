import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { ACTIVITY_KINDS } from '#shared/people/activity-kinds.ts';
import { CATEGORIES } from '#shared/constants.ts';
import { EVENT_KINDS, EVENT_SOURCES } from '#shared/listings/events.ts';
import { NOTICE_KINDS } from '#shared/people/notice-kinds.ts';
import { REPORT_REASONS, REPORT_RESOLUTIONS, REPORT_SUBJECTS } from '#shared/people/report-kinds.ts';
import { PAYMENT_STATES } from '#shared/states/payment.ts';
import { VOTE_STATES, VOTER_STATES } from '#shared/states/votes.ts';
import { WITHDRAWAL_STATES } from '#shared/states/withdrawal.ts';
import { createTestDatabase } from '#lab/testing/app.ts';
import { grantTokens, insertProject, insertUser } from '#lab/testing/builders.ts';

/*
 * Rejections of the tables themselves, for any writer: the server, the admin's console, psql. Each bound is tested on
 * both sides.
 */

const database = await createTestDatabase();
const { db, close } = openDatabase(database.url, { maxConnections: 2 });
afterAll(async () => {
  await close();
  await database.drop();
});

const userId = await insertUser(db);
await grantTokens(db, userId, 1_000);
const projectId = await insertProject(db, { ownerId: userId });
const otherId = await insertUser(db);
await db.insertInto('reviews').values({ projectId, userId, content: 'A review' }).execute();
await sql`INSERT INTO review_replies (review_id, content) SELECT id, 'A reply' FROM reviews`.execute(db);
await sql`INSERT INTO sessions (token_hash, user_id, expires_at) VALUES ('\\x01', ${userId}, now())`.execute(db);
const payment = (state: string, digest: string | null, chainId: string | null, payerId = userId) =>
  `INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, expires_at, digest, chain_id)
   VALUES (${payerId}, 'submit', '${state}', '{}', 'hash', 1, now(), ${digest ?? 'NULL'}, ${chainId ?? 'NULL'})`;
const withdrawal = (state: string, digest: string | null, mark: { bookId: string; units: string } | null = null) =>
  `INSERT INTO withdrawals (user_id, wallet_address, token_amount, state, digest, book_id, mark)
   VALUES (${userId}, '0x1', 50, '${state}', ${digest ?? 'NULL'}, ${mark?.bookId ?? 'NULL'}, ${mark?.units ?? 'NULL'})`;
const entry = (kind: string, amount: number) =>
  `INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES (${userId}, '${kind}', -1, ${amount}, now())`;
for (const statement of [payment('draft', null, null), withdrawal('requested', null)])
  await sql.raw(statement).execute(db);

for (const statement of [
  'INSERT INTO verified_stats VALUES (1, 0, 0)',
  "INSERT INTO vote_state_days VALUES ('2026-01-01', 'verified', 1)",
  `INSERT INTO voter_standing (user_id, read_on) VALUES (${userId}, '2026-01-01')`,
  "INSERT INTO standing_readings (day, reading, starts_at) VALUES ('2026-01-01', 1, now())",
  "INSERT INTO standing_days (day, wallets) VALUES ('2026-01-01', 5)",
  `INSERT INTO appeals (user_id, text, answer, answered_at) VALUES (${userId}, 'x', 'x', now())`,
  `INSERT INTO reports (subject, subject_id, user_id, reason, text) VALUES ('project', 1, ${userId}, 'spam', '')`,
  `INSERT INTO notices (user_id, kind, text) VALUES (${userId}, 'review', 'x')`,
  `INSERT INTO push_settings (user_id, kinds) VALUES (${userId}, '{money}')`,
  `INSERT INTO push_subscriptions (user_id, token_hash, endpoint, public_key, auth_secret)
    VALUES (${userId}, '\\x01', 'https://push.example/x', decode(repeat('00', 65), 'hex'), decode(repeat('00', 16), 'hex'))`,
  `INSERT INTO push_messages (user_id, subscription_id, kind, text, link, expires_at)
    SELECT user_id, id, 'money', 'x', '/', now() FROM push_subscriptions`,
  `INSERT INTO voter_networks VALUES ('2026-01-01', decode(repeat('00', 16), 'hex'), ${userId})`,
  `INSERT INTO project_events_days VALUES (${projectId}, '2026-01-01', 'view', 'page', 1)`,
  `INSERT INTO network_salts VALUES ('2026-01-01', decode(repeat('00', 32), 'hex'))`,
])
  await sql.raw(statement).execute(db);

class RolledBack extends Error {}

const KINDS: Record<string, string> = { '23514': 'check', '23505': 'unique', '22P02': 'type' };

/** 'taken', or which kind of constraint refuses the statements. Nothing of them stays. */
async function attempt(...statements: string[]): Promise<string> {
  try {
    return await db.transaction().execute(async (trx): Promise<string> => {
      for (const statement of statements) await sql.raw(statement).execute(trx);
      throw new RolledBack();
    });
  } catch (error) {
    if (error instanceof RolledBack) return 'taken';
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return KINDS[code] ?? String(error);
  }
}

const hashOf = (bytes: number): string => `decode(repeat('00', ${bytes}), 'hex')`;
const letters = (count: number): string => `repeat('x', ${count})`;

test.each<[table: string, column: string, within: Array<number | string>, beyond: Array<number | string>]>([
  ['projects', 'name', [1, 60].map(letters), [0, 61].map(letters)],
  ['projects', 'description', [1, 200].map(letters), [0, 201].map(letters)],
  ['reviews', 'content', [1, 200].map(letters), [0, 201].map(letters)],
  ['sessions', 'device', [1, 80].map(letters), [0, 81].map(letters)],
  ['users', 'username', [3, 24].map(letters), [2, 25].map(letters)],
  ['project_stats', 'bullish', [0], [-1]],
  ['project_stats', 'bearish', [0], [-1]],
  ['user_stats', 'balance', [0], [-1]],
  ['verified_stats', 'bullish', [0], [-1]],
  ['verified_stats', 'bearish', [0], [-1]],
  ['vote_state_days', 'votes', [1], [0]],
  ['standing_readings', 'reading', [1, 2], [0, 3]],
  ['standing_days', 'standing', [0, 5], [-1, 6]],
  ['appeals', 'text', [1, 500].map(letters), [0, 501].map(letters)],
  ['appeals', 'answer', [1, 300].map(letters), [0, 301].map(letters)],
  ['review_replies', 'content', [1, 200].map(letters), [0, 201].map(letters)],
  ['reports', 'text', [0, 500].map(letters), [501].map(letters)],
  ['notices', 'text', [1, 500].map(letters), [0, 501].map(letters)],
  ['notices', 'link', ['NULL', `'/x'`], [`'https://x'`, `'//x'`, `'x'`]],
  ['push_settings', 'kinds', [`'{}'`, `'{money,project}'`], [`'{other}'`]],
  ['push_subscriptions', 'endpoint', [10, 1_000].map(letters), [9, 1_001].map(letters)],
  ['push_subscriptions', 'public_key', [hashOf(65)], [hashOf(64), hashOf(66)]],
  ['push_subscriptions', 'auth_secret', [hashOf(16)], [hashOf(15), hashOf(17)]],
  ['push_messages', 'text', [1, 500].map(letters), [0, 501].map(letters)],
  ['push_messages', 'link', [`'/x'`, `'/'`], [`'https://x'`, `'//x'`, `'x'`]],
  ['push_messages', 'kind', [`'money'`], [`'other'`]],
  ['voter_networks', 'network', [hashOf(16)], [hashOf(15), hashOf(17)]],
  ['network_salts', 'salt', [hashOf(32)], [hashOf(31), hashOf(33)]],
  ['project_events_days', 'count', [1], [0]],
  ['payments', 'amount_mist', [1], [0]],
  ['payments', 'refunded_mist', [1], [0]],
  ['withdrawals', 'token_amount', [50], [49]],
])('%s.%s accepts the last value within its bounds, and none beyond', async (table, column, within, beyond) => {
  const set = (value: number | string) =>
    attempt(`UPDATE ${table} SET ${column} = ${value} WHERE ctid = (SELECT min(ctid) FROM ${table})`);
  for (const value of within) expect([value, await set(value)]).toEqual([value, 'taken']);
  for (const value of beyond) expect([value, await set(value)]).toEqual([value, 'check']);
});

describe('rows with contradictory parts are refused', () => {
  test('refuses a ledger entry of unknown kind or zero amount [R13]', async () => {
    const named = ['review_burn', 'withdrawal_hold', 'hold_release', 'payout', 'vote_reward', 'gift'];
    const kinds = await Promise.all(named.map((kind) => attempt(entry(kind, 10))));
    // The reward of a vote is the vote itself.
    expect(kinds).toEqual(['taken', 'taken', 'taken', 'taken', 'check', 'type']);
    const amounts = await Promise.all([-1, 0, 1].map((amount) => attempt(entry('hold_release', amount))));
    expect(amounts).toEqual(['taken', 'check', 'taken']);
  });

  test('refuses a second vote on the same project in the same period [R7 R45]', async () => {
    const vote = (period = 1) =>
      `INSERT INTO votes (user_id, project_id, bullish, period, created_at) VALUES (${otherId}, ${projectId}, true, ${period}, now())`;
    expect(await attempt(vote(), vote())).toBe('unique');
    expect(await attempt(vote(), vote(2))).toBe('taken');
  });

  test('refuses a day both skipped and read, an answer without its time, a second open appeal, a second one of a listing, a vote set aside without a reason [R37 R39]', async () => {
    expect(await attempt("UPDATE standing_days SET skipped = 'away'")).toBe('check');
    expect(await attempt("UPDATE standing_days SET skipped = 'away', wallets = 0")).toBe('taken');
    const appeal = `INSERT INTO appeals (user_id, text) VALUES (${userId}, 'x')`;
    expect(await attempt(appeal)).toBe('taken');
    expect(await attempt(appeal, appeal)).toBe('unique');
    const ofListing = `INSERT INTO appeals (user_id, text, project_id) VALUES (${userId}, 'x', ${projectId})`;
    expect(await attempt(appeal, ofListing)).toBe('taken');
    expect(await attempt(ofListing, ofListing)).toBe('unique');
    expect(await attempt('UPDATE appeals SET answered_at = NULL')).toBe('check');
    const aside = (reason: string) =>
      `INSERT INTO votes_set_aside (user_id, project_id, reason, detail, actor) VALUES (${userId}, 1, '${reason}', 'x', 'x')`;
    const reasons = ['rhythm', 'moderator', 'verified', 'waiting', 'no_standing', 'mood'];
    expect(await Promise.all(reasons.map((reason) => attempt(aside(reason))))).toEqual([
      'taken',
      'taken',
      'check',
      'check',
      'check',
      'type',
    ]);
  });

  test('refuses a second report of a user on the same subject, and a resolved one without its resolution [R51]', async () => {
    const report = (by: number, subject = 'review') =>
      `INSERT INTO reports (subject, subject_id, user_id, reason, text) VALUES ('${subject}', 1, ${by}, 'spam', '')`;
    expect(await attempt(report(userId), report(otherId), report(userId, 'reply'))).toBe('taken');
    expect(await attempt(report(userId), report(userId))).toBe('unique');
    expect(await attempt('UPDATE reports SET resolved_at = now()')).toBe('check');
    expect(await attempt("UPDATE reports SET resolved_at = now(), resolution = 'hidden'")).toBe('taken');
  });

  test('refuses unknown categories, states, and kinds', async () => {
    for (const [table, column] of [
      ['payments', 'state'],
      ['payments', 'purpose'],
      ['withdrawals', 'state'],
    ])
      expect(await attempt(`UPDATE ${table} SET ${column} = 'none'`)).toBe('type');
    expect(await attempt(`UPDATE projects SET category = 'Casino'`)).toBe('check');
    expect(await attempt(`INSERT INTO activity (user_id, kind, text) VALUES (${userId}, 'none', 'x')`)).toBe('type');
  });

  test('the database has the same states and kinds as the product', async () => {
    const { rows } = await sql<{ name: string; labels: string[] }>`
      SELECT t.typname AS name, array_agg(e.enumlabel::text ORDER BY e.enumsortorder) AS labels
      FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid GROUP BY 1`.execute(db);
    expect(Object.fromEntries(rows.map(({ name, labels }) => [name, labels.toSorted()]))).toMatchObject({
      activity_kind: ACTIVITY_KINDS.toSorted(),
      event_kind: EVENT_KINDS.toSorted(),
      event_source: EVENT_SOURCES.toSorted(),
      vote_state: VOTE_STATES.toSorted(),
      voter_state: VOTER_STATES.toSorted(),
      payment_state: PAYMENT_STATES.toSorted(),
      withdrawal_state: WITHDRAWAL_STATES.toSorted(),
      notice_kind: NOTICE_KINDS.toSorted(),
      report_subject: REPORT_SUBJECTS.toSorted(),
      report_reason: REPORT_REASONS.toSorted(),
      report_resolution: REPORT_RESOLUTIONS.toSorted(),
    });
    for (const category of CATEGORIES)
      expect(await attempt(`UPDATE projects SET category = '${category}'`)).toBe('taken');
  });

  test('refuses a payment that moved money without its digest or its chain [R16]', async () => {
    const without = async (state: string) => [
      await attempt(payment(state, null, null)),
      await attempt(payment(state, `'d'`, null)),
      await attempt(payment(state, `'d'`, `'c'`)),
    ];
    for (const state of ['draft', 'expired']) expect(await without(state)).toEqual(['taken', 'taken', 'taken']);
    for (const state of ['signed', 'failed']) expect(await without(state)).toEqual(['check', 'taken', 'taken']);
    for (const state of ['paid', 'fulfilled', 'unclaimed', 'refunded'])
      expect(await without(state)).toEqual(['check', 'check', 'taken']);
  });

  test("refuses a second payment by one transaction: while the payer's first is open, and once its money was seen [R16]", async () => {
    const theirs = (state: string) => payment(state, `'d'`, `'c'`, otherId);
    const own = (state: string) => payment(state, `'d'`, `'c'`);
    expect(await attempt(own('signed'), own('signed'))).toBe('unique');
    for (const state of ['failed', 'expired'])
      expect(await attempt(own(state), own('signed'), own(state))).toBe('taken');
    expect(await attempt(own('signed'), theirs('signed'))).toBe('taken');
    for (const state of ['paid', 'fulfilled', 'unclaimed', 'refunded'])
      expect(await attempt(own(state), theirs('paid'))).toBe('unique');
    expect(await attempt(own('paid'), payment('paid', `'d'`, `'another chain'`, otherId))).toBe('taken');
  });

  test('refuses a withdrawal that is paid without a digest, or that has a mark without a Book', async () => {
    const STATES = ['requested', 'approved', 'rejected', 'paid'];
    const results = (digest: string | null, mark: { bookId: string; units: string } | null = null) =>
      Promise.all(STATES.map((state) => attempt(withdrawal(state, digest, mark))));
    expect(await results(null)).toEqual(['taken', 'taken', 'taken', 'check']);
    expect(await results(`'d'`)).toEqual(['taken', 'taken', 'taken', 'taken']);
    expect(await results(`'d'`, { bookId: 'NULL', units: '1' })).toEqual(['check', 'check', 'check', 'check']);
  });

  test('refuses a secret or a root of other than 32 bytes, and a log of less than one entry [R40]', async () => {
    const zeros = (bytes: number): string => `decode(repeat('00', ${bytes}), 'hex')`;
    const results = (statement: (bytes: string) => string) =>
      Promise.all([31, 32, 33].map((bytes) => attempt(statement(zeros(bytes)))));
    const checkpoint = (size: number, root: string): string =>
      `INSERT INTO log_checkpoints (size, day, until, votes, root, signed_note) VALUES (${size}, now(), now(), 0, ${root}, 'n')`;
    const expected = ['check', 'taken', 'check'];
    expect(await results((bytes) => `INSERT INTO voter_secrets VALUES (${userId}, ${bytes})`)).toEqual(expected);
    expect(await results((bytes) => checkpoint(1, bytes))).toEqual(expected);
    expect(await attempt(checkpoint(0, zeros(32)))).toBe('check');
    expect(await attempt(checkpoint(1, zeros(32)), checkpoint(2, zeros(32)))).toBe('unique');
  });
});
