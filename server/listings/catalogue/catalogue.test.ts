import { normalizeSuiAddress } from '@mysten/sui/utils';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { CatalogueImport, CatalogueRow, CatalogueText, RowReport } from '#shared/contract/catalogue.ts';
import type { Project } from '#shared/contract/types.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { fundedWallet, sharedChain } from '#lab/testing/chain.ts';
import { newUser, castVote } from '#lab/testing/client.ts';
import { pictureUrl } from '#lab/testing/drafts.ts';
import { publishCoin, upgradePackage } from '#packages/sandbox/testing/own-coins.ts';
import { openSui } from '#server/chain/sui-client.ts';
import { readPackages } from '../ownership/packages.ts';
import { checkRows } from './check.ts';
import { keepCatalogue } from './keep.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);

let serial = 0;
function row(changes: Partial<CatalogueText> = {}): CatalogueText {
  serial += 1;
  return {
    name: `Field Entry ${'abcdefghjkmnp'[serial % 13]}${serial}`,
    category: 'DeFi',
    description: 'Part of the field',
    twitterHandle: `field_${serial}`,
    website: `https://field-${serial}.example`,
    coinType: null,
    packageId: null,
    ...changes,
  };
}

type Imported = RowReport & { slug: string | null };
const begin = async (name = 'field.csv') =>
  (await panel.post<{ id: number }>('/api/admin/catalogue/imports', { name })).body.id;
const send = async (id: number, rows: ReadonlyArray<CatalogueText & { imageUrl: string }>) =>
  panel.post<{ rows: Imported[] }>(`/api/admin/catalogue/imports/${id}/rows`, { rows });
const check = async (rows: readonly CatalogueText[]) =>
  (await panel.post<{ rows: RowReport[] }>('/api/admin/catalogue/check', { rows })).body.rows;
const undo = (id: number) =>
  panel.post<{ hidden: number; kept: number }>(`/api/admin/catalogue/imports/${id}/undo`, { reason: 'The wrong file' });
const read = (slug: string | null | undefined) => panel.get<Project>(`/api/projects/${slug}`);

/** One listing of the catalogue, by an import of its own. */
async function importOne(changes: Partial<CatalogueText> = {}) {
  const id = await begin();
  const texts = row(changes);
  const { body } = await send(id, [{ ...texts, imageUrl: await pictureUrl(10 + (serial % 200)) }]);
  return { id, texts, result: body.rows[0], project: (await read(body.rows[0]?.slug)).body };
}

describe('dry run of an import [R72]', () => {
  test('a dry run names what is wrong with each row, field by field, and lists nothing', async () => {
    const before = await db.selectFrom('projects').select('id').execute();
    const reports = await check([
      row(),
      row({ name: '', website: 'javascript:alert(1)', coinType: 'SUI' }),
      row({ description: 'x'.repeat(201), category: 'Food' }),
    ]);
    expect(reports.map(({ errors }) => errors.map(({ field }) => field))).toEqual([
      [],
      ['name', 'website', 'coinType'],
      ['category', 'description'],
    ]);
    expect(await db.selectFrom('projects').select('id').execute()).toHaveLength(before.length);
  });

  test('a dry run names the listings that a row looks like: by name, handle, website and coin', async () => {
    const coinType = '0x51::reef::REEF';
    const [first, second] = [normalizeSuiAddress('0x61'), normalizeSuiAddress('0x62')];
    const { texts, project } = await importOne({ name: 'Reef Rider', coinType, packageId: second });
    const versions = [first, second, normalizeSuiAddress('0x51')].map((id) => ({ id, originalId: first }));
    await db.insertInto('packages').values(versions).execute();
    await insertProject(db, { name: 'Hidden Rider', hidden: true });
    const { twitterHandle, website } = texts;
    const reports = await check([
      row({ name: 'Reef-Rider!' }),
      row({ twitterHandle: `https://x.com/${twitterHandle.toUpperCase()}` }),
      row({ website }),
      row({ coinType }),
      row({ name: 'Hidden Rider' }),
      row({ name: 'REEF rider' }),
      row({ packageId: first }),
      row({ coinType: `${first}::reef::REEF` }),
    ]);
    const by = (at: number) => reports[at]?.alike;
    expect(by(0)).toEqual([{ by: 'name', slug: project.slug, name: 'Reef Rider' }]);
    expect(by(1)).toMatchObject([{ by: 'handle', slug: project.slug }]);
    expect(by(2)).toMatchObject([{ by: 'website', slug: project.slug }]);
    expect(by(3)).toMatchObject([{ by: 'coin', slug: project.slug }]);
    expect(by(4)).toEqual([]);
    expect(by(6)).toMatchObject([{ by: 'package', slug: project.slug }]);
    expect(by(7)).toMatchObject([{ by: 'coin', slug: project.slug }]);
    expect(reports[5]?.errors).toEqual([{ field: 'name', message: 'Another listing already has this name' }]);
  });

  test('a dry run asks the chain about versions of a package that no listing names, and works without a node [R71 R72]', async () => {
    const maker = await fundedWallet(chain);
    const made = await publishCoin(chain.client, maker);
    const { project } = await importOne({ coinType: made.coinType, packageId: made.packageId });
    await readPackages(server.services);
    const newest = await upgradePackage(chain.client, maker, made);
    const rows = [row({ packageId: newest }), row({ coinType: made.coinType.replace(made.packageId, newest) })];
    const away = { ...server.services, sui: openSui({ network: 'localnet', rpcUrl: 'http://127.0.0.1:9' }).sui };
    expect((await checkRows(away, db, rows)).map(({ alike }) => alike)).toEqual([[], []]);
    expect((await check(rows)).map(({ alike }) => alike)).toMatchObject([
      [{ by: 'package', slug: project.slug }],
      [{ by: 'coin', slug: project.slug }],
    ]);
  });
});

