import { expect, test } from 'vitest';
import { allEndpoints } from '#shared/contract/all.ts';
import { ATOM_PATH } from '#shared/site/pages.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject, insertProjects, setProject, slugOf } from '#lab/testing/builders.ts';
import { castVote, Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { insertUsers, insertVotesAt, logKey, publishAll, timeOf } from '#lab/testing/record.ts';
import { giveStanding } from '#lab/testing/standing.ts';
import { refreshTopVoters } from './queries.ts';

const server = await createTestApp({ env: { LOG_PRIVATE_KEY: logKey() } });
const { services } = server;
const { db } = services;

/** Figures that move with a vote by design (/privacy lists them): of projects, and of all votes together. */
const LIVE = new Set(
  'bullishCount bearishCount bullishVotes bearishVotes bullishPercentage totalVotes nextAbove projects asOf since.bullish since.bearish projects.votes'.split(
    ' ',
  ),
);

const COIN = `0x${'7'.repeat(64)}::coin::COIN`;

/** Every public read, as a stranger sends it. */
function readsOf(projects: Array<{ id: number; slug: string }>): string[] {
  const paths = allEndpoints()
    .filter(([, { method, access }]) => method === 'GET' && access === 'public')
    .map(([, { path }]) => (path.endsWith('/lookup') ? `${path}?coin=${COIN}` : path))
    // It is drawn at random.
    .filter((path) => path !== '/api/guest-cards');
  const files = [ATOM_PATH, '/log/checkpoint', '/sitemap.xml', '/badge/{slug}.svg', '/embed/{slug}'];
  return [...paths, ...files].flatMap((path) =>
    /\{(?:id|slug)\}/.test(path)
      ? projects.map(({ id, slug }) => path.replace('{id}', String(id)).replace('{slug}', slug))
      : [path],
  );
}

type Poll = Map<string, unknown>;

async function poll(stranger: Client, reads: readonly string[]): Promise<Poll> {
  const seen: Poll = new Map();
  for (const path of reads) {
    // oxlint-disable-next-line no-await-in-loop -- a burst of all of them would be delayed
    const { status, body } = await stranger.get<unknown>(path);
    expect([path, status]).toEqual([path, 200]);
    seen.set(path, body);
  }
  return seen;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rows (elements of a list, or the whole response) that name a voter, by their list. The page of a listing also shows the project above it. */
function rowsNaming(names: RegExp, value: unknown, place: string): Array<[string, unknown]> {
  if (Array.isArray(value)) return value.flatMap((row) => rowsNaming(names, row, place));
  if (!isRecord(value)) return [];
  const lists = Object.entries(value).filter(([, part]) => Array.isArray(part));
  const own = Object.fromEntries(
    Object.entries(value).filter(([name, part]) => name !== 'nextAbove' && !Array.isArray(part)),
  );
  const inLists = lists.flatMap(([name, part]) => rowsNaming(names, part, `${place}/${name}`));
  return names.test(JSON.stringify(own)) ? [[place, own], ...inLists] : inLists;
}

const naming = (names: RegExp, seen: Poll): Array<[string, unknown]> =>
  [...seen].flatMap(([path, body]) => rowsNaming(names, body, path));

/** Votes move the rows of projects. */
const byId = (rows: unknown[]): unknown[] =>
  rows.toSorted((one, other) => (isRecord(one) && isRecord(other) ? Number(one['id']) - Number(other['id']) || 0 : 0));

/** The names of the values that differ, numbers of rows and projects left out. */
function moved(before: unknown, after: unknown, name: string): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isList = Array.isArray(before) && Array.isArray(after);
  if (isList && before.length === after.length)
    return byId(before).flatMap((row, at) => moved(row, byId(after)[at], name));
  if (!isRecord(before) || !isRecord(after) || name === 'nextAbove') return [name];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    moved(before[key], after[key], ['bullish', 'bearish', 'votes'].includes(key) ? `${name}.${key}` : key),
  );
}

test('a stranger who polls every public read around each vote sees no figure of a wallet move, only figures of projects and sums [R85]', async () => {
  const known = await newUser(server);
  const other = await newUser(server);
  const crowd = await insertUsers(db, 30);
  const [own, ...projects] = [await insertProject(db, { ownerId: known.id }), ...(await insertProjects(db, 4))];
  await setProject(db, own, { coinType: COIN });
  // Both are known: among the top voters, as author of a review, and as owner of a listing.
  const old = await insertProjects(db, 3);
  await insertVotesAt(db, { users: [known.id, other.id, ...crowd], projects: old, at: timeOf(1, 43_200_000) });
  await grantTokens(db, known.id, 20_000);
  const names = new RegExp(`${known.address}|${other.address}|known_voter`);
  expect((await known.patch(`/api/users/${known.id}`, { username: 'known_voter' })).status).toBe(200);
  const review = await known.post(`/api/projects/${projects[0]}/reviews`, { userId: known.id, content: 'Swift' });
  expect(review.status).toBe(201);
  await giveStanding(db, [known.id, other.id, ...crowd]);
  await publishAll(services);
  const settle = async (): Promise<void> => {
    await refreshTopVoters({ db });
    await server.allNotified();
  };
  const slugs = await Promise.all([own, ...projects].map(async (id) => ({ id, slug: await slugOf(db, id) })));
  const reads = readsOf(slugs);
  const stranger = new Client(server.url);
  await settle();
  let before = await poll(stranger, reads);
  const places = naming(names, before).map(([place]) => place);
  expect(places).toEqual(expect.arrayContaining(['/api/leaderboard/topVoters', '/api/v1/projects', ATOM_PATH]));
  const votes: Array<[TestUser, number, string]> = [
    [other, 0, 'bullish'],
    [known, 0, 'bullish'],
    [known, 1, 'bearish'],
    [other, 1, 'bearish'],
    [known, 2, 'bullish'],
  ];
  for (const [voter, at, direction] of votes) {
    // oxlint-disable-next-line no-await-in-loop -- a poll between two votes
    expect((await castVote(voter, projects[at] ?? 0, direction)).status).toBe(200);
    // oxlint-disable-next-line no-await-in-loop
    await settle();
    // oxlint-disable-next-line no-await-in-loop
    const after = await poll(stranger, reads);
    expect(naming(names, after)).toEqual(naming(names, before));
    expect(after.get('/api/leaderboard')).toEqual(before.get('/api/leaderboard'));
    const changed = reads.flatMap((path) => moved(before.get(path), after.get(path), path));
    expect(changed.length).toBeGreaterThan(5);
    expect([...new Set(changed)].filter((name) => !LIVE.has(name))).toEqual([]);
    before = after;
  }
});
