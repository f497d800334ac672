import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { Db } from '#db/client.ts';
import type { NameReview } from '#shared/contract/names.ts';
import type { Notice } from '#shared/contract/notices.ts';
import type { AdminPayment, Payment } from '#shared/contract/payments.ts';
import type { Project } from '#shared/contract/types.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { fund, fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, type Prepared, submitPaid } from '#lab/testing/drafts.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { recoverPayments } from '../payments/recover.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);
const payer = async () => newUser(server, await fundedWallet(chain));

type Waiting = { status: string; phase: string; message: string };

/** Pays for a listing of this name. */
async function submit(user: TestUser, name: string) {
  const draft = await newDraft({ name });
  const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
  const send = () => submitPaid<Project & Waiting>(user, draft, digest);
  return { digest, send, sent: await send() };
}

const listReviews = async () => (await panel.get<NameReview[]>('/api/admin/name-reviews')).body;
async function reviewOf(name: string): Promise<NameReview> {
  const found = (await listReviews()).find((review) => review.name === name);
  if (!found) throw new Error(`${name} does not wait`);
  return found;
}
const decide = (id: string, body: object) => panel.post(`/api/admin/name-reviews/${id}`, body);
const noticesOf = async (user: TestUser) =>
  (await user.get<{ notices: Notice[] }>(`/api/users/${user.id}/notices`)).body.notices.filter(
    ({ kind }) => kind === 'name_review',
  );
