import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { lookUpTransaction, submitTransaction } from '#chain/transactions.ts';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { Payment } from '#shared/contract/payments.ts';
import type { ProjectDraft } from '#shared/contract/projects.ts';
import { recoverPayments } from './recover.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { type ChainFault, startChainProxy } from '#lab/testing/chain-proxy.ts';
import { balanceMist, fundedWallet, pay, sharedChain, type Signed, signPayment } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { executeSigned, newDraft, prepareSubmit, signedSubmit, submitPaid } from '#lab/testing/drafts.ts';

const chain = sharedChain();
const proxy = await startChainProxy(chain.rpcUrl);
afterAll(() => proxy.close());
const server = await createTestApp({ env: { SUI_RPC_URL: proxy.url } });
const { services } = server;
const { db, sui } = services;

beforeEach(() => {
  proxy.heal();
  proxy.hidesChanges = false;
});

/** Results that reveal nothing about a transaction, for any request. */
const NO_WORD: ChainFault[] = ['unavailable', 'deadline', 'exhausted', 'aborted', 'internal', 'limited', 'cut'];
const SHORT_MS = 100;
const UNKNOWN_DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';

describe('a payment after each response of a node', () => {
  const submit = async ({ bytes, signature }: Signed, timeoutMs?: number) =>
    submitTransaction(sui, Buffer.from(bytes, 'base64'), signature, timeoutMs);
  const signed = async () => signPayment(chain, await fundedWallet(chain), 1n);

  test('an execution that fails in any way other than a rejection may have happened [R17]', async () => {
    const transaction = await signed();
    for (const fault of NO_WORD) {
      proxy.fail('execute', fault);
      expect([fault, await submit(transaction)]).toEqual([fault, { state: 'unknown' }]);
    }
    proxy.fail('execute', 'silence');
    expect(await submit(transaction, SHORT_MS)).toEqual({ state: 'unknown' });
    proxy.fail('execute', 'refused');
    expect(await submit(transaction)).toEqual({ state: 'rejected', reason: 'made to be refused' });
    proxy.heal();
    expect(await submit(transaction)).toMatchObject({ state: 'executed', transaction: { digest: transaction.digest } });
  });

  test('only a node that responds can report a transaction as unseen [R17]', async () => {
    const digest = await pay(chain, await fundedWallet(chain), 1n);
    for (const fault of NO_WORD) {
      proxy.fail('lookUp', fault);
      expect([fault, await lookUpTransaction(sui, digest)]).toEqual([fault, { state: 'unreachable' }]);
    }
    proxy.fail('lookUp', 'silence');
    expect(await lookUpTransaction(sui, digest, SHORT_MS)).toEqual({ state: 'unreachable' });
    proxy.fail('lookUp', 'unseen');
    expect(await lookUpTransaction(sui, digest)).toEqual({ state: 'unseen' });
    proxy.heal();
    expect(await lookUpTransaction(sui, digest)).toMatchObject({ state: 'found', transaction: { digest } });
    expect(await lookUpTransaction(sui, UNKNOWN_DIGEST)).toEqual({ state: 'unseen' });
  });
});

interface Ordered {
  user: TestUser;
  draft: ProjectDraft;
  paymentId: string;
  signed: Signed;
  beforeMist: bigint;
}

async function order(): Promise<Ordered> {
  const user = await newUser(server, await fundedWallet(chain));
  const order = await signedSubmit(chain, user, services.config.adminWallet);
  return { user, ...order, beforeMist: await balanceMist(chain, user.address) };
}

/** Another program sends the signed transaction. */
const executeElsewhere = ({ signed: { bytes, signature } }: Ordered) =>
  chain.client.core.executeTransaction({ transaction: Buffer.from(bytes, 'base64'), signatures: [signature] });

const execute = ({ user, paymentId, signed }: Ordered) => executeSigned(user, paymentId, signed);
const payments = async ({ user }: Ordered) => (await user.get<Payment[]>('/api/payments')).body;

/** One round of the job, for this payment as if its pause were over. */
async function runJob({ paymentId }: Ordered): Promise<void> {
  await db
    .updateTable('payments')
    .set({ nextTryAt: sql`now()` })
    .where('id', '=', paymentId)
    .execute();
  await recoverPayments(services);
}

const LOOKING = { status: 202, body: { status: 'pending', phase: 'looking' } };

/** Pending for the request and for the job: no response says that nothing was paid. */
async function expectPending(ordered: Ordered): Promise<void> {
  expect(await execute(ordered)).toMatchObject(LOOKING);
  await runJob(ordered);
  expect(await payments(ordered)).toMatchObject([{ state: 'signed', note: null }]);
  expect(await execute(ordered)).toMatchObject(LOOKING);
}

