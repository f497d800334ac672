import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LedgerKind } from '#db/schema.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { checkInvariants, findDifferences } from '../ledger/check-invariants.ts';
import { createTestApp } from '../testing/app.ts';
import { behindTheTriggers, empty, grantTokens, insertProject, insertUser } from '../testing/builders.ts';
import { Client, newUser } from '../testing/client.ts';
import { letStand } from '../testing/standing.ts';
import { signInAsAdmin } from '../testing/admin-panel.ts';
import { findSupply } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
// Contradictions of one test do not affect the next.
beforeEach(() => empty(db));

const adds = ({ issued, burned, held, paid, circulating }: Supply) => burned + held + paid + circulating === issued;

test('an empty ledger has nothing, publicly [R13]', async () => {
  const { status, body } = await new Client(server.url).get<Supply>('/api/supply');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    issued: 0,
    granted: 0,
    burned: 0,
    held: 0,
    paid: 0,
    circulating: 0,
    liabilities: 0,
    holders: 0,
    entries: 0,
  });
});

test('every token is accounted for: votes, a review, withdrawals held, paid and rejected [R13 R14]', async () => {
  const panel = await signInAsAdmin(server);
  const [one, two, spent] = [await newUser(server), await newUser(server), await newUser(server)];
  await grantTokens(db, one.id, 12_000);
  await grantTokens(db, two.id, 500);
  await letStand(db, two.id);
  await grantTokens(db, spent.id, 90);
  const withdraw = async (tokenAmount: number, user = two) =>
    (
      await user.post<{ withdrawal: { id: number } }>('/api/withdrawals', {
        userId: user.id,
        walletAddress: user.address,
        tokenAmount,
      })
    ).body.withdrawal.id;
  // A user without tokens left is not counted.
  await withdraw(90, spent);
  const [held, paid, rejected] = [await withdraw(60), await withdraw(70), await withdraw(80)];
  await one.post(`/api/projects/${await insertProject(db)}/reviews`, { userId: one.id, content: 'Burns 10000' });
  await panel.post(`/api/admin/withdrawals/${rejected}/reject`, { reason: 'no' });
  await panel.post(`/api/admin/withdrawals/${paid}/approve`);
  const batch = await panel.post<{ batchId: string }>('/api/admin/payouts', { withdrawalIds: [paid] });
  await panel.post(`/api/admin/payouts/${batch.body.batchId}/execute`, {
    transactionHash: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  });
  expect(held).toBeGreaterThan(0);
  const supply = await findSupply(db);
  expect(supply).toMatchObject({
    issued: 12_590,
    granted: 0,
    burned: 10_000,
    held: 150,
    paid: 70,
    circulating: 2_370,
    liabilities: 2_520,
    holders: 2,
  });
  expect(adds(supply)).toBe(true);
  expect(await findDifferences(db)).toEqual([]);
});

test('supply is one snapshot: it adds up at every moment while tokens move [R13]', async () => {
  const users = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const user = await newUser(server);
      await grantTokens(db, user.id, 30_000);
      await letStand(db, user.id);
      return user;
    }),
  );
  const over = new AbortController();
  const moving = users.map(async (user) => {
    const body = { userId: user.id, walletAddress: user.address, tokenAmount: 50 };
    while (!over.signal.aborted) expect((await user.post('/api/withdrawals', body)).status).toBe(201);
  });
  const seen: Supply[] = [];
  const heldSums = () => new Set(seen.map(({ held }) => held)).size;
  while (seen.length < 10 || heldSums() < 5) seen.push(await findSupply(db));
  over.abort();
  await Promise.all(moving);
  expect(seen.every(adds)).toBe(true);
  expect(new Set(seen.map(({ issued }) => issued)).size).toBe(1);
});

test('the invariant check reports in words each sum that does not add up [R13]', async () => {
  const errors: object[] = [];
  const check = () =>
    checkInvariants({
      db,
      log: { error: (facts: object) => errors.push(facts), warn: () => undefined, info: () => undefined },
    });
  const userId = await insertUser(db);
  await grantTokens(db, userId, 1_000);
  expect(await check()).toEqual([]);

  await behindTheTriggers(db, (trx) =>
    trx.updateTable('userStats').set({ balance: 999 }).where('userId', '=', userId).execute(),
  );
  expect(await check()).toEqual([`user ${userId}: balance 999, ledger 1000`]);
  expect(errors).toEqual([{ difference: `user ${userId}: balance 999, ledger 1000` }]);
  await db.updateTable('userStats').set({ balance: 1_000, totalVotes: 7 }).where('userId', '=', userId).execute();
  expect(await check()).toMatchObject([expect.stringContaining(`user ${userId}: counters 7 votes`)]);
  await db.updateTable('userStats').set({ totalVotes: 1 }).where('userId', '=', userId).execute();

  const project = await insertProject(db, { bullish: 3 });
  expect(await check()).toEqual([`project ${project}: counters 3 bullish, 0 bearish; votes 0, 0`]);
  await db.updateTable('projectStats').set({ bullish: 0 }).where('projectId', '=', project).execute();

  // Marked as paid by hand, without the ledger.
  const { id } = await db
    .insertInto('withdrawals')
    .values({ userId, walletAddress: '0x1', tokenAmount: 50 })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await check()).toEqual([`withdrawal ${id} (requested of 50 tokens): ledger holds 0, releases 0, pays 0`]);
  await db.deleteFrom('withdrawals').where('id', '=', id).execute();
  await behindTheTriggers(db, (trx) =>
    trx
      .insertInto('tokenLedger')
      .values({ userId, kind: 'review_burn', ref: 999_999, amount: -10, createdAt: new Date() })
      .execute(),
  );
  expect(await check()).toEqual([
    `user ${userId}: balance 1000, ledger 990`,
    `burn of user ${userId}: review 999999 does not exist`,
  ]);
});

