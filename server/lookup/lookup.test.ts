import { beforeEach, describe, expect, test } from 'vitest';
import type { Lookup } from '#shared/contract/lookup.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, removeProjects } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';

const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);

const PACKAGE = `0x${'0'.repeat(61)}abc`;
const COIN = `${PACKAGE}::coin::COIN`;

beforeEach(() => removeProjects(db));

async function list(name: string, columns: object): Promise<number> {
  const id = await insertProject(db, { name, bullish: 31, bearish: 12 });
  await db.updateTable('projects').set(columns).where('id', '=', id).execute();
  await server.allNotified();
  return id;
}
const prove = (projectId: number, subject: string) =>
  db
    .insertInto('ownerships')
    .values({ projectId, state: 'controls', subject, hash: Buffer.alloc(32, projectId) })
    .execute();
const lookUp = (query: string) => visitor.get<Lookup & { error: string }>(`/api/v1/lookup?${query}`);
const coin = (type: string) => lookUp(`coin=${encodeURIComponent(type)}`);

describe('look-up of a coin, package or website [R74]', () => {
  test('returns one line, its figures and the links, for every spelling of the coin [R74]', async () => {
    const id = await list('Tidepool', { coinType: COIN });
    const { status, body } = await coin('0xABC::coin::COIN');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      name: 'Tidepool',
      coinType: COIN,
      votes: { bullish: 31, bearish: 12, share: 31 / 43 },
      verified: { bullish: 0, bearish: 0 },
      listing: { coinSource: 'lister', ownership: 'none' },
      expired: false,
      url: expect.stringMatching(new RegExp(`/projects/${body.slug}$`)),
      badge: expect.stringMatching(/\.svg$/),
    });
    expect(body.line).toMatch(
      /^Tidepool: 72% bullish · likely 57–83% · 0 of 43 votes verified · .* · Ownership not proven$/,
    );
    expect((await coin(COIN)).body.id).toBe(id);
  });

  test('finds a package by its address and by its coin, and a website without its scheme [R74]', async () => {
    const id = await list('Tidepool', { coinType: COIN, website: 'https://www.Tidepool.example/app/' });
    expect((await lookUp('package=0xabc')).body.id).toBe(id);
    const other = await list('Reef', { packageId: PACKAGE });
    expect((await lookUp('package=0xabc')).body.id).toBe(other);
    for (const address of [
      'https://tidepool.example/app',
      'tidepool.example/app',
      'http://www.tidepool.example/app?x=1',
    ])
      expect((await lookUp(`website=${encodeURIComponent(address)}`)).body.id).toBe(id);
    expect((await lookUp('website=tidepool.example')).status).toBe(404);
  });

  test('a proof comes before the word of a moderator, and this before that of a lister [R74 R71]', async () => {
    const copycat = await list('Copy', { coinType: COIN });
    expect((await coin(COIN)).body.id).toBe(copycat);
    const set = await list('Set', { coinType: COIN, coinSource: 'moderator' });
    expect((await coin(COIN)).body.id).toBe(set);
    const proven = await list('Proven', { coinType: COIN });
    await prove(proven, COIN);
    await server.allNotified();
    expect((await coin(COIN)).body).toMatchObject({ id: proven, listing: { ownership: 'controls' } });
    await db.updateTable('projects').set({ hiddenAt: new Date() }).where('id', '=', proven).execute();
    await server.allNotified();
    expect((await coin(COIN)).body.id).toBe(set);
  });

  test('names the mistake in a request that asks for nothing, for two things, or for no coin [R74]', async () => {
    for (const query of ['', 'coin=0x2::sui::SUI&package=0x2', 'coin=SUI', 'package=0x2::sui', 'website=nowhere'])
      expect(await lookUp(query)).toMatchObject({ status: 400, body: { error: 'invalid_lookup' } });
    expect((await coin(`0x2::a::${'A'.repeat(2_000)}`)).status).toBe(400);
    expect(await coin('0x2::sui::SUI')).toMatchObject({ status: 404, body: { error: 'not_listed' } });
  });

  test('page, badge and embedded card are also found by coin type [R74]', async () => {
    const id = await list('Tidepool', { coinType: COIN });
    const { slug } = await db.selectFrom('projects').select('slug').where('id', '=', id).executeTakeFirstOrThrow();
    const type = encodeURIComponent('0xabc::coin::COIN');
    for (const [path, target] of [
      [`/coins/${type}`, `/projects/${slug}`],
      [`/badge/coin/${type}.svg?theme=dark`, `/badge/${slug}.svg?theme=dark`],
      [`/embed/coin/${COIN}`, `/embed/${slug}`],
    ] as const) {
      const { status, headers } = await visitor.get(path);
      expect([status, headers.get('location')]).toEqual([302, target]);
    }
    for (const path of ['/coins/0x2::sui::SUI', '/badge/coin/nothing.svg', '/embed/coin/'])
      expect((await visitor.get(path)).status).toBe(404);
  });
});
