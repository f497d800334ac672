import { randomBytes } from 'node:crypto';
import { toBase58 } from '@mysten/sui/utils';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import { OPEN_REPORTS_PER_USER, SESSIONS_PER_USER } from '#shared/constants.ts';
import { ACTS_OF_SESSION } from '#server/kit/http/acts-of-session.ts';
import { deleteUnused } from '#server/people/retention/delete-unused.ts';
import { createTestApp, startServer } from '../../testing/app.ts';
import { grantTokens, insertProject, insertProjects } from '../../testing/builders.ts';
import { insertExcludedVote } from '../../testing/standing.ts';
import { Client, newUser, signInWith, type TestUser } from '../../testing/client.ts';
import { newDraft, prepareSubmit } from '../../testing/drafts.ts';

const server = await createTestApp();
const { db } = server.services;

const AT_ONCE = 50;
const madeUpDigest = () => toBase58(randomBytes(32));
const claim = (user: Client, transactionHash = madeUpDigest()) =>
  user.post('/api/projects/999999/renew', { transactionHash });
const withdraw = (user: TestUser, more: Record<string, string> = {}) =>
  user.post('/api/withdrawals', { userId: user.id, walletAddress: user.address, tokenAmount: 50 }, more);

interface Bounded {
  what: string;
  most: number;
  /** Number of accepted requests, where it differs: the oldest are evicted. */
  accepted?: number;
  table: 'payments' | 'reports' | 'appeals' | 'sessions' | 'withdrawals';
  /** Statuses below and above the limit. */
  statuses: readonly [fits: number, beyond: number];
  prepare?: (user: TestUser) => Promise<unknown>;
  send: (user: TestUser, n: number) => Promise<{ status: number }>;
}

const projects = await insertProjects(db, AT_ONCE);
const draft = await newDraft();

const BOUNDED: Bounded[] = [
  {
    what: 'transactions named for an order that no node has seen',
    most: 5,
    table: 'payments',
    statuses: [202, 429],
    send: (user) => claim(user),
  },
  {
    what: 'unpaid orders',
    most: 5,
    table: 'payments',
    statuses: [201, 429],
    prepare: (user) => insertProject(db, { ownerId: user.id, name: `Of ${user.id}` }),
    // Without pictures, of which only a few are prepared at once.
    send: async (user, n) => {
      const { id } = await db
        .selectFrom('projects')
        .select('id')
        .where('ownerId', '=', user.id)
        .executeTakeFirstOrThrow();
      return user.post('/api/payments', { purpose: 'update', projectId: id, draft: { description: `Unpaid ${n}` } });
    },
  },
  {
    what: 'open reports',
    most: OPEN_REPORTS_PER_USER,
    table: 'reports',
    statuses: [201, 409],
    send: (user, n) =>
      user.post('/api/reports', { subject: 'project', subjectId: projects[n], reason: 'spam', text: '' }),
  },
  {
    what: 'reports of one project',
    most: 1,
    table: 'reports',
    statuses: [201, 409],
    send: (user) => user.post('/api/reports', { subject: 'project', subjectId: projects[0], reason: 'spam', text: '' }),
  },
  {
    what: 'open appeals',
    most: 1,
    table: 'appeals',
    statuses: [201, 409],
    prepare: (user) => insertExcludedVote(db, user.id),
    send: (user) => user.post('/api/appeals', { text: 'These were my own votes' }),
  },
  {
    what: 'sessions',
    most: SESSIONS_PER_USER,
    table: 'sessions',
    statuses: [200, 200],
    accepted: AT_ONCE,
    send: (user) => signInWith(new Client(user.url), user.wallet),
  },
  {
    what: 'open withdrawals of a wallet without standing',
    most: 1,
    table: 'withdrawals',
    statuses: [201, 409],
    prepare: (user) => grantTokens(db, user.id, 5_000),
    send: (user) => withdraw(user),
  },
];

