import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { AdminPayment, Payment } from '#shared/contract/payments.ts';
import type { Project } from '#shared/contract/types.ts';
import { slugify } from '#shared/listings/slug.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject, slugOf } from '#lab/testing/builders.ts';
import { fundedWallet, pay, sharedChain, signPayment } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { executeSigned, newDraft, pictureUrl, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const admin = await newUser(server, ADMIN_KEYPAIR);
const payer = async () => newUser(server, await fundedWallet(chain));

const submit = async (name: string, user: TestUser = admin) => submitPaid<Project>(user, await newDraft({ name }));
const rename = (id: number, name: string) => admin.patch<Project>(`/api/projects/${id}/update`, { name });
const taken = { status: 409, body: { error: 'name_taken', field: 'name', message: expect.stringMatching(/^Another/) } };

await insertProject(db, { name: 'Tide Loop' });

describe('treats look-alike names as equal [R12]', () => {
  test.each([
    'Tide Loop',
    'TIDE loop',
    ' Tide \u3000 Loop ',
    'Ti\u200dde Loop',
    'Tide\u2060 Loop\u3164',
    'Tide\u00a0Loop',
    'Ｔｉｄｅ Ｌｏｏｐ',
    'Tide Loo\u034fp\ufe0f',
    '\u202eTide Loop',
    'Tide\u{e0041} Loop',
  ])('refuses the look-alike name %j', async (name) => {
    expect(await submit(name)).toMatchObject(taken);
    const other = await insertProject(db);
    expect(await rename(other, name)).toMatchObject(taken);
    // Before any money moves.
    expect(await prepareSubmit(await newUser(server), await newDraft({ name }))).toMatchObject(taken);
  });

  test('names the listing that has the name, so that its team can claim it [R72]', async () => {
    const id = await insertProject(db, { name: 'Anchor Reef' });
    await setProject(db, id, { isCatalogue: true, coinSource: 'catalogue' });
    const refused = await prepareSubmit(await newUser(server), await newDraft({ name: 'ANCHOR reef' }));
    expect(refused).toMatchObject({ status: 409, body: { error: 'name_taken', field: 'name' } });
    expect(refused.body).toMatchObject({
      message: 'Another listing already has this name. Yours? Claim it, free.',
      listed: { by: 'name', slug: await slugOf(db, id), name: 'Anchor Reef', isClaimable: true },
    });
  });

  test('an owner may keep the name, or change its case', async () => {
    const { body } = await submit('Own Name');
    expect((await admin.patch(`/api/projects/${body.id}/update`, { name: 'Own Name', category: 'NFT' })).status).toBe(
      200,
    );
    expect((await rename(body.id, 'OWN name')).body.name).toBe('OWN name');
  });

  test('an expired listing keeps its name for a renewal, and two older listings of one name may both continue', async () => {
    const expired = await insertProject(db, { name: 'Sunken Ship', expiresInDays: -40 });
    expect(await submit('Sunken Ship')).toMatchObject(taken);
    const twin = await insertProject(db, { name: 'Sunken Ship' });
    for (const id of [expired, twin]) {
      expect((await admin.patch(`/api/projects/${id}/update`, { name: 'Sunken Ship', description: 'x' })).status).toBe(
        200,
      );
      expect((await admin.post(`/api/projects/${id}/renew`, {})).status).toBe(200);
    }
  });

  // Eight: the maximum number of pictures that are taken in at once.
  test('exactly one of eight simultaneous orders gets the name', async () => {
    const names = ['Crowded', 'CROWDED', 'Crow\u00added'];
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => submit(names[index % 3] ?? '')));
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
  });
});

