import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LISTING_MS, RENEW_FEE_MIST, SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { Payment } from '#shared/contract/payments.ts';
import type { OwnProject, ProjectDraft } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import type { Activity } from '#shared/contract/users.ts';
import { MAX_PERIODS } from '../orders/order.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, listOften } from '#lab/testing/builders.ts';
import { balanceMist, fundedWallet, pay, sharedChain, signPayment } from '#lab/testing/chain.ts';
import { newUser } from '#lab/testing/client.ts';
import {
  executeSigned,
  newDraft,
  pictureUrl,
  prepareRenewal,
  prepareSubmit,
  signedRenewal,
  signedSubmit,
  submitPaid,
} from '#lab/testing/drafts.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;

const payer = async () => newUser(server, await fundedWallet(chain));
const listed = async (name: string) =>
  (await db.selectFrom('projects').selectAll().where('name', '=', name).execute()).length;
const expiryMs = async (id: number) =>
  (
    await db.selectFrom('projects').select('expiresAt').where('id', '=', id).executeTakeFirstOrThrow()
  ).expiresAt.getTime();

describe('store first, then move money [R16]', () => {
  test('a draft, its signature and execution list a project for 15 SUI and 31 days, visible to others [S7.16 S9.5 R20]', async () => {
    const user = await payer();
    const draft = await newDraft({ description: 'Line one\nline two' });
    const prepared = await prepareSubmit(user, draft);
    expect(prepared.status).toBe(201);
    expect(prepared.body).toMatchObject({ amountMist: '15000000000', recipient: ADMIN_KEYPAIR.toSuiAddress() });
    const openMs = Date.parse(prepared.body.expiresAt) - Date.now();
    expect(openMs).toBeLessThanOrEqual(3_600_000);
    expect(openMs).toBeGreaterThan(3_000_000);
    expect(await listed(draft.name)).toBe(0);

    const [before, adminBefore] = [
      await balanceMist(chain, user.address),
      await balanceMist(chain, prepared.body.recipient),
    ];
    const signed = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    expect(await balanceMist(chain, user.address)).toBe(before);
    const executed = await executeSigned(user, prepared.body.paymentId, signed);
    expect(executed).toMatchObject({ status: 200, body: { transactionHash: signed.digest } });
    expect((await balanceMist(chain, prepared.body.recipient)) - adminBefore).toBe(SUBMIT_FEE_MIST);
    const spentMist = before - (await balanceMist(chain, user.address));
    expect(spentMist).toBeGreaterThan(SUBMIT_FEE_MIST);
    expect(spentMist).toBeLessThan(SUBMIT_FEE_MIST + 10_000_000n);

    const response = await submitPaid<Project>(user, draft, signed.digest);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      name: draft.name,
      category: 'DeFi',
      description: 'Line one\nline two',
      twitterHandle: 'coralswap',
      website: 'https://coral.example',
      submittedBy: user.address,
      transactionHash: signed.digest,
      bullishCount: 0,
      bearishCount: 0,
      totalVotes: 0,
      imageUrl: expect.stringMatching(/^\/images\/[0-9a-f]+\.webp$/),
    });
    expect(Math.abs(Date.parse(response.body.expiresAt) - Date.now() - LISTING_MS)).toBeLessThan(60_000);
    expect((await fetch(server.url + response.body.imageUrl)).headers.get('content-type')).toBe('image/webp');
    const other = await newUser(server);
    const feed = await other.get<Project[]>(`/api/projects?userId=${other.id}`);
    expect(feed.body.map((project) => project.id)).toContain(response.body.id);
    const own = await user.get<OwnProject[]>(`/api/projects/wallet/${user.address}`);
    expect(own.body).toMatchObject([{ id: response.body.id }]);
  });

  test('execute and fulfil called twice, even at once, give one payment, project and receipt, and the same responses [R36]', async () => {
    const user = await payer();
    const { draft, paymentId, signed } = await signedSubmit(chain, user);
    const before = await balanceMist(chain, user.address);
    const executions = await Promise.all([1, 2, 3].map(() => executeSigned(user, paymentId, signed)));
    for (const execution of executions)
      expect(execution).toMatchObject({ status: 200, body: { transactionHash: signed.digest } });
    expect(before - (await balanceMist(chain, user.address))).toBeLessThan(2n * SUBMIT_FEE_MIST);
    const responses = await Promise.all([1, 2, 3, 4].map(() => submitPaid<Project>(user, draft, signed.digest)));
    responses.push(await submitPaid<Project>(user, draft, signed.digest));
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1);
    expect(await listed(draft.name)).toBe(1);
    const activity = (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
    expect(activity).toMatchObject([
      {
        kind: 'project_submitted',
        amountMist: '15000000000',
        digest: signed.digest,
        tokens: 0,
        projectSlug: responses[0]?.body.slug,
      },
    ]);
    expect(activity[0]?.text).toBe(`${draft.name} is listed for 31 days: 15 SUI paid`);
  });

  test.each<[string, Partial<ProjectDraft>]>([
    ['name', { name: ' ' }],
    ['category', { category: 'Casino' }],
    ['description', { description: 'x'.repeat(201) }],
    ['imageUrl', { imageUrl: '' }],
    ['twitterHandle', { twitterHandle: 'https://example.com/me' }],
    ['website', { website: 'javascript:alert(1)' }],
  ])('an order with a wrong %s gives 400 with that field, and no payment to sign [S5.3]', async (field, change) => {
    const user = await newUser(server);
    const response = await prepareSubmit(user, { ...(await newDraft()), ...change });
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_field', field } });
    expect((await user.get<Payment[]>('/api/payments')).body).toEqual([]);
  });

  test('a draft that has expired or is another user’s cannot be executed, and nothing is paid', async () => {
    const user = await payer();
    const { paymentId, signed } = await signedSubmit(chain, user);
    const before = await balanceMist(chain, user.address);
    expect((await executeSigned(await newUser(server), paymentId, signed)).status).toBe(404);
    await sql`UPDATE payments SET expires_at = now() - interval '1 second' WHERE id = ${paymentId}`.execute(db);
    expect(await executeSigned(user, paymentId, signed)).toMatchObject({
      status: 409,
      body: { error: 'payment_expired' },
    });
    expect(await balanceMist(chain, user.address)).toBe(before);
  });

  test('a project with the maximum number of listing periods is not renewed, and nothing is paid [R16 R19 R45]', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    await listOften(db, projectId, MAX_PERIODS - 1);
    const { paymentId, signed } = await signedRenewal(chain, user, projectId);
    await listOften(db, projectId, MAX_PERIODS);
    const refused = {
      status: 409,
      body: {
        error: 'project_full',
        message: 'A listing can run for at most 9300 days in total, and this one already does. Nothing was paid.',
      },
    };
    const before = await balanceMist(chain, user.address);
    expect(await executeSigned(user, paymentId, signed)).toMatchObject(refused);
    expect(await balanceMist(chain, user.address)).toBe(before);
    expect((await user.post(`/api/payments/${paymentId}/cancel`)).status).toBe(200);
    expect(await prepareRenewal(user, projectId)).toMatchObject(refused);
    expect(await (await newUser(server, ADMIN_KEYPAIR)).post(`/api/projects/${projectId}/renew`, {})).toMatchObject(
      refused,
    );
    // An update is still possible.
    const changes = { purpose: 'update', projectId, draft: { description: 'Listed for a very long time, and on' } };
    const update = await user.post<{ paymentId: string }>('/api/payments', changes);
    const paid = await signPayment(chain, user.wallet, UPDATE_FEE_MIST);
    expect((await executeSigned(user, update.body.paymentId, paid)).status).toBe(200);
  });

  test('a project removed or hidden between draft and signature is refused before money moves [R16]', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    const { paymentId, signed } = await signedRenewal(chain, user, projectId);
    await sql`UPDATE projects SET hidden_at = now() WHERE id = ${projectId}`.execute(db);
    const before = await balanceMist(chain, user.address);
    expect(await executeSigned(user, paymentId, signed)).toMatchObject({
      status: 409,
      body: { error: 'project_hidden', nothingPaid: true },
    });
    await db.deleteFrom('projects').where('id', '=', projectId).execute();
    expect(await executeSigned(user, paymentId, signed)).toMatchObject({
      status: 404,
      body: { error: 'project_not_found', nothingPaid: true },
    });
    expect(await balanceMist(chain, user.address)).toBe(before);
  });
});

