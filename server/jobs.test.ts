import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { AdminPayment, Payment } from '#shared/contract/payments.ts';
import { resolve } from '#server/money/orders/resolve.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertChallenge } from '#server/people/auth/queries.ts';
import { behindTheTriggers, insertProject, insertProjects } from '#lab/testing/builders.ts';
import { fundedWallet, pay, sharedChain, signPayment } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { insertUsers, insertVotesAt, timeOf } from '#lab/testing/record.ts';
import { executeSigned, newDraft, prepareSubmit } from '#lab/testing/drafts.ts';
import type { Services } from '#server/kit/services.ts';
import { readStorage } from '#server/kit/storage.ts';
import { closeToday } from '#lab/testing/close.ts';
import { recoverPayments } from '#server/money/payments/recover.ts';
import { jobs } from './jobs.ts';
import { conflict } from './kit/http/errors.ts';
import { readJobs } from './kit/job-states.ts';
import { type Job, runOnce, startScheduler } from './kit/scheduler.ts';

const chain = sharedChain();
const server = await createTestApp();
const { services } = server;
const { db } = services;

const WHO = { actor: 'test', ip: null };
const payer = async () => newUser(server, await fundedWallet(chain));
const due = (user: TestUser) =>
  db
    .updateTable('payments')
    .set({ nextTryAt: sql`now()` })
    .where('userId', '=', user.id)
    .execute();
const payments = async (user: TestUser) => (await user.get<Payment[]>('/api/payments')).body;

