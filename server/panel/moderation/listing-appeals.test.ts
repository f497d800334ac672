import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { Notice } from '#shared/contract/notices.ts';
import type { AdminPayment, Payment } from '#shared/contract/payments.ts';
import type { OwnProject } from '#shared/contract/projects.ts';
import type { AdminAppeal, Appeal, Standing } from '#shared/contract/standing.ts';
import type { Project } from '#shared/contract/types.ts';
import type { Activity } from '#shared/contract/users.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { balanceMist, fund, fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, submitPaid } from '#lab/testing/drafts.ts';
import { emptyIntoBalance } from '#packages/sandbox/testing/own-coins.ts';
import { insertExcludedVote } from '#lab/testing/standing.ts';

/** Appeals against hiding a paid listing, and the refund of its fee (R80). */

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);
const REASON = 'A copy of another project';

interface Listing {
  user: TestUser;
  id: number;
  name: string;
  paymentId: string;
}

/** A listing of this user that was paid for. */
async function list(user: TestUser): Promise<Listing> {
  const draft = await newDraft();
  const { body } = await submitPaid<Project>(user, draft, await pay(chain, user.wallet, SUBMIT_FEE_MIST));
  const { body: payments } = await user.get<Payment[]>('/api/payments');
  const payment = payments.find(({ projectId }) => projectId === body.id);
  return { user, id: body.id, name: draft.name, paymentId: payment?.paymentId ?? '' };
}
const payer = async () => newUser(server, await fundedWallet(chain));
const moderate = ({ id }: Pick<Listing, 'id'>, hidden: boolean) =>
  panel.post(`/api/admin/projects/${id}/moderate`, { hidden, reason: REASON });
async function listAndHide(owner?: TestUser): Promise<Listing> {
  const listing = await list(owner ?? (await payer()));
  expect((await moderate(listing, true)).status).toBe(200);
  return listing;
}
const appeal = ({ user, id }: Pick<Listing, 'user' | 'id'>, text = 'We were first') =>
  user.post<Appeal>('/api/appeals', { text, projectId: id });
async function ownOf({ user, id }: Listing): Promise<OwnProject | undefined> {
  const { body } = await user.get<OwnProject[]>(`/api/projects/wallet/${user.address}`);
  return body.find((project) => project.id === id);
}
const openAppeals = async () => (await panel.get<AdminAppeal[]>('/api/admin/appeals')).body;
const noticesOf = async ({ user }: Listing) =>
  (await user.get<{ notices: Notice[] }>(`/api/users/${user.id}/notices`)).body.notices.filter(
    ({ kind }) => kind === 'appeal_answered',
  );