describe('clients that pay on their own [R17]', () => {
  test('an update for 5 SUI changes only the fields sent, and not the expiry [S7.17 S5.4 R24]', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id, name: 'Before' });
    const until = await expiryMs(projectId);
    const transactionHash = await pay(chain, user.wallet, UPDATE_FEE_MIST);
    const response = await user.patch<Project>(`/api/projects/${projectId}/update`, {
      description: 'After',
      category: 'Social',
      walletAddress: user.address,
      transactionHash,
    });
    expect(response).toMatchObject({
      status: 200,
      body: { name: 'Before', description: 'After', category: 'Social', twitterHandle: 'project' },
    });
    expect(await expiryMs(projectId)).toBe(until);
  });

  test('a renewal adds 31 days to the expiry when active, to now when expired, and begins a listing period [S7.18 R19 R45]', async () => {
    const user = await payer();
    const active = await insertProject(db, { ownerId: user.id, expiresInDays: 10 });
    const expired = await insertProject(db, { ownerId: user.id, expiresInDays: -10 });
    const until = await expiryMs(active);
    for (const id of [active, expired]) {
      const transactionHash = await pay(chain, user.wallet, RENEW_FEE_MIST);
      const response = await user.post(`/api/projects/${id}/renew`, { walletAddress: user.address, transactionHash });
      expect(response.status).toBe(200);
    }
    expect(await expiryMs(active)).toBe(until + LISTING_MS);
    expect(Math.abs((await expiryMs(expired)) - Date.now() - LISTING_MS)).toBeLessThan(60_000);
    const other = await newUser(server);
    const feed = await other.get<Project[]>(`/api/projects?userId=${other.id}`);
    expect(feed.body.map((project) => project.id)).toContain(expired);
    // The next listing period begins where the present one ends: later for one project, immediately for the other.
    const pageOf = async (id: number) => (await other.get<Project>(`/api/projects/${id}`)).body;
    expect(await pageOf(active)).toMatchObject({ period: 1, periodEndsAt: new Date(until).toISOString() });
    expect(await pageOf(expired)).toMatchObject({ period: 2, periodEndsAt: (await pageOf(expired)).expiresAt });
    // An end that was changed by hand prolongs the present period.
    await sql`UPDATE projects SET expires_at = expires_at + interval '7 days' WHERE id = ${expired}`.execute(db);
    expect(await pageOf(expired)).toMatchObject({ period: 2, periodEndsAt: (await pageOf(expired)).expiresAt });
  });

  test('one renewal that is placed four times at once adds 31 days once [R16 R19]', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id, expiresInDays: 10 });
    const until = await expiryMs(projectId);
    const { paymentId, signed } = await signedRenewal(chain, user, projectId);
    expect((await executeSigned(user, paymentId, signed)).status).toBe(200);
    const renew = () => user.post(`/api/projects/${projectId}/renew`, { transactionHash: signed.digest });
    const responses = await Promise.all([renew(), renew(), renew(), renew()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await expiryMs(projectId)).toBe(until + LISTING_MS);
    const activity = (await user.get<Activity[]>(`/api/users/${user.id}/activity`)).body;
    expect(activity.map(({ kind }) => kind)).toEqual(['project_renewed']);
  });

  test('a draft prepared for a wallet that sends on its own is the one that is fulfilled, open or expired', async () => {
    const user = await payer();
    for (const state of ['draft', 'expired'] as const) {
      const draft = await newDraft();
      const { paymentId } = (await prepareSubmit(user, draft)).body;
      const other = (await prepareSubmit(user, await newDraft())).body.paymentId;
      await db.updateTable('payments').set({ state }).where('id', 'in', [paymentId, other]).execute();
      const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
      expect((await submitPaid(user, draft, digest)).status).toBe(201);
      const { body } = await user.get<Payment[]>('/api/payments');
      expect(body.slice(0, 2)).toMatchObject([
        { paymentId: other, state, transactionHash: null },
        { paymentId, state: 'fulfilled', transactionHash: digest, projectName: draft.name },
      ]);
      expect(body).toHaveLength(state === 'draft' ? 2 : 4);
    }
  });

  test('a wallet that sends on its own names its digest for the draft, even an expired one; repeating it changes nothing', async () => {
    const user = await payer();
    const draft = await newDraft();
    const { paymentId } = (await prepareSubmit(user, draft)).body;
    await db.updateTable('payments').set({ state: 'expired' }).where('id', '=', paymentId).execute();
    const transactionHash = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    const name = () => user.post(`/api/payments/${paymentId}/execute`, { transactionHash });
    expect(await name()).toMatchObject({ status: 200, body: { transactionHash } });
    expect((await name()).status).toBe(200);
    for (const by of [user, await newUser(server)]) {
      const other = (await prepareSubmit(by, await newDraft())).body.paymentId;
      expect(await by.post(`/api/payments/${other}/execute`, { transactionHash })).toMatchObject({
        status: 409,
        body: { error: 'digest_used', nothingPaid: true },
      });
      expect((await by.get(`/api/payments/${other}`)).body).toMatchObject({ state: 'draft', transactionHash: null });
    }
    expect((await submitPaid<Project>(user, draft, transactionHash)).body.name).toBe(draft.name);
  });
});