describe('names that were taken before the order is fulfilled [R16 R17]', () => {
  test('a name taken between the draft and the signature is refused before the transaction is executed', async () => {
    const user = await payer();
    const draft = await newDraft({ name: 'Contested' });
    const { body } = await prepareSubmit(user, draft);
    expect((await submit('Contested')).status).toBe(201);
    const signed = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    expect(await executeSigned(user, body.paymentId, signed)).toMatchObject(taken);
    const payments = await user.get<Payment[]>('/api/payments');
    expect(payments.body).toMatchObject([{ state: 'draft', transactionHash: null }]);
  });

  test('a payment whose name was taken after it waits for a decision, and is credited once the name is free', async () => {
    const user = await payer();
    const draft = await newDraft({ name: 'Late Bird' });
    const { body } = await prepareSubmit(user, draft);
    const { digest, ...signed } = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    expect((await executeSigned(user, body.paymentId, signed)).status).toBe(200);
    const { body: other } = await submit('Late Bird');
    expect(await submitPaid(user, draft, digest)).toMatchObject({ status: 409, body: { error: 'payment_unclaimed' } });
    expect((await user.get<Payment[]>('/api/payments')).body).toMatchObject([{ state: 'unclaimed' }]);
    const panel = await signInAsAdmin(server);
    const { body: waiting } = await panel.get<AdminPayment[]>('/api/admin/payments?state=unclaimed');
    expect(waiting).toMatchObject([{ paymentId: body.paymentId, failure: 'project_name_taken' }]);
    const credit = () =>
      panel.post(`/api/admin/payments/${body.paymentId}/resolve`, { resolution: 'credited', note: 'Name is free' });
    expect((await credit()).status).toBe(409);
    expect((await rename(other.id, 'Early Bird')).status).toBe(200);
    expect((await credit()).status).toBe(200);
    expect(await submitPaid(user, draft, digest)).toMatchObject({ status: 201, body: { name: 'Late Bird' } });
  });
});

/** A project of `user`, listed by the admin for free, with its initial values. */
async function listedFor(userId: number) {
  const draft = await newDraft();
  const { body } = await submitPaid<Project>(admin, draft);
  await db.updateTable('projects').set({ ownerId: userId }).where('id', '=', body.id).execute();
  return { id: body.id, draft };
}

test('refuses an update that changes nothing before anything is paid [S5.4 R16 R24]', async () => {
  const user = await newUser(server);
  const { id, draft } = await listedFor(user.id);
  const nothing = { status: 400, body: { error: 'nothing_to_change', message: expect.stringMatching(/already/) } };
  const same = [
    { ...draft },
    { name: draft.name },
    { name: ` ${draft.name} `, twitterHandle: '@coralswap' },
    { imageUrl: draft.imageUrl },
  ];
  for (const changes of same) {
    const prepared = await user.post('/api/payments', { purpose: 'update', projectId: id, draft: changes });
    expect(prepared.status).toBe(400);
    expect((await user.patch(`/api/projects/${id}/update`, changes)).status).not.toBe(200);
    expect((await admin.patch(`/api/projects/${id}/update`, changes)).status).toBe(400);
  }
  expect(await user.post('/api/payments', { purpose: 'update', projectId: id, draft })).toMatchObject(nothing);
  expect(await user.patch(`/api/projects/${id}/update`, { name: draft.name })).toMatchObject(nothing);
  expect((await user.get<Payment[]>('/api/payments')).body).toEqual([]);
});

test('accepts an update of one field among unchanged ones, and of the picture alone [S5.4 R24]', async () => {
  const user = await newUser(server);
  const { id, draft } = await listedFor(user.id);
  for (const changes of [{ ...draft, description: 'Another' }, { website: null }, { imageUrl: await pictureUrl(99) }]) {
    const prepared = await user.post('/api/payments', { purpose: 'update', projectId: id, draft: changes });
    expect(prepared.status).toBe(201);
  }
});

test('fulfills a paid update even when nothing is left to change, even the second time [R17]', async () => {
  const user = await payer();
  const { id, draft } = await listedFor(user.id);
  const transactionHash = await pay(chain, user.wallet, UPDATE_FEE_MIST);
  const update = () => user.patch(`/api/projects/${id}/update`, { name: draft.name, transactionHash });
  expect((await update()).status).toBe(200);
  expect((await update()).status).toBe(200);
});

test('the database spells an address as the server does: Latin, Greek and Cyrillic names [R23]', async () => {
  const letters = fc.constantFrom(...Array.from('aZ9 -éÆßØŁĐÞœıİǅñçžΑθΰςψЖщёЙїґ½ﬁ\u200d\u00ad\u0301🚀'));
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: letters, minLength: 1, maxLength: 60 }), async (name) => {
      const { rows } = await sql<{ base: string }>`SELECT slug_base(${name}) AS base`.execute(db);
      expect(rows[0]?.base).toBe(slugify(name) || 'project');
    }),
    runs(300),
  );
});
