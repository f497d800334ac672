import { Transaction } from '@mysten/sui/transactions';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { AdminPayment, Payment } from '#shared/contract/payments.ts';
import type { Activity } from '#shared/contract/users.ts';
import { recoverPayments } from './recover.ts';
import { MAX_PAID_PERIODS, MAX_PERIODS } from '../orders/order.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, listOften } from '#lab/testing/builders.ts';
import { balanceMist, fundedWallet, pay, send, sharedChain } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import {
  executeSigned,
  newDraft,
  prepareRenewal,
  prepareSubmit,
  signedRenewal,
  signedSubmit,
  submitPaid,
} from '#lab/testing/drafts.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const chain = sharedChain();
const server = await createTestApp();
const { services } = server;
const { db } = services;

const payer = async (): Promise<TestUser> => newUser(server, await fundedWallet(chain));
const payments = async (user: TestUser) => (await user.get<Payment[]>('/api/payments')).body;
const activity = async (user: TestUser) => (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
const auditOf = (paymentId: string) =>
  db
    .selectFrom('auditLog')
    .select(['action', 'actor', 'detail'])
    .where('detail', 'like', `Payment ${paymentId}%`)
    .execute();
async function recoverNow(user: TestUser): Promise<void> {
  await sql`UPDATE payments SET next_try_at = now() WHERE user_id = ${user.id}`.execute(db);
  await recoverPayments(services);
}

test('a payment that was mistaken for too small is looked up again for a day [R16 R17]', async () => {
  const user = await payer();
  const { paymentId } = (await prepareSubmit(user, await newDraft())).body;
  const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
  await db
    .updateTable('payments')
    .set({ state: 'failed', failureCode: 'amount_too_small', digest, signedAt: sql`now()`, nextTryAt: sql`now()` })
    .where('id', '=', paymentId)
    .execute();
  await recoverPayments(services);
  expect(await payments(user)).toMatchObject([{ state: 'fulfilled', phase: 'done' }]);
});

test('a payment is received, not failed, when our own database temporarily refuses the order [R16]', async () => {
  const user = await payer();
  const { draft, paymentId, signed } = await signedSubmit(chain, user);
  expect((await executeSigned(user, paymentId, signed)).status).toBe(200);
  expect(await payments(user)).toMatchObject([{ phase: 'received' }]);
  const kept = await db.selectFrom('payments').select('draft').where('id', '=', paymentId).executeTakeFirstOrThrow();
  const store = (value: unknown) =>
    sql`UPDATE payments SET draft = ${JSON.stringify(value)} WHERE id = ${paymentId}`.execute(db);
  await store({ name: null });
  expect(await submitPaid(user, draft, signed.digest)).toMatchObject({
    status: 202,
    body: {
      phase: 'received',
      message: expect.stringMatching(/^Payment received, finishing\. You do not have to pay/),
    },
  });
  await store(kept.draft);
  expect((await submitPaid(user, draft, signed.digest)).status).toBe(201);
});

describe('one order is paid once', () => {
  test('a second payment for an order cannot be prepared while one is pending [R16]', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    const { paymentId, signed } = await signedRenewal(chain, user, projectId);
    expect((await executeSigned(user, paymentId, signed)).status).toBe(200);
    expect(await prepareRenewal(user, projectId)).toMatchObject({
      status: 409,
      body: { error: 'payment_open', paymentId, phase: 'received', message: expect.stringContaining('already paying') },
    });
    await user.post(`/api/projects/${projectId}/renew`, { transactionHash: signed.digest });
    expect((await prepareRenewal(user, projectId)).status).toBe(201);
  });

  test('when two tabs have both signed, one executes and the other is refused before money moves [R16]', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    const ids = [
      (await prepareRenewal(user, projectId)).body.paymentId,
      (await prepareRenewal(user, projectId)).body.paymentId,
    ];
    const before = await balanceMist(chain, user.address);
    // Each from a separate coin, so that only the server prevents the second payment.
    const split = new Transaction();
    split.setSender(user.address);
    split.transferObjects([split.splitCoins(split.gas, [50_000_000_000n])], user.address);
    await send(chain, [user.wallet], split);
    const { objects } = await chain.client.core.listCoins({ owner: user.address });
    const signedBy = async (at: number) => {
      const coin = objects[at];
      if (!coin) throw new Error('coin expected');
      const tx = new Transaction();
      tx.setSender(user.address);
      tx.setGasPayment([coin]);
      tx.transferObjects([tx.splitCoins(tx.gas, [RENEW_FEE_MIST])], ADMIN_KEYPAIR.toSuiAddress());
      return user.wallet.signTransaction(await tx.build({ client: chain.client }));
    };
    const proofs = [await signedBy(0), await signedBy(1)];
    const responses = await Promise.all(
      ids.map((id, at) => executeSigned(user, id, proofs[at] ?? { bytes: '', signature: '' })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'payment_open' });
    expect(before - (await balanceMist(chain, user.address))).toBeLessThan(RENEW_FEE_MIST + 50_000_000n);
  });
});