const rowsOf = async (user: TestUser, table: Bounded['table']): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE user_id = ${user.id}`.execute(db);
  return rows[0]?.count ?? 0;
};

describe('limits per user [R66]', () => {
  test.each(BOUNDED)(
    'fifty simultaneous requests to two servers do not exceed the limit of $most: $what',
    async ({ most, accepted = most, table, statuses, prepare, send }) => {
      const other = await startServer(server.databaseUrl);
      onTestFinished(() => other.close());
      const user = await newUser(server);
      await prepare?.(user);
      const { id, address, wallet, cookie } = user;
      const twin = Object.assign(new Client(other.url), { id, address, wallet, cookie });
      const responses = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => send(n % 2 === 0 ? user : twin, n)),
      );
      // Requests above a session's limit of concurrent ones are refused by 429, whatever they ask for.
      expect(responses.filter(({ status }) => ![...statuses, 429].includes(status))).toEqual([]);
      expect(responses.filter(({ status }) => status === statuses[0])).toHaveLength(accepted);
      expect(await rowsOf(user, table)).toBe(most);
    },
  );

  test('a user gets one archive at a time', async () => {
    const user = await newUser(server);
    // The first one is not written before the others were answered.
    const lock = await db.startTransaction().execute();
    await sql`LOCK TABLE reviews IN ACCESS EXCLUSIVE MODE`.execute(lock);
    let answered = 0;
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const response = await user.get(`/api/users/${user.id}/archive`);
        answered += 1;
        if (answered === AT_ONCE - 1) await lock.rollback().execute();
        return response;
      }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(AT_ONCE - 1);
  });
});

test('fifty simultaneous writes of a user take one connection, and other users are served at the same time', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  await insertExcludedVote(db, other.id);
  let most = 0;
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { rows } = await sql<{
        count: number;
      }>`SELECT count(*)::int AS count FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 1`.execute(db);
      most = Math.max(most, rows[0]?.count ?? 0);
    }
  };
  const looking = look();
  const flood = Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) =>
      user.post('/api/reports', { subject: 'project', subjectId: projects[n], reason: 'spam', text: '' }),
    ),
  );
  expect((await other.post('/api/appeals', { text: 'And this is mine' })).status).toBe(201);
  await flood;
  over.abort();
  await looking;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

test(`${ACTS_OF_SESSION} of fifty simultaneous writes of one session wait for their turn, and the others are refused [R66]`, async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  await insertExcludedVote(db, other.id);
  const answered: number[] = [];
  const all = await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ADVISORY_LOCK_NAMES.user(user.id)}, 0))`.execute(trx);
    const sent = projects.map(async (subjectId) => {
      const { status } = await user.post('/api/reports', { subject: 'project', subjectId, reason: 'spam', text: '' });
      answered.push(status);
    });
    await vi.waitUntil(() => answered.length === AT_ONCE - ACTS_OF_SESSION, { timeout: 10_000 });
    expect(new Set(answered)).toEqual(new Set([429]));
    expect((await other.post('/api/appeals', { text: 'And this is mine' })).status).toBe(201);
    return sent;
  });
  await Promise.all(all);
  expect(answered.filter((status) => status === 201)).toHaveLength(ACTS_OF_SESSION);
  expect(answered.filter((status) => status === 429)).toHaveLength(AT_ONCE - ACTS_OF_SESSION);
});

