import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { RENEW_FEE_MIST, UPDATE_FEE_MIST, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { LeaderboardRow, ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { verifiedBound } from '#shared/figures/sorts.ts';
import { type Trend, trendScore } from '#shared/figures/trending.ts';
import { confidence, type VoteCounts } from '#shared/numbers/interval.ts';
import { type Sort, SORTS } from '#shared/listings/sort-names.ts';
import { loadTrust } from '#server/figures/standing/queries.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, type ProjectOptions, removeProjects, setProject } from '#lab/testing/builders.ts';
import { fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { pictureUrl, newDraft, submitPaid } from '#lab/testing/drafts.ts';

const chain = sharedChain();
const server = await createTestApp();
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

const setVerified = (projectId: number, verified: VoteCounts) =>
  db
    .insertInto('verifiedStats')
    .values({ projectId, ...verified })
    .onConflict((conflict) => conflict.column('projectId').doUpdateSet(verified))
    .execute();

/** A project with this many verified votes. */
async function withVerified(bullish: number, bearish: number, options: ProjectOptions = {}): Promise<number> {
  const id = await insertProject(db, { bullish, bearish, ...options });
  await setVerified(id, { bullish, bearish });
  return id;
}

const leaderboard = async () => (await visitor.get<LeaderboardRow[]>('/api/projects/leaderboard/all')).body;
const listed = async (sort: Sort) => (await visitor.get<ListedProject[]>(`/api/v1/projects?sort=${sort}`)).body;
const pageOf = async (id: number) => (await visitor.get<ProjectPage>(`/api/projects/${id}`)).body;

test("the order 'Verified' ranks by verified votes alone; a thousand unverified votes move nothing in it [R44]", async () => {
  await removeProjects(db);
  const proven = await withVerified(30, 9);
  const lucky = await withVerified(2, 0);
  const bought = await insertProject(db, { bullish: 1000 });
  const rows = await leaderboard();
  expect(rows.map(({ id }) => id)).toEqual([bought, lucky, proven]);
  expect(rows.map(({ verified }) => verified)).toEqual([
    { bullish: 0, bearish: 0 },
    { bullish: 2, bearish: 0 },
    { bullish: 30, bearish: 9 },
  ]);
  const order = async () => (await listed('verified')).map(({ id }) => id);
  expect(await order()).toEqual([proven, lucky, bought]);
  await db.updateTable('projectStats').set({ bearish: 1000 }).where('projectId', '=', proven).execute();
  expect(await order()).toEqual([proven, lucky, bought]);
});

test('one fresh wallet gives no project a rank and takes none away [R27]', async () => {
  await removeProjects(db);
  const [first, second, third] = [
    await withVerified(20, 2, { name: 'First' }),
    await withVerified(14, 4, { name: 'Second' }),
    await withVerified(6, 4, { name: 'Third' }),
  ];
  const [nine, fresh] = [await withVerified(9, 0), await insertProject(db, { bullish: 0 })];
  const expected = [
    [first, 1],
    [second, 2],
    [third, 3],
    [nine, null],
  ];
  const ranksOf = (rows: readonly LeaderboardRow[]) => rows.map(({ id, rank }) => [id, rank]);
  expect(ranksOf(await leaderboard())).toEqual([...expected, [fresh, null]]);

  const wallet = await newUser(server);
  for (const projectId of [fresh, nine, first, second, third])
    await wallet.post('/api/votes', {
      userId: wallet.id,
      projectId,
      voteType: projectId === third ? 'bearish' : 'bullish',
    });
  await server.allNotified();
  const after = ranksOf(await leaderboard());
  expect(after.slice(0, 3)).toEqual(expected.slice(0, 3));
  expect(after.slice(3)).toEqual(
    expect.arrayContaining([
      [fresh, null],
      [nine, null],
    ]),
  );
  for (const sort of ['bullish', 'verified'] as const)
    expect(ranksOf(await listed(sort))).toEqual(expect.arrayContaining(after.slice(3)));
  const top = (await visitor.get<LeaderboardRow[]>('/api/projects/leaderboard/all?limit=3')).body;
  expect(ranksOf(top)).toEqual(expected.slice(0, 3));
  for (const sort of ['new', 'trending'] as const)
    expect(new Set((await listed(sort)).map(({ rank }) => rank))).toEqual(new Set([null]));
});

test('a renamed project gets a rank at ten verified votes since, not at nine; its share keeps all its verified votes [R27 R60 R44]', async () => {
  await removeProjects(db);
  for (const bullish of [20, 19, 18]) await withVerified(bullish, 2);
  const id = await withVerified(30, 1, { name: 'Quiet Frog' });
  await setProject(db, id, { name: 'Loud Frog' });
  const rowSince = async (bullish: number) => {
    await db.updateTable('identityChanges').set({ bullish }).where('projectId', '=', id).execute();
    services.cache.invalidateAll();
    const rows = await listed('bullish');
    return { at: rows.findIndex((row) => row.id === id), rank: rows.find((row) => row.id === id)?.rank };
  };
  expect(await rowSince(0)).toEqual({ at: 3, rank: null });
  expect(await rowSince(9)).toEqual({ at: 3, rank: null });
  expect(await rowSince(10)).toEqual({ at: 0, rank: 1 });
  const { verified, rankVotes } = await pageOf(id);
  expect({ verified, rankVotes }).toEqual({ verified: { bullish: 30, bearish: 1 }, rankVotes: 10 });
});

test('a site without any reading ranks all its projects, in the order of all votes [R27]', async () => {
  await removeProjects(db);
  const expected = [
    [await insertProject(db, { bullish: 3 }), 1],
    [await insertProject(db, { bullish: 4, bearish: 1 }), 2],
    [await insertProject(db), 3],
  ];
  for (const sort of ['bullish', 'verified'] as const)
    expect((await listed(sort)).map(({ id, rank }) => [id, rank])).toEqual(expected);
  expect((await loadTrust(services)).freeWallets).toEqual({ bullish: 1, verified: 1 });
});

test("the number of free wallets on /trust brings the last ranked project to the top, and no number does in 'Verified' [R27]", async () => {
  await removeProjects(db);
  await withVerified(20, 2);
  await withVerified(14, 4);
  const last = await withVerified(6, 6);
  await withVerified(9, 0);
  const { freeWallets } = await loadTrust(services);
  expect(freeWallets.verified).toBeNull();
  const wallets = freeWallets.bullish ?? 0;
  const topAfter = async (more: number) => {
    const isLast = sql<boolean>`project_id = ${last}`;
    await sql`UPDATE project_stats SET bullish = bullish + CASE WHEN ${isLast} THEN ${more}::int ELSE 0 END,
      bearish = bearish + CASE WHEN ${isLast} THEN 0 ELSE ${more}::int END`.execute(db);
    await server.allNotified();
    return (await leaderboard())[0]?.id;
  };
  expect(await topAfter(wallets - 1)).not.toBe(last);
  expect(await topAfter(1)).toBe(last);
  expect((await listed('verified'))[0]?.id).not.toBe(last);
});

test("in 'Verified' a project without a rank follows all that have one, and its page says what it lacks [R27 R44]", async () => {
  await removeProjects(db);
  for (const [bullish, bearish] of [
    [20, 2],
    [14, 4],
    [1, 9],
  ] as const)
    await withVerified(bullish, bearish);
  const nine = await withVerified(9, 0);
  const two = await withVerified(2, 0);
  const rows = await listed('verified');
  expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3, null, null]);
  expect(rows.slice(3).map(({ id }) => id)).toEqual([nine, two]);
  expect((await pageOf(nine)).nextAbove).toMatchObject({ id: rows[2]?.id, votesToRank: 1 });
  expect((await pageOf(two)).nextAbove).toMatchObject({ id: nine, votesToRank: 0 });
  expect((await pageOf(rows[1]?.id ?? 0)).nextAbove).toMatchObject({ id: rows[0]?.id, votesToRank: 0 });
});

test('the project above is the previous row of the leaderboard, even if verified votes are equal or missing [R44]', async () => {
  await removeProjects(db);
  // Equal bounds keep the order of R27: share of all votes, votes, age.
  const named: Array<[name: string, verified: VoteCounts, all: VoteCounts]> = [
    ['Ahead', { bullish: 30, bearish: 9 }, { bullish: 40, bearish: 20 }],
    ['Twin', { bullish: 13, bearish: 5 }, { bullish: 18, bearish: 6 }],
    ['Twin with less', { bullish: 13, bearish: 5 }, { bullish: 13, bearish: 6 }],
    ['Twin with equal votes', { bullish: 13, bearish: 5 }, { bullish: 13, bearish: 6 }],
    ['Unverified', { bullish: 0, bearish: 0 }, { bullish: 9, bearish: 0 }],
    ['Only bearish', { bullish: 0, bearish: 3 }, { bullish: 8, bearish: 3 }],
    ['Without votes', { bullish: 0, bearish: 0 }, { bullish: 0, bearish: 0 }],
  ];
  for (const [name, verified, all] of named) {
    const id = await insertProject(db, { name, ...all });
    if (verified.bullish + verified.bearish > 0) await setVerified(id, verified);
  }
  const order = await listed('verified');
  expect(order.map(({ name }) => name)).toEqual(named.map(([name]) => name));
  const above = await Promise.all(order.map(async ({ id }) => (await pageOf(id)).nextAbove?.name ?? null));
  expect(above).toEqual([null, ...order.slice(0, -1).map(({ name }) => name)]);
});

test('the database computes the bound to the same bit as the page and readers of the record', async () => {
  const pairs = [0, 1, 2, 3, 7, 40, 999, 12_345, 9_999_991].flatMap((bullish) =>
    [0, 1, 2, 5, 60, 4_321, 9_999_973].map((bearish) => ({ bullish, bearish })),
  );
  const { rows } = await sql<VoteCounts & { bound: number }>`
    SELECT bullish, bearish, wilson_bound(bullish, bearish) AS bound
    FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) AS x(bullish bigint, bearish bigint)`.execute(db);
  expect(rows).toHaveLength(pairs.length);
  for (const { bullish, bearish, bound } of rows) expect(bound).toBe(confidence(bullish, bearish));
});

/** Votes of the projects below. No two are equal, because only their age would decide then. */
const VOTES: Record<string, { all: VoteCounts; verified: VoteCounts; trend: Trend }> = {
  Anchovy: {
    all: { bullish: 6, bearish: 2 },
    verified: { bullish: 2, bearish: 2 },
    trend: { bullish: 2, bearish: 0, weight: 14 },
  },
  Barnacle: {
    all: { bullish: 3, bearish: 1 },
    verified: { bullish: 3, bearish: 0 },
    trend: { bullish: 1, bearish: 1, weight: 8 },
  },
  Cockle: {
    all: { bullish: 90, bearish: 40 },
    verified: { bullish: 50, bearish: 40 },
    trend: { bullish: 3, bearish: 2, weight: 9 },
  },
};
/** The one listing of them that was paid for. */
const PAID = 'Barnacle';
const EXPECTED: Record<Sort, string[]> = {
  bullish: ['Anchovy', 'Barnacle', 'Cockle'],
  verified: ['Cockle', 'Barnacle', 'Anchovy'],
  new: ['Cockle', 'Barnacle', 'Anchovy'],
  trending: ['Anchovy', 'Cockle', 'Barnacle'],
};

/** Paid updates of a listing: a name and back, each other field, and a picture that looks the same. */
const UPDATES: ReadonlyArray<(name: string) => Promise<object>> = [
  async (name) => ({ name: `${name} Renamed` }),
  async (name) => ({ name }),
  async () => ({ imageUrl: await pictureUrl(41) }),
  async () => ({ website: 'https://elsewhere.example', description: 'Another text' }),
  async () => ({ twitterHandle: 'https://x.com/elsewhere' }),
];

test('no payment for a listing, an update or a renewal, in any order, raises a rank or a bound [R44 R60]', async () => {
  await removeProjects(db);
  await sql`TRUNCATE project_trends`.execute(db);
  const owner = await newUser(server, await fundedWallet(chain));
  const ids = new Map<string, number>();
  for (const [name, { all, verified, trend }] of Object.entries(VOTES)) {
    const id =
      name === PAID
        ? (await submitPaid<Project>(owner, await newDraft({ name }), await pay(chain, owner.wallet, SUBMIT_FEE_MIST)))
            .body.id
        : await insertProject(db, { ownerId: owner.id, name });
    await db.updateTable('projectStats').set(all).where('projectId', '=', id).execute();
    await setVerified(id, verified);
    await db
      .insertInto('projectTrends')
      .values({ projectId: id, ...trend })
      .execute();
    ids.set(name, id);
  }
  for (const sort of SORTS)
    expect([sort, (await listed(sort)).map(({ name }) => name)]).toEqual([sort, EXPECTED[sort]]);
  const placesOf = async (id: number) => {
    await server.allNotified();
    const places: Record<string, number> = {};
    for (const sort of SORTS) {
      const rows = await listed(sort);
      const at = rows.findIndex((row) => row.id === id);
      const row = rows[at];
      // Higher is better; a bound beside each rank.
      places[`${sort} rank`] = -at;
      if (row) places['verified bound'] = verifiedBound(row);
      if (row) places['trend score'] = trendScore(row.trend);
    }
    return places;
  };
  const gained: string[] = [];
  const acts = [...UPDATES.keys(), 'renew' as const];
  for (const [turn, [name, id]] of [...ids].entries()) {
    for (const act of [...acts.slice(turn), ...acts.slice(0, turn)]) {
      const before = await placesOf(id);
      const transactionHash = await pay(chain, owner.wallet, act === 'renew' ? RENEW_FEE_MIST : UPDATE_FEE_MIST);
      const changes = act === 'renew' ? {} : await UPDATES[act]?.(name);
      const { status, body } =
        act === 'renew'
          ? await owner.post(`/api/projects/${id}/renew`, { transactionHash })
          : await owner.patch(`/api/projects/${id}/update`, { ...changes, transactionHash });
      expect([act, status, body]).toEqual([act, expect.toBeOneOf([200, 400]), expect.anything()]);
      const after = await placesOf(id);
      for (const [figure, value] of Object.entries(after))
        if (value > (before[figure] ?? 0)) gained.push(`${name}, ${act}: ${figure}`);
    }
  }
  expect(gained).toEqual([]);
  // They did have an effect: the votes of before rank no longer.
  expect((await listed('verified')).map((row) => verifiedBound(row))).toEqual([0, 0, 0]);
  expect((await listed('trending')).map((row) => trendScore(row.trend))).toEqual([0, 0, 0]);
});
