import { Transaction } from '@mysten/sui/transactions';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildBoundPayout, type PayoutTerms } from '#chain/payout.ts';
import type { AdminWithdrawal, PayoutBatch } from '#shared/contract/admin.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { recoverPayouts } from './recover.ts';
import { startServer } from '#lab/testing/app.ts';
import { grantTokens } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { fund } from '#lab/testing/chain.ts';
import { type AdminPanel, signInAs, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { payingWallets } from '#server/panel/admin/roles.ts';
import { openPayouts, type Payee } from '#lab/testing/payouts.ts';

const {
  chain,
  adminKey,
  ADMIN,
  demoCoin,
  treasury,
  UNIT,
  proxy,
  env,
  server,
  db,
  sui,
  panel,
  sendSnaps,
  snapsOf,
  suiCoins,
  payee,
  approvedWithdrawals,
  prepare,
  prepared,
  termsOf,
  sign,
  signToFail,
  execute,
  stateOf,
  auditOf,
  ledgerOf,
} = await openPayouts();

describe('paid in one transaction [R33 R14]', () => {
  test('one transaction pays three recipients, with one digest in ledger and activity', async () => {
    const recipients = [await payee(50), await payee(75), await payee(1000)];
    const batch = await prepared(...recipients);
    expect(batch).toMatchObject({ state: 'prepared', coinType: demoCoin.coinType, digest: null });
    expect(batch.recipients.map(({ amountUnits }) => BigInt(amountUnits))).toEqual([
      50n * UNIT,
      75n * UNIT,
      1000n * UNIT,
    ]);
    for (const recipient of recipients) expect((await stateOf(recipient)).state).toBe('sending');

    const response = await execute(batch, await sign(batch));
    expect(response).toMatchObject({ status: 200, body: { state: 'paid', note: null } });
    const digest = response.body.digest ?? '';
    for (const recipient of recipients) {
      expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest });
      expect(await snapsOf(recipient.user.address)).toBe(BigInt(recipient.withdrawal.tokenAmount) * UNIT);
      const { tokenAmount } = recipient.withdrawal;
      expect(await ledgerOf(recipient)).toEqual([
        { kind: 'withdrawal_hold', amount: -tokenAmount },
        { kind: 'hold_release', amount: tokenAmount },
        { kind: 'payout', amount: -tokenAmount },
      ]);
      const activity = await recipient.user.get<{ kind: string; digest: string | null }[]>(
        `/api/users/${recipient.user.id}/activity`,
      );
      expect(activity.body[0]).toMatchObject({ kind: 'withdrawal_paid', digest });
      const told = await recipient.user.get<{ notices: unknown[] }>(`/api/users/${recipient.user.id}/notices`);
      expect(told.body.notices).toMatchObject([
        { kind: 'payout_paid', text: `Withdrawal of ${tokenAmount} Snaps paid to your wallet`, link: '/portfolio' },
      ]);
    }
    expect(await auditOf(digest)).toEqual(['payout.settle paid', 'payout.send ok']);
    // A settled batch is no longer looked up.
    const { lookUp } = proxy.calls;
    expect(await recoverPayouts(server.services)).toBe(0);
    expect(proxy.calls.lookUp).toBe(lookUp);
  });

  test('one transaction pays 200 recipients, including two withdrawals of one wallet', async () => {
    const wallets = Array.from({ length: 199 }, () => newWallet().toSuiAddress());
    const ids = await approvedWithdrawals([...wallets, wallets[0] ?? ''], (n) => 50 + n);
    expect((await panel.post('/api/admin/payouts', { withdrawalIds: [...ids, 1] })).status).toBe(400);
    const batch = (await panel.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: ids })).body;
    const response = await execute(batch, await sign(batch));
    expect(response.body).toMatchObject({ state: 'paid' });
    const states = await db.selectFrom('withdrawals').select('state').where('id', 'in', ids).execute();
    expect(states.every(({ state }) => state === 'paid')).toBe(true);
    expect(await snapsOf(wallets[0] ?? '')).toBe((50n + 249n) * UNIT);
  });
});