describe('permissions to pay and change [R18 R19]', () => {
  test('the admin submits, updates any project and renews for free [S1.5 S9.5]', async () => {
    const admin = await newUser(server, ADMIN_KEYPAIR);
    const created = await submitPaid<Project>(admin, await newDraft());
    expect(created).toMatchObject({ status: 201, body: { transactionHash: null } });
    const projectId = await insertProject(db, { expiresInDays: -1 });
    const updated = await admin.patch(`/api/projects/${projectId}/update`, { description: 'By the admin' });
    expect(updated).toMatchObject({ status: 200, body: { description: 'By the admin' } });
    expect((await admin.post(`/api/projects/${projectId}/renew`, {})).status).toBe(200);
    expect(await expiryMs(projectId)).toBeGreaterThan(Date.now());
    expect((await admin.get<Project>(`/api/projects/${projectId}`)).body.period).toBe(2);
    expect((await prepareRenewal(admin, projectId)).status).toBe(409);
    const activity = (await admin.get<Activity[]>(`/api/users/${admin.id}/activity`)).body;
    expect(activity.map((line) => line.kind)).toEqual(['project_renewed', 'project_updated', 'project_submitted']);
    expect(activity[0]).toMatchObject({ text: expect.stringContaining('free for the admin'), amountMist: null });
  });

  test('a user without transactionHash gets 402, and nothing happens', async () => {
    const user = await newUser(server);
    const draft = await newDraft();
    const own = await insertProject(db, { ownerId: user.id });
    const responses = [
      await submitPaid(user, draft),
      await user.patch(`/api/projects/${own}/update`, { description: 'Free?' }),
      await user.post(`/api/projects/${own}/renew`, {}),
    ];
    expect(responses.map((response) => response.status)).toEqual([402, 402, 402]);
    expect(responses[1]?.body).toMatchObject({ error: 'payment_required', amountMist: '5000000000' });
    expect(await listed(draft.name)).toBe(0);
  });

  test('the admin’s wallet in the body of another user is refused with 403 [R3]', async () => {
    const user = await newUser(server);
    const own = await insertProject(db, { ownerId: user.id });
    const admin = ADMIN_KEYPAIR.toSuiAddress();
    const draft = await newDraft();
    expect((await user.post('/api/projects', { ...draft, submittedBy: admin })).status).toBe(403);
    expect((await user.post(`/api/projects/${own}/renew`, { walletAddress: admin })).status).toBe(403);
    expect((await user.patch(`/api/projects/${own}/update`, { name: 'x', walletAddress: admin })).status).toBe(403);
  });

  test('rejects an update and a renewal of another user’s project with 403, even with a valid payment, which stays usable', async () => {
    const user = await payer();
    const projectId = await insertProject(db);
    const transactionHash = await pay(chain, user.wallet, RENEW_FEE_MIST);
    expect(await user.post(`/api/projects/${projectId}/renew`, { transactionHash })).toMatchObject({
      status: 403,
      body: { error: 'not_owner' },
    });
    expect((await user.patch(`/api/projects/${projectId}/update`, { name: 'Mine', transactionHash })).status).toBe(403);
    expect((await prepareRenewal(user, projectId)).status).toBe(403);
    const own = await insertProject(db, { ownerId: user.id });
    expect((await user.post(`/api/projects/${own}/renew`, { transactionHash })).status).toBe(200);
  });
});

