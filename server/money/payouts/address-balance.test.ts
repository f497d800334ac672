import { Transaction } from '@mysten/sui/transactions';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lifeOfBytes } from '#chain/transaction-bytes.ts';
import type { PayoutBatch } from '#shared/contract/admin.ts';
import { fund } from '#lab/testing/chain.ts';
import { emptyIntoBalance } from '#lab/testing/own-coins.ts';
import { openPayouts, type Payee } from '#lab/testing/payouts.ts';
import { letStand } from '#lab/testing/standing.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { readPayouts } from '../history/gate.ts';
import { payByKey } from './pay-by-key.ts';
import { recoverPayouts } from './recover.ts';

const {
  chain,
  adminKey,
  ADMIN,
  UNIT,
  demoCoin,
  treasury,
  proxy,
  server,
  db,
  sui,
  panel,
  sendSnaps,
  snapsOf,
  payee,
  prepare,
  prepared,
  sign,
  execute,
  stateOf,
  auditOf,
} = await openPayouts();

const { coinType } = demoCoin;
const withoutCoins = (key = adminKey) => emptyIntoBalance(sui, key, { coinType, rest: treasury.toSuiAddress() });
const reject = ({ withdrawal }: Payee) =>
  panel.post(`/api/admin/withdrawals/${withdrawal.id}/reject`, { reason: 'Never paid' });

async function signed(batch: PayoutBatch) {
  const body = await sign(batch);
  const transaction = Buffer.from(body.bytes, 'base64');
  const digest = await Transaction.from(transaction).getDigest();
  const send = () => sui.core.executeTransaction({ transaction, signatures: [body.signature] });
  return { body, digest, send, spends: lifeOfBytes(transaction)?.spends ?? [] };
}

/** A node rejects the payout; another one may execute it. */
async function refused(...payees: Payee[]) {
  const batch = await prepared(...payees);
  const sent = await signed(batch);
  proxy.fail('execute', 'refused');
  const response = await execute(batch, sent.body);
  proxy.heal();
  return { ...sent, batch, response };
}

