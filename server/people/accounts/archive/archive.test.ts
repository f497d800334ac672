import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ARCHIVES_PER_DAY, REVIEW_COST_TOKENS } from '#shared/constants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { downloadArchive as download, jsonOf as json, requestArchive as request } from '#lab/testing/archive.ts';
import { behindTheTriggers, grantTokens, insertProject, insertProjects, setProject } from '#lab/testing/builders.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { pictureUrl } from '#lab/testing/drafts.ts';
import { PARTS } from './parts.ts';

const server = await createTestApp();
const { db } = server.services;

const isFree = (user: TestUser) =>
  expect
    .poll(async () => {
      const { rows } =
        await sql`SELECT FROM user_allowances WHERE user_id = ${user.id} AND kind = 'open_archive' AND used > 0`.execute(
          db,
        );
      return rows.length;
    })
    .toBe(0);

const setAllowance = (user: TestUser, kind: 'archives' | 'open_archive', used: number, minutesAgo: number) =>
  sql`UPDATE user_allowances SET used = ${used}, started_at = now() - make_interval(mins => ${minutesAgo})
    WHERE user_id = ${user.id} AND kind = ${kind}`.execute(db);

test('an archive contains everything of its user as JSON and CSV, pictures included, and nothing of others or that signs in [R55]', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  const [first = 0, second = 0] = await insertProjects(db, 2);
  const own = await insertProject(db, { ownerId: user.id, name: 'My first reef' });
  await setProject(db, own, { name: 'My own reef' });
  await sql`INSERT INTO ownerships (project_id, state, subject, wallet, hash)
    VALUES (${own}, 'proven', '0x2::reef::REEF', ${user.address}, decode(repeat('ab', 32), 'hex'))`.execute(db);
  await grantTokens(db, user.id, REVIEW_COST_TOKENS + 100);
  await user.patch(`/api/users/${user.id}`, { username: `Keeper_${user.id}`, avatarUrl: await pictureUrl(7) });
  for (const voter of [user, other]) {
    for (const projectId of [first, second])
      await voter.post('/api/votes', { userId: voter.id, projectId, voteType: 'bearish' });
  }
  await user.post(`/api/projects/${first}/reviews`, {
    userId: user.id,
    content: '=HYPERLINK("x"), "quoted"\nand long',
  });
  await user.post('/api/reports', { subject: 'project', subjectId: second, reason: 'scam', text: 'Looks odd' });
  await user.post('/api/withdrawals', { userId: user.id, walletAddress: user.address, tokenAmount: 60 });
  await other.patch(`/api/users/${other.id}`, { username: `Other_${other.id}`, avatarUrl: await pictureUrl(200) });
  await sql`UPDATE projects SET image_hash = (SELECT avatar_hash FROM users WHERE id = ${other.id}),
    period_starts = period_starts || clock_timestamp() WHERE id = ${first}`.execute(db);
  await user.post('/api/votes', { userId: user.id, projectId: first, voteType: 'bullish' });
  await sql`INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
    VALUES (${user.id}, ${first}, 1, 'moderator', 'Bought', 'test')`.execute(db);

  await sql`INSERT INTO review_replies (review_id, content)
    SELECT id, 'A reply of the owner' FROM reviews WHERE user_id = ${user.id}`.execute(db);

  const files = await download(user);
  const names = PARTS.flatMap(({ name }) => [`${name}.json`, `${name}.csv`]);
  expect([...files.keys()].filter((name) => !name.startsWith('pictures/'))).toEqual([
    'README.txt',
    'account.json',
    ...names,
  ]);
  for (const name of names) expect(files.get('README.txt')?.toString()).toContain(name);
  expect(json(files, 'account.json')).toMatchObject({
    profile: { username: `Keeper_${user.id}`, walletAddress: user.address },
    counters: { totalVotes: 4 },
    sessions: [{ device: expect.any(String) }],
    'terms that you agreed to': [{ termsVersion: expect.stringMatching(/^[0-9a-f]{16}$/), payingAt: null }],
  });
  expect(json(files, 'votes.json')).toEqual(
    expect.arrayContaining([expect.objectContaining({ projectId: first, vote: 'bearish', period: 1 })]),
  );
  expect(json(files, 'votes.json')).toHaveLength(4);
  const onFirst = (json(files, 'votes.json') as Array<{ projectId: number }>).filter((one) => one.projectId === first);
  expect(onFirst).toMatchObject([
    { period: 1, vote: 'bearish', notCounted: 'Bought' },
    { period: 2, vote: 'bullish', notCounted: null },
  ]);
  expect(json(files, 'reviews.json')).toMatchObject([{ projectId: first }]);
  expect(files.get('reviews.csv')?.toString()).toContain(`"'=HYPERLINK(""x"")`);
  expect(json(files, 'reports.json')).toMatchObject([{ subjectId: second, text: 'Looks odd' }]);
  expect(json(files, 'withdrawals.json')).toMatchObject([{ snaps: 60, walletAddress: user.address }]);
  expect(json(files, 'ledger.json')).toHaveLength(3);
  expect(json(files, 'projects.json')).toMatchObject([{ id: own, name: 'My own reef' }]);
  expect(json(files, 'versions.json')).toMatchObject([
    { projectId: own, number: 1, name: 'My first reef', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { projectId: own, number: 2, name: 'My own reef' },
  ]);
  expect(json(files, 'proofs.json')).toMatchObject([
    { projectId: own, state: 'proven', subject: '0x2::reef::REEF', wallet: user.address },
  ]);
  expect(json(files, 'activity.json')).toHaveLength(2);
  expect(json(files, 'appeals.json')).toEqual([]);
  expect(json(files, 'replies.json')).toEqual([]);
  const pictures = [...files.keys()].filter((name) => name.startsWith('pictures/'));
  expect(pictures).toHaveLength(1);
  expect(
    files
      .get(pictures[0] ?? '')
      ?.subarray(8, 12)
      .toString(),
  ).toBe('WEBP');

  const all = Buffer.concat([...files.values()]).toString();
  const token = user.cookie.split('=')[1] ?? '';
  for (const foreign of [other.address, `Other_${other.id}`, token]) expect(all).not.toContain(foreign);
});

