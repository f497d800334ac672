import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { allEndpoints } from '#shared/contract/all.ts';
import { newPushBrowser } from '#lab/push/browser.ts';
import { startPushService } from '#lab/push/service.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { castVote, newUser, type TestResponse, type TestUser } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { newDraft } from '#lab/testing/drafts.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { letStand } from '#lab/testing/standing.ts';

const service = await startPushService();
afterAll(() => service.stop());
const env = { PUSH_PRIVATE_KEY: randomBytes(32).toString('base64'), PUSH_HOSTS: service.origin };
const server = await createTestApp({ env, undoWindowMs: 60_000 });
const { db } = server.services;
const [voted = 0, changed = 0, other = 0] = await insertProjects(db, 3);
const reviewerId = await insertUser(db);

interface Leaver {
  user: TestUser;
  own: number;
  review: number;
  payment: string;
  hash: string;
}

async function newLeaver(): Promise<Leaver> {
  const user = await newUser(server);
  const hash = randomUUID();
  await sql`INSERT INTO images (hash, content_type, bytes, width, height) VALUES (${hash}, 'image/webp', '', 1, 1)`.execute(
    db,
  );
  await db.updateTable('users').set({ avatarHash: hash }).where('id', '=', user.id).execute();
  await grantTokens(db, user.id, 10_000);
  await letStand(db, user.id);
  const own = await insertProject(db, { ownerId: user.id });
  const review = await db
    .insertInto('reviews')
    .values({ projectId: own, userId: reviewerId, content: 'What a reef' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('claims').values({ projectId: own, userId: reviewerId }).execute();
  for (const projectId of [voted, changed]) expect((await castVote(user, projectId)).status).toBe(200);
  await ageVotes(db, user.id, '2 days');
  // Its undo gives no reward back, which would be spent.
  expect((await user.send('PUT', `/api/votes/${changed}`, { voteType: 'bearish' })).status).toBe(200);
  const { endpoint, keys } = newPushBrowser(service.origin).subscription;
  expect((await user.post(`/api/users/${user.id}/push/subscription`, { endpoint, keys })).status).toBe(200);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, chain_id, expires_at)
    VALUES (${user.id}, 'renew', 'draft', '{}', ${hash}, 1, 'chain', now() + interval '1 hour') RETURNING id`.execute(
    db,
  );
  return { user, own, review: review.id, payment: rows[0]?.id ?? '', hash };
}

/** Rows of the user by table, the counters, the profile, and what belongs to the listing. */
async function leftOf({ user: { id }, own }: Leaver) {
  const tables = await sql<{ name: string }>`
    SELECT c.table_name AS name FROM information_schema.columns c JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = 'public'
    WHERE c.table_schema = 'public' AND c.column_name = 'user_id' ORDER BY 1`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      n: number;
    }>`SELECT count(*)::int AS n FROM ${sql.table(name)} WHERE user_id = ${id}`.execute(db);
    if (rows[0]?.n) counts[name] = rows[0].n;
  }
  const { rows } = await sql`
    SELECT to_jsonb(s) - 'user_id' - 'undoable_from' AS stats, to_jsonb(u) - 'id' - 'wallet_address' - 'created_at' AS profile,
      (SELECT answer FROM claims WHERE project_id = ${own}) AS answer,
      (SELECT count(*)::int FROM review_replies a JOIN reviews r ON r.id = a.review_id WHERE r.project_id = ${own}) AS replies
    FROM users u JOIN user_stats s ON s.user_id = u.id WHERE u.id = ${id}`.execute(db);
  return { counts, ...(rows[0] as object) };
}

const blocked = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.n ?? 0;
};

type Write = (leaver: Leaver) => Promise<TestResponse>;
const toUser =
  (method: string, path: string, body?: object): Write =>
  ({ user }) =>
    user.send(method, `/api/users/${user.id}${path}`, body);
const send =
  (method: string, path: string | ((leaver: Leaver) => string), body?: object | ((leaver: Leaver) => object)): Write =>
  (leaver) =>
    leaver.user.send(
      method,
      `/api${typeof path === 'string' ? path : path(leaver)}`,
      typeof body === 'function' ? body(leaver) : body,
    );
const subscription = () => {
  const { endpoint, keys } = newPushBrowser(service.origin).subscription;
  return { endpoint, keys };
};
const transactionHash = 'DeletedAccountPays11111111111111111111111111';

const WRITES: Record<string, Write> = {
  'claims.answerClaim': send('POST', ({ own }) => `/projects/${own}/claim/answer`, { answer: 'Late' }),
  'follows.followProject': send('PUT', `/projects/${other}/follow`, { follows: true }),
  'notices.readNotices': toUser('POST', '/notices/read', { upTo: 1_000_000 }),
  'ownership.proveOwnership': send('POST', ({ own }) => `/projects/${own}/ownership`),
  'payments.cancelPayment': send('POST', ({ payment }) => `/payments/${payment}/cancel`),
  'payments.executePayment': send('POST', ({ payment }) => `/payments/${payment}/execute`, { transactionHash }),
  'payments.preparePayment': send('POST', '/payments', ({ own }) => ({ purpose: 'renew', projectId: own })),
  'projects.createProject': async (leaver) =>
    leaver.user.post('/api/projects', { ...(await newDraft()), submittedBy: leaver.user.address, transactionHash }),
  'projects.renewProject': send('POST', ({ own }) => `/projects/${own}/renew`, { transactionHash }),
  'projects.updateProject': send('PATCH', ({ own }) => `/projects/${own}/update`, {
    description: 'Late',
    transactionHash,
  }),
  'push.choosePush': toUser('PUT', '/push', { kinds: ['money'] }),
  'push.endPush': toUser('DELETE', '/push'),
  'push.endPushHere': toUser('DELETE', '/push/subscription'),
  'push.renewPush': send('POST', '/push/renewal', subscription),
  'push.subscribePush': (leaver) => toUser('POST', '/push/subscription', subscription())(leaver),
  'push.testPush': toUser('POST', '/push/test'),
  'reports.postReport': send('POST', '/reports', { subject: 'project', subjectId: other, reason: 'spam' }),
  'reviews.deleteReply': send('DELETE', ({ review }) => `/reviews/${review}/reply`),
  'reviews.postReview': send('POST', `/projects/${other}/reviews`, ({ user }) => ({
    userId: user.id,
    content: 'Late',
  })),
  'reviews.postReview (sentence)': send('POST', `/projects/${voted}/reviews`, ({ user }) => ({
    userId: user.id,
    content: 'Late',
    isSentence: true,
  })),
  'reviews.replyToReview': send('PUT', ({ review }) => `/reviews/${review}/reply`, { content: 'Late' }),
  'standing.postAppeal': send('POST', '/appeals', { text: 'Late' }),
  'users.replaceUser': toUser('PUT', '', { username: 'Late' }),
  'users.updateUser': async ({ user }) =>
    user.patch(`/api/users/${user.id}`, { avatarUrl: (await newDraft()).imageUrl }),
  'votes.castVote': ({ user }) => castVote(user, other),
  'votes.changeVote': send('PUT', `/votes/${voted}`, { voteType: 'bearish' }),
  'votes.setReasons': send('PUT', `/votes/${voted}/reasons`, { reasons: ['team'] }),
  'votes.showResult': send('POST', `/votes/${changed}/result`),
  'votes.undoVote': send('DELETE', `/votes/${changed}`),
  'withdrawals.requestWithdrawal': send('POST', '/withdrawals', ({ user }) => ({
    userId: user.id,
    walletAddress: user.address,
    tokenAmount: 60,
  })),
};

/** These end sessions, or are the deletion. */
const EXCEPT = ['accounts.deleteAccount', 'auth.endSession', 'auth.endSessions'];

test('each write behind a session is tried against a deletion [R55]', () => {
  const writes = allEndpoints().filter(
    ([, { access, method }]) => method !== 'GET' && ['user', 'self', 'owner'].includes(access),
  );
  const tried = new Set(Object.keys(WRITES).map((name) => name.split(' ')[0]));
  expect(writes.map(([name]) => name).filter((name) => !tried.has(name))).toEqual(EXCEPT);
});

const untouched = await newLeaver();
await deleteAccount(untouched.user);
const expected = await leftOf(untouched);

test.each(Object.entries(WRITES))(
  '%s writes nothing of an account whose deletion it waited for [R55]',
  async (_name, write) => {
    const leaver = await newLeaver();
    const release = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (trx) => {
      // The deletion deletes the avatar last.
      await sql`SELECT FROM images WHERE hash = ${leaver.hash} FOR UPDATE`.execute(trx);
      isHeld.resolve();
      await release.promise;
    });
    await isHeld.promise;
    const deletion = deleteAccount(leaver.user);
    await expect.poll(blocked).toBe(1);
    const response = write(leaver);
    let isAnswered = false;
    void response.finally(() => (isAnswered = true));
    await expect.poll(async () => isAnswered || (await blocked()) > 1).toBe(true);
    release.resolve();
    await holding;
    expect((await deletion).status).toBe(200);
    expect((await response).status).toBeLessThan(500);
    expect(await leftOf(leaver)).toEqual(expected);
  },
);