describe('import into the catalogue [R72]', () => {
  test('an import lists a row for free, unclaimed, with its coin set by the catalogue and one listing period', async () => {
    const { project, texts } = await importOne({ coinType: '0x52::kelp::KELP' });
    expect(project).toMatchObject({ name: texts.name, twitterHandle: texts.twitterHandle, transactionHash: null });
    expect(project.listing).toMatchObject({ source: 'catalogue', coinSource: 'catalogue', ownership: 'unclaimed' });
    expect(project.period).toBe(1);
    const voter = await newUser(server);
    expect((await castVote(voter, project.id, 'bullish')).status).toBe(200);
  });

  test('a row that cannot be listed stops no other, and says why', async () => {
    const id = await begin();
    const twice = row();
    const imageUrl = await pictureUrl(77);
    const { body } = await send(id, [
      { ...row({ category: 'Food' }), imageUrl },
      { ...row(), imageUrl: 'data:image/png;base64,bm90IGEgcGljdHVyZQ==' },
      { ...twice, imageUrl },
      { ...twice, imageUrl },
    ]);
    expect(body.rows.map(({ errors }) => errors.map(({ field }) => field))).toEqual([
      ['category'],
      ['imageUrl'],
      [],
      ['name'],
    ]);
    expect(body.rows.map(({ slug }) => slug !== null)).toEqual([false, false, true, false]);
    const { body: same } = await send(id, [{ ...row(), imageUrl }]);
    expect(same.rows[0]?.alike).toMatchObject([{ by: 'picture', name: twice.name }]);
  });

  test('listings of the catalogue stay listed in one listing period, and each voter is rewarded once', async () => {
    const { project } = await importOne();
    const voter = await newUser(server);
    expect((await castVote(voter, project.id, 'bullish')).status).toBe(200);
    await sql`UPDATE projects SET expires_at = now() + interval '2 hours' WHERE id = ${project.id}`.execute(db);
    expect(await keepCatalogue({ db })).toBe(1);
    expect(await keepCatalogue({ db })).toBe(0);
    const { body } = await read(project.slug);
    expect((Date.parse(body.expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(31, 1);
    expect(body.period).toBe(1);
    expect((await castVote(voter, project.id, 'bullish')).status).toBe(409);
  });

  test('an undone import hides its listings and keeps their votes; nothing can be added to it', async () => {
    const { id, project, texts } = await importOne();
    const voter = await newUser(server);
    expect((await castVote(voter, project.id, 'bearish')).status).toBe(200);
    expect(await undo(id)).toMatchObject({ status: 200, body: { hidden: 1, kept: 0 } });
    expect((await voter.get(`/api/projects/${project.slug}`)).status).toBe(404);
    expect(await db.selectFrom('votes').select('bullish').where('projectId', '=', project.id).execute()).toHaveLength(
      1,
    );
    expect(await undo(id)).toMatchObject({ status: 409, body: { error: 'import_undone' } });
    expect(await send(id, [{ ...row(), imageUrl: await pictureUrl() }])).toMatchObject({ status: 409 });
    await sql`UPDATE projects SET expires_at = now() + interval '2 hours' WHERE id = ${project.id}`.execute(db);
    expect(await keepCatalogue({ db })).toBe(0);
    // Its name is free again.
    expect((await check([texts]))[0]).toEqual({ errors: [], alike: [] });
    const { body } = await panel.get<CatalogueImport[]>('/api/admin/catalogue/imports');
    expect(body.find((one) => one.id === id)).toMatchObject({ undoneAt: expect.any(String), listings: 1, claimed: 0 });
  });

  test('the export has the form of an import', async () => {
    const { texts, project } = await importOne({ coinType: '0x53::foam::FOAM' });
    const { body } = await panel.get<CatalogueRow[]>('/api/admin/catalogue?limit=1');
    const { id, slug, imageUrl, ...exported } = body[0] ?? ({} as CatalogueRow);
    expect({ id, slug, imageUrl }).toEqual({ id: project.id, slug: project.slug, imageUrl: project.imageUrl });
    expect((await check([{ ...exported, name: `${texts.name} again` }]))[0]?.errors).toEqual([]);
  });
});
