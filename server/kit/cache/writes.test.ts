import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import type { Appeal } from '#shared/contract/standing.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { allRoutes } from '#server/routes.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject, setProject } from '#lab/testing/builders.ts';
import { fundedWallet, pay, sharedChain, signPayment } from '#lab/testing/chain.ts';
import { newUser, signInWith, type TestResponse, type TestUser } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { executeSigned, newDraft, pictureUrl, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { insertNotices, insertReplies, insertReviews } from '#lab/testing/lists.ts';
import { OWN_PASSWORD, signInAs, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { giveStanding, insertExcludedVote, insertVoter } from '#lab/testing/standing.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { publishCoin } from '#packages/sandbox/testing/own-coins.ts';
import { type Kind, KINDS, kinds, type Tag } from './tags.ts';

/*
 * This server caches and receives no notification; a connection of the test does. What a write drops is compared with what the triggers
 * report: if it drops less, users do not see what they did; if it drops more, lists are read again for nothing.
 */
const server = await createTestApp({ cache: false, undoWindowMs: 86_400_000 });
const { db, cache } = server.services;
cache.setValidUntil(Number.POSITIVE_INFINITY);
const chain = sharedChain();
const panel = await signInAsAdmin(server);
const { admin } = panel;

const listener = new pg.Client({ connectionString: server.databaseUrl });
let heard: string[] = [];
let onMark: () => void = () => undefined;
beforeAll(async () => {
  await listener.connect();
  await listener.query('LISTEN snapswipe');
  listener.on('notification', ({ payload = '' }) => (payload === 'mark' ? onMark() : heard.push(payload)));
});
afterAll(() => listener.end());

/** Changes that were notified since the last call. */
async function notifications(): Promise<string[]> {
  await new Promise<void>((resolve) => {
    onMark = resolve;
    void listener.query(`NOTIFY snapswipe, 'mark'`);
  });
  return heard.splice(0);
}

/** Tags that something in memory depends on; of profiles and notices, only the user's own. */
const READ = new Set<string>([
  'verified',
  'sessions',
  'sessions:own',
  'projects:*',
  'reviews:*',
  ...allRoutes.flatMap(({ cache: cached }) => cached?.reads ?? []),
]);

/** The changes that the triggers report, in the form of a declaration. */
function changesOf(payloads: readonly string[], ownId: number): string[] {
  const changes = payloads.flatMap((payload) => {
    const [letter, ids = ''] = payload.split(':');
    const kind = kinds.find((name) => KINDS[name].letter === letter);
    if (!kind) throw new Error(`${payload} is of no kind`);
    const isUsers = READ.has(`${kind}:own`) || kind === 'profiles';
    if (!isUsers) return READ.has(`${kind}:*`) ? [`${kind}:*`] : [kind];
    // Others learn of it by the notification.
    return ids.split(',').includes(String(ownId)) ? [kind, `${kind}:own`] : [];
  });
  return [...new Set(changes)].filter((change) => READ.has(change)).toSorted();
}

let probed = 0;

/** Puts a value of each tag into the cache; what of them a write drops, as a declaration names it. */
async function withProbes(ownId: number): Promise<() => string[]> {
  const tagsOf = (kind: Kind): Array<[change: string, tag: Tag]> => [
    [kind, kind],
    [`${kind}:own`, `${kind}:${ownId}`],
    [`${kind}:*`, `${kind}:123456789`],
  ];
  const probes = kinds.flatMap(tagsOf);
  probed += 1;
  const serial = probed;
  const keyOf = (change: string) => `probe ${serial} ${change}`;
  for (const [change, tag] of probes) await cache.getOrLoad(keyOf(change), [tag], async () => ({ value: true }));
  return () => {
    const dropped = probes.map(([change]) => change).filter((change) => cache.getCached(keyOf(change)) === undefined);
    // All of a kind: once.
    const whole = kinds.filter((kind) => dropped.includes(`${kind}:*`));
    return dropped
      .filter((change) => change.endsWith(':*') || !whole.some((kind) => change.split(':')[0] === kind))
      .toSorted();
  };
}

/** A write of a user, and what has to be there before it. */
type Scenario = () => Promise<{ user: TestUser; send: () => Promise<TestResponse<unknown>> }>;
const by = (user: TestUser, send: () => Promise<TestResponse<unknown>>) => ({ user, send });
const byAdmin = (send: () => Promise<TestResponse<unknown>>) => by(admin, send);

const payer = async () => newUser(server, await fundedWallet(chain));
const reviewOf = async (projectId: number): Promise<number> =>
  (await db.selectFrom('reviews').select('id').where('projectId', '=', projectId).executeTakeFirstOrThrow()).id;
const reviewed = async (ownerId = admin.id) => {
  const projectId = await insertProject(db, { ownerId });
  await insertReviews(db, projectId, (await newUser(server)).id, 1);
  return { projectId, reviewId: await reviewOf(projectId) };
};
const listed = async () => (await submitPaid<{ id: number }>(admin, await newDraft())).body.id;
const withdrawalOf = async () => {
  const user = await newUser(server);
  await grantTokens(db, user.id, 10_000);
  const body = { userId: user.id, walletAddress: user.address, tokenAmount: 10_000 };
  const { withdrawal } = (await user.post<{ withdrawal: { id: number } }>('/api/withdrawals', body)).body;
  return withdrawal.id;
};
const voter = async () => {
  const [user, projectId] = [await newUser(server), await insertProject(db)];
  await user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
  return { user, projectId };
};
const appealed = async () => {
  const user = await newUser(server);
  await insertExcludedVote(db, user.id);
  return user;
};
const reason = 'As an example';

const SCENARIOS: Record<string, Scenario> = {
  adminLogin: async () => {
    const user = (await signInAs(server, 'moderator')).admin;
    return by(user, () => user.post('/api/admin/login', { walletAddress: user.address, password: OWN_PASSWORD }));
  },
  adminLogout: async () => {
    const other = await signInAs(server, 'moderator');
    return by(other.admin, () => other.post('/api/admin/logout'));
  },
  grantRole: async () => {
    const wallet = (await newUser(server)).address;
    return byAdmin(() => panel.post('/api/admin/people', { wallet, role: 'payer', reason }));
  },
  renewPassword: async () => {
    const { address } = (await signInAs(server, 'payer')).admin;
    return byAdmin(() => panel.post(`/api/admin/people/${address}/password`, { reason }));
  },
  revokeRole: async () => {
    const { address } = (await signInAs(server, 'payer')).admin;
    return byAdmin(() => panel.post(`/api/admin/people/${address}/revoke`, { reason }));
  },
  setConfig: async () =>
    byAdmin(() => panel.post('/api/admin/config', { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' })),
  approveWithdrawal: async () => {
    const id = await withdrawalOf();
    return byAdmin(() => panel.post(`/api/admin/withdrawals/${id}/approve`));
  },
  rejectWithdrawal: async () => {
    const id = await withdrawalOf();
    return byAdmin(() => panel.post(`/api/admin/withdrawals/${id}/reject`, { reason }));
  },
  moderateProject: async () => {
    const id = await insertProject(db);
    return byAdmin(() => panel.post(`/api/admin/projects/${id}/moderate`, { hidden: true, reason }));
  },
  importRows: async () => {
    const { body } = await panel.post<{ id: number }>('/api/admin/catalogue/imports', { name: 'field.csv' });
    const texts = { name: 'Imported Reef', category: 'DeFi', description: 'A reef', twitterHandle: 'imported_reef' };
    const rows = [{ ...texts, imageUrl: await pictureUrl(91) }];
    return byAdmin(() => panel.post(`/api/admin/catalogue/imports/${body.id}/rows`, { rows }));
  },
  undoImport: async () => {
    const { body } = await panel.post<{ id: number }>('/api/admin/catalogue/imports', { name: 'field.csv' });
    const id = await insertProject(db);
    await sql`UPDATE projects SET is_catalogue = true, import_id = ${body.id} WHERE id = ${id}`.execute(db);
    return byAdmin(() => panel.post(`/api/admin/catalogue/imports/${body.id}/undo`, { reason }));
  },
  moderateVersion: async () => {
    const id = await insertProject(db);
    await sql`UPDATE projects SET name = 'Loud Frog' WHERE id = ${id}`.execute(db);
    const act = { act: 'same_project', reason };
    return byAdmin(() => panel.post(`/api/admin/projects/${id}/versions/2/moderate`, act));
  },
  proveOwnership: async () => {
    const user = await payer();
    const { coinType } = await publishCoin(chain.client, user.wallet);
    const id = await insertProject(db);
    const named = { coinType, coinSource: 'catalogue' as const, isCatalogue: true };
    await setProject(db, id, named);
    await user.post('/api/votes', { userId: user.id, projectId: id, voteType: 'bullish' });
    return by(user, () => user.post(`/api/projects/${id}/ownership`, {}));
  },
  answerClaim: async () => {
    const user = await newUser(server);
    const projectId = await insertProject(db, { ownerId: user.id });
    await db.insertInto('claims').values({ projectId, userId: admin.id }).execute();
    return by(user, () => user.post(`/api/projects/${projectId}/claim/answer`, { answer: reason }));
  },
  decideClaim: async () => {
    const user = await payer();
    const { coinType } = await publishCoin(chain.client, user.wallet);
    const projectId = await insertProject(db);
    await setProject(db, projectId, { coinType });
    await user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
    const claim = { projectId, userId: user.id, answeredAt: new Date() };
    const { id } = await db.insertInto('claims').values(claim).returning('id').executeTakeFirstOrThrow();
    return byAdmin(() => panel.post(`/api/admin/claims/${id}`, { isConfirmed: true, reason }));
  },
  setCoin: async () => {
    const id = await insertProject(db);
    const coin = { coinType: '0x2::sui::SUI', packageId: null, reason };
    return byAdmin(() => panel.post(`/api/admin/projects/${id}/coin`, coin));
  },
  acceptOwnership: async () => {
    const id = await insertProject(db);
    await setProject(db, id, { packageId: `0x${'7'.repeat(64)}` });
    return byAdmin(() => panel.post(`/api/admin/projects/${id}/ownership`, { reason }));
  },
  moderateReview: async () => {
    const { reviewId } = await reviewed();
    return byAdmin(() => panel.post(`/api/admin/reviews/${reviewId}/moderate`, { hidden: true, reason }));
  },
  moderateReply: async () => {
    const { reviewId, projectId } = await reviewed();
    await insertReplies(db, projectId);
    return byAdmin(() => panel.post(`/api/admin/reviews/${reviewId}/reply/moderate`, { hidden: true, reason }));
  },
  signIn: async () => {
    const user = await newUser(server);
    return by(user, async () => {
      await signInWith(user, newWallet());
      return { status: 200, body: {}, headers: new Headers() };
    });
  },
  signOut: async () => {
    const user = await newUser(server);
    return by(user, () => user.post('/api/auth/logout'));
  },
  endSession: async () => {
    const user = await newUser(server);
    const { body } = await user.get<Array<{ id: string }>>('/api/auth/sessions');
    return by(user, () => user.send('DELETE', `/api/auth/sessions/${body[0]?.id}`));
  },
  endSessions: async () => {
    const user = await newUser(server);
    return by(user, () => user.send('DELETE', '/api/auth/sessions'));
  },
  preparePayment: async () => {
    const [user, draft] = [await newUser(server), await newDraft()];
    return by(user, () => prepareSubmit(user, draft));
  },
  executePayment: async () => {
    const user = await payer();
    const { body } = await prepareSubmit(user, await newDraft());
    const signed = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    return by(user, () => executeSigned(user, body.paymentId, signed));
  },
  cancelPayment: async () => {
    const user = await newUser(server);
    const { body } = await prepareSubmit(user, await newDraft());
    return by(user, () => user.post(`/api/payments/${body.paymentId}/cancel`));
  },
  resolvePayment: async () => {
    const [user, draft] = [await payer(), await newDraft()];
    const { body } = await prepareSubmit(user, draft);
    const { digest, ...signed } = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    await executeSigned(user, body.paymentId, signed);
    const other = await submitPaid<{ id: number }>(admin, draft);
    expect((await submitPaid(user, draft, digest)).status).toBe(409);
    await admin.patch(`/api/projects/${other.body.id}/update`, { name: 'Gone elsewhere' });
    const resolution = { resolution: 'credited', note: 'Name is free' };
    return byAdmin(() => panel.post(`/api/admin/payments/${body.paymentId}/resolve`, resolution));
  },
  clearMark: async () => {
    await insertProject(db, { name: 'Copied Reef' });
    const [user, draft] = [await payer(), await newDraft({ name: 'C0pied Reef' })];
    const { body } = await submitPaid<{ id: number }>(user, draft, await pay(chain, user.wallet, SUBMIT_FEE_MIST));
    return byAdmin(() => panel.post(`/api/admin/projects/${body.id}/mark/clear`));
  },
  createProject: async () => {
    const [user, draft] = [await payer(), await newDraft()];
    const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    return by(user, () => submitPaid(user, draft, digest));
  },
  updateProject: async () => {
    const id = await listed();
    return byAdmin(() => admin.patch(`/api/projects/${id}/update`, { description: 'Another text' }));
  },
  renewProject: async () => {
    const id = await listed();
    return byAdmin(() => admin.post(`/api/projects/${id}/renew`, {}));
  },
  postReview: async () => {
    const [user, projectId] = [await newUser(server), await insertProject(db)];
    await grantTokens(db, user.id, 10_000);
    return by(user, () => user.post(`/api/projects/${projectId}/reviews`, { userId: user.id, content: 'A review' }));
  },
  replyToReview: async () => {
    const owner = await newUser(server);
    const { reviewId } = await reviewed(owner.id);
    return by(owner, () => owner.send('PUT', `/api/reviews/${reviewId}/reply`, { content: 'Thank you' }));
  },
  deleteReply: async () => {
    const owner = await newUser(server);
    const { reviewId, projectId } = await reviewed(owner.id);
    await insertReplies(db, projectId);
    return by(owner, () => owner.send('DELETE', `/api/reviews/${reviewId}/reply`));
  },
  postReport: async () => {
    const [user, subjectId] = [await newUser(server), await insertProject(db)];
    const report = { subject: 'project', subjectId, reason: 'spam', text: 'Look' };
    return by(user, () => user.post('/api/reports', report));
  },
  dismissReports: async () => {
    const [user, subjectId] = [await newUser(server), await insertProject(db)];
    await user.post('/api/reports', { subject: 'project', subjectId, reason: 'spam', text: 'Look' });
    return byAdmin(() => panel.post('/api/admin/reports/dismiss', { subject: 'project', subjectId, reason }));
  },
  readNotices: async () => {
    const user = await newUser(server);
    await insertNotices(db, user.id, 2);
    return by(user, () => user.post(`/api/users/${user.id}/notices/read`, { upTo: 1_000_000 }));
  },
  recordEvent: async () => {
    const [user, projectId] = [await newUser(server), await insertProject(db)];
    return by(user, () => user.post(`/api/projects/${projectId}/events`, { kind: 'view', source: 'deck' }));
  },
  updateUser: async () => {
    const user = await newUser(server);
    return by(user, () => user.patch(`/api/users/${user.id}`, { username: 'patched_name' }));
  },
  replaceUser: async () => {
    const user = await newUser(server);
    return by(user, () => user.send('PUT', `/api/users/${user.id}`, { username: 'put_name' }));
  },
  deleteAccount: async () => {
    const { user, projectId } = await voter();
    await grantTokens(db, user.id, 10_000);
    await user.post(`/api/projects/${projectId}/reviews`, { userId: user.id, content: 'A review' });
    await giveStanding(db, [user.id]);
    await insertProject(db, { ownerId: user.id });
    await insertNotices(db, user.id, 1);
    return by(user, () => deleteAccount(user, { removeReviews: true }));
  },
  castVote: async () => {
    const [user, projectId] = [await newUser(server), await insertProject(db)];
    return by(user, () => user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' }));
  },
  changeVote: async () => {
    const { user, projectId } = await voter();
    await ageVotes(db, user.id, '2 minutes');
    return by(user, () => user.send('PUT', `/api/votes/${projectId}`, { voteType: 'bearish' }));
  },
  undoVote: async () => {
    const { user, projectId } = await voter();
    return by(user, () => user.send('DELETE', `/api/votes/${projectId}`));
  },
  showResult: async () => {
    const { user, projectId } = await voter();
    return by(user, () => user.post(`/api/votes/${projectId}/result`, {}));
  },
  postAppeal: async () => {
    const user = await appealed();
    return by(user, () => user.post('/api/appeals', { text: 'These were my own' }));
  },
  answerAppeal: async () => {
    const { body } = await (await appealed()).post<Appeal>('/api/appeals', { text: 'These were my own' });
    return byAdmin(() => panel.post(`/api/admin/appeals/${body.id}/answer`, { answer: 'They were not' }));
  },
  moderateVote: async () => {
    const { user, projectId } = await voter();
    const decision = { projectId, aside: true, reason };
    return byAdmin(() => panel.post(`/api/admin/users/${user.id}/votes/moderate`, decision));
  },
  readStandingNow: async () => {
    const userId = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
    const projectId = await insertProject(db);
    await sql`INSERT INTO votes (user_id, project_id, bullish, created_at)
      VALUES (${userId}, ${projectId}, true, now() - interval '2 days')`.execute(db);
    await giveStanding(db, [userId]);
    return byAdmin(() => panel.post('/api/admin/standing/read'));
  },
  requestWithdrawal: async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 10_000);
    const body = { userId: user.id, walletAddress: user.address, tokenAmount: 10_000 };
    return by(user, () => user.post('/api/withdrawals', body));
  },
};

/**
 * Changes that follow with the notification. A vote changes the lists like every other vote, and they pause between readings. A user whose
 * account is gone no longer reads anything of their own. A notice to the author of hidden content reaches a moderator's own bell as it reaches every other one.
 */
const LATER: Record<string, string[]> = {
  castVote: ['counts'],
  deleteAccount: ['notices:own', 'stats:own'],
  moderateReply: ['notices:own'],
};

/** They move withdrawals and tell others of it: nothing that is in memory, as far as their own tests go (server/payouts). */
const UNTRIED = [
  'preparePayout',
  'sendPayout',
  'recordPayout',
  'confirmPaidEarlier',
  'beginBook',
  // Nothing of it is in memory (server/push).
  'choosePush',
  'endPush',
  'endPushHere',
  'renewPush',
  'subscribePush',
  'testPush',
  // Read without the cache, or from the record.
  'setReasons',
  'followProject',
  'checkCatalogue',
  'beginImport',
  // Needs a log of its own (server/record).
  'publishRecord',
];

const writes = allEndpoints()
  .filter(([, { method }]) => method !== 'GET')
  .map(([name, endpoint]): [string, EndpointSpec] => [name.split('.')[1] ?? '', endpoint]);
const declared = (endpoint: EndpointSpec) => allRoutes.find((route) => route.endpoint === endpoint)?.writes ?? [];

describe('a write drops what it changes, and nothing else [S4.5 S7.9 R59]', () => {
  test.each(Object.entries(SCENARIOS))(
    'the write %s drops what it changes, and nothing else',
    async (name, scenario) => {
      const { user, send } = await scenario();
      await notifications();
      const dropped = await withProbes(user.id);
      const ownId = user.id;
      const { status, body } = await send();
      expect(status < 300 ? 'done' : body).toBe('done');
      const changes = changesOf(await notifications(), ownId);
      expect(dropped()).toEqual(changes.filter((change) => !LATER[name]?.includes(change)));
    },
  );

  test('a console statement empties the whole cache', async () => {
    const dropped = await withProbes(admin.id);
    expect((await panel.post('/api/admin/execute-sql', { sqlQuery: 'SELECT 1' })).status).toBe(200);
    expect(dropped()).toEqual(kinds.map((kind) => `${kind}:*`).toSorted());
  });

  test('each write is tested here, or declares that it changes nothing cached', () => {
    const untried = writes.filter(([name]) => !(name in SCENARIOS) && name !== 'executeSql');
    expect(untried.map(([name]) => name).toSorted()).toEqual(UNTRIED.toSorted());
    for (const [, endpoint] of untried) expect(declared(endpoint)).toEqual([]);
  });
});
