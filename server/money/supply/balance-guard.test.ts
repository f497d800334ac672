import fc from 'fast-check';
import { sql } from 'kysely';
import { runs } from '#shared/testing/property-runs.ts';
import type { Db } from '#db/client.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SqlResult } from '#shared/contract/admin.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { checkInvariants } from '../ledger/recount.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { behindTheTriggers, grantTokens } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { findSupply } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
const admin = await signInAsAdmin(server);
const voter = await newUser(server);
const other = await newUser(server);
await grantTokens(db, voter.id, 1_000);

const REFUSED = /The balance of user \d+ is -?\d+ tokens, but its ledger entries add up to -?\d+/;

async function runSql(sqlQuery: string, dryRun = false): Promise<SqlResult> {
  return (await admin.post<SqlResult>('/api/admin/execute-sql', { sqlQuery, dryRun })).body;
}

const balances = () =>
  db.selectFrom('userStats').select(['userId', 'balance', 'totalVotes', 'tokensEarned']).orderBy('userId').execute();

/** Undoes a test's changes: entries that no other table explains, and a balance that differs from the ledger. */
async function correct(userId: number): Promise<void> {
  await behindTheTriggers(db, async (trx) => {
    await sql`DELETE FROM token_ledger WHERE user_id = ${userId} AND ref < 0`.execute(trx);
    await sql`UPDATE user_stats SET balance = coalesce((SELECT sum(amount) FROM ledger_entries l WHERE l.user_id = ${userId}), 0)
      WHERE user_id = ${userId}`.execute(trx);
  });
}

/** Ways to create tokens from nothing, destroy them, or transfer them, in SQL. */
const FORGERIES: Array<[what: string, statement: string]> = [
  ['a higher balance', `UPDATE user_stats SET balance = balance + 1000000 WHERE user_id = ${voter.id}`],
  ['a lower balance', `UPDATE user_stats SET balance = 0 WHERE user_id = ${voter.id}`],
  ["another user's balance", `UPDATE user_stats SET balance = 1000 WHERE user_id = ${other.id}`],
  ['counters of another user', `UPDATE user_stats SET user_id = 987654 WHERE user_id = ${voter.id}`],
  ['counters deleted', `DELETE FROM user_stats WHERE user_id = ${voter.id}`],
  ['counters with a balance', 'INSERT INTO user_stats (user_id, balance) VALUES (987654, 500)'],
  ['counters with a single token', 'INSERT INTO user_stats (user_id, balance) VALUES (987654, 1)'],
  [
    'an entry alone',
    `INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES (${voter.id}, 'hold_release', -1, 500, now())`,
  ],
  [
    'an entry of another amount',
    `WITH entry AS (INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES (${voter.id}, 'hold_release', -2, 500, now()))
     UPDATE user_stats SET balance = balance + 501 WHERE user_id = ${voter.id}`,
  ],
  // Looks like a counted vote in one part: its entry is checked unless all parts are those of a vote.
  [
    'two votes in one',
    `UPDATE user_stats SET total_votes = total_votes + 2, bullish = bullish + 2, tokens_earned = tokens_earned + 10, balance = balance + 10 WHERE user_id = ${voter.id}`,
  ],
  [
    'a vote taken away',
    `UPDATE user_stats SET total_votes = total_votes - 1, bullish = bullish - 1, tokens_earned = tokens_earned - 10, balance = balance - 10 WHERE user_id = ${voter.id}`,
  ],
  [
    'a vote that earns more than its balance grows',
    `UPDATE user_stats SET total_votes = total_votes + 1, bullish = bullish + 1, tokens_earned = tokens_earned + 1500, balance = 500 WHERE user_id = ${voter.id}`,
  ],
  [
    'a vote that earns less than its balance grows',
    `UPDATE user_stats SET total_votes = total_votes + 1, bullish = bullish + 1, tokens_earned = tokens_earned + 10, balance = balance + 2010 WHERE user_id = ${voter.id}`,
  ],
];
const voteShaped = (userId: number, tokens: number): string =>
  `UPDATE user_stats SET total_votes = total_votes + 1, bullish = bullish + 1, tokens_earned = tokens_earned + ${tokens}, balance = balance + ${tokens} WHERE user_id = ${userId}`;

