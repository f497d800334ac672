import { expect, test } from 'vitest';
import { UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { Payment } from '#shared/contract/payments.ts';
import type { Project } from '#shared/contract/types.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { newUser } from '#lab/testing/client.ts';
import { newDraft, pictureUrl, submitPaid } from '#lab/testing/drafts.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const chain = sharedChain();
const server = await createTestApp();

/** A project of `user`, listed by the admin for free, with its initial values. */
async function listedFor(userId: number) {
  const admin = await newUser(server, ADMIN_KEYPAIR);
  const draft = await newDraft();
  const { body } = await submitPaid<Project>(admin, draft);
  await server.services.db.updateTable('projects').set({ ownerId: userId }).where('id', '=', body.id).execute();
  return { id: body.id, draft, admin };
}

test('refuses an update that changes nothing before anything is paid [S5.4 R16 R24]', async () => {
  const user = await newUser(server);
  const { id, draft, admin } = await listedFor(user.id);
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

test('fulfills a paid update even when nothing is left to change, also the second time [R17]', async () => {
  const user = await newUser(server, await fundedWallet(chain));
  const { id, draft } = await listedFor(user.id);
  const transactionHash = await pay(chain, user.wallet, UPDATE_FEE_MIST);
  const update = () => user.patch(`/api/projects/${id}/update`, { name: draft.name, transactionHash });
  expect((await update()).status).toBe(200);
  expect((await update()).status).toBe(200);
});
