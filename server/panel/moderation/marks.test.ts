import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { AuditEntry } from '#shared/contract/admin.ts';
import type { Lookup } from '#shared/contract/lookup.ts';
import type { MarkedListing } from '#shared/contract/marks.ts';
import type { Notice } from '#shared/contract/notices.ts';
import type { OwnProject, ProjectDraft } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject, slugOf } from '#lab/testing/builders.ts';
import { makeFiles } from '#lab/testing/built-page.ts';
import { fund, fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, pictureUrl, submitPaid } from '#lab/testing/drafts.ts';
import { buildApp } from '../../app.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);
const pages = await buildApp(server.services, {
  distDir: await makeFiles({ 'index.html': readFileSync('web/index.html', 'utf8') }),
});
afterAll(() => pages.close());
const panel = await signInAsAdmin(server);
const payer = async () => newUser(server, await fundedWallet(chain));

async function list(user: TestUser, changes: Partial<ProjectDraft>): Promise<Project> {
  const draft = await newDraft(changes);
  const { status, body } = await submitPaid<Project>(user, draft, await pay(chain, user.wallet, SUBMIT_FEE_MIST));
  expect(status).toBe(201);
  return body;
}
const rename = async (user: TestUser, id: number, name: string) =>
  user.patch<Project>(`/api/projects/${id}/update`, {
    name,
    transactionHash: await pay(chain, user.wallet, UPDATE_FEE_MIST),
  });
async function importListing(name: string): Promise<void> {
  const { body } = await panel.post<{ id: number }>('/api/admin/catalogue/imports', { name: 'names.csv' });
  const row = { name, category: 'DeFi', description: 'Of the catalogue', twitterHandle: 'catalogue' };
  const rows = [{ ...row, imageUrl: await pictureUrl(7) }];
  expect((await panel.post(`/api/admin/catalogue/imports/${body.id}/rows`, { rows })).status).toBe(200);
}

const pageOf = async (id: number) => (await visitor.get<Project>(`/api/v1/projects/${id}`)).body;
const markOf = async (id: number) => (await pageOf(id)).listing.lookAlike?.name;
const listMarked = async () => (await panel.get<MarkedListing[]>('/api/admin/marked')).body;
const clear = (id: number) => panel.post(`/api/admin/projects/${id}/mark/clear`);
const hide = (id: number, hidden = true) =>
  panel.post(`/api/admin/projects/${id}/moderate`, { hidden, reason: 'It copies a name' });
const textsOf = async (user: TestUser) =>
  (await user.get<{ notices: Notice[] }>(`/api/users/${user.id}/notices`)).body.notices.map(({ text }) => text);
const ageBy = (id: number, hours: number) =>
  setProject(db, id, { lookAlikeSince: sql`now() - make_interval(hours => ${hours})` });

const COIN = `0x${'5'.repeat(64)}::tidal::TIDAL`;
const AWAY = ['tidal_copy', 'copy.example', 'join tidalcopy.com now'];