describe.each<[who: string, run: (statement: string) => Promise<string>]>([
  ["the admin's console", async (statement) => (await runSql(statement)).error ?? 'committed'],
  ['a dry run of the console', async (statement) => (await runSql(statement, true)).error ?? 'would be committed'],
  [
    "the server's own role",
    (statement) =>
      sql
        .raw(statement)
        .execute(db)
        .then(() => 'committed')
        .catch((error: Error) => error.message),
  ],
])('%s cannot change a balance without its ledger entry', (who, run) => {
  test.each(FORGERIES)('the guard rejects %s [R13 R32]', async (_what, statement) => {
    const before = await balances();
    expect(await run(statement)).toMatch(REFUSED);
    expect(await balances()).toEqual(before);
    expect(await findDifferences(server.services.db)).toEqual([]);
  });

  test('the guard rejects a reward among the other entries [R13 R32]', async () => {
    const before = await balances();
    const statement = `WITH entry AS (INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES (${voter.id}, 'vote_reward', 987654, 10, now())) ${voteShaped(voter.id, 10)}`;
    expect(await run(statement)).toMatch(/violates check constraint/);
    expect(await balances()).toEqual(before);
  });

  test.runIf(who !== "the server's own role")(
    'the guard rejects a reward for a vote in the same statement [R13 R32]',
    async () => {
      const before = await balances();
      const vote = `INSERT INTO votes (user_id, project_id, bullish, created_at) VALUES (${voter.id}, 987654, true, now())`;
      expect(await run(`WITH entry AS (${vote}) ${voteShaped(voter.id, 10)}`)).toMatch(
        /permission denied for table votes/,
      );
      expect(await run(vote)).toMatch(/permission denied for table votes/);
      expect(await balances()).toEqual(before);
    },
  );

  test.each([
    ['moved to another period', `UPDATE votes SET period = 2 WHERE user_id = ${voter.id}`],
    ['turned', `UPDATE votes SET bullish = NOT bullish WHERE user_id = ${voter.id}`],
    ['taken back', `DELETE FROM votes WHERE user_id = ${voter.id}`],
  ])('the guard rejects a vote that is %s afterwards [R13 R32]', async (_what, statement) => {
    expect(await run(statement)).toMatch(/permission denied for table votes|votes is append-only/);
    expect(await findDifferences(server.services.db)).toEqual([]);
  });

  test.runIf(who !== "the server's own role")('the guard rejects a vote that was never cast [R13 R32]', async () => {
    const before = await balances();
    expect(await run(voteShaped(voter.id, 10))).toMatch(REFUSED);
    // The first tokens of a user without an entry, of the one smallest amount.
    expect(await run(voteShaped(other.id, 1))).toMatch(REFUSED);
    expect(await balances()).toEqual(before);
  });
});

test('balance and entry in one statement are committed from the console [R13 R32]', async () => {
  const statement = `WITH entry AS (INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES (${voter.id}, 'hold_release', -3, 250, now()))
    UPDATE user_stats SET balance = balance + 250 WHERE user_id = ${voter.id}`;
  onTestFinished(() => correct(voter.id));
  expect(await runSql(statement, true)).toMatchObject({ success: true, rowCount: 1 });
  expect(await runSql(statement)).toMatchObject({ success: true, rowCount: 1 });
  expect((await balances()).find(({ userId }) => userId === voter.id)?.balance).toBe(1_250);
});

test('entries and balance are committed together exactly when they add up and nothing falls below 0 [R13]', async () => {
  const user = await newUser(server);
  await grantTokens(db, user.id, 100);
  onTestFinished(() => correct(user.id));
  let [balance, ref] = [100, 0];
  const amount = fc.oneof(fc.integer({ min: -120, max: 120 }), fc.constantFrom(-100, 1, -1)).filter((n) => n !== 0);
  const attempt = fc.record({
    entries: fc.array(amount, { maxLength: 3 }),
    // Mostly the amounts of the entries.
    off: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) }),
    balanceFirst: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(attempt, async ({ entries, off, balanceFirst }) => {
      const sum = entries.reduce((total, one) => total + one, 0);
      const change = (trx: Db) =>
        trx
          .updateTable('userStats')
          .set({ balance: sql`balance + ${sum + off}` })
          .where('userId', '=', user.id)
          .execute();
      const work = db.transaction().execute(async (trx) => {
        if (balanceFirst) await change(trx);
        for (const one of entries) {
          const row = {
            userId: user.id,
            kind: 'hold_release' as const,
            ref: (ref -= 1),
            amount: one,
            createdAt: new Date(),
          };
          await trx.insertInto('tokenLedger').values(row).execute();
        }
        if (!balanceFirst) await change(trx);
      });
      const isCommitted = await work.then(
        () => true,
        () => false,
      );
      expect(isCommitted).toBe(off === 0 && balance + sum >= 0);
      if (isCommitted) balance += sum;
      expect((await balances()).find(({ userId }) => userId === user.id)?.balance).toBe(balance);
    }),
    runs(60),
  );
});

test('the audit log names the rejection, never a commit [R32]', async () => {
  await runSql(`UPDATE user_stats SET balance = 7 WHERE user_id = ${voter.id}`);
  const { body } = await admin.get<Array<{ outcome: string }>>('/api/admin/audit');
  expect(body[0]?.outcome).toMatch(/^error: The balance of user/);
});

test('/api/supply reports balances that differ from the ledger [R13]', async () => {
  expect(await findSupply(db)).toMatchObject({ differing: 0 });
  const [one, two] = [await newUser(server), await newUser(server)];
  await grantTokens(db, one.id, 1_000);
  const plant = (userId: number, balance: number) =>
    behindTheTriggers(db, (trx) =>
      trx.updateTable('userStats').set({ balance }).where('userId', '=', userId).execute(),
    );
  onTestFinished(() => correct(one.id));
  onTestFinished(() => correct(two.id));
  await plant(one.id, 1_005);
  await plant(two.id, 3);
  await checkInvariants(server.services);
  const { circulating, balances: shown, differing, liabilities, held } = await findSupply(db);
  expect({ differing, excess: shown - circulating, liabilities }).toEqual({
    differing: 2,
    excess: 8,
    liabilities: circulating + held,
  });
  expect((await new Client(server.url).get<Supply>('/api/supply')).body).toHaveProperty('differing');
});