describe('transactions that do not pay exactly the payout are refused [R33]', () => {
  const PAYS_OTHERS = 'The transaction pays other wallets or other amounts';

  test.each<[what: string, reason: string, change: (terms: PayoutTerms) => PayoutTerms]>([
    [
      'one unit more',
      PAYS_OTHERS,
      (t) => ({ ...t, transfers: t.transfers.map((one) => ({ ...one, amountUnits: one.amountUnits + 1n })) }),
    ],
    ['to the admin', PAYS_OTHERS, (t) => ({ ...t, transfers: t.transfers.map((one) => ({ ...one, address: ADMIN })) })],
    ['in SUI', 'The transaction pays in another coin', (t) => ({ ...t, coinType: '0x2::sui::SUI' })],
  ])('refuses a transaction that pays %s, and sends nothing', async (_what, message, change) => {
    const recipients = [await payee(50), await payee(60)];
    const batch = await prepared(...recipients);
    const response = await execute(batch, await sign(batch, change));
    expect(response).toMatchObject({ status: 400, body: { error: 'not_this_payout', message } });
    for (const recipient of recipients) {
      expect((await stateOf(recipient)).state).toBe('sending');
      expect(await snapsOf(recipient.user.address)).toBe(0n);
    }
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  });

  test('rejects another coin, a stranger’s transaction, and bytes that are not a transaction', async () => {
    const recipient = await payee(50);
    const batch = await prepared(recipient);
    // SUI coins that are not the gas coin look like any other coin in the bytes.
    await fund(chain, ADMIN);
    const [coin, gas] = await suiCoins();
    const transaction = new Transaction();
    transaction.setSender(ADMIN);
    transaction.setGasPayment([gas]);
    const parts = transaction.splitCoins(transaction.objectRef(coin), [50n * UNIT]);
    transaction.transferObjects([parts], recipient.user.address);
    const bytes = await transaction.build({ client: sui });
    const { signature } = await adminKey.signTransaction(bytes);
    const sent = { bytes: Buffer.from(bytes).toString('base64'), signature };
    expect(await execute(batch, sent)).toMatchObject({
      status: 400,
      body: { message: 'The transaction pays in another coin' },
    });
    for (const wrong of ['AAAA', '%%%'])
      expect(await execute(batch, { bytes: wrong, signature })).toMatchObject({
        status: 400,
        body: { error: 'not_this_payout', message: 'This is not a Sui transaction' },
      });
    const stranger = newWallet().toSuiAddress();
    await fund(chain, stranger);
    const foreign = await buildBoundPayout(sui, { ...termsOf(batch), sender: stranger, coinType: '0x2::sui::SUI' });
    expect(
      await execute(batch, { bytes: Buffer.from(await foreign.build({ client: sui })).toString('base64'), signature }),
    ).toMatchObject({ status: 400, body: { message: 'The transaction is from another wallet' } });
    expect((await stateOf(recipient)).state).toBe('sending');
  });

  test('rejects a signature of another key before anything is sent; the same payout can be signed again', async () => {
    const recipient = await payee(50);
    const batch = await prepared(recipient);
    const response = await execute(batch, await sign(batch, undefined, newWallet()));
    expect(response).toMatchObject({
      status: 400,
      body: {
        error: 'wrong_signature',
        message:
          'The signature does not belong to this transaction and the paying wallet. Nothing was sent; sign again.',
      },
    });
    expect((await stateOf(recipient)).state).toBe('sending');
    expect((await execute(batch, await sign(batch))).body).toMatchObject({ state: 'paid' });
    expect(await snapsOf(recipient.user.address)).toBe(50n * UNIT);
  });
});

