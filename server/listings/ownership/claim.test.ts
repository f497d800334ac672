import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { RENEW_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { CatalogueImport } from '#shared/contract/catalogue.ts';
import type { ModeratedVote } from '#shared/contract/standing.ts';
import type { Standing } from '#shared/contract/standing.ts';
import type { Project } from '#shared/contract/types.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { fund, pay, send, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser, castVote } from '#lab/testing/client.ts';
import { pictureUrl } from '#lab/testing/drafts.ts';
import { type OwnCoin, publishCoin, sendObject, upgradePackage } from '#packages/sandbox/testing/own-coins.ts';
import { logKey, publishAll, readLog } from '#lab/testing/record.ts';
import { closeToday } from '#lab/testing/close.ts';
import { giveStanding } from '#lab/testing/standing.ts';
import { keepCatalogue } from '../catalogue/keep.ts';

const chain = sharedChain();
const server = await createTestApp({ env: { LOG_PRIVATE_KEY: logKey() } });
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);
const panel = await signInAsAdmin(server);

const newWalletUser = async (): Promise<TestUser> => {
  const user = await newUser(server);
  await fund(chain, user.address);
  return user;
};

let serial = 0;
/** A listing of the catalogue that names this coin, by an import of its own. */
async function importListing({ coinType, packageId }: Pick<OwnCoin, 'coinType'> & { packageId?: string }) {
  serial += 1;
  const { body } = await panel.post<{ id: number }>('/api/admin/catalogue/imports', { name: `field-${serial}.csv` });
  const names = 'Anemone Barnacle Cuttle Dogfish Eel Fluke Gill'.split(' ');
  const row = {
    name: `${names[serial % names.length]} ${serial}`,
    category: 'DeFi',
    description: 'Part of the field',
    twitterHandle: `claimed_${serial}`,
    coinType,
    packageId: packageId ?? null,
    imageUrl: await pictureUrl(serial),
  };
  const sent = { rows: [row] };
  const listed = await panel.post<{ rows: Array<{ slug: string }> }>(
    `/api/admin/catalogue/imports/${body.id}/rows`,
    sent,
  );
  const project = (await visitor.get<Project>(`/api/v1/projects/${listed.body.rows[0]?.slug}`)).body;
  return { importId: body.id, id: project.id, project };
}

/** A new wallet with the caps of a coin, and an unclaimed listing that names it. */
async function unclaimed() {
  const user = await newWalletUser();
  const coin = await publishCoin(chain.client, user.wallet);
  return { user, coin, ...(await importListing(coin)) };
}

const claim = (user: Client, id: number) =>
  user.post<Project['listing'] & { error: string; message: string }>(`/api/projects/${id}/ownership`, {});
const pageOf = async (id: number) => (await visitor.get<Project>(`/api/v1/projects/${id}`)).body;
const insightsOf = async (user: Client, id: number) => (await user.get(`/api/projects/${id}/insights`)).status;
const votesOf = async (user: TestUser) =>
  (await panel.get<ModeratedVote[]>(`/api/admin/moderation/votes?voterId=${user.id}`)).body;

async function move(user: TestUser, cap: string, to: string): Promise<void> {
  const transaction = sendObject(cap, to);
  transaction.setSender(user.address);
  await send(chain, [user.wallet], transaction);
}