describe('a listing whose name looks like that of another one', () => {
  test('a look-alike listing is live and marked at once, and nothing leads to its links until a moderator has looked [R74 R78]', async () => {
    const other = await insertProject(db, { name: 'Tidal Works' });
    const user = await payer();
    const { id, slug } = await list(user, {
      name: 'TidaI W0rks',
      twitterHandle: 'https://x.com/tidal_copy',
      website: 'https://copy.example/buy',
      description: 'Join tidalcopy.com now',
      coinType: COIN,
    });
    const since = (await pageOf(other)).createdAt;
    const lookAlike = { name: 'Tidal Works', slug: await slugOf(db, other), since };
    expect((await pageOf(id)).listing.lookAlike).toEqual(lookAlike);
    expect(await textsOf(user)).toEqual([expect.stringContaining("TidaI W0rks is marked 'Looks like Tidal Works'")]);
    const reader = await newUser(server);
    const look = async (path: string, as: Client = visitor) => JSON.stringify((await as.get(path)).body);
    const read = async () => {
      const places = [
        `/embed/${slug}`,
        '/api/projects',
        `/api/projects/${id}`,
        `/api/projects/${id}/versions`,
        `/api/v1/projects/${id}/versions`,
        '/api/v1/projects?sort=new',
        `/api/v1/lookup?coin=${COIN}`,
        '/api/v1/leaderboard.json',
        '/feed.xml',
      ];
      const found = await Promise.all(places.map(async (path) => [path, (await look(path)).toLowerCase()] as const));
      const feed = await look('/api/projects', reader);
      const mcp = await callTool('project', { id: slug });
      const page = await pages.inject(`/projects/${slug}`);
      expect(page.body).toContain('TidaI W0rks');
      const others = { feed, tools: mcp, page: page.body };
      return [...found, ...Object.entries(others).map(([place, text]) => [place, text.toLowerCase()] as const)];
    };
    const leading = async () =>
      (await read()).filter(([, text]) => AWAY.some((words) => text.includes(words))).map(([path]) => path);
    expect(await leading()).toEqual([]);
    const { line } = (await visitor.get<Lookup>(`/api/v1/lookup?coin=${COIN}`)).body;
    expect(line).toContain('Looks like Tidal Works, listed since');
    expect(await look(`/badge/${slug}.svg`)).toContain('>Looks like Tidal Works, listed since');
    const own = (await user.get<OwnProject[]>(`/api/projects/wallet/${user.address}`)).body;
    expect(own).toMatchObject([{ id, website: 'https://copy.example/buy', twitterHandle: 'tidal_copy' }]);
    expect((await clear(id)).status).toBe(200);
    expect(await markOf(id)).toBeUndefined();
    expect(await leading()).toEqual(
      expect.arrayContaining(['page', `/api/v1/projects/${id}/versions`, 'feed', 'tools']),
    );
  });

  test("a look-alike comes first in the moderators' list, with close names: one letter more, less, doubled or swapped [R74]", async () => {
    const ids = await Promise.all(
      ['Mussel Beach', 'Mussel Beachy', 'Mussel Bech', 'Musssel Beach', 'Musesl Beach', 'Mussel Peach', 'Mussel'].map(
        (name) => insertProject(db, { name }),
      ),
    );
    await insertProject(db, { name: 'Mussel Beacha', hidden: true });
    const { id } = await list(await payer(), { name: 'Mu55el Beach' });
    const found = (await listMarked()).find((marked) => marked.id === id);
    expect(found).toMatchObject({ name: 'Mu55el Beach', twitterHandle: 'coralswap', isHidden: false });
    expect(found?.others.filter(({ isClose }) => !isClose).map((one) => one.id)).toEqual([ids[0]]);
    expect(found?.others.filter(({ isClose }) => isClose).map((one) => one.id)).toEqual(
      expect.arrayContaining(ids.slice(1, 5)),
    );
    expect(found?.others).toHaveLength(5);
  });

  test("a moderator removes the mark of a look-alike, which is recorded and sent to its owner's bell [R74 R78]", async () => {
    await insertProject(db, { name: 'Lagoon Lend' });
    const user = await payer();
    const { id } = await list(user, { name: 'Lagoon-Lend!' });
    expect((await clear(id)).status).toBe(200);
    expect(await clear(id)).toMatchObject({ status: 409, body: { error: 'not_marked' } });
    expect(await textsOf(user)).toContain("Lagoon-Lend! no longer shows 'Looks like …'.");
    const { body } = await panel.get<AuditEntry[]>('/api/admin/audit');
    expect(body.find(({ action }) => action === 'project.clear_mark')?.detail).toContain('Lagoon-Lend!');
    expect((await listMarked()).map((marked) => marked.id)).not.toContain(id);
    // Another spelling of the name that was looked at.
    expect((await rename(user, id, 'LagoonLend')).status).toBe(200);
    expect(await markOf(id)).toBeUndefined();
  });

  test.each([
    [71, 0],
    [80, 80],
  ])('a listing gets the %s hours until a moderator looked back as %s hours of listing [R74]', async (hours, added) => {
    await insertProject(db, { name: `Kelp Garden ${hours}` });
    const { id, expiresAt } = await list(await payer(), { name: `KelpGarden${hours}` });
    await ageBy(id, hours);
    await clear(id);
    const gained = Date.parse((await pageOf(id)).expiresAt) - Date.parse(expiresAt);
    expect(gained / 3_600_000).toBeCloseTo(added, 1);
  });

  test('a moderator hides a look-alike and refunds its fee, once, by a transaction that the chain shows [R74 R80]', async () => {
    await insertProject(db, { name: 'Brine Bank' });
    const user = await payer();
    const { id } = await list(user, { name: 'Official Brine Bank' });
    expect((await hide(id)).status).toBe(200);
    const due = (await listMarked()).find((marked) => marked.id === id);
    expect(due).toMatchObject({
      isHidden: true,
      fee: { amountMist: SUBMIT_FEE_MIST.toString(), paidBy: user.address },
    });
    const refund = (transactionHash?: string) =>
      panel.post(`/api/admin/payments/${due?.fee?.paymentId}/resolve`, {
        resolution: 'refunded',
        note: 'It copies a name',
        transactionHash,
      });
    expect(await refund()).toMatchObject({ status: 400, body: { field: 'transactionHash' } });
    await fund(chain, panel.admin.address);
    const short = await pay(chain, panel.admin.wallet, UPDATE_FEE_MIST, user.address);
    expect(await refund(short)).toMatchObject({ status: 400, body: { field: 'transactionHash' } });
    expect((await refund(await pay(chain, panel.admin.wallet, SUBMIT_FEE_MIST, user.address))).status).toBe(200);
    expect((await listMarked()).map((marked) => marked.id)).not.toContain(id);
    expect(await hide(id, false)).toMatchObject({ status: 409, body: { error: 'fee_refunded' } });
  });

  test('a look-alike is not marked if the admin chose its name, or the other listing is hidden [R74]', async () => {
    await insertProject(db, { name: 'Foam Party' });
    const { body } = await submitPaid<Project>(panel.admin, await newDraft({ name: 'FoamParty' }));
    expect(await markOf(body.id)).toBeUndefined();
    await insertProject(db, { name: 'Spray Party', hidden: true });
    expect(await markOf((await list(await payer(), { name: 'SprayParty' })).id)).toBeUndefined();
  });

  test('of two look-alikes that are paid for at the same time, the later one is marked [R74]', async () => {
    const users = await Promise.all([payer(), payer()]);
    const both = await Promise.all(users.map((user, at) => list(user, { name: ['Salt Mine', 'SaltMine'][at] ?? '' })));
    const marks = await Promise.all(both.map(({ id }) => markOf(id)));
    expect(marks.filter(Boolean)).toHaveLength(1);
  });
});