describe('never twice [R33 R14]', () => {
  test('a withdrawal requested in ten batches at once is in one of them', async () => {
    const [one, two] = [await payee(50), await payee(60)];
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? prepare(one, two) : prepare(two, one))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(
      (await panel.post('/api/admin/payouts', { withdrawalIds: [one.withdrawal.id, one.withdrawal.id] })).status,
    ).toBe(400);
  });

  test('the same transaction sent eleven times pays once', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    const responses = await Promise.all(Array.from({ length: 10 }, () => execute(batch, signed)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await execute(batch, signed)).body).toMatchObject({ state: 'paid' });
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    expect(await ledgerOf(recipient)).toHaveLength(3);
  });

  test('only the first of two transactions signed for one batch pays', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const first = await sign(batch);
    expect((await execute(batch, first)).body.state).toBe('paid');
    const second = await sign(batch);
    expect(second.bytes).not.toBe(first.bytes);
    expect((await execute(batch, second)).status).toBe(409);
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  test('a batch cancelled while the wallet was open is not sent', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const sending = await stateOf(recipient);
    const signed = await sign(batch);
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).status).toBe(200);
    const approved = await stateOf(recipient);
    expect(approved.state).toBe('approved');
    expect(Date.parse(approved.updatedAt)).toBeGreaterThan(Date.parse(sending.updatedAt));
    expect(await auditOf(batch.batchId)).toEqual(['payout.cancel ok', 'payout.prepare ok']);
    expect((await execute(batch, signed)).status).toBe(409);
    expect(await snapsOf(recipient.user.address)).toBe(0n);
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).status).toBe(409);
  });

  test('a paid withdrawal cannot be cancelled, approved, rejected or paid again', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    await execute(batch, await sign(batch));
    const { id } = recipient.withdrawal;
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).status).toBe(409);
    expect((await panel.post(`/api/admin/withdrawals/${id}/approve`)).status).toBe(409);
    expect((await panel.post(`/api/admin/withdrawals/${id}/reject`, { reason: 'x' })).status).toBe(409);
    expect((await prepare(recipient)).status).toBe(409);
  });
});

describe('a digest recorded by hand, verified on chain per recipient [R33]', () => {
  test('a digest of another program marks one batch as paid, and no second one', async () => {
    const recipients = [await payee(80), await payee(90)];
    const batch = await prepared(...recipients);
    const to = recipients.map(({ user, withdrawal }) => ({
      address: user.address,
      units: BigInt(withdrawal.tokenAmount) * UNIT,
    }));
    const transactionHash = await sendSnaps(adminKey, to);
    expect((await execute(batch, { transactionHash })).body).toMatchObject({ state: 'paid', digest: transactionHash });
    expect((await execute(batch, { transactionHash })).status).toBe(200);

    const next = await payee(80);
    await db
      .updateTable('withdrawals')
      .set({ walletAddress: recipients[0]?.user.address ?? '' })
      .where('id', '=', next.withdrawal.id)
      .execute();
    const second = await prepared(next);
    expect(await execute(second, { transactionHash })).toMatchObject({ status: 409, body: { error: 'digest_used' } });
    expect((await stateOf(next)).state).toBe('sending');
  });

  test('a digest that pays half of a batch marks only that half as paid', async () => {
    const [one, two] = [await payee(80), await payee(90)];
    const batch = await prepared(one, two);
    const transactionHash = await sendSnaps(adminKey, [
      { address: one.user.address, units: 80n * UNIT },
      { address: two.user.address, units: 89n * UNIT },
    ]);
    expect((await execute(batch, { transactionHash })).body).toMatchObject({ state: 'failed' });
    expect(await stateOf(one)).toMatchObject({ state: 'paid', digest: transactionHash });
    expect(await stateOf(two)).toMatchObject({ state: 'failed', digest: null });
    expect(await ledgerOf(two)).toHaveLength(1);
    expect(await auditOf(transactionHash)).toEqual(['payout.settle paid 1, not paid 1', 'payout.send ok']);
  });

  test('rejects a digest that is older than the batch, made up, unseen, or failed', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const paidBefore = await sendSnaps(adminKey, [{ address: recipient.user.address, units: 80n * UNIT }]);
    const { Transaction: earlier } = await sui.core.getTransaction({ digest: paidBefore });
    const createdAfter = (ms: number) =>
      db
        .updateTable('payoutBatches')
        .set({ createdAt: new Date((earlier?.timestampMs ?? 0) + ms) })
        .where('id', '=', batch.batchId)
        .execute();
    // The clocks of chain and server may differ by two minutes.
    await createdAfter(120_001);
    expect(await execute(batch, { transactionHash: paidBefore })).toMatchObject({
      status: 400,
      body: { error: 'not_this_payout', message: 'This transaction is older than the payout' },
    });
    expect(await execute(batch, { transactionHash: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' })).toMatchObject({
      status: 409,
      body: { error: 'not_found_yet' },
    });
    expect(await execute(batch, { transactionHash: '0'.repeat(44) })).toMatchObject({
      status: 400,
      body: { error: 'not_a_digest' },
    });
    const { bytes, signature } = await signToFail(batch);
    const result = await sui.core.executeTransaction({
      transaction: Buffer.from(bytes, 'base64'),
      signatures: [signature],
    });
    const failed = result.FailedTransaction?.digest ?? '';
    await db.updateTable('payoutBatches').set({ createdAt: new Date() }).where('id', '=', batch.batchId).execute();
    expect(await execute(batch, { transactionHash: failed })).toMatchObject({
      status: 400,
      body: { error: 'not_this_payout', message: 'This transaction failed on chain' },
    });
    expect((await stateOf(recipient)).state).toBe('sending');
    await createdAfter(120_000);
    expect((await execute(batch, { transactionHash: paidBefore })).body.state).toBe('paid');
  });
});