describe('claiming a listing of the catalogue [R72]', () => {
  test('the wallet that holds the cap becomes the owner, edits the listing and sees its insights [R72 R71]', async () => {
    const { user, coin, id, importId } = await unclaimed();
    expect(await insightsOf(user, id)).toBe(403);
    expect(await claim(user, id)).toMatchObject({
      status: 200,
      body: { source: 'catalogue', ownership: 'proven', coinSource: 'catalogue', subject: coin.coinType },
    });
    expect(await pageOf(id)).toMatchObject({ submittedBy: user.address, listing: { ownership: 'proven' } });
    expect(await insightsOf(user, id)).toBe(200);
    const transactionHash = await pay(chain, user.wallet, UPDATE_FEE_MIST);
    const changes = { description: 'In the words of its owner', transactionHash };
    expect(await user.patch(`/api/projects/${id}/update`, changes)).toMatchObject({
      status: 200,
      body: { description: 'In the words of its owner', listing: { ownership: 'proven' } },
    });
    const { body } = await panel.get<CatalogueImport[]>('/api/admin/catalogue/imports');
    expect(body.find((one) => one.id === importId)).toMatchObject({ listings: 1, claimed: 1 });
    const undo = await panel.post(`/api/admin/catalogue/imports/${importId}/undo`, { reason: 'The wrong file' });
    expect(undo.body).toEqual({ hidden: 0, kept: 1 });
  });

  test('a wallet without the cap learns what is missing, and the listing stays unclaimed [R72 R71]', async () => {
    const { id } = await unclaimed();
    const stranger = await newWalletUser();
    await publishCoin(chain.client, stranger.wallet);
    expect(await claim(stranger, id)).toMatchObject({
      status: 409,
      body: { error: 'not_held', message: expect.stringContaining('TreasuryCap') },
    });
    expect(await pageOf(id)).toMatchObject({
      submittedBy: panel.admin.address,
      listing: { ownership: 'unclaimed', subject: null },
    });
    expect(await claim(visitor, id)).toMatchObject({ status: 401 });
  });

  test('the cap of an upgraded package claims the listing of its coin [R72 R71]', async () => {
    const { user, coin, id } = await unclaimed();
    for (const cap of [coin.treasuryCap, coin.publisher]) await move(user, cap, panel.admin.address);
    await upgradePackage(chain.client, user.wallet, coin);
    expect(await claim(user, id)).toMatchObject({ status: 200, body: { ownership: 'proven' } });
  });

  test('a second wallet with a cap of the same package cannot take a claimed listing [R72]', async () => {
    const { user, coin, id } = await unclaimed();
    const second = await newWalletUser();
    await move(user, coin.upgradeCap, second.address);
    await claim(user, id);
    expect(await claim(second, id)).toMatchObject({ status: 403, body: { error: 'not_owner' } });
    expect(await pageOf(id)).toMatchObject({ submittedBy: user.address });
  });

  test('one of two wallets that claim at once becomes the owner, and the other learns why it did not [R72]', async () => {
    const { user, coin, id } = await unclaimed();
    const second = await newWalletUser();
    await move(user, coin.upgradeCap, second.address);
    // Both have asked the chain before either of them continues.
    const both = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('projects').select('id').where('id', '=', id).forUpdate().execute();
      const claims = [claim(user, id), claim(second, id)];
      await waiting(2);
      return { claims };
    });
    const responses = await Promise.all(both.claims);
    const [won, lost] = responses.toSorted((one, other) => one.status - other.status);
    expect(won).toMatchObject({ status: 200, body: { ownership: 'proven' } });
    expect(lost).toMatchObject({ status: 409, body: { error: 'already_claimed' } });
    expect(await pageOf(id)).toMatchObject({
      submittedBy: [user, second][responses.findIndex(({ status }) => status === 200)]?.address,
    });
  });

  test('the wallet that keeps the catalogue cannot claim its listings, with or without the cap [R72]', async () => {
    const { user, coin, id } = await unclaimed();
    for (const cap of [coin.treasuryCap, coin.upgradeCap, coin.publisher]) await move(user, cap, panel.admin.address);
    expect(await claim(panel.admin, id)).toMatchObject({ status: 403, body: { error: 'keeps_catalogue' } });
    expect(await pageOf(id)).toMatchObject({ listing: { ownership: 'unclaimed' } });
  });

  test('a coin that is proven for another listing cannot be claimed a second time [R72 R71]', async () => {
    const { user, coin, id } = await unclaimed();
    const other = await importListing(coin);
    expect((await claim(user, id)).status).toBe(200);
    await castVote(user, other.id);
    expect(await claim(user, other.id)).toMatchObject({ status: 409, body: { error: 'proven_elsewhere' } });
    expect(await pageOf(other.id)).toMatchObject({
      submittedBy: panel.admin.address,
      listing: { ownership: 'unclaimed' },
    });
    expect(await votesOf(user)).toMatchObject([{ state: 'waiting' }]);
  });

  test('a hidden listing cannot be claimed, nor one that names no coin [R72]', async () => {
    const { user, id } = await unclaimed();
    await sql`UPDATE projects SET hidden_at = now(), hidden_reason = 'spam' WHERE id = ${id}`.execute(db);
    expect(await claim(user, id)).toMatchObject({ status: 404 });
    await sql`UPDATE projects SET hidden_at = NULL, hidden_reason = NULL, coin_type = NULL, package_id = NULL WHERE id = ${id}`.execute(
      db,
    );
    expect(await claim(user, id)).toMatchObject({ status: 409, body: { error: 'nothing_named' } });
  });
});