const activityOf = async ({ user }: Listing) => (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
const refund = (paymentId: string, transactionHash?: string, more: object = {}) =>
  panel.post<AdminPayment>(`/api/admin/payments/${paymentId}/resolve`, {
    resolution: 'refunded',
    note: 'We cannot list it',
    transactionHash,
    ...more,
  });
/** Money of the admin's wallet. */
async function sendBack(to: string, mist = SUBMIT_FEE_MIST): Promise<string> {
  await fund(chain, panel.admin.address);
  return pay(chain, panel.admin.wallet, mist, to);
}

describe('appeals against hiding a paid listing [R80]', () => {
  test('the owner appeals once, and reads the answer on the listing, under the bell and in the activity [R80 R36]', async () => {
    const listing = await listAndHide();
    const { user, id, name, paymentId } = listing;
    expect(await ownOf(listing)).toMatchObject({ hiddenReason: REASON, canAppeal: true, appeal: null, refund: null });
    for (const text of [' ', '\u200b', 'x'.repeat(501)]) expect((await appeal(listing, text)).status).toBe(400);
    const posted = await appeal(listing);
    expect(posted).toMatchObject({ status: 201, body: { text: 'We were first', answer: null } });
    expect(await appeal(listing, 'Hello?')).toMatchObject({ status: 409, body: { error: 'appealed_before' } });
    expect(await ownOf(listing)).toMatchObject({ canAppeal: false, appeal: { text: 'We were first', answer: null } });
    expect((await openAppeals()).find((one) => one.id === posted.body.id)).toMatchObject({
      userId: user.id,
      project: {
        id,
        name,
        hiddenReason: REASON,
        fee: { paymentId, amountMist: SUBMIT_FEE_MIST.toString(), paidBy: user.address, refundedMist: null },
      },
    });

    const path = `/api/admin/appeals/${posted.body.id}/answer`;
    expect((await panel.post(path, { answer: 'The other one was first' })).status).toBe(200);
    expect(await ownOf(listing)).toMatchObject({ appeal: { answer: 'The other one was first' } });
    expect(await noticesOf(listing)).toMatchObject([
      { text: `Your appeal about your project ${name} was answered`, link: '/portfolio' },
    ]);
    expect((await activityOf(listing))[0]).toMatchObject({
      kind: 'appeal_answered',
      text: 'Your appeal was answered: The other one was first',
    });
    expect(await appeal(listing, 'Once more')).toMatchObject({ status: 409, body: { error: 'appealed_before' } });
    expect((await moderate(listing, false)).status).toBe(200);
    expect(await ownOf(listing)).toMatchObject({ hiddenReason: null, canAppeal: false, appeal: null });
    expect((await moderate(listing, true)).status).toBe(200);
    expect((await appeal(listing, 'Hidden again')).status).toBe(409);
  });

  test('appeals about votes and about listings do not stand in for each other [R39 R80]', async () => {
    const listing = await listAndHide();
    const { user } = listing;
    expect((await appeal(listing)).status).toBe(201);
    await insertExcludedVote(db, user.id);
    const standing = () => user.get<Standing>(`/api/users/${user.id}/standing`);
    expect((await standing()).body.appeal).toBeNull();
    expect((await user.post('/api/appeals', { text: 'These were mine' })).status).toBe(201);
    const other = await listAndHide(user);
    expect((await appeal(other)).status).toBe(201);
    expect((await standing()).body.appeal).toMatchObject({ text: 'These were mine' });
    const mine = (await openAppeals()).filter(({ userId }) => userId === user.id);
    expect(mine.map(({ project }) => project?.id ?? null)).toEqual([listing.id, null, other.id]);
  });

  test('a shown listing, a free one and that of another user cannot be appealed [R80]', async () => {
    const user = await payer();
    const shown = await list(user);
    expect(await appeal(shown)).toMatchObject({ status: 409, body: { error: 'not_hidden' } });
    const free = await insertProject(db, { ownerId: user.id, hidden: true });
    expect(await appeal({ user, id: free })).toMatchObject({ status: 409, body: { error: 'listing_was_free' } });
    const hidden = await listAndHide();
    const missing = { status: 404, body: { error: 'project_not_found' } };
    expect(await appeal({ user, id: hidden.id })).toMatchObject(missing);
    expect(await appeal({ user, id: 999_999 })).toMatchObject(missing);
  });

  test('one of several appeals that are sent at once counts [R80]', async () => {
    const listing = await listAndHide();
    const sent = await Promise.all([1, 2, 3, 4].map((n) => appeal(listing, `Appeal ${n}`)));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  });
});

describe('refunds of appealed listings [R80]', () => {
  test('a refund is recorded once the chain shows it, and the owner finds it in every list [R80 R36]', async () => {
    const listing = await listAndHide();
    const { user, paymentId } = listing;
    const digest = await sendBack(user.address);
    expect(await refund(paymentId, digest)).toMatchObject({ status: 409, body: { error: 'not_unclaimed' } });
    expect((await appeal(listing)).status).toBe(201);
    expect(await refund(paymentId, digest)).toMatchObject({
      status: 200,
      body: { state: 'refunded', refundedMist: SUBMIT_FEE_MIST.toString(), refundTransactionHash: digest },
    });
    expect(await ownOf(listing)).toMatchObject({
      hiddenReason: REASON,
      refund: { amountMist: SUBMIT_FEE_MIST.toString(), transactionHash: digest },
    });
    const text = 'Your payment was refunded, 15 SUI: We cannot list it';
    expect((await activityOf(listing))[0]).toMatchObject({ kind: 'payment_refunded', text, digest });
    expect(await noticesOf(listing)).toMatchObject([{ text, link: '/portfolio' }]);
    expect((await user.get<Payment[]>('/api/payments')).body).toMatchObject([{ state: 'refunded', phase: 'refunded' }]);
    expect((await user.get<{ text: string }>('/api/payments.csv')).body.text).toContain('15,refunded,');
    const queued = (await openAppeals()).find(({ project }) => project?.id === listing.id);
    expect(queued?.project?.fee).toMatchObject({ refundTransactionHash: digest });

    expect(await refund(paymentId, await sendBack(user.address))).toMatchObject({ status: 409 });
    expect(await moderate(listing, false)).toMatchObject({ status: 409, body: { error: 'fee_refunded' } });
    expect((await ownOf(listing))?.hiddenReason).toBe(REASON);
  });

  test('a refund needs a transaction of a paying wallet that sends at least the fee to the payer after the payment [R80]', async () => {
    const listing = await listAndHide();
    const { user, paymentId } = listing;
    expect((await appeal(listing)).status).toBe(201);
    const rejected = async (transactionHash: string | undefined, message: string) =>
      expect(await refund(paymentId, transactionHash)).toMatchObject({
        status: 400,
        body: { error: 'invalid_field', field: 'transactionHash', message },
      });
    await rejected(undefined, 'Enter the digest of the refund');
    await rejected('0'.repeat(40), 'This is not the digest of a transaction');
    expect(await refund(paymentId, '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S')).toMatchObject({
      status: 409,
      body: { error: 'not_found_yet' },
    });
    const tooLittle = 'This transaction does not send 15 SUI to the wallet that paid';
    const stranger = await payer();
    await rejected(await sendBack(stranger.address), tooLittle);
    const part = await sendBack(user.address, SUBMIT_FEE_MIST - 1n);
    await rejected(part, tooLittle);
    await rejected(
      await pay(chain, stranger.wallet, SUBMIT_FEE_MIST, user.address),
      'This transaction is not from a wallet that pays for this site',
    );
    const digest = await sendBack(user.address);
    await db
      .updateTable('payments')
      .set({ createdAt: sql<Date>`created_at + interval '10 minutes'` })
      .where('id', '=', paymentId)
      .execute();
    await rejected(digest, 'This transaction is older than the payment');
    expect((await user.get<Payment[]>('/api/payments')).body).toMatchObject([{ state: 'fulfilled' }]);
    await db
      .updateTable('payments')
      .set({ createdAt: sql<Date>`created_at - interval '10 minutes'` })
      .where('id', '=', paymentId)
      .execute();
    // A part of the fee counts as that part.
    const amountMist = (SUBMIT_FEE_MIST - 1n).toString();
    expect(await refund(paymentId, part, { amountMist })).toMatchObject({
      status: 200,
      body: { refundedMist: amountMist },
    });
  });

  test('a refund can be paid from an address balance alone, and of two at once one is recorded [R82 R80]', async () => {
    const [listing, payout] = [await listAndHide(), await fundedWallet(chain)];
    const { user, paymentId } = listing;
    expect((await appeal(listing)).status).toBe(201);
    const sender = payout.toSuiAddress();
    await db.insertInto('paymentRecipients').values({ address: sender }).execute();
    await emptyIntoBalance(chain.client, payout, { coinType: '0x5::none::NONE', rest: panel.admin.address });
    const [beforeMist, { balance }] = [
      await balanceMist(chain, user.address),
      await chain.client.getBalance({ owner: sender }),
    ];
    expect(balance.coinBalance).toBe('0');
    const digest = await pay(chain, payout, SUBMIT_FEE_MIST, user.address);
    const other = await pay(chain, payout, SUBMIT_FEE_MIST, user.address);
    expect((await balanceMist(chain, user.address)) - beforeMist).toBe(2n * SUBMIT_FEE_MIST);
    const sent = await Promise.all([digest, digest, other].map((one) => refund(paymentId, one)));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect((await user.get<Payment[]>('/api/payments')).body).toMatchObject([{ state: 'refunded' }]);
  });

  test('one transaction is recorded as one refund, even by requests at the same time [R80]', async () => {
    const user = await payer();
    const [one, other] = [await listAndHide(user), await listAndHide(user)];
    for (const listing of [one, other]) expect((await appeal(listing)).status).toBe(201);
    const digest = await sendBack(user.address);
    const sent = await Promise.all([one, one, other, other].map(({ paymentId }) => refund(paymentId, digest)));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const states = (await user.get<Payment[]>('/api/payments')).body.map(({ state }) => state);
    expect(states.toSorted()).toEqual(['fulfilled', 'refunded']);
    expect((await activityOf(one)).filter(({ kind }) => kind === 'payment_refunded')).toHaveLength(1);
  });

  test('only the newest fee of a listing that is still hidden is refunded [R80]', async () => {
    const user = await payer();
    const listing = await list(user);
    const transactionHash = await pay(chain, user.wallet, RENEW_FEE_MIST);
    const renewal = { walletAddress: user.address, transactionHash };
    expect((await user.post(`/api/projects/${listing.id}/renew`, renewal)).status).toBe(200);
    expect((await moderate(listing, true)).status).toBe(200);
    expect((await appeal(listing)).status).toBe(201);
    const digest = await sendBack(user.address, RENEW_FEE_MIST);
    expect(await refund(listing.paymentId, digest)).toMatchObject({ status: 409, body: { error: 'not_unclaimed' } });
    const [newest] = (await user.get<Payment[]>('/api/payments')).body;
    expect(newest).toMatchObject({ purpose: 'renew' });
    const newestId = newest?.paymentId ?? '';
    expect((await moderate(listing, false)).status).toBe(200);
    expect(await refund(newestId, digest)).toMatchObject({ status: 409, body: { error: 'not_unclaimed' } });
    expect((await moderate(listing, true)).status).toBe(200);
    expect((await refund(newestId, digest)).status).toBe(200);
    // The first fee is not refunded as well.
    expect(await refund(listing.paymentId, await sendBack(user.address))).toMatchObject({ status: 409 });
  });

  test('an order that was refunded because it could not be applied does not keep a listing hidden [R80]', async () => {
    const listing = await listAndHide();
    const { id: projectId } = listing;
    await sql`INSERT INTO payments (user_id, purpose, state, project_id, draft, order_hash, amount_mist, digest, chain_id, failure_code, refunded_mist, expires_at)
      SELECT user_id, 'renew', 'refunded', project_id, draft, order_hash, amount_mist, 'late renewal', chain_id, 'project_hidden', amount_mist, expires_at
      FROM payments WHERE project_id = ${projectId}`.execute(db);
    expect(await ownOf(listing)).toMatchObject({ canAppeal: true, refund: null });
    expect((await moderate(listing, false)).status).toBe(200);
  });
});