describe('cancelling a payment', () => {
  const cancel = (user: TestUser, id: string) => user.post(`/api/payments/${id}/cancel`);

  test('cancelling a payment that was not executed invalidates its signature, and can be repeated [R16]', async () => {
    const user = await payer();
    const { paymentId, signed } = await signedSubmit(chain, user);
    const before = await balanceMist(chain, user.address);
    for (let i = 0; i < 2; i += 1)
      expect(await cancel(user, paymentId)).toMatchObject({
        status: 200,
        body: { state: 'expired', phase: 'not_paid' },
      });
    expect(await executeSigned(user, paymentId, signed)).toMatchObject({
      status: 409,
      body: { error: 'payment_expired', nothingPaid: true },
    });
    expect(await balanceMist(chain, user.address)).toBe(before);
  });

  test('cancelling an executed payment, or another user’s, is refused [R16 R3]', async () => {
    const user = await payer();
    const { paymentId, signed } = await signedSubmit(chain, user);
    expect((await cancel(await newUser(server), paymentId)).status).toBe(404);
    await executeSigned(user, paymentId, signed);
    expect(await cancel(user, paymentId)).toMatchObject({ status: 409, body: { error: 'payment_sent' } });
    expect(await payments(user)).toMatchObject([{ phase: 'received' }]);
  });
});

test('the number of digests that no node has seen is limited per user, and they delay no other user [R17]', async () => {
  const [mallory, user] = [await newUser(server), await payer()];
  await db
    .insertInto('payments')
    .columns([
      'userId',
      'purpose',
      'state',
      'failureCode',
      'draft',
      'orderHash',
      'amountMist',
      'digest',
      'signedAt',
      'nextTryAt',
      'expiresAt',
    ])
    .expression(
      sql`SELECT ${mallory.id}, 'renew', (CASE n % 2 WHEN 0 THEN 'signed' ELSE 'failed' END)::payment_state, CASE n % 2 WHEN 1 THEN 'rejected' END, '{}', 'x' || n, 1, 'made up ' || n, now(), now() - interval '1 hour', now()
        FROM generate_series(1, 300) n`,
    )
    .execute();
  const tooMany = { status: 429, body: { error: 'too_many_open' } };
  const transactionHash = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
  expect(await submitPaid(mallory, await newDraft(), transactionHash)).toMatchObject(tooMany);
  const own = (await prepareSubmit(mallory, await newDraft())).body.paymentId;
  const named = await mallory.post(`/api/payments/${own}/execute`, { transactionHash });
  expect(named).toMatchObject(tooMany);
  // A browser may not take this for the end of the payment.
  expect(named.body).not.toHaveProperty('nothingPaid');
  const { paymentId, signed } = await signedSubmit(chain, user);
  await executeSigned(user, paymentId, signed);
  await recoverNow(user);
  expect(await payments(user)).toMatchObject([{ state: 'fulfilled' }]);
  await db.deleteFrom('payments').where('userId', '=', mallory.id).execute();
});

test('a user may have at most five digests that no node has seen; those that the server sends do not count [R17]', async () => {
  const user = await payer();
  const insert = (count: number, transaction: Buffer | null) =>
    db
      .insertInto('payments')
      .values(
        Array.from({ length: count }, (_, n) => ({
          userId: user.id,
          purpose: 'renew',
          state: 'signed',
          draft: '{}',
          orderHash: `${count} ${n}`,
          amountMist: 1,
          digest: `made up ${count} ${n}`,
          transaction,
          nextTryAt: sql<Date>`now() + interval '1 hour'`,
          expiresAt: sql<Date>`now()`,
        })),
      )
      .execute();
  await insert(4, null);
  await insert(9, Buffer.from('signed'));
  const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
  expect((await submitPaid(user, await newDraft(), digest)).status).toBe(201);
  await insert(1, null);
  const next = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
  expect((await submitPaid(user, await newDraft(), next)).status).toBe(429);
  await db.deleteFrom('payments').where('userId', '=', user.id).execute();
});