const find = async (name: string) =>
  (await db.selectFrom('projects').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
/** Everything that waits has waited for so long, and the job runs. */
async function wait(hours: number) {
  await sql`UPDATE payments SET look_alike_since = look_alike_since - make_interval(hours => ${hours}),
    next_try_at = next_try_at - make_interval(hours => ${hours}) WHERE state = 'paid'`.execute(db);
  await recoverPayments(server.services);
}

describe('names that look like those of other listings wait for a moderator [R74]', () => {
  test('a paid look-alike waits, and its payer reads why and what happens [R74]', async () => {
    await insertProject(db, { name: 'Tidal Works' });
    const user = await payer();
    const { sent, send, digest } = await submit(user, 'TidaI W0rks');
    expect(sent).toMatchObject({ status: 202, body: { status: 'pending', phase: 'waiting' } });
    expect(sent.body.message).toContain('within 72 hours');
    expect(await send()).toMatchObject({ status: 202, body: { phase: 'waiting' } });
    await wait(71);
    expect(await find('TidaI W0rks')).toBeNull();
    const { body: payments } = await user.get<Payment[]>('/api/payments');
    expect(payments).toMatchObject([
      { state: 'paid', phase: 'waiting', transactionHash: digest, note: 'The name looks like that of Tidal Works.' },
    ]);
    expect(await noticesOf(user)).toMatchObject([{ text: expect.stringContaining('you get your fee back') }]);
    expect((await user.get<Array<{ kind: string }>>(`/api/users/${user.id}/activity`)).body).toMatchObject([
      { kind: 'payment_waiting' },
    ]);
    // The same order is not paid for twice.
    const twin = await user.post('/api/payments', {
      purpose: 'submit',
      draft: await newDraft({ name: 'TidaI W0rks' }),
    });
    expect(twin).toMatchObject({ status: 409, body: { error: 'payment_open', phase: 'waiting' } });
  });

  test('a moderator sees both side by side and lists it; its 31 days begin then [R74]', async () => {
    await insertProject(db, { name: 'Lagoon Lend' });
    const user = await payer();
    const { send } = await submit(user, 'Lagoon-Lend!');
    await wait(40);
    const review = await reviewOf('Lagoon-Lend!');
    expect(review).toMatchObject({
      purpose: 'submit',
      isListed: false,
      project: null,
      owner: user.address,
      twitterHandle: 'coralswap',
      others: [{ name: 'Lagoon Lend', twitterHandle: 'project' }],
    });
    expect((await decide(review.paymentId, { decision: 'list' })).status).toBe(200);
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(body.listing.lookAlike).toBeUndefined();
    const days = (Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(31, 1);
    expect(Date.now() - Date.parse(body.createdAt)).toBeLessThan(60_000);
    expect((await decide(review.paymentId, { decision: 'list' })).status).toBe(409);
    expect((await noticesOf(user))[0]?.text).toContain('it is listed');
  });

  test('a moderator also sees close names: one letter more, less, doubled or swapped, and no others [R74]', async () => {
    await insertProject(db, { name: 'Mussel Beach' });
    const close = ['Mussel Beachy', 'Mussel Bech', 'Musssel Beach', 'Musesl Beach', 'Mussel 8eaach'];
    for (const name of [...close, 'Mussel Peach', 'Mussel Beaches', 'Mussel']) await insertProject(db, { name });
    await insertProject(db, { name: 'Mussel Beacha', hidden: true });
    await submit(await payer(), 'Mu55el Beach');
    const { others } = await reviewOf('Mu55el Beach');
    expect(others.map(({ name, isClose }) => [name, isClose])).toEqual([
      ['Mussel Beach', false],
      ...close.map((name) => [name, true]),
    ]);
  });

  test('after 72 hours without a look it is listed with a marker, its payer is notified, and a moderator can remove the marker [R74 R78]', async () => {
    const other = await insertProject(db, { name: 'Kelp Garden' });
    const user = await payer();
    const { send } = await submit(user, 'Kelpgarden');
    await wait(73);
    const { body } = await send();
    const { slug } = await db.selectFrom('projects').select('slug').where('id', '=', other).executeTakeFirstOrThrow();
    expect(body.listing.lookAlike).toEqual({ name: 'Kelp Garden', slug });
    expect((await noticesOf(user))[0]?.text).toBe(
      "Kelpgarden is listed now: no moderator looked at the name within 72 hours. It shows 'Name looks like Kelp Garden' until one does. Its 31 days have begun.",
    );
    const review = await reviewOf('Kelpgarden');
    expect(review).toMatchObject({ isListed: true, project: { id: body.id } });
    expect((await decide(review.paymentId, { decision: 'decline', reason: 'Too late for that' })).status).toBe(409);
    expect((await decide(review.paymentId, { decision: 'list' })).status).toBe(200);
    const after = await user.get<Project>(`/api/projects/${body.id}`);
    expect(after.body.listing.lookAlike).toBeUndefined();
    expect((await listReviews()).map(({ name }) => name)).not.toContain('Kelpgarden');
  });

  test('a declined name is not listed, and its fee waits for the refund that the chain shows [R74]', async () => {
    await insertProject(db, { name: 'Brine Bank' });
    const user = await payer();
    const { send } = await submit(user, 'Official Brine Bank');
    const { paymentId } = await reviewOf('Official Brine Bank');
    expect((await decide(paymentId, { decision: 'decline', reason: 'It is not the official one' })).status).toBe(200);
    expect((await send()).status).toBe(409);
    await wait(100);
    expect(await find('Official Brine Bank')).toBeNull();
    expect((await noticesOf(user))[0]?.text).toContain('It is not the official one');
    const { body: due } = await panel.get<AdminPayment[]>('/api/admin/payments?state=unclaimed');
    expect(due).toMatchObject([{ paymentId, failure: 'name_declined', receivedMist: SUBMIT_FEE_MIST.toString() }]);
    const refund = (transactionHash?: string) =>
      panel.post(`/api/admin/payments/${paymentId}/resolve`, {
        resolution: 'refunded',
        note: 'The name was declined',
        transactionHash,
      });
    expect(await refund()).toMatchObject({ status: 400, body: { field: 'transactionHash' } });
    await fund(chain, panel.admin.address);
    const elsewhere = await pay(chain, panel.admin.wallet, SUBMIT_FEE_MIST, newWallet().toSuiAddress());
    expect(await refund(elsewhere)).toMatchObject({ status: 400, body: { field: 'transactionHash' } });
    expect((await refund(await pay(chain, panel.admin.wallet, SUBMIT_FEE_MIST, user.address))).status).toBe(200);
    expect((await user.get<Payment[]>('/api/payments')).body).toMatchObject([{ state: 'refunded' }]);
  });

  test('a paid rename to a look-alike waits, and the listing keeps its name until then [R74]', async () => {
    await insertProject(db, { name: 'Pearl Vault' });
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id, name: 'Quiet Shell' });
    const transactionHash = await pay(chain, user.wallet, UPDATE_FEE_MIST);
    const rename = () =>
      user.patch<Project & Waiting>(`/api/projects/${projectId}/update`, { name: 'PearlVault', transactionHash });
    expect(await rename()).toMatchObject({ status: 202, body: { phase: 'waiting' } });
    expect((await user.get<Project>(`/api/projects/${projectId}`)).body.name).toBe('Quiet Shell');
    const review = await reviewOf('PearlVault');
    expect(review).toMatchObject({ purpose: 'update', project: { id: projectId, name: 'Quiet Shell' } });
    expect((await decide(review.paymentId, { decision: 'list' })).status).toBe(200);
    expect((await rename()).body.name).toBe('PearlVault');
    // Another spelling of the name that was decided about does not wait again.
    const again = await pay(chain, user.wallet, UPDATE_FEE_MIST);
    const spelled = { name: 'Pearl-Vault', transactionHash: again };
    expect(await user.patch(`/api/projects/${projectId}/update`, spelled)).toMatchObject({ status: 200 });
  });

  test('a name that is free again is listed at once, without a marker [R74]', async () => {
    const other = await insertProject(db, { name: 'Foam Party' });
    const user = await payer();
    const { send } = await submit(user, 'Foam Party.');
    await db.updateTable('projects').set({ hiddenAt: new Date() }).where('id', '=', other).execute();
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(body.listing.lookAlike).toBeUndefined();
    expect((await noticesOf(user))[0]?.text).toContain('no longer looks like that of another listing');
    expect((await listReviews()).map(({ name }) => name)).not.toContain('Foam Party.');
  });

  test('one of two look-alikes that are paid for at the same time is listed, and the other waits [R74]', async () => {
    const users = await Promise.all([payer(), payer()]);
    const sent = await Promise.all(users.map((user, at) => submit(user, ['Salt Mine', 'SaltMine'][at] ?? '')));
    expect(sent.map(({ sent: { status } }) => status).toSorted((a, b) => a - b)).toEqual([201, 202]);
  });
});