describe('marks follow the present names', () => {
  test('a paid rename to a look-alike is live and marked, and a renewal keeps it [R74]', async () => {
    await insertProject(db, { name: 'Pearl Vault' });
    const user = await payer();
    const id = await insertProject(db, { ownerId: user.id, name: 'Quiet Shell' });
    expect(await rename(user, id, 'PearlVault')).toMatchObject({
      status: 200,
      body: { name: 'PearlVault', listing: { lookAlike: { name: 'Pearl Vault' } } },
    });
    const transactionHash = await pay(chain, user.wallet, RENEW_FEE_MIST);
    expect((await user.post(`/api/projects/${id}/renew`, { transactionHash })).status).toBe(200);
    expect(await markOf(id)).toBe('Pearl Vault');
  });

  test('a rename to a name of its own ends the mark, and adds no time [R74]', async () => {
    await insertProject(db, { name: 'Tern Isle' });
    const user = await payer();
    const { id, expiresAt } = await list(user, { name: 'TernIsle' });
    await ageBy(id, 100);
    await rename(user, id, 'Slate');
    expect(await pageOf(id)).toMatchObject({ expiresAt, website: 'https://coral.example' });
    expect(await textsOf(user)).toContain("Slate no longer shows 'Looks like …'.");
  });

  test.each(['hidden', 'renamed'])(
    'a mark ends when the older listing is %s, unless the name also looks like another one [R74]',
    async (how) => {
      const first = await payer();
      const [name, copy] = [`Gull Cove ${how}`, `GullCove${how}`];
      const firstId = await insertProject(db, { ownerId: first.id, name });
      const second = await payer();
      const { id } = await list(second, { name: copy });
      const third = await list(await payer(), { name: `${copy}!` });
      if (how === 'hidden') await hide(firstId);
      else await rename(first, firstId, `Plover ${how}`);
      // Each of the two that are left looks like the other one.
      const marks = [await markOf(id), await markOf(third.id)];
      expect(marks.filter(Boolean)).toHaveLength(1);
    },
  );

  test('a paid listing is marked when the catalogue lists its name, and its owner is notified [R74 R72]', async () => {
    const user = await payer();
    const { id } = await list(user, { name: 'Reef Runner' });
    expect(await markOf(id)).toBeUndefined();
    await importListing('ReefRunner');
    expect(await markOf(id)).toBe('ReefRunner');
    expect(await textsOf(user)).toEqual([expect.stringContaining("Reef Runner is marked 'Looks like ReefRunner'")]);
  });

  test('the mark goes to the older listing when a moderator supports the proof of the newer one [R74 R71]', async () => {
    const [first, second] = [await payer(), await payer()];
    const older = await list(first, { name: 'Drift Net' });
    const newer = await list(second, { name: 'DriftNet' });
    expect([await markOf(older.id), await markOf(newer.id)]).toEqual([undefined, 'Drift Net']);
    const named = { coinType: '0x2::sui::SUI', packageId: null, reason: 'Checked with the team' };
    expect((await panel.post(`/api/admin/projects/${newer.id}/coin`, named)).status).toBe(200);
    expect(await markOf(newer.id)).toBe('Drift Net');
    expect((await panel.post(`/api/admin/projects/${newer.id}/ownership`, { reason: 'By letter' })).status).toBe(200);
    expect([await markOf(older.id), await markOf(newer.id)]).toEqual(['DriftNet', undefined]);
    expect(await textsOf(first)).toContainEqual(expect.stringContaining("Drift Net is marked 'Looks like DriftNet'"));
    expect(await textsOf(second)).toContainEqual(expect.stringContaining('DriftNet no longer shows'));
  });
});

async function callTool(name: string, input: object): Promise<string> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  return response.text();
}
