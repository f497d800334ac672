import { Transaction } from '@mysten/sui/transactions';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PayoutBatch } from '#shared/contract/admin.ts';
import { recoverPayouts } from './recover.ts';
import { type ChainFault } from '#lab/testing/chain-proxy.ts';
import { openPayouts, type Payee } from '#lab/testing/payouts.ts';

const {
  chain,
  UNIT,
  DAY_MS,
  proxy,
  server,
  db,
  sui,
  panel,
  ADMIN,
  treasury,
  sendSnaps,
  snapsOf,
  payee,
  prepare,
  prepared,
  sign,
  signToFail,
  execute,
  stateOf,
  auditOf,
  ledgerOf,
} = await openPayouts();

describe('failures [R33]', () => {
  test('a payout that fails on chain pays no user, informs the user, and can be approved again', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const response = await execute(batch, await signToFail(batch));
    expect(response.body).toMatchObject({ state: 'failed', note: expect.stringContaining('failed on chain') });
    expect(await stateOf(recipient)).toMatchObject({
      state: 'failed',
      digest: null,
      reason: 'The payout transaction failed on chain',
    });
    expect(await auditOf(response.body.digest ?? '')).toEqual(['payout.settle failed_on_chain', 'payout.send ok']);
    const [told] = (
      await recipient.user.get<{ kind: string; text: string }[]>(`/api/users/${recipient.user.id}/activity`)
    ).body;
    expect(told).toMatchObject({
      kind: 'withdrawal_failed',
      text: 'Withdrawal of 80 Snaps could not be paid yet: The payout transaction failed on chain. The admin will review it.',
    });
    const bell = await recipient.user.get(`/api/users/${recipient.user.id}/notices`);
    expect(bell.body).toMatchObject({ unread: 1, notices: [{ kind: 'payout_failed', text: told?.text }] });
    expect(await snapsOf(recipient.user.address)).toBe(0n);
    expect((await panel.post(`/api/admin/withdrawals/${recipient.withdrawal.id}/approve`)).body).toMatchObject({
      state: 'approved',
    });
    const again = await prepared(recipient);
    expect((await execute(again, await sign(again))).body.state).toBe('paid');
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  test('a payout is not stored as sent while the chain is unreachable', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    await chain.control({ down: true });
    expect(await execute(batch, signed)).toMatchObject({ status: 503 });
    await chain.control({ down: false });
    expect((await execute(batch, signed)).body.state).toBe('paid');
  });

  test('the recovery job finds a payout whose response was lost and marks it paid once', async () => {
    const { recipient, digest, execute } = await storedByKilled();
    await chain.control({ indexDelayMs: 600_000 });
    await execute();
    // Executed and not indexed yet, so what it paid is unknown.
    expect(await recoverPayouts(server.services)).toBe(1);
    expect((await stateOf(recipient)).state).toBe('sending');
    await chain.control({ indexDelayMs: 0 });
    expect(await Promise.all([recoverPayouts(server.services), recoverPayouts(server.services)])).toEqual([0, 0]);
    expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest });
    expect(await ledgerOf(recipient)).toHaveLength(3);
  });

  /** The rows that a server leaves behind when it is killed between storing the signed transaction and sending it. */
  async function storedByKilled() {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    const bytes = Buffer.from(signed.bytes, 'base64');
    const digest = await Transaction.from(bytes).getDigest();
    const { signature } = signed;
    await db
      .updateTable('payoutBatches')
      .set({ state: 'sent', digest, transaction: bytes, signature, sentAt: new Date() })
      .where('id', '=', batch.batchId)
      .execute();
    const execute = () => sui.core.executeTransaction({ transaction: bytes, signatures: [signature] });
    return { recipient, batch, digest, execute };
  }

  test('the recovery job sends a signed payout that a killed server never sent', async () => {
    const { recipient, digest } = await storedByKilled();
    // The request that stored it may still be sending it.
    expect(await recoverPayouts(server.services)).toBe(1);
    expect(await snapsOf(recipient.user.address)).toBe(0n);
    expect(await recoverPayouts(server.services, Date.now() + 61_000)).toBe(0);
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest });
  });

  test('a payout fails after 24 hours without a trace when its bytes are not known, not earlier [R33]', async () => {
    const { recipient, batch, digest } = await storedByKilled();
    await withoutBytes(batch);
    expect(await recoverPayouts(server.services, Date.now() + DAY_MS - 60_000)).toBe(1);
    expect((await stateOf(recipient)).state).toBe('sending');
    proxy.fail('lookUp', 'unavailable');
    expect(await recoverPayouts(server.services, Date.now() + 2 * DAY_MS)).toBe(1);
    expect((await stateOf(recipient)).state).toBe('sending');
    proxy.heal();
    expect(await recoverPayouts(server.services, Date.now() + DAY_MS + 60_000)).toBe(0);
    expect(await stateOf(recipient)).toMatchObject({ state: 'failed', digest: null });
    expect(await noteOf(batch)).toBe('The transaction did not appear on the chain within a day');
    expect(await auditOf(digest)).toEqual(['payout.settle unseen']);
    expect(await snapsOf(recipient.user.address)).toBe(0n);
  });

  test('a payout is given up once its epoch has ended and the history was read past it, not earlier [R82]', async () => {
    const { recipient, batch, digest } = await storedByKilled();
    // The node accepts nothing.
    proxy.fail('execute', 'unavailable');
    expect(await recoverPayouts(server.services, Date.now() + 3 * DAY_MS)).toBe(1);
    await chain.control({ endEpoch: true });
    await chain.control({ indexDelayMs: 600_000 });
    await sendSnaps(treasury, [{ address: ADMIN, units: 1n }]);
    expect(await recoverPayouts(server.services)).toBe(1);
    expect((await stateOf(recipient)).state).toBe('sending');
    await chain.control({ indexDelayMs: 0 });
    expect(await recoverPayouts(server.services)).toBe(0);
    expect((await stateOf(recipient)).state).toBe('approved');
    expect(await noteOf(batch)).toBe('The transaction was not executed before it expired; nothing was paid');
    expect(await auditOf(digest)).toEqual(['payout.settle expired']);
    proxy.heal();
    const again = await prepared(recipient);
    expect((await execute(again, await sign(again))).body.state).toBe('paid');
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  const withoutBytes = ({ batchId }: PayoutBatch) =>
    db.updateTable('payoutBatches').set({ transaction: null }).where('id', '=', batchId).execute();

  async function noteOf({ batchId }: PayoutBatch): Promise<string | null | undefined> {
    const { body } = await panel.get<PayoutBatch[]>('/api/admin/payouts');
    return body.find((one) => one.batchId === batchId)?.note;
  }

  describe('given up as never executed, and executed after all', () => {
    async function givenUp(): Promise<Payee & { digest: string; execute: () => Promise<unknown> }> {
      const recipient = await payee(80);
      const { digest, execute } = await rejected(await prepared(recipient));
      return { ...recipient, digest, execute };
    }

    /** A node rejects the payout, and another one may execute it later. */
    async function rejected(batch: PayoutBatch) {
      const { bytes, signature } = await sign(batch);
      proxy.fail('execute', 'refused');
      expect(await execute(batch, { bytes, signature })).toMatchObject({ status: 400, body: { error: 'rejected' } });
      proxy.heal();
      const transaction = Buffer.from(bytes, 'base64');
      const digest = await Transaction.from(transaction).getDigest();
      return { digest, execute: () => sui.core.executeTransaction({ transaction, signatures: [signature] }) };
    }
    const reject = ({ withdrawal }: Payee) =>
      panel.post(`/api/admin/withdrawals/${withdrawal.id}/reject`, { reason: 'lost' });

    async function expectPaidOnce(recipient: Payee & { digest: string }): Promise<void> {
      expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest: recipient.digest });
      expect(await ledgerOf(recipient)).toHaveLength(3);
      expect(await snapsOf(recipient.user.address)).toBe(BigInt(recipient.withdrawal.tokenAmount) * UNIT);
    }

    test('a payout that executes after it was given up is found before it is paid again [R33 R14]', async () => {
      const recipient = await givenUp();
      await recipient.execute();
      expect(await prepare(recipient)).toMatchObject({
        status: 409,
        body: { message: expect.stringMatching(/is paid$/) },
      });
      await expectPaidOnce(recipient);
    });

    test('a payout that executes after it was given up is found before it is rejected [R33 R14]', async () => {
      const recipient = await givenUp();
      await recipient.execute();
      expect((await reject(recipient)).status).toBe(409);
      await expectPaidOnce(recipient);
    });

    test('a late payout pays the withdrawal that is left, and the log names the rejected one [R33 R14]', async () => {
      const error = vi.spyOn(server.services.log, 'error');
      onTestFinished(() => error.mockRestore());
      const [one, two, stranger] = [await payee(80), await payee(90), await payee(50)];
      const batch = await prepared(one, two);
      const late = await rejected(batch);
      expect(await reject(one)).toMatchObject({ status: 409, body: { error: 'not_ended' } });
      await withoutBytes(batch);
      expect((await reject(one)).status).toBe(200);
      await late.execute();
      expect((await prepare(two)).status).toBe(409);
      expect((await stateOf(one)).state).toBe('rejected');
      expect((await stateOf(stranger)).state).toBe('approved');
      expect(await ledgerOf(one)).toHaveLength(2);
      await expectPaidOnce({ ...two, digest: late.digest });
      expect(error).toHaveBeenCalledWith(
        expect.objectContaining({ batchId: batch.batchId, withdrawals: [one.withdrawal.id] }),
        'a payout given up was executed, and settled otherwise',
      );
      const { body } = await panel.get<PayoutBatch[]>('/api/admin/payouts');
      const settled = body.find(({ batchId }) => batchId === batch.batchId);
      expect(settled).toMatchObject({ state: 'paid', recipients: [{ withdrawalId: two.withdrawal.id }] });
    });

    test('a payout that was given up is paid by another transaction once the chain confirms its absence [R33 R14]', async () => {
      const recipient = await givenUp();
      proxy.fail('lookUp', 'deadline');
      for (const response of [await prepare(recipient), await reject(recipient)])
        expect(response).toMatchObject({ status: 503, body: { error: 'chain_unreachable' } });
      expect((await stateOf(recipient)).state).toBe('approved');
      proxy.heal();
      const batch = await prepared(recipient);
      expect((await execute(batch, await sign(batch))).body.state).toBe('paid');
      expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    });
  });
});

