import { randomBytes } from 'node:crypto';
import { toBase58 } from '@mysten/sui/utils';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { AdminPayment, Payment } from '#shared/contract/payments.ts';
import { resolve } from '../payments/admin.ts';
import { createTestApp, startServer } from '../testing/app.ts';
import { insertProject } from '../testing/builders.ts';
import { fundedWallet, pay, sharedChain, signPayment } from '../testing/chain.ts';
import { newUser, type TestUser } from '../testing/client.ts';
import { executeSigned, newDraft, prepareSubmit } from '../testing/drafts.ts';
import { recoverPayments } from './recover-payments.ts';
import { type Job, runOnce, startScheduler } from './scheduler.ts';

const chain = sharedChain();
const server = await createTestApp();
const { services } = server;
const { db } = services;

const payer = async () => newUser(server, await fundedWallet(chain));
const due = (user: TestUser) =>
  db
    .updateTable('payments')
    .set({ nextTryAt: sql`now()` })
    .where('userId', '=', user.id)
    .execute();
const payments = async (user: TestUser) => (await user.get<Payment[]>('/api/payments')).body;

describe('[R16] recoverPayments', () => {
  test('expires drafts that were never signed, and nothing else', async () => {
    const user = await payer();
    const [late, open] = [await prepareSubmit(user, await newDraft()), await prepareSubmit(user, await newDraft())];
    await db
      .updateTable('payments')
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where('id', '=', late.body.paymentId)
      .execute();
    expect(await recoverPayments(services)).toMatchObject({ expired: 1, finished: 0 });
    expect(await payments(user)).toMatchObject([
      { paymentId: open.body.paymentId, state: 'draft' },
      { paymentId: late.body.paymentId, state: 'expired' },
    ]);
  });

  test('fulfils what was paid and left, once, however often and from however many servers it runs', async () => {
    const user = await payer();
    const draft = await newDraft();
    const { paymentId } = (await prepareSubmit(user, draft)).body;
    await executeSigned(user, paymentId, await signPayment(chain, user.wallet, SUBMIT_FEE_MIST));
    await recoverPayments(services);
    expect(await payments(user)).toMatchObject([{ state: 'paid' }]);
    await due(user);
    const other = await startServer(server.databaseUrl);
    try {
      await Promise.all([services, other.services, services, other.services].map(recoverPayments));
    } finally {
      await other.close();
    }
    expect(await payments(user)).toMatchObject([{ state: 'fulfilled', projectName: draft.name }]);
    const projects = await db.selectFrom('projects').select('name').where('ownerId', '=', user.id).execute();
    expect(projects).toEqual([{ name: draft.name }]);
  });

  test('sets aside what was paid for a project that is gone; the admin credits it once the project is back, or refunds it', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    const prepared = await user.post<{ paymentId: string }>('/api/payments', { purpose: 'renew', projectId });
    await executeSigned(user, prepared.body.paymentId, await signPayment(chain, user.wallet, RENEW_FEE_MIST));
    await db
      .updateTable('projects')
      .set({ hiddenAt: sql`now()` })
      .where('id', '=', projectId)
      .execute();
    await due(user);
    await recoverPayments(services);
    expect(await payments(user)).toMatchObject([
      { state: 'unclaimed', note: expect.stringContaining('hidden by the admin') },
    ]);
    const id = prepared.body.paymentId;
    await expect(resolve(services, id, { resolution: 'credited', note: 'try' })).rejects.toMatchObject({ status: 409 });
    await db.updateTable('projects').set({ hiddenAt: null }).where('id', '=', projectId).execute();
    const credited = await resolve(services, id, { resolution: 'credited', note: 'sorry' });
    expect(credited).toMatchObject({ state: 'fulfilled', walletAddress: user.address } satisfies Partial<AdminPayment>);
    await expect(resolve(services, id, { resolution: 'refunded', note: 'twice?' })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('a refund is told to the payer, and cannot be decided twice', async () => {
    const user = await payer();
    const transactionHash = await pay(chain, user.wallet, 1_000_000n);
    const projectId = await insertProject(db, { ownerId: user.id });
    await user.post(`/api/projects/${projectId}/renew`, { transactionHash });
    const [waiting] = await payments(user);
    expect(waiting).toMatchObject({ state: 'unclaimed', receivedMist: '1000000' });
    const decided = await resolve(services, waiting?.paymentId ?? '', {
      resolution: 'refunded',
      note: 'Sent back in 8xk',
    });
    expect(decided).toMatchObject({ state: 'refunded', note: 'Sent back in 8xk', failure: 'amount_too_small' });
    const { body } = await user.get<Array<{ text: string }>>(`/api/users/${user.id}/activity`);
    expect(body[0]?.text).toBe('Your payment was refunded, 0.001 SUI: Sent back in 8xk');
  });

  test('an order that keeps failing for reasons of our own waits for a person in the end', async () => {
    const user = await payer();
    const { paymentId } = (await prepareSubmit(user, await newDraft())).body;
    await executeSigned(user, paymentId, await signPayment(chain, user.wallet, SUBMIT_FEE_MIST));
    await db
      .updateTable('payments')
      .set({ draft: JSON.stringify({ name: null }), tries: 18, nextTryAt: sql`now()` })
      .where('id', '=', paymentId)
      .execute();
    expect(await recoverPayments(services)).toMatchObject({ waiting: 1 });
    expect(await payments(user)).toMatchObject([{ state: 'paid' }]);
    await due(user);
    await recoverPayments(services);
    expect(await payments(user)).toMatchObject([
      { state: 'unclaimed', note: expect.stringContaining('The admin will look at it') },
    ]);
  });

  test('the pauses between the tries of one payment double from 5 seconds to 5 minutes, and grow no more [R17]', async () => {
    const user = await payer();
    const { paymentId } = (await prepareSubmit(user, await newDraft())).body;
    // Signed by nobody, so that no node ever shows it.
    const transactionHash = toBase58(randomBytes(32));
    const now = async () =>
      (await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(db)).rows[0]?.now.getTime() ?? 0;
    for (const [tries, pauseSeconds] of [
      [0, 5],
      [1, 10],
      [5, 160],
      [6, 300],
      [7, 300],
      [2_000, 300],
    ] as const) {
      const change = { state: 'signed', digest: transactionHash, signedAt: sql<Date>`now()`, tries };
      await db
        .updateTable('payments')
        .set({ ...change, nextTryAt: sql<Date>`now()` })
        .where('id', '=', paymentId)
        .execute();
      const startedMs = await now();
      expect(await recoverPayments(services)).toMatchObject({ waiting: 1 });
      const row = await db
        .selectFrom('payments')
        .select(['nextTryAt', 'tries'])
        .where('id', '=', paymentId)
        .executeTakeFirstOrThrow();
      const triedMs = row.nextTryAt.getTime() - pauseSeconds * 1000;
      expect(triedMs).toBeGreaterThanOrEqual(startedMs - 1);
      expect(triedMs).toBeLessThanOrEqual(await now());
      expect(row.tries).toBe(tries + 1);
    }
    await db.deleteFrom('payments').where('id', '=', paymentId).execute();
  });

  test('a transaction that a node refused and another executed after all is found and fulfilled', async () => {
    const user = await payer();
    const draft = await newDraft();
    const { paymentId } = (await prepareSubmit(user, draft)).body;
    const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    await db
      .updateTable('payments')
      .set({ state: 'failed', failure: 'rejected', digest, signedAt: sql`now()`, nextTryAt: sql`now()` })
      .where('id', '=', paymentId)
      .execute();
    await recoverPayments(services);
    expect(await payments(user)).toMatchObject([{ state: 'fulfilled', projectName: draft.name }]);
  });
});

describe('the scheduler', () => {
  const job = (name: string, run: Job['run'], intervalMs = 60_000): Job => ({ name, intervalMs, run });

  test('several servers run each job once per interval', async () => {
    const run = vi.fn<() => Promise<void>>(async () => undefined);
    const shared = job('shared', run);
    const ran = await Promise.all(Array.from({ length: 6 }, () => runOnce(services, shared)));
    expect(ran.filter(Boolean)).toHaveLength(1);
    expect(run).toHaveBeenCalledTimes(1);
    expect(await runOnce(services, shared)).toBe(false);
    await db
      .updateTable('jobRuns')
      .set({ startedAt: sql`now() - interval '1 hour'` })
      .where('name', '=', 'shared')
      .execute();
    expect(await runOnce(services, shared)).toBe(true);
  });

  test('a run that takes longer than its interval is not joined by a second one', async () => {
    let finish: () => void = () => undefined;
    const slow = job('slow', () => new Promise<void>((resolve) => (finish = resolve)), 0);
    const first = runOnce(services, slow);
    await vi.waitFor(async () =>
      expect(await db.selectFrom('jobRuns').select('name').where('name', '=', 'slow').execute()).toHaveLength(1),
    );
    expect(await runOnce(services, slow)).toBe(false);
    finish();
    expect(await first).toBe(true);
  });

  test('a connection that the database cuts during a job fails the job, and nothing else', async () => {
    const work = Promise.withResolvers<void>();
    const begun = vi.fn<() => Promise<void>>(() => work.promise);
    const outcome = runOnce(services, job('cut', begun, 0)).catch((error: Error) => error);
    await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(1));
    const cut = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE state = 'idle in transaction' AND datname = current_database()`.execute(db);
    expect(cut.rows).toHaveLength(1);
    const next = job('cut', async () => undefined, 0);
    await vi.waitFor(async () => expect(await runOnce(services, next)).toBe(true));
    work.resolve();
    expect(await outcome).toBeInstanceOf(Error);
  });

  test('a job that throws is logged and tried again; stop() waits for what is running and starts nothing more', async () => {
    const error = vi.spyOn(services.log, 'error');
    let runs = 0;
    const scheduler = startScheduler(services, [
      job(
        'broken',
        async () => {
          runs += 1;
          throw new Error('broken');
        },
        5,
      ),
    ]);
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2));
    await scheduler.stop();
    const atStop = runs;
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ job: 'broken' }), 'job failed');
    await runOnce(
      services,
      job('other', async () => undefined),
    );
    expect(runs).toBe(atStop);
  });
});
