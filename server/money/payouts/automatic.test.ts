import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AutomaticPayouts } from '#shared/contract/admin.ts';
import type { Supply } from '#shared/contract/supply.ts';
import type { Missing, Withdrawal, WithdrawalTerms } from '#shared/contract/withdrawals.ts';
import { behindTheTriggers, grantTokens } from '#lab/testing/builders.ts';
import { fund, send } from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { sendFunds } from '#packages/sandbox/testing/own-coins.ts';
import { setPayers } from '#lab/testing/book.ts';
import { openPayouts } from '#lab/testing/payouts.ts';
import { insertExcludedVote, letStand } from '#lab/testing/standing.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import type { Services } from '#server/kit/services.ts';
import { readAutomatic, readShortage } from './automatic.ts';
import { approveByRule } from './approve-by-rule.ts';
import { payByKey } from './pay-by-key.ts';
import { settlePayouts } from './settle.ts';

const MAX = 500;
const DAILY = 1_000;
const key = newWallet();
const KEY = key.toSuiAddress();
const opened = await openPayouts(
  {
    PAYOUT_AUTO_MAX_SNAPS: String(MAX),
    PAYOUT_PRIVATE_KEY: key.getSecretKey(),
    PAYOUT_DAILY_MAX_SNAPS: String(DAILY),
  },
  [KEY],
);
const { chain, treasury, UNIT, proxy, server, db, panel, sendSnaps, snapsOf, approvedWithdrawals } = opened;
const { adminKey, ADMIN, book, sui } = opened;
const letPay = (...wallets: string[]) => setPayers(sui, adminKey, book, [ADMIN, KEY, ...wallets]);
const { services } = server;
await fund(chain, KEY);
await sendSnaps(treasury, [{ address: KEY, units: 3_000n * UNIT }]);
await sendSnaps(treasury, [{ address: KEY, units: 2_000n * UNIT }]);

const withConfig = (config: Partial<Services['config']>): Services => ({
  ...services,
  config: { ...services.config, ...config },
});

const checkBooks = (differences = 0, ageHours = 0) =>
  db
    .insertInto('invariantRuns')
    .values({ checkedAt: sql<Date>`now() - ${ageHours} * interval '1 hour'`, durationMs: 1, differences, examples: [] })
    .execute();
const pause = (configValue: 'true' | 'false') =>
  panel.post('/api/admin/config', { configKey: 'WITHDRAWALS_PAUSED', configValue });

/** No test leaves its requests, or the payouts of the day, to the next one. */
beforeEach(async () => {
  await db.deleteFrom('invariantRuns').execute();
  await checkBooks();
  await pause('false');
  await sql`UPDATE withdrawals SET auto_checked_at = now() WHERE state = 'requested'`.execute(db);
  await sql`DELETE FROM voter_standing`.execute(db);
  await sql`DELETE FROM standing_days`.execute(db);
  await sql`UPDATE withdrawals SET sent_at = now() - interval '2 days' WHERE sent_by = ${KEY}`.execute(db);
});

const signedInDaysAgo = ({ id }: TestUser, days: number) =>
  sql`UPDATE users SET created_at = now() - ${days}::int * interval '1 day' WHERE id = ${id}`.execute(db);

async function voter(tokens: number): Promise<TestUser> {
  const user = await newUser(server);
  await grantTokens(db, user.id, tokens);
  await letStand(db, user.id);
  await signedInDaysAgo(user, 30);
  return user;
}

/** Replaces a wallet's history: it held enough on each of the last days that it was asked, of the site's last 35. */
const holdOn = (user: TestUser, held: number, daysAgo = 0) =>
  sql`UPDATE voter_standing SET read_on = (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int, history_held = (-1)::bit(64) >> ${64 - held}::int
    WHERE user_id = ${user.id}`.execute(db);
/** The site has read balances on each of the last days. */
const readSite = (days: number) =>
  sql`INSERT INTO standing_days (day) SELECT (now() AT TIME ZONE 'UTC')::date - n FROM generate_series(0, ${days - 1}::int) n`.execute(
    db,
  );

async function ask(user: TestUser, tokenAmount: number): Promise<number> {
  const body = { userId: user.id, walletAddress: user.address, tokenAmount };
  return (await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body)).body.withdrawal.id;
}

/** A minute later. */
const again = () =>
  sql`UPDATE withdrawals SET sent_at = sent_at - interval '61 seconds' WHERE sent_at IS NOT NULL`.execute(db);

const rowOf = (id: number) =>
  db.selectFrom('withdrawals').select(['state', 'digest']).where('id', '=', id).executeTakeFirstOrThrow();