describe('a node whose executions and look-ups fail', () => {
  /** The state of a payout after such a failure, and after the job sends it again; then the chain works again. */
  async function sendWhile(fail: () => void) {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    fail();
    const { status, body } = await execute(batch, signed);
    const open = await recoverPayouts(server.services, Date.now() + 61_000);
    const during = { status, batch: body.state, open, withdrawal: (await stateOf(recipient)).state };
    const path = `/api/admin/withdrawals/${recipient.withdrawal.id}`;
    const refused = [
      await prepare(recipient),
      await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`),
      await panel.post(`${path}/approve`),
      await panel.post(`${path}/reject`, { reason: 'too slow' }),
    ].map((response) => response.status);
    proxy.heal();
    await recoverPayouts(server.services, Date.now() + 61_000);
    const { state } = await stateOf(recipient);
    return { during, refused, state, paid: (await snapsOf(recipient.user.address)) / UNIT };
  }
  const SENT_THEN_PAID_ONCE = {
    during: { status: 200, batch: 'sent' },
    refused: [409, 409, 409, 409],
    state: 'paid',
    paid: 80n,
  };

  test.each<[fault: ChainFault, isDone: boolean]>([
    ['unavailable', false],
    ['deadline', true],
    ['cut', true],
  ])('a payout whose execution ends with %s (done: %s) is paid once [R33 R14]', async (fault, isDone) => {
    const outcome = await sendWhile(() => {
      proxy.fail('execute', fault, { isDone });
      proxy.fail('lookUp', 'unseen');
    });
    // The history shows what the look-up does not.
    const [open, withdrawal] = isDone ? [0, 'paid'] : [1, 'sending'];
    const { during } = SENT_THEN_PAID_ONCE;
    expect(outcome).toEqual({ ...SENT_THEN_PAID_ONCE, during: { ...during, open, withdrawal } });
  });
});
