import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '#db/client.ts';
import type { LedgerKind } from '#db/schema.ts';
import { createTestDatabase } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { insertVotesAt } from '#lab/testing/record.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { findDifferences } from './check-invariants.ts';

const database = await createTestDatabase();
const { db, close } = openDatabase(database.url, { maxConnections: 4 });
afterAll(async () => {
  await close();
  await database.drop();
});

// Contradictions of one test do not affect the next.
beforeEach(() => empty(db));

const TOKENS = 1_000;

/** A user with a hundred votes, on separate projects: every number adds up. */
interface Voter {
  userId: number;
  projectId: number;
}

async function newVoter(): Promise<Voter> {
  const userId = await insertUser(db);
  const projects = await insertProjects(db, TOKENS / VOTE_REWARD_TOKENS);
  await insertVotesAt(db, { users: [userId], projects, at: new Date().toISOString(), bullish: true });
  return { userId, projectId: projects[0] ?? 0 };
}

/** Additional findings of the check after a contradiction was planted. */
async function foundAfter(plant: (trx: Db) => Promise<unknown>): Promise<string[]> {
  const before = new Set(await findDifferences(db));
  await behindTheTriggers(db, plant);
  return (await findDifferences(db)).filter((difference) => !before.has(difference));
}

type EntryKind = Exclude<LedgerKind, 'vote_reward'>;
const addEntry = (trx: Db, userId: number, kind: EntryKind, ref: number, amount: number) =>
  trx.insertInto('tokenLedger').values({ userId, kind, ref, amount, createdAt: new Date() }).execute();
const addToBalance = (trx: Db, userId: number, tokens: number) =>
  sql`UPDATE user_stats SET balance = balance + ${tokens} WHERE user_id = ${userId}`.execute(trx);