/** Result of the job when the chain works again, and the number of fees that have left the wallet. */
async function recovered(ordered: Ordered) {
  proxy.heal();
  await runJob(ordered);
  const spentMist = ordered.beforeMist - (await balanceMist(chain, ordered.user.address));
  return { payments: await payments(ordered), fees: spentMist / SUBMIT_FEE_MIST };
}

const FULFILLED_ONCE = { payments: [{ state: 'fulfilled' }], fees: 1n };

describe('a payment whose execution and look-up fail in different ways', () => {
  test.each<[fault: ChainFault, isDone: boolean]>([
    ['unavailable', false],
    ['unavailable', true],
    ['deadline', false],
    ['cut', true],
  ])('execution %s (done: %s), look-ups say unseen: pending, paid once in the end [R16 R17]', async (fault, isDone) => {
    const ordered = await order();
    proxy.fail('execute', fault, { isDone });
    proxy.fail('lookUp', 'unseen');
    await expectPending(ordered);
    expect(await recovered(ordered)).toMatchObject(FULFILLED_ONCE);
  });

  test('a payer cannot prepare a second payment while the first is open, and another user can [R16]', async () => {
    const ordered = await order();
    proxy.fail('execute', 'unavailable');
    expect(await execute(ordered)).toMatchObject(LOOKING);
    expect(await prepareSubmit(ordered.user, ordered.draft)).toMatchObject({
      status: 409,
      body: { error: 'payment_open', paymentId: ordered.paymentId, phase: 'looking' },
    });
    expect((await prepareSubmit(await newUser(server), ordered.draft)).status).toBe(201);
  });

  test('a payment counts that a node executed without reporting what it moved [R16 R17]', async () => {
    proxy.hidesChanges = true;
    const ordered = await order();
    expect(await execute(ordered)).toMatchObject({ status: 200 });
    expect((await submitPaid(ordered.user, ordered.draft, ordered.signed.digest)).status).toBe(201);
  });

  test('a payment is not called too small for a day while no node reports what it moved [R16 R17]', async () => {
    const ordered = await order();
    proxy.hidesChanges = true;
    proxy.fail('lookUp', 'unseen');
    const age = (time: string) =>
      sql`UPDATE payments SET signed_at = now() - ${time}::interval WHERE id = ${ordered.paymentId}`.execute(db);
    await expectPending(ordered);
    await age('23 hours 55 minutes');
    await expectPending(ordered);
    await age('24 hours 1 minute');
    await runJob(ordered);
    expect(await payments(ordered)).toMatchObject([{ state: 'failed', note: expect.stringContaining('the fee') }]);
  });

  test('the job finds a payment that a node refused and that others executed later [R16 R17]', async () => {
    const ordered = await order();
    proxy.fail('execute', 'refused');
    expect(await execute(ordered)).toMatchObject({
      status: 409,
      body: { error: 'payment_failed', nothingPaid: true, message: expect.stringContaining('nothing was paid') },
    });
    await runJob(ordered);
    expect(await payments(ordered)).toMatchObject([{ state: 'failed' }]);
    await executeElsewhere(ordered);
    proxy.fail('lookUp', 'unavailable');
    await runJob(ordered);
    expect(await payments(ordered)).toMatchObject([{ state: 'failed' }]);
    expect(await recovered(ordered)).toMatchObject(FULFILLED_ONCE);
  });

  test('a payment that the node refuses stays pending while no node can say whether it is on chain [R17]', async () => {
    const ordered = await order();
    proxy.fail('execute', 'refused', { isDone: true });
    proxy.fail('lookUp', 'unavailable');
    await expectPending(ordered);
    expect(await recovered(ordered)).toMatchObject(FULFILLED_ONCE);
  });

  test('a payment that was refused, executed by others and named for another order pays for that one alone [R16 R17]', async () => {
    const ordered = await order();
    proxy.fail('execute', 'refused');
    expect(await execute(ordered)).toMatchObject({ status: 409, body: { error: 'payment_failed' } });
    await executeElsewhere(ordered);
    const { digest } = ordered.signed;
    expect((await submitPaid(ordered.user, await newDraft(), digest)).status).toBe(201);
    await runJob(ordered);
    expect(await payments(ordered)).toMatchObject([
      { state: 'fulfilled', transactionHash: digest },
      { paymentId: ordered.paymentId, state: 'failed' },
    ]);
    const projects = await db.selectFrom('projects').select('id').where('ownerId', '=', ordered.user.id).execute();
    expect(projects).toHaveLength(1);
  });
});