describe('a payer pays from their own wallet [R54 R33]', () => {
  const payerKey = newWallet();
  const payerWallet = payerKey.toSuiAddress();
  let payer: AdminPanel;
  const fromPayer = (terms: PayoutTerms): PayoutTerms => ({ ...terms, sender: payerWallet });
  const preparedByPayer = async (recipient: Payee): Promise<PayoutBatch> => {
    const response = await payer.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: [recipient.withdrawal.id] });
    expect(response).toMatchObject({ status: 201, body: { sender: payerWallet } });
    return response.body;
  };
  const executeAsPayer = (batch: PayoutBatch, body: object) =>
    payer.post<PayoutBatch & { message?: string }>(`/api/admin/payouts/${batch.batchId}/execute`, body);

  beforeAll(async () => {
    await fund(chain, payerWallet);
    await sendSnaps(treasury, [{ address: payerWallet, units: 1_000n * UNIT }]);
    payer = await signInAs(server, 'payer', payerKey);
  });

  test('only the wallet that prepared a payout signs it, and the audit log names its person', async () => {
    const recipient = await payee(80);
    const batch = await preparedByPayer(recipient);
    expect(await execute(batch, await sign(batch))).toMatchObject({
      status: 400,
      body: { message: 'The transaction is from another wallet' },
    });
    const before = await snapsOf(payerWallet);
    expect((await executeAsPayer(batch, await sign(batch, fromPayer, payerKey))).body.state).toBe('paid');
    expect(await snapsOf(payerWallet)).toBe(before - 80n * UNIT);
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    const { body } = await panel.get<{ actor: string }[]>(`/api/admin/audit?q=${batch.batchId}&actor=${payerWallet}`);
    expect(body).toHaveLength(3);
  });

  test('a transaction of another wallet is not recorded as a payer’s payout; the owner may record it', async () => {
    const recipient = await payee(80);
    const batch = await preparedByPayer(recipient);
    // Coins that the recipient got from elsewhere.
    const transactionHash = await sendSnaps(treasury, [{ address: recipient.user.address, units: 80n * UNIT }]);
    expect(await executeAsPayer(batch, { transactionHash })).toMatchObject({
      status: 400,
      body: { error: 'not_this_payout', message: 'This transaction is from another wallet' },
    });
    expect((await stateOf(recipient)).state).toBe('sending');
    expect((await execute(batch, { transactionHash })).body.state).toBe('paid');
  });

  test('a sent payout of a revoked payer is paid once, and a prepared one can be cancelled', async () => {
    const [sent, waiting] = [await payee(80), await payee(90)];
    const [batch, other] = [await preparedByPayer(sent), await preparedByPayer(waiting)];
    const signed = await sign(batch, fromPayer, payerKey);
    proxy.fail('execute', 'unavailable');
    await executeAsPayer(batch, signed);
    expect((await stateOf(sent)).state).toBe('sending');
    expect((await panel.post(`/api/admin/people/${payerWallet}/revoke`, { reason: 'Left us' })).status).toBe(200);
    proxy.heal();
    const late = await executeAsPayer(other, await sign(other, fromPayer, payerKey));
    expect(late).toMatchObject({ status: 403, body: { error: 'not_admin' } });
    expect(await recoverPayouts(server.services, Date.now() + 61_000)).toBe(0);
    expect((await stateOf(sent)).state).toBe('paid');
    expect(await snapsOf(sent.user.address)).toBe(80n * UNIT);
    expect((await panel.post(`/api/admin/payouts/${other.batchId}/cancel`)).status).toBe(200);
    expect((await stateOf(waiting)).state).toBe('approved');
    expect(await payingWallets(db, server.services.config)).toContain(payerWallet);
    payer = await signInAs(server, 'payer', payerKey);
  });
});