describe('claims that lead to no payment [R16 R66]', () => {
  const fail = (userId: number, age: string) =>
    sql`UPDATE payments SET state = 'failed', failure_code = 'never_seen', updated_at = now() - ${age}::interval,
      signed_at = now() - ${age}::interval WHERE user_id = ${userId}`.execute(db);

  test('claims without a payment are limited to twenty a day for each user', async () => {
    const user = await newUser(server);
    const accepted: number[] = [];
    // Invalid digests, so that the chain rejects each of them immediately.
    for (let n = 0; n < 24; n += 1) accepted.push((await claim(user, 'l'.repeat(40 + (n % 2)) + n)).status);
    expect(accepted.filter((status) => status === 429)).toHaveLength(4);
    expect(await rowsOf(user, 'payments')).toBe(20);
    expect(await claim(user)).toMatchObject({ status: 429, body: { error: 'too_many_claims' } });
    await fail(user.id, '25 hours');
    expect((await claim(user)).status).toBe(202);
  });

  test('open claims count for a prepared order, too', async () => {
    const user = await newUser(server);
    await Promise.all(Array.from({ length: 5 }, () => claim(user)));
    const { body } = await prepareSubmit(user, { ...draft, name: `Prepared ${user.id}` });
    const named = await user.post(`/api/payments/${body.paymentId}/execute`, { transactionHash: madeUpDigest() });
    expect(named).toMatchObject({ status: 429, body: { error: 'too_many_open' } });
  });

  test('claims are deleted after thirty days, unless the server executed them or they brought money', async () => {
    const [user, payer] = [await newUser(server), await newUser(server)];
    expect((await claim(user)).status).toBe(202);
    await sql`INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, digest, transaction, received_mist, expires_at)
      VALUES (${payer.id}, 'submit', 'failed', '{}', 'executed', 1, 'chain', 'executed', '\\x00', null, now()),
        (${payer.id}, 'submit', 'failed', '{}', 'received', 1, 'chain', 'received', null, 5, now()),
        (${payer.id}, 'submit', 'unclaimed', '{}', 'waits', 1, 'chain', 'waits', null, 5, now())`.execute(db);
    await sql`UPDATE payments SET updated_at = now() - interval '31 days' WHERE user_id = ${payer.id}`.execute(db);
    await fail(user.id, '29 days');
    await deleteUnused(server.services);
    expect(await rowsOf(user, 'payments')).toBe(1);
    await fail(user.id, '30 days 1 hour');
    expect(await deleteUnused(server.services)).toMatchObject({ claims: 1 });
    expect(await rowsOf(user, 'payments')).toBe(0);
    expect(await rowsOf(payer, 'payments')).toBe(3);
  });
});

describe('refused requests', () => {
  const sizeOf = async (table: string): Promise<{ bytes: number; last: number }> => {
    const { rows } = await sql<{ bytes: number; last: number }>`
      SELECT pg_relation_size(${table}::regclass)::int AS bytes,
        (pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass))::int AS last`.execute(db);
    return rows[0] ?? { bytes: 0, last: 0 };
  };

  test.each([
    ['appeals', (user: TestUser) => user.post('/api/appeals', { text: 'x'.repeat(500) })],
    [
      'reports',
      (user: TestUser) =>
        user.post('/api/reports', {
          subject: 'project',
          subjectId: projects[1],
          reason: 'spam',
          text: 'x'.repeat(500),
        }),
    ],
  ])('a refused request leaves no dead rows: %s', async (table, send) => {
    const user = await newUser(server);
    await insertExcludedVote(db, user.id);
    expect((await send(user)).status).toBe(201);
    const before = await sizeOf(table);
    for (let n = 0; n < 60; n += 1) expect((await send(user)).status).toBe(409);
    expect(await sizeOf(table)).toEqual(before);
  });
});

describe('withdrawals of a wallet without standing [R66]', () => {
  test('a wallet without standing may have one open withdrawal at a time', async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 500);
    expect((await withdraw(user, { 'idempotency-key': 'first' })).status).toBe(201);
    expect(await withdraw(user)).toMatchObject({
      status: 409,
      body: {
        error: 'withdrawal_open',
        message:
          'Your last withdrawal is still open. While your votes are not verified yet, you can have one at a time.',
      },
    });
    expect((await withdraw(user, { 'idempotency-key': 'first' })).status).toBe(201);
    const setStanding = (state: string) =>
      sql`INSERT INTO voter_standing (user_id, read_on, state) VALUES (${user.id}, now()::date, ${state}::voter_state)
        ON CONFLICT (user_id) DO UPDATE SET state = excluded.state`.execute(db);
    await setStanding('no_standing');
    expect((await withdraw(user)).status).toBe(409);
    await setStanding('standing');
    expect((await withdraw(user)).status).toBe(201);
    await setStanding('waiting');
    expect((await withdraw(user)).status).toBe(409);
    await sql`WITH ended AS (UPDATE withdrawals SET state = 'rejected' WHERE user_id = ${user.id} RETURNING id, token_amount), released AS (
        INSERT INTO token_ledger (user_id, ref, amount, created_at, kind)
          SELECT ${user.id}::bigint, id, token_amount, now(), 'hold_release'::ledger_kind FROM ended)
      UPDATE user_stats SET balance = balance + (SELECT sum(token_amount) FROM ended) WHERE user_id = ${user.id}`.execute(
      db,
    );
    expect((await withdraw(user)).status).toBe(201);
  });
});