describe('recoverPayments [R16]', () => {
  test('recoverPayments expires drafts that were never signed, and nothing else', async () => {
    const user = await payer();
    const [late, open] = [await prepareSubmit(user, await newDraft()), await prepareSubmit(user, await newDraft())];
    await db
      .updateTable('payments')
      .set({ expiresAt: sql`now() - interval '1 second'`, updatedAt: sql`now() - interval '1 hour'` })
      .where('id', '=', late.body.paymentId)
      .execute();
    const startedMs = Date.now();
    expect(await recoverPayments(services)).toMatchObject({ expired: 1, finished: 0 });
    const [, expired] = await payments(user);
    expect(Date.parse(expired?.updatedAt ?? '')).toBeGreaterThan(startedMs - 60_000);
    expect(await payments(user)).toMatchObject([
      { paymentId: open.body.paymentId, state: 'draft' },
      { paymentId: late.body.paymentId, state: 'expired' },
    ]);
  });

  test('recoverPayments fulfills paid and abandoned payments once, for any number of runs and servers', async () => {
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

  test('recoverPayments marks a payment for a deleted project as unclaimed; the admin credits it once the project is back, or refunds it', async () => {
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
    await expect(resolve(services, WHO, id, { resolution: 'credited', note: 'try' })).rejects.toMatchObject({
      status: 409,
    });
    await db.updateTable('projects').set({ hiddenAt: null }).where('id', '=', projectId).execute();
    const credited = await resolve(services, WHO, id, { resolution: 'credited', note: 'sorry' });
    expect(credited).toMatchObject({ state: 'fulfilled', walletAddress: user.address } satisfies Partial<AdminPayment>);
    await expect(resolve(services, WHO, id, { resolution: 'refunded', note: 'twice?' })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('recoverPayments shows a refund to the payer, and no one decides it twice', async () => {
    const user = await payer();
    const transactionHash = await pay(chain, user.wallet, 1_000_000n);
    const projectId = await insertProject(db, { ownerId: user.id });
    await user.post(`/api/projects/${projectId}/renew`, { transactionHash });
    const [waiting] = await payments(user);
    expect(waiting).toMatchObject({ state: 'unclaimed', receivedMist: '1000000' });
    const decided = await resolve(services, WHO, waiting?.paymentId ?? '', {
      resolution: 'refunded',
      note: 'Sent back in 8xk',
    });
    expect(decided).toMatchObject({
      state: 'refunded',
      note: 'Sent back in 8xk',
      failure: 'amount_too_small',
      paidBy: null,
    });
    const { body } = await user.get<Array<{ text: string }>>(`/api/users/${user.id}/activity`);
    expect(body[0]?.text).toBe('Your payment was refunded, 0.001 SUI: Sent back in 8xk');
  });

  test('recoverPayments leaves an order that keeps failing for our own reasons to a person', async () => {
    const user = await payer();
    const { paymentId } = (await prepareSubmit(user, await newDraft())).body;
    await executeSigned(user, paymentId, await signPayment(chain, user.wallet, SUBMIT_FEE_MIST));
    await db
      .updateTable('payments')
      .set({ draft: JSON.stringify({ name: null }), attempts: 18, nextTryAt: sql`now()` })
      .where('id', '=', paymentId)
      .execute();
    expect(await recoverPayments(services)).toMatchObject({ waiting: 1 });
    expect(await payments(user)).toMatchObject([{ state: 'paid' }]);
    await due(user);
    await recoverPayments(services);
    expect(await payments(user)).toMatchObject([
      { state: 'unclaimed', note: expect.stringContaining('The admin will review it') },
    ]);
  });

  test('a transaction that a node refused and another executed after all is found and fulfilled', async () => {
    const user = await payer();
    const draft = await newDraft();
    const { paymentId } = (await prepareSubmit(user, draft)).body;
    const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    await db
      .updateTable('payments')
      .set({ state: 'failed', failureCode: 'rejected', digest, signedAt: sql`now()`, nextTryAt: sql`now()` })
      .where('id', '=', paymentId)
      .execute();
    await recoverPayments(services);
    expect(await payments(user)).toMatchObject([{ state: 'fulfilled', projectName: draft.name }]);
  });
});

async function fingerprints(): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(
    db,
  );
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ print: string | null }>`
      SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS print FROM ${sql.table(name)} t`.execute(db);
    found.set(name, rows[0]?.print ?? '');
  }
  return found;
}

async function tablesChangedBy(name: string): Promise<string[]> {
  const job = jobs.find((each) => each.name === name);
  const before = await fingerprints();
  await job?.run(services);
  return [...(await fingerprints())].filter(([table, print]) => before.get(table) !== print).map(([table]) => table);
}

async function column(query: ReturnType<typeof sql<{ value: unknown }>>): Promise<unknown[]> {
  return (await query.execute(db)).rows.map(({ value }) => value);
}

describe('the list of jobs', () => {
  test('delete-expired-sessions deletes expired sessions and challenges only; users with a live session stay signed in [R1]', async () => {
    const [user, ended] = [await newUser(server), await newUser(server)];
    const nonces = ['over', 'open'];
    for (const nonce of nonces) await insertChallenge(db, nonce, user.address, 'sign_in');
    await sql`UPDATE auth_challenges SET expires_at = now() - interval '1 second' WHERE nonce = 'over'`.execute(db);
    await sql`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = ${ended.id}`.execute(db);
    const users = [user.id, ended.id];
    expect((await tablesChangedBy('delete-expired-sessions')).toSorted()).toEqual(['auth_challenges', 'sessions']);
    expect(await column(sql`SELECT nonce AS value FROM auth_challenges WHERE nonce = ANY (${nonces})`)).toEqual([
      'open',
    ]);
    expect(await column(sql`SELECT user_id AS value FROM sessions WHERE user_id = ANY (${users})`)).toEqual([user.id]);
    expect((await user.get(`/api/users/${user.id}/stats`)).status).toBe(200);
  });

  test('refresh-top-voters publishes the totals of the last day, and nothing else [R85]', async () => {
    const users = await insertUsers(db, 10);
    await insertVotesAt(db, { users, projects: await insertProjects(db, 10), at: timeOf(1, 0) });
    await sql`INSERT INTO closed_days (day, until) VALUES (${timeOf(1, 0)}::date, now()) ON CONFLICT DO NOTHING`.execute(
      db,
    );
    expect((await tablesChangedBy('refresh-top-voters')).toSorted()).toEqual(['top_voters', 'vote_totals']);
    expect(await column(sql`SELECT total_votes AS value FROM top_voters WHERE user_id = ${users[0]}`)).toEqual([10]);
  });

  test('check-invariants reports sums that do not add up, records the run, and changes nothing else', async () => {
    const user = await newUser(server);
    await behindTheTriggers(db, (trx) =>
      sql`UPDATE user_stats SET balance = 5 WHERE user_id = ${user.id}`.execute(trx),
    );
    await closeToday(services);
    const error = vi.spyOn(services.log, 'error');
    // The latter says how far it has come.
    expect(await tablesChangedBy('check-invariants')).toEqual(['invariant_runs', 'totals_state']);
    expect(error).toHaveBeenCalledWith(
      { difference: `user ${user.id}: balance 5, ledger 0` },
      'the books contradict each other',
    );
    const [newest] = await db.selectFrom('invariantRuns').selectAll().orderBy('checkedAt', 'desc').execute();
    expect(newest?.differences).toBeGreaterThan(0);
    expect(newest?.examples).toContain(`user ${user.id}: balance 5, ledger 0`);
    error.mockRestore();
  });
});

describe('retention', () => {
  const daysAgo = (days: number) => sql`now() - make_interval(days => ${days}, hours => 1)`;

  test('delete-old deletes notices, figures and events past their retention, and nothing younger', async () => {
    const user = await newUser(server);
    const project = await insertProject(db);
    for (const [age, text] of [
      [365, 'old'],
      [360, 'young'],
    ] as const)
      await sql`INSERT INTO notices (user_id, kind, text, created_at) VALUES (${user.id}, 'reply', ${text}, ${daysAgo(age)})`.execute(
        db,
      );
    // A day is deleted with its last hour: part of the 400th day before today is younger than 400 days.
    for (const [age, daysBefore] of [
      [402, 401],
      [399, 400],
    ] as const) {
      const day = sql`((now() AT TIME ZONE 'UTC')::date - ${daysBefore}::int)`;
      await sql`INSERT INTO project_events_days VALUES (${project}, ${day}, 'view', 'deck', ${age})`.execute(db);
      await sql`INSERT INTO storage_figures VALUES (${day}, 'votes', ${age})`.execute(db);
      await sql`INSERT INTO backups (kind, started_at, finished_at, bytes) VALUES ('dump', ${daysAgo(age)}, now(), ${age})`.execute(
        db,
      );
    }
    const before = sql`(SELECT count(*) FROM notices WHERE user_id = ${user.id})::int`;
    expect(await column(sql`SELECT ${before} AS value`)).toEqual([2]);
    expect((await tablesChangedBy('delete-old')).toSorted()).toEqual([
      'backups',
      'notices',
      'project_events_days',
      'storage_figures',
    ]);
    expect(await column(sql`SELECT text AS value FROM notices WHERE user_id = ${user.id}`)).toEqual(['young']);
    expect(
      await column(sql`SELECT count::int AS value FROM project_events_days UNION ALL SELECT bytes::int FROM storage_figures
        UNION ALL SELECT bytes::int FROM backups`),
    ).toEqual([399, 399, 399]);
    expect(await tablesChangedBy('delete-old')).toEqual([]);
  });

  test('note-storage records sizes once a day, and growth is counted from the oldest of the week', async () => {
    await sql`TRUNCATE storage_figures`.execute(db);
    expect(await tablesChangedBy('note-storage')).toEqual(['storage_figures']);
    expect(await tablesChangedBy('note-storage')).toEqual([]);
    const sizes = await readStorage(db);
    expect(sizes.map(({ name }) => name)).toEqual(['votes', 'ledger', 'pictures', 'record', 'people', 'other']);
    expect(sizes.every(({ bytes, bytesPerDay }) => bytes > 0 && bytesPerDay === null)).toBe(true);
    const noted = Number((await column(sql`SELECT bytes AS value FROM storage_figures WHERE name = 'votes'`))[0]);
    await sql`INSERT INTO storage_figures SELECT day - 4, name, bytes - 4000 FROM storage_figures WHERE name = 'votes'`.execute(
      db,
    );
    await sql`INSERT INTO storage_figures SELECT day - 9, name, 0 FROM storage_figures WHERE name = 'ledger'`.execute(
      db,
    );
    const [grown, ledger] = await readStorage(db);
    expect(grown?.bytesPerDay).toBe(Math.round(((grown?.bytes ?? 0) - noted + 4_000) / 4));
    expect(ledger?.bytesPerDay).toBeNull();
    // PostgreSQL's own housekeeping may add a page between the two readings.
    const whole = async () => {
      const all = sql<{ value: unknown }>`SELECT sum(pg_total_relation_size(oid))::bigint AS value FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;
      return Number((await column(all))[0]);
    };
    const sum = async () => (await readStorage(db)).reduce((total, { bytes }) => total + bytes, 0);
    await expect.poll(async () => (await sum()) - (await whole())).toBe(0);
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

  test.each([
    ['approve-withdrawals', { payoutAutoMaxSnaps: 1_000 }],
    ['send-push', { pushKey: { publicKey: 'x', privateKey: 'x' } }],
  ])('a server without the settings of %s leaves the job to those that have them [R79]', async (name, settings) => {
    const found = jobs.find((one) => one.name === name);
    const shared: Job = { ...job(name, async () => undefined), ...(found?.isSetUp && { isSetUp: found.isSetUp }) };
    const without = services;
    const having = { ...services, config: { ...services.config, ...settings } };
    const begunAgo = (seconds: number) =>
      sql`INSERT INTO job_runs (name, started_at) VALUES (${name}, now() - ${seconds} * interval '1 second')
        ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at`.execute(db);
    // However late those are: a run without the settings would count as a success.
    await begunAgo(86_400);
    expect(await runOnce(without, shared)).toBe(false);
    const isLateOn = async (one: Services) => (await readJobs({ ...one, jobs: [shared] }, Date.now()))[0]?.isLate;
    expect([await isLateOn(without), await isLateOn(having)]).toEqual([false, true]);
    expect(await runOnce(having, shared)).toBe(true);
  });

  test('a second run does not join one that takes longer than its interval', async () => {
    // Its row exists before it begins.
    const work = Promise.withResolvers<void>();
    const slow = job('slow', () => work.promise, 0);
    const first = runOnce(services, slow);
    await expect
      .poll(() => db.selectFrom('jobRuns').select('name').where('name', '=', 'slow').execute())
      .toHaveLength(1);
    expect(await runOnce(services, slow)).toBe(false);
    work.resolve();
    expect(await first).toBe(true);
  });

  test('a connection that the database cuts during a job fails the job, and nothing else', async () => {
    const work = Promise.withResolvers<void>();
    const begun = vi.fn<() => Promise<void>>(() => work.promise);
    const outcome = runOnce(services, job('cut', begun, 0)).catch((error: Error) => error);
    await expect.poll(() => begun.mock.calls.length).toBe(1);
    const cut = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE state = 'idle in transaction' AND datname = current_database()`.execute(db);
    expect(cut.rows).toHaveLength(1);
    const next = job('cut', async () => undefined, 0);
    await expect.poll(() => runOnce(services, next)).toBe(true);
    work.resolve();
    expect(await outcome).toBeInstanceOf(Error);
  });

  const result = (name: string) =>
    db.selectFrom('jobRuns').selectAll().where('name', '=', name).executeTakeFirstOrThrow();

  test('a run of a job is recorded with its end, duration and last success, and a failure with its reason', async () => {
    await runOnce(
      services,
      job('noted', async () => undefined, 0),
    );
    const first = await result('noted');
    expect(first).toMatchObject({ error: null, durationMs: expect.any(Number), succeededAt: first.finishedAt });
    expect(first.finishedAt?.getTime()).toBeGreaterThanOrEqual(first.startedAt.getTime());
    const failing = job('noted', () => Promise.reject(new Error(`no \0 ${'x'.repeat(600)}`)), 0);
    await expect(runOnce(services, failing)).rejects.toThrow('no');
    const second = await result('noted');
    expect(second.succeededAt).toEqual(first.succeededAt);
    expect(second.finishedAt?.getTime()).toBeGreaterThan(first.finishedAt?.getTime() ?? 0);
    expect(second.error).toBe(`no  ${'x'.repeat(496)}`);
    await runOnce(
      services,
      job('noted', async () => undefined, 0),
    );
    expect(await result('noted')).toMatchObject({ error: null });
  });

  const withPool = (databasePool: number): Services => ({
    ...services,
    config: { ...services.config, databasePool },
  });
  const barrier = () =>
    runOnce(
      services,
      job('barrier', async () => undefined, 0),
    );

  function endlessJobs(...names: string[]) {
    const began: string[] = [];
    const ends: Array<(error?: Error) => void> = [];
    const list = names.map((name) =>
      job(`held ${name}`, () => {
        began.push(name);
        return new Promise<void>((resolve, reject) =>
          ends.push((error) => (error === undefined ? resolve() : reject(error))),
        );
      }),
    );
    return { began, ends, list };
  }

  test('jobs lock at most half of the connections, and the others wait in order', async () => {
    await sql`DELETE FROM job_runs`.execute(db);
    const { began, ends, list } = endlessJobs('a', 'b', 'c', 'd', 'e');
    const scheduler = startScheduler(withPool(5), list);
    await expect.poll(() => began.toSorted()).toEqual(['a', 'b']);
    for (const next of ['c', 'd', 'e']) {
      await barrier();
      expect(began).not.toContain(next);
      ends.shift()?.();
      await expect.poll(() => began.at(-1)).toBe(next);
    }
    for (const end of ends) end();
    await scheduler.stop();
  });

  test('stop() waits for running jobs and starts none that waits', async () => {
    await sql`DELETE FROM job_runs`.execute(db);
    const error = vi.spyOn(services.log, 'error');
    const { began, ends, list } = endlessJobs('first', 'second');
    const scheduler = startScheduler(withPool(2), list);
    await expect.poll(() => began).toEqual(['first']);
    const stopped = vi.fn<() => void>();
    const stopping = scheduler.stop().then(stopped);
    await barrier();
    expect(stopped).not.toHaveBeenCalled();
    // Failures caused by the shutdown are not reported.
    ends[0]?.(new Error('closing'));
    await stopping;
    expect(began).toEqual(['first']);
    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
  });

  test('a job that throws is logged and tried again, but not after stop()', async () => {
    const error = vi.spyOn(services.log, 'error');
    let runs = 0;
    const fail = async () => {
      runs += 1;
      throw new Error('broken');
    };
    const scheduler = startScheduler(services, [job('broken', fail, 5)]);
    await expect.poll(() => runs).toBeGreaterThan(2);
    await scheduler.stop();
    const atStop = runs;
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ job: 'broken' }), 'job failed');
    await barrier();
    expect(runs).toBe(atStop);
    error.mockRestore();
  });

  test('an obstacle with a name is logged once while it lasts, and again after a run without it', async () => {
    const [error, warn] = [vi.spyOn(services.log, 'error'), vi.spyOn(services.log, 'warn')];
    const outcomes = ['waits', 'waits', 'waits', null, 'waits', 'waits again', 'waits again'];
    let runs = 0;
    const meet = async () => {
      const outcome = outcomes[Math.min(runs, outcomes.length - 1)];
      runs += 1;
      if (outcome) throw conflict('in_the_way', outcome);
    };
    const scheduler = startScheduler(services, [job('obstacle', meet, 1)]);
    await expect.poll(() => runs).toBeGreaterThan(outcomes.length);
    await scheduler.stop();
    expect(warn.mock.calls.map(([, text]) => text)).toEqual(
      ['waits', 'waits', 'waits again'].map((text) => `job failed: ${text}`),
    );
    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
    warn.mockRestore();
  });
});