async function addWithdrawal(trx: Db, userId: number, state: 'requested' | 'rejected'): Promise<number> {
  const { id } = await trx
    .insertInto('withdrawals')
    .values({ userId, walletAddress: '0x1', tokenAmount: 50, state })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
/** A ledger entry together with its change of the balance. */
async function move(trx: Db, userId: number, kind: EntryKind, ref: number, amount: number): Promise<void> {
  await addEntry(trx, userId, kind, ref, amount);
  await addToBalance(trx, userId, amount);
}
const [BURN, HOLD, RELEASE, PAYOUT] = ['review_burn', 'withdrawal_hold', 'hold_release', 'payout'] as const;
const NOWHERE = 987_654;

type Plant = (trx: Db, voter: Voter) => Promise<unknown>;
const setStats =
  (assignments: string): Plant =>
  (trx, { userId }) =>
    sql`UPDATE user_stats SET ${sql.raw(assignments)} WHERE user_id = ${userId}`.execute(trx);
const inVotes =
  (statement: (voter: Voter) => string): Plant =>
  (trx, voter) =>
    sql.raw(statement(voter)).execute(trx);

describe('the check of the books names one planted difference [R13 R14]', () => {
  test.each<[string, Plant, (voter: Voter) => string[]]>([
    [
      'a balance above the ledger',
      (trx, { userId }) => addToBalance(trx, userId, 1),
      ({ userId }) => [`user ${userId}: balance 1001, ledger 1000`],
    ],
    [
      'a balance below the ledger',
      (trx, { userId }) => addToBalance(trx, userId, -1),
      ({ userId }) => [`user ${userId}: balance 999, ledger 1000`],
    ],
    [
      'a direction turned round',
      setStats('bullish = 99, bearish = 1'),
      ({ userId }) => [`user ${userId}: counters 100 votes, 99 bullish, 1000 earned; votes 100, 100, 1000`],
    ],
    [
      'a user without counters',
      (trx, { userId }) => sql`DELETE FROM user_stats WHERE user_id = ${userId}`.execute(trx),
      ({ userId }) => [
        `user ${userId}: balance 0, ledger 1000`,
        `user ${userId}: counters  votes,  bullish,  earned; votes 100, 100, 1000`,
      ],
    ],
    [
      'directions that do not make the total',
      setStats('bearish = 1'),
      ({ userId }) => [`user ${userId}: counters 100 votes, 100 bullish, 1000 earned; votes 100, 100, 1000`],
    ],
    [
      'more earned than the votes paid',
      setStats('tokens_earned = 1010'),
      ({ userId }) => [`user ${userId}: counters 100 votes, 100 bullish, 1010 earned; votes 100, 100, 1000`],
    ],
    [
      'a bullish vote too many on a project',
      inVotes(({ projectId }) => `UPDATE project_stats SET bullish = 2 WHERE project_id = ${projectId}`),
      ({ projectId }) => [`project ${projectId}: counters 2 bullish, 0 bearish; votes 1, 0`],
    ],
    [
      'a bearish vote too many on a project',
      inVotes(({ projectId }) => `UPDATE project_stats SET bearish = 1 WHERE project_id = ${projectId}`),
      ({ projectId }) => [`project ${projectId}: counters 1 bullish, 1 bearish; votes 1, 0`],
    ],
    [
      'a project without counters',
      inVotes(({ projectId }) => `DELETE FROM project_stats WHERE project_id = ${projectId}`),
      ({ projectId }) => [`project ${projectId}: counters 0 bullish, 0 bearish; votes 1, 0`],
    ],
    [
      'a burn of a review that does not exist',
      (trx, { userId }) => move(trx, userId, BURN, NOWHERE, -10),
      ({ userId }) => [`burn of user ${userId}: review ${NOWHERE} does not exist`],
    ],
    [
      'tokens held for no withdrawal',
      (trx, { userId }) => move(trx, userId, HOLD, NOWHERE, -50),
      () => [`withdrawal ${NOWHERE} (none of  tokens): ledger holds -50, releases 0, pays 0`],
    ],
  ])('the check finds %s', async (_what, plant, expected) => {
    const voter = await newVoter();
    expect(await foundAfter((trx) => plant(trx, voter))).toEqual(expected(voter));
  });

  test('the check finds a missing vote', async () => {
    const { userId, projectId } = await newVoter();
    const gone = await foundAfter((trx) =>
      sql`DELETE FROM votes WHERE user_id = ${userId} AND project_id = ${projectId}`.execute(trx),
    );
    expect(gone).toEqual([
      `user ${userId}: balance 1000, ledger 990`,
      `user ${userId}: counters 100 votes, 100 bullish, 1000 earned; votes 99, 99, 990`,
      `project ${projectId}: counters 1 bullish, 0 bearish; votes 0, 0`,
    ]);
  });

  test.each<[string, 'requested' | 'rejected', Partial<Record<EntryKind, number>>, string]>([
    ['not held', 'requested', {}, 'holds 0, releases 0, pays 0'],
    ['held by another amount', 'requested', { [HOLD]: -60 }, 'holds -60, releases 0, pays 0'],
    ['released while it is open', 'requested', { [HOLD]: -50, [RELEASE]: 50 }, 'holds -50, releases 50, pays 0'],
    ['paid while it is open', 'requested', { [HOLD]: -50, [PAYOUT]: -50 }, 'holds -50, releases 0, pays -50'],
    ['rejected and not released', 'rejected', { [HOLD]: -50 }, 'holds -50, releases 0, pays 0'],
    [
      'rejected, released and paid',
      'rejected',
      { [HOLD]: -50, [RELEASE]: 50, [PAYOUT]: -50 },
      'holds -50, releases 50, pays -50',
    ],
  ])('the check finds a withdrawal that is %s', async (_what, state, entries, tail) => {
    const { userId } = await newVoter();
    let id = 0;
    const found = await foundAfter(async (trx) => {
      id = await addWithdrawal(trx, userId, state);
      for (const kind of [HOLD, RELEASE, PAYOUT]) {
        const amount = entries[kind];
        if (amount !== undefined) await move(trx, userId, kind, id, amount);
      }
    });
    expect(found).toEqual([`withdrawal ${id} (${state} of 50 tokens): ledger ${tail}`]);
  });

  test('the check reports twenty differences of one kind, and then the other kinds', async () => {
    const { userId } = await newVoter();
    const found = await foundAfter(async (trx) => {
      for (let n = 0; n < 30; n += 1) await addWithdrawal(trx, userId, 'requested');
      await addToBalance(trx, userId, 1);
    });
    expect(found.filter((line) => line.startsWith('withdrawal'))).toHaveLength(20);
    expect(found.filter((line) => line.startsWith('user'))).toHaveLength(1);
  });

  test('the check finds a withdrawal that is held from the balance of another user', async () => {
    const [voter, other] = [await newVoter(), await newVoter()];
    let id = 0;
    const found = await foundAfter(async (trx) => {
      id = await addWithdrawal(trx, voter.userId, 'requested');
      await move(trx, other.userId, HOLD, id, -50);
    });
    expect(found.toSorted()).toEqual([
      `withdrawal ${id} (none of  tokens): ledger holds -50, releases 0, pays 0`,
      `withdrawal ${id} (requested of 50 tokens): ledger holds 0, releases 0, pays 0`,
    ]);
  });
});