/** Waits until so many statements of this database wait for a lock. */
async function waiting(count: number): Promise<void> {
  const { rows } = await sql<{ blocked: number }>`SELECT count(*)::int AS blocked FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  if ((rows[0]?.blocked ?? 0) < count) await waiting(count);
}

describe('after a claim [R72]', () => {
  test('the earlier vote of the claimer does not count and cannot be appealed, and those of others count [R72 R39]', async () => {
    const { user, id, project } = await unclaimed();
    const other = await newUser(server);
    await castVote(user, id);
    await castVote(other, id, 'bearish');
    await giveStanding(db, [user.id, other.id]);
    await closeToday(services);
    expect((await pageOf(id)).verified).toEqual({ bullish: 1, bearish: 1 });
    await publishAll(services);
    await claim(user, id);
    await closeToday(services);
    expect((await pageOf(id)).verified).toEqual({ bullish: 0, bearish: 1 });
    expect(await votesOf(user)).toMatchObject([{ state: 'moderator', detail: expect.stringContaining('you claimed') }]);
    expect(await votesOf(other)).toMatchObject([{ state: 'verified' }]);
    const { body: standing } = await user.get<Standing>(`/api/users/${user.id}/standing`);
    expect(standing.votes).toEqual({ verified: 0, waiting: 0, excluded: 0, undecided: 0 });
    expect(await user.post('/api/appeals', { text: 'These were mine' })).toMatchObject({
      status: 409,
      body: { error: 'nothing_excluded' },
    });
    const { body } = await user.get<Array<{ text: string }>>(`/api/users/${user.id}/activity`);
    expect(JSON.stringify(body)).toContain(`Your vote on ${project.name} is excluded: you claimed this listing`);
    expect(await castVote(user, id)).toMatchObject({ status: 403, body: { error: 'own_project' } });
    await publishAll(services);
    const { entries } = await readLog(server.url);
    expect(entries.filter((entry) => entry.kind === 'state' && entry.projectId === id)).toMatchObject([
      { state: 'moderator' },
    ]);
  });

  test('a vote that the claimer sent at the same moment does not count either [R72]', async () => {
    const { user, id } = await unclaimed();
    const { claimed, voted } = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('userStats').select('userId').where('userId', '=', user.id).forUpdate().execute();
      const claims = claim(user, id);
      await waiting(1);
      const votes = castVote(user, id);
      await waiting(2);
      return { claimed: [claims], voted: [votes] };
    });
    expect(await Promise.all(claimed)).toMatchObject([{ status: 200 }]);
    await Promise.all(voted);
    expect((await votesOf(user)).filter(({ state }) => state !== 'moderator')).toEqual([]);
  });

  test('a claimed listing stays listed for free, in one listing period, until its owner first renews it [R72 R45]', async () => {
    const { user, id } = await unclaimed();
    await claim(user, id);
    await sql`UPDATE projects SET expires_at = now() + interval '2 hours' WHERE id = ${id}`.execute(db);
    expect(await keepCatalogue({ db })).toBe(1);
    const kept = await pageOf(id);
    expect(kept).toMatchObject({ period: 1, periodEndsAt: kept.expiresAt });
    const transactionHash = await pay(chain, user.wallet, RENEW_FEE_MIST);
    const { status, body } = await user.post<Project>(`/api/projects/${id}/renew`, { transactionHash });
    expect(status).toBe(200);
    expect(body).toMatchObject({ period: 1, periodEndsAt: kept.expiresAt });
    expect((Date.parse(body.expiresAt) - Date.parse(kept.expiresAt)) / 86_400_000).toBe(31);
    const { body: imports } = await panel.get<CatalogueImport[]>('/api/admin/catalogue/imports');
    expect(imports.find(({ listings }) => listings === 1)).toMatchObject({ claimed: 1, renewed: 1 });
    // From here on it ends like any paid listing.
    await sql`UPDATE projects SET expires_at = now() + interval '2 hours' WHERE id = ${id}`.execute(db);
    expect(await keepCatalogue({ db })).toBe(0);
  });
});