test('without a coin a batch is recorded by its digest, and the panel explains it [R33]', async () => {
  const plain = await startServer(server.databaseUrl, { env: { ADMIN_WALLET: ADMIN, SNAPS_COIN_TYPE: '' } });
  try {
    const plainPanel = await signInAsAdmin(plain, adminKey);
    const recipient = await payee(80, plain, plainPanel);
    const batch = (
      await plainPanel.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: [recipient.withdrawal.id] })
    ).body;
    expect(batch.coinType).toBeNull();
    const path = `/api/admin/payouts/${batch.batchId}/execute`;
    expect(await plainPanel.post(path, await sign(batch))).toMatchObject({ status: 400, body: { error: 'no_coin' } });
    const transactionHash = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => plainPanel.post<PayoutBatch>(path, { transactionHash })),
    );
    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(responses.map(({ status }) => status)).toContain(200);
    expect((await plainPanel.post(path, { transactionHash })).body).toMatchObject({
      state: 'paid',
      digest: transactionHash,
    });
    expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest: transactionHash });
    expect((await auditOf(transactionHash))[0]).toBe('payout.settle recorded by hand, not verified');

    // Recorded by a server that ended before it was settled.
    const left = await payee(90, plain, plainPanel);
    const { body } = await plainPanel.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: [left.withdrawal.id] });
    const digest = `${transactionHash.slice(0, -1)}T`;
    const recorded = { state: 'sent' as const, digest, sentAt: new Date() };
    await db.updateTable('payoutBatches').set(recorded).where('id', '=', body.batchId).execute();
    expect(await recoverPayouts(plain.services)).toBe(0);
    expect(await stateOf(left)).toMatchObject({ state: 'paid', digest });
    expect(await ledgerOf(left)).toHaveLength(3);
    expect(await auditOf(digest)).toEqual(['payout.settle recorded by hand, not verified']);
  } finally {
    await plain.close();
  }
});