describe('a later paid order of the same listing ends a waiting name [R74]', () => {
  let serial = 0;
  /** A listing, and its owner's paid rename to a name that looks like another listing's. */
  async function waitingRename() {
    serial += 1;
    const [other, copy, name] = [`Tern Isle ${serial}`, `TernIsle${serial}`, `Slate ${serial}`];
    await insertProject(db, { name: other });
    const user = await payer();
    const id = await insertProject(db, { ownerId: user.id, name });
    const update = (changes: object, transactionHash: string) =>
      user.patch<Project & Waiting>(`/api/projects/${id}/update`, { ...changes, transactionHash });
    const pays = async (changes: object) => update(changes, await pay(chain, user.wallet, UPDATE_FEE_MIST));
    expect(await pays({ name: copy })).toMatchObject({ status: 202, body: { phase: 'waiting' } });
    const { paymentId } = await reviewOf(copy);
    const nameNow = async () => (await user.get<Project>(`/api/projects/${id}`)).body.name;
    return { user, id, name, copy, paymentId, pays, nameNow };
  }
  const dueFor = async (paymentId: string) =>
    (await panel.get<AdminPayment[]>('/api/admin/payments?state=unclaimed')).body.find(
      (payment) => payment.paymentId === paymentId,
    );
  const ended = { failure: 'name_superseded', receivedMist: UPDATE_FEE_MIST.toString() };

  test.each([
    ['72 hours pass', () => wait(73)],
    ['a moderator presses List', (paymentId: string) => decide(paymentId, { decision: 'list' })],
  ])('the listing keeps the later name when %s, and the owner learns of the fee [R74]', async (_event, happens) => {
    const { user, copy, paymentId, pays, nameNow } = await waitingRename();
    expect(await pays({ name: `Slate Two ${serial}` })).toMatchObject({ status: 200 });
    await happens(paymentId);
    expect(await nameNow()).toBe(`Slate Two ${serial}`);
    expect((await decide(paymentId, { decision: 'list' })).status).toBe(409);
    expect((await listReviews()).map(({ name }) => name)).not.toContain(copy);
    expect(await dueFor(paymentId)).toMatchObject(ended);
    const text = expect.stringContaining(
      `The name ${copy} was not used, because a later order of the same listing was paid.`,
    );
    expect((await noticesOf(user))[0]).toMatchObject({ text });
    const { body: lines } = await user.get<Array<{ kind: string }>>(`/api/users/${user.id}/activity`);
    expect(lines.find(({ kind }) => kind === 'payment_unclaimed')).toMatchObject({ text });
  });

  test('the fee of an ended name is refunded by a transaction that the chain shows, and never credited [R74]', async () => {
    const { user, paymentId, pays } = await waitingRename();
    await pays({ description: 'Two' });
    const resolve = (body: object) =>
      panel.post(`/api/admin/payments/${paymentId}/resolve`, { note: 'A later order came', ...body });
    expect(await resolve({ resolution: 'credited' })).toMatchObject({ status: 409, body: { error: 'cannot_fulfil' } });
    expect(await resolve({ resolution: 'refunded' })).toMatchObject({
      status: 400,
      body: { field: 'transactionHash' },
    });
    await fund(chain, panel.admin.address);
    const transactionHash = await pay(chain, panel.admin.wallet, UPDATE_FEE_MIST, user.address);
    expect((await resolve({ resolution: 'refunded', transactionHash })).status).toBe(200);
    expect((await user.get<Payment[]>('/api/payments')).body).toMatchObject([
      { state: 'fulfilled' },
      { state: 'refunded' },
    ]);
  });

  test('a renewal ends the wait of a name, and extends the listing [R74]', async () => {
    const { user, id, name, paymentId, nameNow } = await waitingRename();
    const transactionHash = await pay(chain, user.wallet, RENEW_FEE_MIST);
    expect(await user.post(`/api/projects/${id}/renew`, { transactionHash })).toMatchObject({ status: 200 });
    await wait(73);
    expect(await nameNow()).toBe(name);
    expect(await dueFor(paymentId)).toMatchObject(ended);
  });

  test('the later one of two waiting names ends the earlier one, and is listed [R74]', async () => {
    const { copy, paymentId, pays, nameNow } = await waitingRename();
    const later = `${copy}!`;
    expect(await pays({ name: later })).toMatchObject({ status: 202 });
    expect(await dueFor(paymentId)).toMatchObject(ended);
    expect((await decide((await reviewOf(later)).paymentId, { decision: 'list' })).status).toBe(200);
    expect(await nameNow()).toBe(later);
    await wait(73);
    expect(await nameNow()).toBe(later);
  });

  test('an order that was signed earlier does not end a waiting name [R74]', async () => {
    const { copy, paymentId, pays, nameNow } = await waitingRename();
    await sql`UPDATE payments SET signed_at = now() + interval '1 minute' WHERE id = ${paymentId}`.execute(db);
    expect(await pays({ name: `Slate Two ${serial}` })).toMatchObject({ status: 200 });
    expect((await decide(paymentId, { decision: 'list' })).status).toBe(200);
    expect(await nameNow()).toBe(copy);
  });

  test('a later order wins over a moderator who lists the waiting name at the same moment [R74]', async () => {
    const { id, paymentId, pays, nameNow } = await waitingRename();
    const { both } = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('projects').select('id').where('id', '=', id).forUpdate().execute();
      const later = pays({ name: `Slate Two ${serial}` });
      await locked(db, 1);
      const listed = decide(paymentId, { decision: 'list' });
      await locked(db, 2);
      return { both: [later, listed] };
    });
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 409]);
    expect(await nameNow()).toBe(`Slate Two ${serial}`);
    expect(await dueFor(paymentId)).toMatchObject(ended);
  });

  test('a prepared payment names the waiting name that it ends [R74 R16]', async () => {
    const { user, id, copy, pays } = await waitingRename();
    const prepare = (order: object) => user.post<Prepared>('/api/payments', { projectId: id, ...order });
    const update = { purpose: 'update', draft: { description: 'Two' } };
    expect((await prepare({ purpose: 'renew' })).body).toMatchObject({ endsWaitingName: copy });
    expect((await prepare(update)).body).toMatchObject({ endsWaitingName: copy });
    await pays({ description: 'Three' });
    expect((await prepare(update)).body).toMatchObject({ endsWaitingName: null });
  });
});

/** Waits until so many statements of this database wait for a lock. */
async function locked(db: Db, count: number): Promise<void> {
  const { rows } = await sql<{ blocked: number }>`SELECT count(*)::int AS blocked FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  if ((rows[0]?.blocked ?? 0) < count) await locked(db, count);
}