test('archives are limited to one at a time on all servers, and a few a day; one that is abandoned frees the next', async () => {
  const user = await newUser(server);
  await download(user);
  await isFree(user);
  await setAllowance(user, 'open_archive', 1, 5);
  const busy = await user.get(`/api/users/${user.id}/archive`);
  expect(busy).toMatchObject({ status: 429, body: { error: 'archive_busy' } });
  expect(Number(busy.headers.get('retry-after'))).toBeOneOf([299, 300]);
  // A server that dies holds it no longer than ten minutes.
  await setAllowance(user, 'open_archive', 1, 10);
  const stop = new AbortController();
  const begun = await request(user, stop.signal);
  const day = new Date().toISOString().slice(0, 10);
  expect(begun.headers.get('content-disposition')).toBe(`attachment; filename="snapswipe-data-${day}.zip"`);
  await begun.body?.getReader().read();
  stop.abort();
  await isFree(user);
  await setAllowance(user, 'archives', ARCHIVES_PER_DAY - 1, 60);
  await download(user);
  await isFree(user);
  const limited = await user.get(`/api/users/${user.id}/archive`);
  expect(limited).toMatchObject({ status: 429, body: { error: 'archive_limit' } });
  expect(Math.abs(Number(limited.headers.get('retry-after')) - 23 * 3_600)).toBeLessThan(60);
  await setAllowance(user, 'archives', ARCHIVES_PER_DAY, 24 * 60);
  await download(user);
  await isFree(user);
  // The next day begins with a new count.
  await download(user);
});

test('a list that cannot be read aborts the download, and blocks neither the server nor the next archive [R55]', async () => {
  const user = await newUser(server);
  await sql`ALTER TABLE undone_votes RENAME TO away`.execute(db);
  try {
    const broken = await request(user);
    expect(broken.status).toBe(200);
    await expect(broken.arrayBuffer()).rejects.toThrow('terminated');
  } finally {
    await sql`ALTER TABLE away RENAME TO undone_votes`.execute(db);
  }
  await isFree(user);
  await download(user);
});

test('an archive of forty thousand votes is read a page at a time while the browser receives them', async () => {
  const user = await newUser(server);
  const projects = await insertProjects(db, 400);
  await behindTheTriggers(db, (trx) =>
    sql`INSERT INTO votes (user_id, created_at, project_id, period, bullish)
      SELECT ${user.id}, now(), p, n, n % 3 = 0 FROM unnest(${projects}::int[]) p, generate_series(1, 100) n`.execute(
      trx,
    ),
  );
  const files = await download(user);
  const lines = files.get('votes.csv')?.toString().trimEnd().split('\r\n') ?? [];
  expect(lines).toHaveLength(40_001);
  expect(lines[0]).toMatch(/^\uFEFF\w/);
  expect(new Set(lines).size).toBe(40_001);
  expect(json(files, 'votes.json')).toHaveLength(40_000);
});