const toldTo = async (user: TestUser) => (await user.get<WithdrawalTerms>('/api/withdrawals/terms')).body;
const auditOf = async (text: string) =>
  (await db.selectFrom('auditLog').select(['actor', 'action', 'detail']).orderBy('id').execute()).filter(({ detail }) =>
    detail.includes(text),
  );
/** A request of an old voter that the rule has approved. */
async function approved(tokens: number): Promise<{ user: TestUser; id: number }> {
  const user = await voter(tokens);
  const id = await ask(user, tokens);
  await approveByRule(services);
  expect((await rowOf(id)).state).toBe('approved');
  return { user, id };
}

describe('the rule that approves withdrawals', () => {
  test('the rule approves what a verified wallet requests, up to its limit of 30 days, with the reason in the audit log [R79]', async () => {
    const user = await voter(2_000);
    expect(await toldTo(user)).toMatchObject({
      automatic: { maxSnaps: MAX, leftSnaps: MAX, isPaid: true },
      missing: [],
    });
    const [first, second, tooMuch] = [await ask(user, 60), await ask(user, 400), await ask(user, 60)];
    await Promise.all([approveByRule(services), approveByRule(services)]);
    expect((await rowOf(first)).state).toBe('approved');
    expect((await rowOf(second)).state).toBe('approved');
    expect((await rowOf(tooMuch)).state).toBe('requested');
    expect(await auditOf(`Withdrawal ${second}:`)).toEqual([
      {
        actor: 'server',
        action: 'withdrawal.approve',
        detail: `Withdrawal ${second}: 400 Snaps. Reason: standing, on 18 of 35 days at least, no excluded votes, 460 of 500 Snaps in 30 days, books in order`,
      },
    ]);
    expect(await toldTo(user)).toMatchObject({ automatic: { leftSnaps: 40 }, missing: ['limit'] });
    const approvedDaysAgo = (days: number) =>
      sql`UPDATE withdrawals SET auto_approved_at = now() - make_interval(days => ${days})
        WHERE user_id = ${user.id} AND auto_approved_at IS NOT NULL`.execute(db);
    await approvedDaysAgo(29);
    expect((await toldTo(user)).missing).toEqual(['limit']);
    await approvedDaysAgo(31);
    await sql`UPDATE withdrawals SET auto_checked_at = NULL WHERE id = ${tooMuch}`.execute(db);
    await approveByRule(services);
    expect((await rowOf(tooMuch)).state).toBe('approved');
  });

  test('the rule approves for a wallet that held enough on 18 of the last 35 days that the site read [R79]', async () => {
    const user = await voter(100);
    await holdOn(user, 18);
    await readSite(40);
    expect((await toldTo(user)).missing).toEqual([]);
    const id = await ask(user, 60);
    await approveByRule(services);
    expect((await rowOf(id)).state).toBe('approved');
  });

  test('a vote that is excluded because its voter claimed the listing does not stop payouts [R79 R72]', async () => {
    const user = await voter(100);
    await insertExcludedVote(db, user.id);
    expect((await toldTo(user)).missing).toEqual(['excluded_votes']);
    await sql`UPDATE projects SET owner_id = ${user.id} WHERE id IN (SELECT project_id FROM votes WHERE user_id = ${user.id})`.execute(
      db,
    );
    expect((await toldTo(user)).missing).toEqual([]);
  });

  test.each<[what: string, missing: Missing, change: (user: TestUser) => Promise<unknown>]>([
    [
      'a wallet without standing',
      'standing',
      ({ id }) => sql`DELETE FROM voter_standing WHERE user_id = ${id}`.execute(db),
    ],
    ['a wallet that signed in first a few days ago', 'standing', (user) => signedInDaysAgo(user, 3)],
    ['a wallet that held enough on 17 of the last 35 days read', 'days_held', (user) => holdOn(user, 17)],
    [
      'a wallet that was not asked on 18 of the last 35 days that the site read',
      'days_held',
      async (user) => {
        await holdOn(user, 35, 18);
        await readSite(18);
      },
    ],
    ['a wallet with an excluded vote', 'excluded_votes', (user) => insertExcludedVote(db, user.id)],
    ['books that do not add up', 'books', () => checkBooks(1)],
    [
      'books that were not checked for hours',
      'books',
      async () => {
        await db.deleteFrom('invariantRuns').execute();
        await checkBooks(0, 31);
      },
    ],
  ])(
    'the rule leaves to a person %s, and the reason is shown before the request [R79]',
    async (_what, missing, change) => {
      const user = await voter(100);
      await change(user);
      expect((await toldTo(user)).missing).toContain(missing);
      const id = await ask(user, 60);
      await approveByRule(services);
      expect((await rowOf(id)).state).toBe('requested');
    },
  );

  test('the rule approves nothing while withdrawals are paused, and continues afterwards [R79]', async () => {
    const user = await voter(100);
    const id = await ask(user, 60);
    await pause('true');
    expect((await toldTo(user)).missing).toEqual(['paused']);
    expect(await approveByRule(services)).toBe(0);
    await pause('false');
    await approveByRule(services);
    expect((await rowOf(id)).state).toBe('approved');
  });

  test('the rule approves nothing without PAYOUT_AUTO_MAX_SNAPS [R79]', async () => {
    const id = await ask(await voter(100), 60);
    expect(await approveByRule(withConfig({ payoutAutoMaxSnaps: null }))).toBe(0);
    expect((await rowOf(id)).state).toBe('requested');
  });

  test('the rule approves nothing for a thousand new wallets, which delay no verified one [R79]', async () => {
    const crowd = await approvedWithdrawals(
      Array.from({ length: 1_000 }, () => newWallet().toSuiAddress()),
      () => 60,
    );
    await sql`UPDATE withdrawals SET state = 'requested' WHERE id = ANY (${crowd}::bigint[])`.execute(db);
    const id = await ask(await voter(100), 60);
    for (let round = 0; round < 11; round += 1) await approveByRule(services);
    expect((await rowOf(id)).state).toBe('approved');
    const states = await db.selectFrom('withdrawals').select('state').distinct().where('id', 'in', crowd).execute();
    expect(states).toEqual([{ state: 'requested' }]);
  });
});

