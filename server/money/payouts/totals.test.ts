import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { startServer } from '#lab/testing/app.ts';
import { grantTokens } from '#lab/testing/builders.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { openPayouts } from '#lab/testing/payouts.ts';
import { letStand } from '#lab/testing/standing.ts';
import { hasUnknownKey } from '#server/books/totals.ts';
import { keyChecks } from '#server/people/users/former-wallets.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { settlePayouts } from './settle.ts';

const { server, panel, env, adminKey, payOut, payee, snapsOf } = await openPayouts({
  ACCOUNT_KEY: randomBytes(32).toString('base64'),
});
const { db, config } = server.services;
const UNIT = 1_000_000;

async function holder(): Promise<TestUser> {
  const user = await newUser(server);
  await grantTokens(db, user.id, 1_000);
  await letStand(db, user.id);
  return user;
}

async function request(user: TestUser, tokenAmount: number): Promise<number> {
  const body = { userId: user.id, walletAddress: user.address, tokenAmount };
  return (await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body)).body.withdrawal.id;
}
const approve = (id: number) => panel.post(`/api/admin/withdrawals/${id}/approve`);
const reject = (id: number) => panel.post(`/api/admin/withdrawals/${id}/reject`, { reason: 'Not this one' });

async function marksOf(...ids: number[]): Promise<Array<number | null>> {
  const rows = await db.selectFrom('withdrawals').select(['id', 'mark']).where('id', 'in', ids).execute();
  return ids
    .map((id) => rows.find((row) => row.id === id)?.mark ?? null)
    .map((mark) => (mark === null ? null : Number(mark) / UNIT));
}
async function totalOf({ id }: TestUser): Promise<number | undefined> {
  const row = await db.selectFrom('bookTotals').select('units').where('userId', '=', id).executeTakeFirst();
  return row && Number(row.units) / UNIT;
}

test('an approval adds to the total of the wallet and gives the withdrawal its mark [R97]', async () => {
  const user = await holder();
  const [first, second, third] = [await request(user, 60), await request(user, 70), await request(user, 80)];
  for (const id of [second, first, third]) expect((await approve(id)).status).toBe(200);
  expect(await marksOf(first, second, third)).toEqual([130, 70, 210]);
  expect(await totalOf(user)).toBe(210);
  expect((await approve(first)).status).toBe(409);
  expect(await totalOf(user)).toBe(210);
});

test('a rejected withdrawal lowers the total and the later marks, and no earlier one [R97]', async () => {
  const user = await holder();
  const ids = [await request(user, 60), await request(user, 70), await request(user, 80)];
  for (const id of ids) await approve(id);
  expect((await reject(ids[1] ?? 0)).status).toBe(200);
  expect(await marksOf(...ids)).toEqual([60, null, 140]);
  expect(await totalOf(user)).toBe(140);
});

test('the check of the books finds a total or a mark that was edited by hand [R97]', async () => {
  const user = await holder();
  const id = await request(user, 60);
  await approve(id);
  const edited = async (units: number) =>
    db.updateTable('bookTotals').set({ units }).where('userId', '=', user.id).execute();
  await edited(61 * UNIT);
  expect(await findDifferences(db)).toEqual([expect.stringContaining(`user ${user.id}: total of Book`)]);
  await edited(60 * UNIT);
  await db
    .updateTable('withdrawals')
    .set({ mark: 59 * UNIT })
    .where('id', '=', id)
    .execute();
  expect(await findDifferences(db)).toHaveLength(1);
  await db
    .updateTable('withdrawals')
    .set({ mark: 60 * UNIT })
    .where('id', '=', id)
    .execute();
});

async function leave(user: TestUser): Promise<void> {
  expect((await deleteAccount(user)).status).toBe(200);
  expect(await totalOf(user)).toBeUndefined();
}

test('a returned wallet continues the total of its deleted account, again and again [R55 R97]', async () => {
  const user = await holder();
  await db
    .insertInto('bookTotals')
    .columns(['bookId', 'userId', 'units', 'carried'])
    .expression((eb) =>
      eb
        .selectFrom('books')
        .select(['id', eb.val(user.id).as('u'), eb.val(60 * UNIT).as('t'), eb.val(60 * UNIT).as('c')]),
    )
    .execute();
  await leave(user);
  const back = await newUser(server, user.wallet);
  expect(await totalOf(back)).toBe(60);
  await grantTokens(db, back.id, 100);
  const id = await request(back, 50);
  await approve(id);
  expect(await marksOf(id)).toEqual([110]);
  expect((await reject(id)).status).toBe(200);
  await leave(back);
  expect(await totalOf(await newUser(server, user.wallet))).toBe(60);
});

test('totals of deleted accounts whose key is no longer known are reported [R97]', async () => {
  expect(await hasUnknownKey(db, await keyChecks(db, config))).toBe(false);
  expect(await hasUnknownKey(db, [randomBytes(32)])).toBe(true);
});

test('an account that returns while its key is unknown is paid nothing, and all of it once the key is known [R55 R33 R97]', async () => {
  const past = await payee(60);
  await payOut(past);
  await leave(past.user);
  const ACCOUNT_KEY = randomBytes(32).toString('base64');
  const other = await startServer(server.databaseUrl, { env: { ...env, ACCOUNT_KEY } });
  onTestFinished(() => other.close());
  const back = await newUser(other, past.user.wallet);
  await grantTokens(db, back.id, 100);
  const id = await request(back, 50);
  const there = await signInAsAdmin(other, adminKey);
  await there.post(`/api/admin/withdrawals/${id}/approve`);
  const { status, body } = await there.post<{ error: string }>('/api/admin/payouts', { withdrawalIds: [id] });
  expect([status, body.error]).toEqual([409, 'book_unknown_key']);
  expect(await settlePayouts(other.services)).toEqual([]);
  const { paidIds } = await payOut({ user: back, withdrawal: { id } as Withdrawal });
  expect([paidIds, await snapsOf(back.address)]).toEqual([[id], BigInt((60 + 50) * UNIT)]);
  expect(await marksOf(id)).toEqual([110]);
});
