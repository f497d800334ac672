import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { AdminClaim } from '#shared/contract/claims.ts';
import type { Notice } from '#shared/contract/notices.ts';
import type { Project } from '#shared/contract/types.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { downloadArchive, jsonOf } from '#lab/testing/archive.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { fund, pay, send, sharedChain } from '#lab/testing/chain.ts';
import { castVote, Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { type OwnCoin, publishCoin, sendObject } from '#packages/sandbox/testing/own-coins.ts';
import { deleteOld } from '#server/people/retention/delete-old.ts';

/** A wallet takes over the paid listing of a stranger who named its coin (R72). */

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);
await fund(chain, panel.admin.address);
const visitor = new Client(server.url);

const newHolder = async () => {
  const user = await newUser(server);
  await fund(chain, user.address);
  return { user, ...(await publishCoin(chain.client, user.wallet)) };
};
const [holder, lister] = [await newHolder(), await newUser(server)];

async function sendCaps(user: TestUser, { treasuryCap, upgradeCap, publisher }: OwnCoin, to: string): Promise<void> {
  for (const cap of [treasuryCap, upgradeCap, publisher]) {
    const transaction = sendObject(cap, to);
    transaction.setSender(user.address);
    // oxlint-disable-next-line no-await-in-loop -- one wallet
    await send(chain, [user.wallet], transaction);
  }
}

let serial = 0;
/** A listing that its lister has paid for, with half of its time left. */
async function listPaid(coinType = holder.coinType, owner: TestUser = lister): Promise<number> {
  serial += 1;
  const id = await insertProject(db, { ownerId: owner.id, name: `Taken ${serial}` });
  await setProject(db, id, { coinType, transactionHash: `listed-${serial}` });
  await sql`UPDATE projects SET expires_at = now() + interval '15 days 12 hours' WHERE id = ${id}`.execute(db);
  await sql`INSERT INTO payments (user_id, purpose, state, project_id, draft, order_hash, amount_mist, received_mist, digest, chain_id, expires_at, created_at)
    VALUES (${owner.id}, 'submit', 'fulfilled', ${id}, '{}', 'x', ${SUBMIT_FEE_MIST}, ${SUBMIT_FEE_MIST}, ${`listed-${serial}`}, 'chain', now(), now() - interval '16 days')`.execute(
    db,
  );
  return id;
}

interface Reply {
  error?: string;
  message?: string;
}
const claim = (user: Client, id: number) => user.post<Project['listing'] & Reply>(`/api/projects/${id}/ownership`, {});
const answer = (user: Client, id: number) =>
  user.post<Reply>(`/api/projects/${id}/claim/answer`, { answer: 'We agreed on it' });
const renew = (user: Client, id: number) => user.post<Reply>('/api/payments', { purpose: 'renew', projectId: id });
const decide = (claimId: number, body: { isConfirmed: boolean; isRefunded?: boolean }) =>
  panel.post<Reply>(`/api/admin/claims/${claimId}`, { ...body, reason: 'The cap says it' });
const claims = async () => (await panel.get<AdminClaim[]>('/api/admin/claims')).body;
const claimOf = async (id: number) => (await claims()).find(({ projectId }) => projectId === id);
const pageOf = async (id: number) => (await visitor.get<Project>(`/api/v1/projects/${id}`)).body;
const noticesOf = async (user: TestUser) =>
  (await user.get<{ notices: Notice[] }>(`/api/users/${user.id}/notices`)).body.notices.map(({ text }) => text);