describe('payouts by the key of the server', () => {
  test('the payout key pays approved withdrawals in one transaction, which the chain shows once [R79]', async () => {
    const [one, other] = [await approved(60), await approved(75)];
    expect(await payByKey(services)).toBe(2);
    for (const [{ user, id }, tokens] of [
      [one, 60],
      [other, 75],
    ] as const) {
      expect((await rowOf(id)).state).toBe('paid');
      expect(await snapsOf(user.address)).toBe(BigInt(tokens) * UNIT);
    }
    const { digest } = await rowOf(one.id);
    expect((await rowOf(other.id)).digest).toBe(digest);
    expect((await auditOf(digest ?? '')).map(({ actor, action }) => [actor, action])).toEqual([
      ['server', 'payout.settle'],
      ['server', 'payout.settle'],
    ]);
    expect(await payByKey(services)).toBe(0);
    const { body } = await panel.get<AutomaticPayouts>('/api/admin/automatic-payouts');
    expect(body).toMatchObject({
      maxSnaps: MAX,
      areBooksFine: true,
      key: { walletAddress: KEY, dailyMaxSnaps: DAILY, paidToday: { withdrawals: 2, snaps: 135 }, waitingSnaps: 0 },
    });
    const told = JSON.stringify([body, await db.selectFrom('auditLog').selectAll().execute()]);
    expect(told).not.toContain(key.getSecretKey());
    // Waits are read again after five seconds.
    const visitor = new Client(server.url);
    await expect
      .poll(async () => (await visitor.get<Supply>('/api/v1/supply')).body.waits)
      .toMatchObject({ medianSeconds: expect.any(Number), longestSeconds: expect.any(Number) });
  });

  test('the payout key pays no more than its daily cap, and the rest the day after [R79]', async () => {
    const capped = withConfig({ payoutDailyMaxSnaps: 100 });
    const [one, other] = [await approved(60), await approved(60)];
    expect(await payByKey(capped)).toBe(1);
    expect(await payByKey(capped)).toBe(0);
    expect([(await rowOf(one.id)).state, (await rowOf(other.id)).state]).toEqual(['paid', 'approved']);
    await sql`UPDATE withdrawals SET sent_at = sent_at - interval '1 day' WHERE sent_by = ${KEY}`.execute(db);
    expect(await payByKey(capped)).toBe(1);
    expect((await rowOf(other.id)).state).toBe('paid');
  });

  test('the payout key pays nothing while withdrawals are paused, and continues afterwards [R79]', async () => {
    const { user } = await approved(60);
    await pause('true');
    expect(await payByKey(services)).toBe(0);
    expect(await snapsOf(user.address)).toBe(0n);
    await pause('false');
    expect(await payByKey(services)).toBe(1);
    expect(await snapsOf(user.address)).toBe(60n * UNIT);
  });

  test('the payout key pays nothing without gas, coins, or a place in the Book, and then only what its coins cover [R79]', async () => {
    const poor = newWallet();
    const as = withConfig({ payoutKey: poor });
    const { id } = await approved(60);
    expect(await payByKey(as)).toBe(0);
    await sendSnaps(treasury, [{ address: poor.toSuiAddress(), units: 70n * UNIT }]);
    expect(await payByKey(as)).toBe(0);
    await fund(chain, poor.toSuiAddress());
    await again();
    expect(await payByKey(as)).toBe(0);
    expect(
      await db.selectFrom('withdrawals').select(['state', 'refusedReason']).where('id', '=', id).execute(),
    ).toEqual([{ state: 'approved', refusedReason: null }]);
    await letPay(poor.toSuiAddress());
    await again();
    const other = await approved(60);
    expect(await payByKey(as)).toBe(1);
    expect([(await rowOf(id)).state, (await rowOf(other.id)).state]).toEqual(['paid', 'approved']);
  });

  test('a recipient that the chain refuses is set aside alone, and the others are paid [R79]', async () => {
    const all = [await approved(60), await approved(61), await approved(62), await approved(63), await approved(64)];
    await chain.control({ denied: [all[3]?.user.address ?? ''] });
    expect(await payByKey(services)).toBe(4);
    await again();
    expect(await payByKey(services)).toBe(0);
    await chain.control({ denied: [] });
    const rows = await db
      .selectFrom('withdrawals')
      .select(['state', 'refusedReason'])
      .where(
        'id',
        'in',
        all.map(({ id }) => id),
      )
      .orderBy('id')
      .execute();
    expect(rows.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid', 'approved', 'paid']);
    expect(rows[3]?.refusedReason).toMatch(/denied/i);
  });

  test('the payout key pays from its address balance what its coins lack [R82 R79]', async () => {
    const wallet = newWallet();
    const as = withConfig({ payoutKey: wallet });
    await letPay(wallet.toSuiAddress());
    await fund(chain, wallet.toSuiAddress());
    const funds = {
      coinType: services.config.snapsCoinType ?? '',
      amount: 90n * UNIT,
      recipient: wallet.toSuiAddress(),
    };
    await send(chain, [treasury], sendFunds(treasury.toSuiAddress(), funds));
    const [first, second] = [await approved(60), await approved(60)];
    expect((await readAutomatic(as)).key).toMatchObject({ heldSnaps: 90, waitingSnaps: 120 });
    expect(await readShortage(as)).toEqual({ held: 90, waiting: 120 });
    expect(await payByKey(as)).toBe(1);
    await sendSnaps(treasury, [{ address: wallet.toSuiAddress(), units: 50n * UNIT }]);
    expect(await payByKey(as)).toBe(1);
    expect([(await rowOf(first.id)).state, (await rowOf(second.id)).state]).toEqual(['paid', 'paid']);
    expect((await readAutomatic(as)).key).toMatchObject({ heldSnaps: 20 });
  });

  test('the payout key pays each withdrawal once when two servers use it at the same moment [R79]', async () => {
    const payees = [await approved(60), await approved(61), await approved(62)];
    await Promise.allSettled([payByKey(services), payByKey(withConfig({})), payByKey(withConfig({}))]);
    await again();
    await payByKey(services);
    for (const [at, { id, user }] of payees.entries()) {
      expect((await rowOf(id)).state).toBe('paid');
      expect(await snapsOf(user.address)).toBe(BigInt(60 + at) * UNIT);
    }
  });

  test("the payout key pays once, even if the node's responses are lost [R79 R97]", async () => {
    const { id, user } = await approved(60);
    proxy.fail('execute', 'unavailable', { isDone: true });
    proxy.fail('lookUp', 'unavailable');
    await payByKey(services);
    const later = await approved(61);
    proxy.heal();
    await again();
    await payByKey(services);
    expect([(await rowOf(id)).state, (await rowOf(later.id)).state]).toEqual(['paid', 'paid']);
    expect([await snapsOf(user.address), await snapsOf(later.user.address)]).toEqual([60n * UNIT, 61n * UNIT]);
  });

  test('the payout key does not pay again after a restore to a moment before the payout was recorded [R79 R56]', async () => {
    const { id, user } = await approved(60);
    expect(await payByKey(services)).toBe(1);
    await behindTheTriggers(db, async (trx) => {
      await sql`UPDATE withdrawals SET state = 'approved', digest = NULL, sent_at = NULL WHERE id = ${id}`.execute(trx);
      await sql`DELETE FROM token_ledger WHERE ref = ${id} AND kind IN ('hold_release', 'payout')`.execute(trx);
    });
    expect(await settlePayouts(services)).toEqual([id]);
    expect(await payByKey(services)).toBe(0);
    expect(await snapsOf(user.address)).toBe(60n * UNIT);
  });
});