describe('the invariant check finds every kind of planted difference', () => {
  interface Planted {
    userId: number;
    /** The project of the user's one vote, bullish, which paid 1000 tokens. */
    projectId: number;
    /** 60 tokens that are held. */
    withdrawalId: number;
  }

  async function consistentUser(): Promise<Planted> {
    const user = await newUser(server);
    await grantTokens(db, user.id, 1_000);
    const body = { userId: user.id, walletAddress: user.address, tokenAmount: 60 };
    const { withdrawal } = (await user.post<{ withdrawal: { id: number } }>('/api/withdrawals', body)).body;
    const { projectId } = await db
      .selectFrom('votes')
      .select('projectId')
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow();
    return { userId: user.id, projectId, withdrawalId: withdrawal.id };
  }

  const plant = (statement: string) => behindTheTriggers(db, (trx) => sql.raw(statement).execute(trx));
  const entry = (userId: number, kind: LedgerKind, ref: number, amount: number) =>
    `INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES (${userId}, '${kind}', ${ref}, ${amount}, now())`;
  const holds = ({ withdrawalId: id }: Planted, state: string, hold: number, release: number, paid: number) =>
    `withdrawal ${id} (${state} of 60 tokens): ledger holds ${hold}, releases ${release}, pays ${paid}`;
  const counts = ({ userId }: Planted, counters: string, votes: string) =>
    `user ${userId}: counters ${counters} earned; votes ${votes}`;
  const VOTED = '1 votes, 1 bullish, 1000';
  const setState = ({ withdrawalId: id }: Planted, state: string) =>
    `WITH batch AS (INSERT INTO payout_batches (state) VALUES ('prepared') RETURNING id)
     UPDATE withdrawals SET state = '${state}', digest = 'x', batch_id = batch.id FROM batch WHERE withdrawals.id = ${id}`;

  test.each<[what: string, statement: (of: Planted) => string, lines: (of: Planted) => string[]]>([
    [
      'a balance without an entry',
      ({ userId }) => `UPDATE user_stats SET balance = balance + 1 WHERE user_id = ${userId}`,
      ({ userId }) => [`user ${userId}: balance 941, ledger 940`],
    ],
    [
      'entries without counters',
      ({ userId }) =>
        `DELETE FROM user_stats WHERE user_id = ${userId}; UPDATE vote_totals SET users = users - 1 WHERE total_votes = 1`,
      (of) => [`user ${of.userId}: balance 0, ledger 940`, counts(of, ' votes,  bullish, ', '1, 1, 1000')],
    ],
    [
      'a vote that was counted twice',
      ({ userId }) => `UPDATE user_stats SET bearish = 1 WHERE user_id = ${userId}`,
      (of) => [counts(of, VOTED, '1, 1, 1000')],
    ],
    [
      'a bullish vote too many in the counters',
      ({ userId }) => `UPDATE user_stats SET bullish = 0, bearish = 1 WHERE user_id = ${userId}`,
      (of) => [counts(of, '1 votes, 0 bullish, 1000', '1, 1, 1000')],
    ],
    [
      'earned tokens that no vote paid',
      ({ userId }) => `UPDATE user_stats SET tokens_earned = tokens_earned + 10 WHERE user_id = ${userId}`,
      (of) => [counts(of, '1 votes, 1 bullish, 1010', '1, 1, 1000')],
    ],
    [
      'a bearish vote too many of a project',
      ({ projectId }) => `UPDATE project_stats SET bearish = 1 WHERE project_id = ${projectId}`,
      ({ projectId }) => [`project ${projectId}: counters 1 bullish, 1 bearish; votes 1, 0`],
    ],
    [
      'a project without counters',
      ({ projectId }) => `DELETE FROM project_stats WHERE project_id = ${projectId}`,
      ({ projectId }) => [`project ${projectId}: counters 0 bullish, 0 bearish; votes 1, 0`],
    ],
    [
      'a vote that pays more than the balance says',
      ({ userId }) =>
        `UPDATE votes SET tokens = 1010 WHERE user_id = ${userId}; UPDATE user_stats SET tokens_earned = 1010 WHERE user_id = ${userId}`,
      ({ userId }) => [`user ${userId}: balance 940, ledger 950`],
    ],
    [
      'a vote that no counter knows',
      ({ userId }) =>
        `INSERT INTO votes (user_id, project_id, bullish, tokens, created_at) VALUES (${userId}, 987654, true, 10, now());
         UPDATE user_stats SET balance = balance + 10 WHERE user_id = ${userId}`,
      (of) => [counts(of, VOTED, '2, 2, 1010'), 'project 987654: counters 0 bullish, 0 bearish; votes 1, 0'],
    ],
    [
      'a histogram of ranks that counts no user',
      () => 'INSERT INTO vote_totals (total_votes, users) VALUES (77, 1)',
      () => ['0 users have 77 votes each; the histogram says 1'],
    ],
    [
      'a burn for the review of another user',
      ({
        userId,
      }) => `INSERT INTO reviews (project_id, user_id, content) SELECT id, owner_id, 'x' FROM projects ORDER BY id LIMIT 1;
        INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) SELECT ${userId}, 'review_burn', max(id), -10, now() FROM reviews;
        UPDATE user_stats SET balance = balance - 10 WHERE user_id = ${userId}`,
      ({ userId }) => [expect.stringMatching(new RegExp(`^burn of user ${userId}: review \\d+ does not exist$`))],
    ],
    [
      'a hold of another amount',
      ({ withdrawalId }) => `UPDATE withdrawals SET token_amount = 61 WHERE id = ${withdrawalId}`,
      ({ withdrawalId: id }) => [`withdrawal ${id} (requested of 61 tokens): ledger holds -60, releases 0, pays 0`],
    ],
    [
      'a release of what still waits',
      ({ userId, withdrawalId }) =>
        `${entry(userId, 'hold_release', withdrawalId, 60)}; UPDATE user_stats SET balance = balance + 60 WHERE user_id = ${userId}`,
      (of) => [holds(of, 'requested', -60, 60, 0)],
    ],
    [
      'a rejection that gave nothing back',
      ({ withdrawalId }) => `UPDATE withdrawals SET state = 'rejected' WHERE id = ${withdrawalId}`,
      (of) => [holds(of, 'rejected', -60, 0, 0)],
    ],
    ['a payout without its entries', (of) => setState(of, 'paid'), (of) => [holds(of, 'paid', -60, 0, 0)]],
    [
      'a payout that was released and never paid',
      (of) =>
        `${setState(of, 'paid')}; ${entry(of.userId, 'hold_release', of.withdrawalId, 60)}; UPDATE user_stats SET balance = balance + 60 WHERE user_id = ${of.userId}`,
      (of) => [holds(of, 'paid', -60, 60, 0)],
    ],
    [
      'a payout of what still waits',
      ({ userId, withdrawalId }) =>
        `${entry(userId, 'hold_release', withdrawalId, 60)}; ${entry(userId, 'payout', withdrawalId, -60)}`,
      (of) => [holds(of, 'requested', -60, 60, -60)],
    ],
    [
      'a hold of another user’s withdrawal',
      ({ withdrawalId }) =>
        `UPDATE withdrawals SET user_id = (SELECT owner_id FROM projects) WHERE id = ${withdrawalId}`,
      (of) => [
        holds(of, 'requested', 0, 0, 0),
        `withdrawal ${of.withdrawalId} (none of  tokens): ledger holds -60, releases 0, pays 0`,
      ],
    ],
    [
      'a top voter who is not among the top voters',
      () =>
        'DELETE FROM top_voters WHERE user_id = (SELECT user_id FROM user_stats WHERE total_votes > 0 ORDER BY total_votes DESC, user_id LIMIT 1)',
      () => [expect.stringMatching(/^user \d+ with \d+ votes is not among the top voters$/)],
    ],
  ])('the invariant check finds %s [R13 R14]', async (_what, statement, lines) => {
    const planted = await consistentUser();
    const before = new Set(await findDifferences(db));
    await plant(statement(planted));
    const found = (await findDifferences(db)).filter((line) => !before.has(line));
    expect(found.toSorted()).toEqual(lines(planted).toSorted());
  });

  test('the invariant check reports at most twenty differences of one kind, and then the other kinds [R13]', async () => {
    const planted = await consistentUser();
    await plant(setState(planted, 'paid'));
    await plant('INSERT INTO vote_totals (total_votes, users) SELECT n, 1 FROM generate_series(1001, 1030) n');
    const found = await findDifferences(db);
    expect(found.filter((line) => line.includes('histogram'))).toHaveLength(20);
    expect(found.filter((line) => line.startsWith('withdrawal'))).toEqual([holds(planted, 'paid', -60, 0, 0)]);
  });
});