test('nothing is prepared with decimals that the chain contradicts [R33]', async () => {
  // A server that started while the node was away could not ask.
  const wrong = await startServer(server.databaseUrl, { env: { ...env, SNAPS_DECIMALS: '9' } });
  try {
    const wrongPanel = await signInAsAdmin(wrong, adminKey);
    const recipient = await payee(50, wrong, wrongPanel);
    const response = await wrongPanel.post('/api/admin/payouts', { withdrawalIds: [recipient.withdrawal.id] });
    expect(response).toMatchObject({ status: 409, body: { error: 'wrong_coin' } });
    expect((await stateOf(recipient)).state).toBe('approved');
  } finally {
    await wrong.close();
  }
});

describe('the queue [R14 R33]', () => {
  test('a rejected withdrawal releases its hold and rings the bell with the reason, and each step counts once [R78]', async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 100);
    const asked = await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', {
      userId: user.id,
      walletAddress: user.address,
      tokenAmount: 60,
    });
    const { id } = asked.body.withdrawal;
    const queue = await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?state=requested');
    expect(queue.body.find((row) => row.id === id)).toMatchObject({
      userId: user.id,
      walletAddress: user.address,
      tokenAmount: 60,
    });
    const decide = (decision: string, body?: object) => panel.post(`/api/admin/withdrawals/${id}/${decision}`, body);
    const approvals = await Promise.all(Array.from({ length: 5 }, () => decide('approve')));
    expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1);
    const rejections = await Promise.all(
      Array.from({ length: 5 }, () => decide('reject', { reason: 'Looks like a bot' })),
    );
    expect(rejections.filter(({ status }) => status === 200)).toHaveLength(1);
    // A withdrawal that was given back is not paid as well, neither alone nor with others.
    expect(await decide('approve')).toMatchObject({
      status: 409,
      body: { message: 'This withdrawal is rejected' },
    });
    const other = await payee(50);
    for (const withdrawalIds of [[id], [other.withdrawal.id, id], [other.withdrawal.id, 999_999]])
      expect((await panel.post('/api/admin/payouts', { withdrawalIds })).status).toBe(409);
    expect((await stateOf(other)).state).toBe('approved');
    expect(await stateOf({ user, withdrawal: asked.body.withdrawal })).toMatchObject({
      state: 'rejected',
      reason: 'Looks like a bot',
    });
    expect((await user.get<{ tokenBalance: number }>(`/api/users/${user.id}/stats`)).body.tokenBalance).toBe(100);
    await server.allNotified();
    const text = 'Withdrawal of 60 Snaps rejected: Looks like a bot';
    expect((await user.get(`/api/users/${user.id}/notices`)).body).toMatchObject({
      unread: 1,
      notices: [{ kind: 'payout_rejected', text, link: '/portfolio' }],
    });
    const activity = await user.get<{ kind: string; text: string; tokens: number }[]>(`/api/users/${user.id}/activity`);
    expect(activity.body.slice(0, 2)).toMatchObject([
      { kind: 'withdrawal_rejected', tokens: 60, text: 'Withdrawal of 60 Snaps rejected: Looks like a bot' },
      { kind: 'withdrawal_approved', tokens: 0 },
    ]);
    const { body } = await panel.get<{ action: string; detail: string }[]>('/api/admin/audit?q=withdrawal.reject');
    expect(body[0]).toMatchObject({
      detail: `Withdrawal ${id}: 60 Snaps. Reason: Looks like a bot`,
    });
  });

  test('rejects a missing reason, an unknown withdrawal, and an unknown state', async () => {
    const recipient = await payee(50);
    const path = `/api/admin/withdrawals/${recipient.withdrawal.id}/reject`;
    expect((await panel.post(path, { reason: '' })).status).toBe(400);
    expect((await panel.post(path, {})).status).toBe(400);
    expect((await panel.post('/api/admin/withdrawals/999999/approve')).status).toBe(404);
    expect((await panel.get('/api/admin/withdrawals?state=lost')).status).toBe(400);
    expect((await panel.post('/api/admin/payouts', { withdrawalIds: [999_999] })).status).toBe(409);
    expect((await panel.post(`/api/admin/payouts/${crypto.randomUUID()}/cancel`)).status).toBe(404);
  });
});