type Stored = { days: number; isAnswered?: boolean; isDecided?: boolean } | null;
async function storeClaim(id: number, stored: Stored): Promise<number> {
  if (stored === null) return 0;
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO claims (project_id, user_id, created_at, answer, answered_at, decided_at)
    VALUES (${id}, ${holder.user.id}, now() - make_interval(days => ${stored.days}), ${stored.isAnswered ? 'Ours' : null},
      CASE WHEN ${stored.isAnswered ?? false} THEN now() END, CASE WHEN ${stored.isDecided ?? false} THEN now() END) RETURNING id`.execute(
    db,
  );
  return rows[0]?.id ?? 0;
}

const STATES: Array<[state: string, stored: Stored, expected: string]> = [
  ['no claim', null, 'ok no_claim ok claim_not_found claim_not_found claim_not_found'],
  ['an open claim', { days: 6 }, 'claim_open ok project_claimed too_early too_early ok'],
  ['an answered claim', { days: 1, isAnswered: true }, 'claim_open no_claim project_claimed ok ok ok'],
  ['a claim of seven days', { days: 7 }, 'claim_open no_claim project_claimed ok ok ok'],
  ['a decided claim', { days: 9, isDecided: true }, 'ok no_claim ok wrong_state wrong_state wrong_state'],
];
const INPUTS: Array<[input: string, send: (id: number, claimId: number) => Promise<{ status: number; body: Reply }>]> =
  [
    ['another claim', (id) => claim(holder.user, id)],
    ["the lister's answer", (id) => answer(lister, id)],
    ["the lister's renewal", (id) => renew(lister, id)],
    ['the hand-over', (_id, claimId) => decide(claimId, { isConfirmed: true })],
    ['the hand-over with a refund', (_id, claimId) => decide(claimId, { isConfirmed: true, isRefunded: true })],
    ['the refusal', (_id, claimId) => decide(claimId, { isConfirmed: false })],
  ];

describe.each(STATES)('a listing with %s [R72]', (_state, stored, expected) => {
  test.each(INPUTS.map(([input, send], index) => ({ input, send, result: expected.split(' ')[index] })))(
    'responds to $input: $result',
    async ({ send, result }) => {
      await sql`TRUNCATE claims, ownerships`.execute(db);
      const id = await listPaid();
      const { status, body } = await send(id, await storeClaim(id, stored));
      expect(status < 300 ? 'ok' : body.error).toBe(result);
    },
  );
});

test('a paid listing goes to the wallet that holds its coin, and the lister gets back what is left of the fee [R72 R71]', async () => {
  const { user, coinType } = await newHolder();
  const id = await listPaid(coinType);
  await castVote(user, id);
  expect(await claim(user, id)).toMatchObject({
    status: 200,
    body: { ownership: 'none', claim: { isAnswered: false } },
  });
  expect((await pageOf(id)).submittedBy).toBe(lister.address);
  expect((await noticesOf(lister))[0]).toMatch(/You have 7 days to answer/);
  expect((await answer(user, id)).body.error).toBe('not_owner');
  expect((await answer(lister, id)).status).toBe(200);
  const open = await claimOf(id);
  expect(open).toMatchObject({ claimer: user.address, lister: lister.address, answer: 'We agreed on it', isDue: true });
  // Rounded down to hundredths of a SUI.
  expect(open?.rest?.amountMist).toBe(String(SUBMIT_FEE_MIST / 2n - 10_000_000n));
  expect((await decide(open?.id ?? 0, { isConfirmed: true, isRefunded: true })).status).toBe(200);
  expect(await pageOf(id)).toMatchObject({
    submittedBy: user.address,
    listing: { source: 'paid', ownership: 'proven', coinSource: 'moderator', takenOverAt: expect.any(String) },
  });
  expect((await noticesOf(lister))[0]).toMatch(/was handed over.*What is left of the fee is sent back/);
  expect((await noticesOf(user)).join()).toMatch(/is yours: The cap says it.*is excluded: you claimed/);

  const due = await claimOf(id);
  expect(due).toMatchObject({
    decidedAt: expect.any(String),
    answer: null,
    rest: open?.rest && { paidBy: lister.address },
  });
  const { paymentId = '', amountMist = '1' } = due?.rest ?? {};
  const transactionHash = await pay(chain, panel.admin.wallet, BigInt(amountMist), lister.address);
  const body = { resolution: 'refunded', note: 'The rest', amountMist, transactionHash };
  expect(await panel.post(`/api/admin/payments/${paymentId}/resolve`, body)).toMatchObject({
    status: 200,
    body: { refundedMist: amountMist, failure: 'taken_over' },
  });
  expect(await claimOf(id)).toBeUndefined();
});

test('an order of the lister that was paid before the claim waits, and its fee comes back or is credited after a refusal [R72 R36]', async () => {
  const { user, coinType } = await newHolder();
  const payer = await newUser(server);
  await fund(chain, payer.address);
  const id = await listPaid(coinType, payer);
  const transactionHash = await pay(chain, payer.wallet, RENEW_FEE_MIST);
  await claim(user, id);
  expect((await payer.post<Reply>(`/api/projects/${id}/renew`, { transactionHash })).body.error).toBe(
    'payment_unclaimed',
  );
  const { id: claimId = 0 } = (await claimOf(id)) ?? {};
  expect((await decide(claimId, { isConfirmed: false })).status).toBe(200);
  expect((await noticesOf(user))[0]).toMatch(/was refused: The cap says it/);
  const payments = (await panel.get<Array<{ paymentId: string; state: string }>>('/api/admin/payments?state=unclaimed'))
    .body;
  const credit = { resolution: 'credited', note: 'The claim was refused' };
  expect(await panel.post(`/api/admin/payments/${payments[0]?.paymentId}/resolve`, credit)).toMatchObject({
    status: 200,
  });
});

test('a wallet claims three listings of others in a month, and one whose cap has gone by the decision gets none [R72]', async () => {
  const { user, ...coin } = await newHolder();
  const { coinType } = coin;
  const ids = [await listPaid(coinType), await listPaid(coinType), await listPaid(coinType), await listPaid(coinType)];
  const sent = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const id of ids) sent.push((await claim(user, id)).body.error);
  expect(sent).toEqual([undefined, undefined, undefined, 'too_many_claims']);
  await answer(lister, ids[0] ?? 0);
  const stranger = await newUser(server);
  expect((await claim(stranger, ids[3] ?? 0)).body.error).toBe('not_held');
  expect(jsonOf(await downloadArchive(user), 'claims.json')).toMatchObject([{ isOwn: true }, {}, {}]);
  expect(JSON.stringify(jsonOf(await downloadArchive(lister), 'claims.json'))).toContain('We agreed on it');
  await sendCaps(user, coin, panel.admin.address);
  const { id: claimId = 0 } = (await claimOf(ids[0] ?? 0)) ?? {};
  expect(await decide(claimId, { isConfirmed: true })).toMatchObject({
    status: 409,
    body: { error: 'not_held', message: expect.stringMatching(/^The wallet that claims it does not hold/) },
  });
  expect((await deleteAccount(user)).status).toBe(200);
  expect((await pageOf(ids[0] ?? 0)).listing.claim).toBeUndefined();
});

test("a decided claim is deleted after 31 days, and one with a refund due outlives its claimer's account [R72 R67]", async () => {
  await sql`TRUNCATE claims`.execute(db);
  const [user, id] = [await newUser(server), await listPaid()];
  await sql`INSERT INTO claims (project_id, user_id, decided_at, refund_payment_id, refund_mist)
    SELECT ${id}, ${user.id}, now() - interval '32 days', payment, CASE WHEN payment IS NOT NULL THEN 1 END
    FROM (SELECT id FROM payments WHERE project_id = ${id} UNION ALL SELECT NULL) AS p (payment)`.execute(db);
  await deleteOld({ db });
  expect((await deleteAccount(user)).status).toBe(200);
  const [kept, ...others] = await db.selectFrom('claims').select(['userId', 'refundMist']).execute();
  expect([kept?.refundMist, kept?.userId === user.id, others]).toEqual([1, false, []]);
});