test('receipts are exported as CSV, and no cell is a formula in a spreadsheet [R36]', async () => {
  const user = await payer();
  const draft = await newDraft({ name: '=HYPERLINK("https://evil.example","win")' });
  const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
  await submitPaid(user, draft, digest);
  await prepareSubmit(user, await newDraft());
  const response = await fetch(`${server.url}/api/payments.csv`, { headers: { cookie: user.cookie } });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toContain('attachment');
  const text = Buffer.from(await response.arrayBuffer()).toString();
  const [head, line, ...rest] = text.trimEnd().split('\r\n');
  expect(head).toBe('\uFEFFDate,Purpose,Project,Amount (SUI),State,Transaction,Note');
  expect(line).toMatch(/^\d{4}-\d\d-\d\dT[^"]+,submit,"'=HYPERLINK\(""https:/);
  expect(line).toContain(`15,fulfilled,${digest},`);
  expect(rest).toEqual([]);
});

test('payments, their CSV and single payments are private [R3]', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  const { paymentId } = (await prepareSubmit(user, await newDraft({ imageUrl: await pictureUrl(9) }))).body;
  expect((await user.get(`/api/payments/${paymentId}`)).body).toMatchObject({ state: 'draft', purpose: 'submit' });
  expect((await other.get(`/api/payments/${paymentId}`)).status).toBe(404);
  expect((await other.get<Payment[]>('/api/payments')).body).toEqual([]);
  user.cookie = '';
  for (const path of ['/api/payments', '/api/payments.csv', `/api/payments/${paymentId}`])
    expect((await user.get(path)).status).toBe(401);
});