describe('a wallet whose Snaps and SUI are in its address balance [R82]', () => {
  beforeAll(() => withoutCoins());

  test('pays a withdrawal and its gas without a coin, and the history knows the payout', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const { body, digest, spends } = await signed(batch);
    expect(spends).toEqual([]);
    expect((await execute(batch, body)).body).toMatchObject({ state: 'paid', digest });
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    expect(await readPayouts(server.services)).toBe('complete');
    expect(await db.selectFrom('outgoingTransfers').select('id').execute()).toEqual([]);
  });

  test('a rejected payout stays sent, pays once when it is executed later, and blocks no other withdrawal', async () => {
    const [recipient, other] = [await payee(80), await payee(60)];
    const { response, batch, send } = await refused(recipient);
    expect(response).toMatchObject({ status: 409, body: { error: 'refused' } });
    expect(response.body.message).toMatch(/can still be executed until its epoch ends/);
    expect((await stateOf(recipient)).state).toBe('sending');
    expect([(await prepare(recipient)).status, (await reject(recipient)).status]).toEqual([409, 409]);
    const second = await prepared(other);
    expect((await execute(second, await sign(second))).body.state).toBe('paid');
    await send();
    expect(await recoverPayouts(server.services)).toBe(0);
    expect(await stateOf(recipient)).toMatchObject({ state: 'paid' });
    const { body } = await panel.get<PayoutBatch[]>('/api/admin/payouts');
    expect(body.find(({ batchId }) => batchId === batch.batchId)).toMatchObject({ state: 'paid', note: null });
    expect([await snapsOf(recipient.user.address), await snapsOf(other.user.address)]).toEqual([
      80n * UNIT,
      60n * UNIT,
    ]);
  });

  test('a rejected payout is paid again after its epoch, when its bytes can no longer be executed', async () => {
    const recipient = await payee(80);
    const { digest, send } = await refused(recipient);
    proxy.fail('execute', 'refused');
    expect(await recoverPayouts(server.services, Date.now() + 61_000)).toBe(1);
    expect((await stateOf(recipient)).state).toBe('sending');
    await chain.control({ endEpoch: true });
    expect(await recoverPayouts(server.services, Date.now() + 61_000)).toBe(0);
    proxy.heal();
    expect(await auditOf(digest)).toEqual([
      'payout.settle expired',
      'payout.settle not accepted, and not expired',
      'payout.send ok',
    ]);
    const again = await prepared(recipient);
    expect((await execute(again, await sign(again))).body.state).toBe('paid');
    await expect(send()).rejects.toThrow(/Transaction Expired/);
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  test('a transaction without an expiration, or with a later one, is not sent', async () => {
    const batch = await prepared(await payee(80));
    const { bytes } = await sign(batch);
    const change = async (expiration: Parameters<Transaction['setExpiration']>[0]) => {
      const transaction = Transaction.from(Buffer.from(bytes, 'base64'));
      transaction.setExpiration(expiration);
      return execute(batch, await adminKey.signTransaction(await transaction.build({ client: sui })));
    };
    const { ValidDuring } = Transaction.from(Buffer.from(bytes, 'base64')).getData().expiration ?? {};
    const last = Number(ValidDuring?.maxEpoch);
    expect(ValidDuring?.minEpoch).toBe(ValidDuring?.maxEpoch);
    expect(await change({ Epoch: last })).toMatchObject({ status: 400, body: { error: 'not_this_payout' } });
    if (!ValidDuring) throw new Error('it does not expire');
    const longer = { ...ValidDuring, minEpoch: String(last + 1), maxEpoch: String(last + 2) };
    expect((await change({ ValidDuring: longer })).body.message).toMatch(/has to expire with the present epoch/);
    expect(
      (
        await execute(batch, {
          bytes,
          signature: (await adminKey.signTransaction(Buffer.from(bytes, 'base64'))).signature,
        })
      ).body.state,
    ).toBe('paid');
  });

  test('after a restore, nothing is paid without a coin until the next epoch', async () => {
    const span = { lostFrom: sql<Date>`now() - interval '1 hour'`, lostUntil: sql<Date>`now()` };
    await db.updateTable('payoutHistory').set(span).execute();
    onTestFinished(async () => {
      await db.updateTable('payoutHistory').set({ lostFrom: null, lostUntil: null }).execute();
    });
    const batch = await prepared(await payee(80));
    expect(await execute(batch, await sign(batch))).toMatchObject({ status: 409, body: { error: 'lost_payouts' } });
    await db
      .updateTable('payoutHistory')
      .set({ lostUntil: sql<Date>`now() - interval '1 hour'` })
      .execute();
    await chain.control({ endEpoch: true });
    expect((await execute(batch, await sign(batch))).body.state).toBe('paid');
  });
});

describe('a payout that was rejected and spends coins [R82]', () => {
  test('is followed by one that spends the same coin, and by no other one in its epoch', async () => {
    await fund(chain, ADMIN);
    await sendSnaps(treasury, [{ address: ADMIN, units: 10_000n * UNIT }]);
    const recipient = await payee(80);
    const first = await refused(recipient);
    expect(first.response).toMatchObject({ status: 400, body: { error: 'rejected' } });
    await withoutCoins();
    const batch = await prepared(recipient);
    expect(await execute(batch, await sign(batch))).toMatchObject({ status: 409, body: { error: 'not_ended' } });
    expect(await reject(recipient)).toMatchObject({ status: 409 });
    await chain.control({ endEpoch: true });
    expect((await execute(batch, await sign(batch))).body.state).toBe('paid');
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  test('pays once when it is executed while the next one waits for its wallet', async () => {
    await fund(chain, ADMIN);
    await sendSnaps(treasury, [{ address: ADMIN, units: 10_000n * UNIT }]);
    const recipient = await payee(80);
    const first = await refused(recipient);
    const batch = await prepared(recipient);
    const stale = await sign(batch);
    await first.send();
    expect((await execute(batch, stale)).status).toBe(409);
    expect((await stateOf(recipient)).state).toBe('paid');
    const fresh = await payee(60);
    const next = await prepared(fresh);
    expect((await execute(next, await sign(next))).body.state).toBe('paid');
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });
});

test('the payout key pays other withdrawals while a payout without coins waits for its epoch [R82 R79]', async () => {
  const key = newWallet();
  await fund(chain, key.toSuiAddress());
  await sendSnaps(treasury, [{ address: key.toSuiAddress(), units: 1_000n * UNIT }]);
  await withoutCoins(key);
  const { services } = server;
  const as = { ...services, config: { ...services.config, payoutKey: key, payoutDailyMaxSnaps: 1_000 } };
  const [one, two] = [await payee(80), await payee(60)];
  await letStand(db, one.user.id);
  proxy.fail('execute', 'refused');
  expect(await payByKey(as)).toBe(0);
  expect((await stateOf(one)).state).toBe('sending');
  await letStand(db, two.user.id);
  expect(await payByKey(as)).toBe(0);
  proxy.heal();
  await db
    .updateTable('payoutBatches')
    .set({ updatedAt: sql<Date>`now() - interval '1 hour'` })
    .where('failureCode', '=', 'refused')
    .execute();
  expect(await payByKey(as)).toBe(1);
  expect([(await stateOf(one)).state, (await stateOf(two)).state]).toEqual(['sending', 'paid']);
  expect(await recoverPayouts(as, Date.now() + 61_000)).toBe(0);
  expect([await snapsOf(one.user.address), await snapsOf(two.user.address)]).toEqual([80n * UNIT, 60n * UNIT]);
});