describe('decisions of the admin on payments', async () => {
  const panel = await signInAsAdmin(server);
  const resolve = (id: string, body: object) => panel.post<AdminPayment>(`/api/admin/payments/${id}/resolve`, body);

  async function sponsored(): Promise<{ user: TestUser; sponsor: string; paymentId: string; digest: string }> {
    const [user, sponsor] = [await payer(), await fundedWallet(chain)];
    const tx = new Transaction();
    tx.setSender(user.address);
    tx.setGasOwner(sponsor.toSuiAddress());
    tx.transferObjects([tx.splitCoins(tx.gas, [SUBMIT_FEE_MIST])], ADMIN_KEYPAIR.toSuiAddress());
    const digest = await send(chain, [user.wallet, sponsor], tx);
    expect((await submitPaid(user, await newDraft(), digest)).status).toBe(409);
    const [payment] = await payments(user);
    return { user, sponsor: sponsor.toSuiAddress(), paymentId: payment?.paymentId ?? '', digest };
  }

  test('a refund names the sponsor whose money it was, its amount and digest, and is in the audit log [R17 R33 R36]', async () => {
    const { user, sponsor, paymentId, digest } = await sponsored();
    const { body } = await panel.get<AdminPayment[]>('/api/admin/payments?state=unclaimed');
    expect(body.find((payment) => payment.paymentId === paymentId)).toMatchObject({
      walletAddress: user.address,
      paidBy: sponsor,
    });
    const note = 'Sent back';
    for (const wrong of [{ amountMist: '0' }, { amountMist: '15000000001' }, { transactionHash: '0'.repeat(40) }])
      expect((await resolve(paymentId, { resolution: 'refunded', note, ...wrong })).status).toBe(400);
    const transactionHash = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
    const response = await resolve(paymentId, {
      resolution: 'refunded',
      note,
      amountMist: '14000000000',
      transactionHash,
    });
    expect(response).toMatchObject({
      status: 200,
      body: {
        state: 'refunded',
        phase: 'refunded',
        refundedMist: '14000000000',
        refundTransactionHash: transactionHash,
      },
    });
    expect((await activity(user))[0]).toMatchObject({
      kind: 'payment_refunded',
      text: 'Your payment was refunded, 14 SUI: Sent back',
      amountMist: '14000000000',
      digest: transactionHash,
    });
    expect((await resolve(paymentId, { resolution: 'refunded', note })).status).toBe(409);
    expect(await auditOf(paymentId)).toEqual([
      {
        action: 'payment.refund',
        actor: ADMIN_KEYPAIR.toSuiAddress(),
        detail: `Payment ${paymentId}: 14 SUI were refunded by transaction ${transactionHash}. Reason: Sent back`,
      },
    ]);
    // Refunded money pays for nothing.
    expect(await submitPaid(user, await newDraft(), digest)).toMatchObject({
      status: 409,
      body: { error: 'digest_used' },
    });
  });

  test('a payment that is refunded while it is being credited is not credited as well [R33]', async () => {
    const { user, paymentId } = await sponsored();
    const [locked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const refund = db.transaction().execute(async (trx) => {
      await trx.updateTable('payments').set({ state: 'refunded' }).where('id', '=', paymentId).execute();
      locked.resolve();
      await decided.promise;
    });
    await locked.promise;
    const credit = resolve(paymentId, { resolution: 'credited', note: 'Welcome' });
    await expect
      .poll(
        async () =>
          (
            await sql`SELECT 1 FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%for update%'`.execute(db)
          ).rows.length,
      )
      .toBe(1);
    decided.resolve();
    await refund;
    expect(await credit).toMatchObject({ status: 409, body: { error: 'not_unclaimed' } });
    expect(await payments(user)).toMatchObject([{ state: 'refunded' }]);
    expect(await db.selectFrom('projects').select('id').where('ownerId', '=', user.id).execute()).toEqual([]);
  });

  test('a payment that does not wait for a decision is neither refunded nor credited [R33]', async () => {
    const user = await payer();
    const { paymentId, signed } = await signedSubmit(chain, user);
    const decide = async () =>
      Promise.all(['refunded', 'credited'].map((resolution) => resolve(paymentId, { resolution, note: 'Why not' })));
    const refused = { status: 409, body: { error: 'not_unclaimed' } };
    expect(await decide()).toMatchObject([refused, refused]);
    await executeSigned(user, paymentId, signed);
    expect(await decide()).toMatchObject([refused, refused]);
    expect(await payments(user)).toMatchObject([{ state: 'paid' }]);
  });

  test('an order for a project that has changed hands waits for a decision [R19]', async () => {
    const [user, other] = [await payer(), await newUser(server)];
    const projectId = await insertProject(db, { ownerId: user.id });
    const { paymentId, signed } = await signedRenewal(chain, user, projectId);
    await executeSigned(user, paymentId, signed);
    await db.updateTable('projects').set({ ownerId: other.id }).where('id', '=', projectId).execute();
    await recoverNow(user);
    const { body } = await panel.get<AdminPayment[]>('/api/admin/payments?state=unclaimed');
    expect(body.find((payment) => payment.paymentId === paymentId)).toMatchObject({
      failure: 'project_not_owner',
      note: 'The project belongs to another user. The admin will refund or credit it.',
    });
  });

  test('a paid renewal finds room beyond the limit, and waits for a decision without any [R16 R19]', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    const pay = async () => {
      await listOften(db, projectId, MAX_PERIODS - 1);
      const { paymentId, signed } = await signedRenewal(chain, user, projectId);
      await executeSigned(user, paymentId, signed);
    };
    await pay();
    await listOften(db, projectId, MAX_PAID_PERIODS - 1);
    await recoverNow(user);
    expect(await payments(user)).toMatchObject([{ state: 'fulfilled' }]);
    await pay();
    await listOften(db, projectId, MAX_PAID_PERIODS);
    await recoverNow(user);
    expect(await payments(user)).toMatchObject([{ state: 'unclaimed', phase: 'review' }, { state: 'fulfilled' }]);
    const { body } = await panel.get<AdminPayment[]>('/api/admin/payments?state=unclaimed');
    expect(body.find((payment) => payment.walletAddress === user.address)).toMatchObject({ failure: 'project_full' });
  });

  /** A renewal that was paid while the project was hidden. */
  async function payForHidden() {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    const { paymentId, signed } = await signedRenewal(chain, user, projectId);
    await executeSigned(user, paymentId, signed);
    const hide = (hidden: boolean) =>
      sql`UPDATE projects SET hidden_at = CASE WHEN ${hidden} THEN now() END WHERE id = ${projectId}`.execute(db);
    await hide(true);
    await recoverNow(user);
    return { user, paymentId, hide };
  }

  test('a credit that cannot be carried out leaves the payment waiting and adds nothing to the payer’s activity [R36]', async () => {
    const { user, paymentId, hide } = await payForHidden();
    expect(await activity(user)).toHaveLength(1);
    for (let i = 0; i < 2; i += 1)
      expect((await resolve(paymentId, { resolution: 'credited', note: 'try' })).status).toBe(409);
    expect(await activity(user)).toMatchObject([{ kind: 'payment_unclaimed' }]);
    expect(await payments(user)).toMatchObject([{ state: 'unclaimed', phase: 'review' }]);
    await hide(false);
    expect(await resolve(paymentId, { resolution: 'credited', note: 'sorry' })).toMatchObject({
      body: { state: 'fulfilled' },
    });
    expect((await resolve(paymentId, { resolution: 'credited', note: 'again' })).status).toBe(409);
    expect(await auditOf(paymentId)).toMatchObject([
      { action: 'payment.credit', detail: `Payment ${paymentId} was credited. Reason: sorry` },
    ]);
  });

  test('a credit and its line in the audit log come together, once for two admins at once [R36]', async () => {
    const { user, paymentId, hide } = await payForHidden();
    await hide(false);
    const credit = () => resolve(paymentId, { resolution: 'credited', note: 'sorry' });
    await sql`ALTER TABLE audit_log ADD CONSTRAINT no_credit CHECK (action <> 'payment.credit') NOT VALID`.execute(db);
    expect((await credit()).status).toBe(500);
    expect(await payments(user)).toMatchObject([{ state: 'unclaimed' }]);
    await sql`ALTER TABLE audit_log DROP CONSTRAINT no_credit`.execute(db);
    const statuses = (await Promise.all([credit(), credit()])).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await auditOf(paymentId)).toHaveLength(1);
  });
});
