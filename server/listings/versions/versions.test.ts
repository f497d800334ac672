import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_UPDATES_PER_DAY, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { AuditEntry } from '#shared/contract/admin.ts';
import type { Notice } from '#shared/contract/notices.ts';
import type { ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { User } from '#shared/contract/types.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { ownPicture } from '#shared/listings/picture-address.ts';
import type { Sort } from '#shared/listings/sort-names.ts';
import { fromBase64Url } from '#record/entries/base64url.ts';
import { versionHash } from '#record/entries/sealed.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { behindTheTriggers, insertProject, removeProjects, setProject, beginPeriod } from '#lab/testing/builders.ts';
import { fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, pictureUrl, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { applyOrder } from '#server/money/orders/apply.ts';
import { tellChanges } from '#server/people/notices/notify-changes.ts';
import { giveStanding } from '#lab/testing/standing.ts';
import { closeToday, reopenDays } from '#lab/testing/close.ts';

const chain = sharedChain();
const server = await createTestApp();
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

beforeEach(() => removeProjects(db));

const versionsOf = async (ref: number | string) =>
  (await visitor.get<ListingVersion[]>(`/api/v1/projects/${ref}/versions`)).body;
const pageOf = async (id: number) => (await visitor.get<ProjectPage>(`/api/projects/${id}`)).body;
const listed = async (sort: Sort) => (await visitor.get<ListedProject[]>(`/api/v1/projects?sort=${sort}`)).body;

/** Applies an update as a paid order does. */
async function change(projectId: number, draft: Record<string, string | null>): Promise<void> {
  const { ownerId } = await db
    .selectFrom('projects')
    .select('ownerId')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const by = { userId: ownerId, isAdmin: false };
  await db.transaction().execute((trx) => applyOrder(trx, { purpose: 'update', projectId, draft }, by, null));
}

/** New voters vote on a project; `bearish` of them bearish. */
async function voteOn(projectId: number, bullish: number, bearish = 0): Promise<TestUser[]> {
  const users: TestUser[] = [];
  for (let n = 0; n < bullish + bearish; n += 1) {
    const user = await newUser(server);
    const voteType = n < bullish ? 'bullish' : 'bearish';
    expect((await user.post('/api/votes', { userId: user.id, projectId, voteType })).status).toBe(200);
    users.push(user);
  }
  return users;
}

/** The same, of wallets with standing. */
async function voteVerified(projectId: number, bullish: number, bearish = 0): Promise<TestUser[]> {
  const users = await voteOn(projectId, bullish, bearish);
  await giveStanding(
    db,
    users.map(({ id }) => id),
  );
  return users;
}

async function count(): Promise<void> {
  await closeToday(services);
  await server.allNotified();
}

/** The votes for its rank in the file of the day. */
async function rankVotesOfDay(projectId: number): Promise<number | null> {
  const query = db.selectFrom('projectDays').select('rankVotes').where('projectId', '=', projectId);
  return (await query.executeTakeFirstOrThrow()).rankVotes;
}

describe('versions of a listing [R60]', () => {
  test('a paid update keeps what the listing was, with the hash that the record defines [R60 R63]', async () => {
    const owner = await newUser(server, await fundedWallet(chain));
    const { admin } = await signInAsAdmin(server);
    const { body: made } = await submitPaid<ProjectPage>(admin, await newDraft({ name: 'Quiet Frog' }));
    await setProject(db, made.id, { ownerId: owner.id });
    const transactionHash = await pay(chain, owner.wallet, UPDATE_FEE_MIST);
    const changes = { name: 'Loud Frog', description: 'Louder', walletAddress: owner.address, transactionHash };
    expect((await owner.patch(`/api/projects/${made.id}/update`, changes)).status).toBe(200);

    const [now, before, ...more] = await versionsOf('quiet-frog');
    expect(more).toEqual([]);
    expect(now).toMatchObject({ number: 2, identity: 2, name: 'Loud Frog', description: 'Louder' });
    expect(before).toMatchObject({ number: 1, identity: 1, name: 'Quiet Frog', twitterHandle: 'coralswap' });
    for (const { name, twitterHandle, website, category, description, imageUrl, salt, hash } of [now, before].flatMap(
      (one) => one ?? [],
    )) {
      const picture = ownPicture(imageUrl ?? '')
        .replace('/images/', '')
        .replace('.webp', '');
      const texts = { name: name ?? '', handle: twitterHandle ?? '', website: website ?? '', category: category ?? '' };
      const content = { ...texts, description: description ?? '', picture };
      expect(versionHash(content, fromBase64Url(salt ?? '', 16) ?? new Uint8Array())).toBe(hash);
    }
    expect(await pageOf(made.id)).toMatchObject({ changes: 1 });
  });

  test('a change by a statement of the console is a version, and the statement cannot choose its number', async () => {
    const id = await insertProject(db, { name: 'Quiet Frog' });
    await db.transaction().execute(async (trx) => {
      await sql`SET LOCAL ROLE snapswipe_console`.execute(trx);
      await sql`UPDATE projects SET name = 'Loud Frog', identity = 1, version = 1 WHERE id = ${id}`.execute(trx);
      await sql`UPDATE projects SET category = 'Meme' WHERE id = ${id}`.execute(trx);
      await sql`UPDATE projects SET expires_at = expires_at + interval '1 day' WHERE id = ${id}`.execute(trx);
    });
    expect((await versionsOf(id)).map(({ number, identity, name }) => [number, identity, name])).toEqual([
      [3, 2, 'Loud Frog'],
      [2, 2, 'Loud Frog'],
      [1, 1, 'Quiet Frog'],
    ]);
    const tamper = db.transaction().execute(async (trx) => {
      await sql`SET LOCAL ROLE snapswipe_console`.execute(trx);
      await sql`DELETE FROM listing_versions WHERE project_id = ${id}`.execute(trx);
    });
    await expect(tamper).rejects.toThrow(/permission denied/);
  });

  test('a vote or change that names a former identity is rejected, and counts once it names the present one [R60 R57]', async () => {
    const id = await insertProject(db, { name: 'Quiet Frog' });
    const { identity } = await pageOf(id);
    const [late] = await voteOn(id, 1);
    if (!late) throw new Error('one has voted');
    const early = await newUser(server);
    await ageVotes(db, late.id, '2 days');
    await change(id, { name: 'Loud Frog' });
    await server.allNotified();

    const vote = (seen?: number) =>
      early.post<{ error: string }>('/api/votes', {
        userId: early.id,
        projectId: id,
        voteType: 'bullish',
        identity: seen,
      });
    const changeTo = (seen?: number) =>
      late.send<{ error: string }>('PUT', `/api/votes/${id}`, { voteType: 'bearish', identity: seen });
    for (const rejected of [await vote(identity), await changeTo(identity)])
      expect([rejected.status, rejected.body.error]).toEqual([409, 'renamed']);
    expect((await vote(0)).status).toBe(400);
    expect(await pageOf(id)).toMatchObject({ identity: 2, bullishCount: 1, bearishCount: 0 });
    expect((await early.get(`/api/users/${early.id}/voting-status`)).body).toMatchObject({ votesRemaining: 25 });

    expect((await vote(2)).status).toBe(200);
    expect((await changeTo(2)).status).toBe(200);
    // Sent again after its response was lost.
    expect((await changeTo(identity)).body.error).toBe('changed_today');
    expect((await vote(identity)).body.error).toBe('already_voted');
    // A client that names none is not compared.
    const other = await newUser(server);
    const unnamed = await other.post('/api/votes', { userId: other.id, projectId: id, voteType: 'bullish' });
    expect(unnamed.status).toBe(200);
    await count();
    const { bullishCount, bearishCount, changed } = await pageOf(id);
    expect([bullishCount, bearishCount, changed]).toEqual([2, 1, undefined]);
    expect(await findDifferences(db)).toEqual([]);
  });

  test('many versions are listed in pages, and those of a hidden listing only to its owner', async () => {
    const owner = await newUser(server);
    const id = await insertProject(db, { ownerId: owner.id });
    for (let n = 0; n < 7; n += 1)
      await sql`UPDATE projects SET description = ${`Number ${n}`} WHERE id = ${id}`.execute(db);
    const first = await visitor.get<ListingVersion[]>(`/api/v1/projects/${id}/versions?limit=5`);
    const cursor = first.headers.get('x-next-cursor') ?? '';
    const second = await visitor.get<ListingVersion[]>(`/api/v1/projects/${id}/versions?limit=5&cursor=${cursor}`);
    expect([...first.body, ...second.body].map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    await sql`UPDATE projects SET hidden_at = now() WHERE id = ${id}`.execute(db);
    expect((await visitor.get(`/api/v1/projects/${id}/versions`)).status).toBe(404);
    expect((await owner.get<unknown[]>(`/api/projects/${id}/versions`)).body).toHaveLength(8);
  });

  test('an eleventh update within a day is refused before any money moves', async () => {
    const owner = await newUser(server, await fundedWallet(chain));
    const id = await insertProject(db, { ownerId: owner.id });
    const prepare = (description: string) =>
      owner.post('/api/payments', { purpose: 'update', projectId: id, draft: { description } });
    for (let n = 0; n < MAX_UPDATES_PER_DAY - 1; n += 1) await change(id, { description: `Number ${n}` });
    expect((await prepare('The tenth')).status).toBe(201);
    await change(id, { description: 'The tenth' });
    expect(await prepare('The eleventh')).toMatchObject({ status: 409, body: { error: 'changed_often' } });
    // Paid without asking first: the same limit, and the fee waits for the admin.
    const transactionHash = await pay(chain, owner.wallet, UPDATE_FEE_MIST);
    const sent = { walletAddress: owner.address, transactionHash, description: 'The eleventh' };
    expect(await owner.send('PATCH', `/api/projects/${id}/update`, sent)).toMatchObject({
      status: 409,
      body: { error: 'payment_unclaimed', message: expect.stringContaining('The admin will refund or credit it') },
    });
    expect(await pageOf(id)).toMatchObject({ description: 'The tenth' });
    await sql`UPDATE listing_versions SET created_at = created_at - interval '1 day'`.execute(db);
    expect((await prepare('The next day')).status).toBe(201);
  });
});

describe('votes before a change of identity [R60]', () => {
  test('figures mention a change of identity until most votes are younger, everywhere', async () => {
    const id = await insertProject(db, { name: 'Quiet Frog' });
    const [voter] = await voteOn(id, 3);
    await change(id, { name: 'Loud Frog' });
    const mentioned = { what: ['name'], name: 'Quiet Frog', votes: 3 };
    expect(await pageOf(id)).toMatchObject({ changed: mentioned });
    expect(await listed('bullish')).toMatchObject([{ changed: mentioned }]);
    const { body: feed } = await visitor.get<ProjectPage[]>('/api/projects');
    expect(feed).toMatchObject([{ changed: mentioned }]);
    const stranger = await newUser(server);
    const own = await stranger.get<ProjectPage[]>(`/api/projects?userId=${stranger.id}`);
    expect(own.body).toMatchObject([{ changed: mentioned }]);
    const { slug } = await pageOf(id);
    const badge = await (await fetch(`${server.url}/badge/${slug}.svg`)).text();
    expect(badge).toContain('3 of 3 votes before it was renamed');
    const embed = await (await fetch(`${server.url}/embed/${slug}`)).text();
    expect(embed).toContain('3 of 3 votes were cast before it was renamed from Quiet Frog');

    // The voter's vote of the next period is about the present identity.
    await beginPeriod(db, id);
    await voter?.post('/api/votes', { userId: voter.id, projectId: id, voteType: 'bullish' });
    await count();
    expect((await pageOf(id)).changed).toMatchObject({ votes: 2 });
    await voteOn(id, 1);
    await count();
    expect((await pageOf(id)).changed).toBeUndefined();
  });

  test('only the verified votes since the last change of identity count for a rank, in the files of a day, too [R27 R60]', async () => {
    await sql`TRUNCATE project_days, opinion_days`.execute(db);
    const id = await insertProject(db, { name: 'Quiet Frog' });
    await voteVerified(id, 2);
    expect((await pageOf(id)).rankVotes).toBeUndefined();
    await change(id, { name: 'Loud Frog' });
    await voteVerified(id, 3);
    await change(id, { imageHash: '1'.repeat(32) });
    await voteVerified(id, 1);
    await count();
    expect(await pageOf(id)).toMatchObject({ verified: { bullish: 6, bearish: 0 }, rankVotes: 1 });
    expect(await rankVotesOfDay(id)).toBe(1);
  });

  test('a vote that is confirmed or turned since a change of identity counts as one since, and no longer once that is undone [R57]', async () => {
    // The days are counted from the first of these votes on.
    await sql`TRUNCATE project_days, opinion_days`.execute(db);
    const id = await insertProject(db, { name: 'Quiet Frog' });
    const voters = await voteVerified(id, 5);
    for (const voter of voters) await ageVotes(db, voter.id, '2 days');
    await change(id, { name: 'Loud Frog' });
    await reopenDays(db);
    await count();
    expect(await pageOf(id)).toMatchObject({ verifiedSince: { bullish: 0, bearish: 0 }, changed: { votes: 5 } });
    const say = (user: TestUser | undefined, voteType: string) => user?.send('PUT', `/api/votes/${id}`, { voteType });
    expect((await say(voters[0], 'bullish'))?.status).toBe(200);
    expect((await say(voters[1], 'bearish'))?.status).toBe(200);
    await count();
    expect(await pageOf(id)).toMatchObject({
      verified: { bullish: 4, bearish: 1 },
      verifiedSince: { bullish: 1, bearish: 1 },
      changed: { votes: 3 },
    });
    // This server counts at once, and what is counted cannot be undone.
    await sql`UPDATE totals_state SET open_from = '-infinity'`.execute(db);
    const patient = await startServer(server.databaseUrl, { undoWindowMs: 3_600_000 });
    const { status } = await Object.assign(voters[1] ?? visitor, { url: patient.url }).send(
      'DELETE',
      `/api/votes/${id}`,
    );
    await patient.close();
    expect(status).toBe(200);
    // No day is closed before its votes are final.
    await reopenDays(db);
    await count();
    await count();
    expect(await pageOf(id)).toMatchObject({
      verified: { bullish: 5, bearish: 0 },
      verifiedSince: { bullish: 1, bearish: 0 },
      changed: { votes: 4 },
    });
    // Users of other tests have lost their votes with the projects.
    const ours = [`project ${id}`, ...voters.map((voter) => `user ${voter.id}:`)];
    const found = await findDifferences(db);
    expect(found.filter((line) => ours.some((name) => line.startsWith(name)))).toEqual([]);
  });

  test('the check of the books recounts the votes on either side of a change, and compares each newest version', async () => {
    const id = await insertProject(db, { name: 'Quiet Frog' });
    await voteVerified(id, 2);
    await change(id, { name: 'Loud Frog' });
    await voteVerified(id, 1);
    await count();
    const found = async () => (await findDifferences(db)).filter((line) => line.includes(`project ${id}`));
    expect(await found()).toEqual([]);
    await sql`UPDATE identity_changes SET bullish = bullish + 1`.execute(db);
    expect(await found()).toEqual([
      expect.stringMatching(
        /identity 2: counted 2 votes before, 2 bullish and 0 bearish verified since; votes 2, 1 and 0/,
      ),
    ]);
    await behindTheTriggers(db, (trx) => sql`UPDATE projects SET name = 'Sly Frog' WHERE id = ${id}`.execute(trx));
    await count();
    expect(await found()).toEqual([`project ${id}: its newest version is not what it shows`]);
  });

  test('each earlier voter of a renamed listing gets one notice a day, and those who voted or confirmed since get none', async () => {
    const id = await insertProject(db, { name: 'Quiet Frog' });
    const before = await voteOn(id, 2);
    const [confirmed] = await voteOn(id, 1);
    await ageVotes(db, confirmed?.id ?? 0, '2 days');
    await change(id, { name: 'Middle Frog' });
    const [between] = await voteOn(id, 1);
    await change(id, { name: 'Loud Frog' });
    const [later] = await voteOn(id, 1);
    expect((await confirmed?.send('PUT', `/api/votes/${id}`, { voteType: 'bullish' }))?.status).toBe(200);
    await tellChanges(services);
    await change(id, { website: 'https://frog.example' });
    await tellChanges(services);
    const textsOf = async (user: TestUser | undefined) =>
      (await user?.get<{ notices: Notice[] }>(`/api/users/${user.id}/notices`))?.body.notices.map(({ text, link }) => [
        text,
        link,
      ]);
    const told = [
      ['Quiet Frog, which you voted on, is now called Loud Frog. See what changed.', '/projects/loud-frog'],
    ];
    for (const user of before) expect(await textsOf(user)).toEqual(told);
    expect(await textsOf(between)).toEqual([
      ['Middle Frog, which you voted on, is now called Loud Frog. See what changed.', '/projects/loud-frog'],
    ]);
    expect([await textsOf(later), await textsOf(confirmed)]).toEqual([[], []]);
    await sql`UPDATE change_notices SET started_at = started_at - interval '1 day'`.execute(db);
    await tellChanges(services);
    expect((await textsOf(later))?.[0]?.[0]).toBe('Loud Frog: since you voted, its website changed. See what changed.');
  });
});

test('voters of a renamed listing are found a day of votes at a time, by their newest vote alone [R60]', async () => {
  const id = await insertProject(db, { name: 'Quiet Frog' });
  await setProject(db, id, { createdAt: new Date(Date.now() - 10 * 86_400_000) });
  const voters = await voteOn(id, 4);
  for (const [days, voter] of voters.entries()) await ageVotes(db, voter.id, `${days * 3} days`);
  await beginPeriod(db, id);
  const [again] = voters;
  await again?.post('/api/votes', { userId: again.id, projectId: id, voteType: 'bearish' });
  await change(id, { name: 'Loud Frog' });
  await tellChanges(services);
  for (const voter of voters) {
    const { body } = await voter.get<{ notices: Notice[] }>(`/api/users/${voter.id}/notices`);
    expect(body.notices.map(({ kind }) => kind)).toEqual(['listing_changed']);
  }
  const open = await sql`SELECT FROM change_notices WHERE from_number IS NOT NULL OR read_until IS NOT NULL`.execute(
    db,
  );
  expect(open.rows).toEqual([]);
});

describe('moderating versions [R60]', () => {
  const act = async (id: number, number: number, body: object, panel = signInAsAdmin(server)) =>
    (await panel).post<{ error?: string }>(`/api/admin/projects/${id}/versions/${number}/moderate`, body);

  test('a confirmation that a changed listing is the same project makes its votes count again, with a line in the audit log', async () => {
    const id = await insertProject(db, { name: 'Quiet Frog' });
    await voteVerified(id, 3);
    await change(id, { description: 'Another text' });
    await change(id, { name: 'Loud Frog' });
    await count();
    expect((await pageOf(id)).verifiedSince).toBeDefined();
    const panel = signInAsAdmin(server);
    const same = { act: 'same_project', reason: 'Announced on their account' };
    expect((await act(id, 2, same, panel)).body.error).toBe('same_identity');
    expect((await act(id, 9, same, panel)).status).toBe(404);
    expect((await act(id, 3, { ...same, reason: '' }, panel)).status).toBe(400);
    expect((await act(id, 3, same, panel)).status).toBe(200);
    await server.allNotified();
    const page = await pageOf(id);
    expect([page.verifiedSince, page.changed]).toEqual([undefined, undefined]);
    expect((await versionsOf(id)).map(({ isSameProject }) => isSameProject)).toEqual([true, false, false]);
    const { body: lines } = await (await panel).get<AuditEntry[]>('/api/admin/audit?q=version.same_project');
    expect(lines).toMatchObject([
      { detail: `Version 3 of project ${id} (Loud Frog). Reason: Announced on their account` },
    ]);
  });

  test('a confirmation can be taken back, and earlier votes are before the change again, with a line in the audit log', async () => {
    const id = await insertProject(db, { name: 'Quiet Frog' });
    await voteVerified(id, 3);
    await change(id, { name: 'Loud Frog' });
    await count();
    const before = await pageOf(id);
    const panel = signInAsAdmin(server);
    const other = { act: 'other_project', reason: 'It was sold' };
    expect((await act(id, 1, other, panel)).body.error).toBe('same_identity');
    for (const one of ['same_project', 'other_project', 'other_project'])
      expect((await act(id, 2, { ...other, act: one }, panel)).status).toBe(200);
    await server.allNotified();
    const { changed, verifiedSince } = await pageOf(id);
    expect(changed).toMatchObject({ name: 'Quiet Frog', votes: 3 });
    expect({ changed, verifiedSince }).toEqual({ changed: before.changed, verifiedSince: before.verifiedSince });
    expect((await versionsOf(id)).map(({ isSameProject }) => isSameProject)).toEqual([false, false]);
    const { body: lines } = await (await panel).get<AuditEntry[]>('/api/admin/audit?q=version.other_project');
    expect(lines).toContainEqual(
      expect.objectContaining({ detail: `Version 2 of project ${id} (Loud Frog). Reason: It was sold` }),
    );
  });

  test('a moderator blanks an earlier version: texts, salt and picture go, the hash stays', async () => {
    const admin = await signInAsAdmin(server);
    const draft = await newDraft({ name: 'Vile Frog', imageUrl: await pictureUrl(7) });
    const { body } = await submitPaid<ProjectPage>(admin.admin, draft);
    await voteOn(body.id, 1);
    await admin.admin.patch(`/api/projects/${body.id}/update`, { name: 'Frog', imageUrl: await pictureUrl(9) });
    const [, before] = await versionsOf(body.id);
    expect((await fetch(`${server.url}${ownPicture(before?.imageUrl ?? '')}`)).status).toBe(200);
    expect((await act(body.id, 2, { act: 'blank', reason: 'Abuse' })).body.error).toBe('newest_version');
    expect((await act(body.id, 1, { act: 'blank', reason: 'Abuse' })).status).toBe(200);
    await server.allNotified();
    const [, blanked] = await versionsOf(body.id);
    expect(blanked).toMatchObject({ name: null, imageUrl: null, salt: null, isBlanked: true, hash: before?.hash });
    expect((await fetch(`${server.url}${ownPicture(before?.imageUrl ?? '')}`)).status).toBe(404);
    expect((await pageOf(body.id)).changed).toMatchObject({ name: null, what: ['name', 'picture'] });
    const { imageUrl: shown } = await pageOf(body.id);
    const panel = signInAsAdmin(server);
    const hide = { hidden: true, reason: 'Abuse' };
    expect((await (await panel).post(`/api/admin/projects/${body.id}/moderate`, hide)).status).toBe(200);
    expect((await act(body.id, 2, { act: 'blank', reason: 'Abuse' }, panel)).status).toBe(200);
    await server.allNotified();
    expect((await fetch(`${server.url}${shown}`)).status).toBe(404);
    const [empty, ...earlier] = (await (await panel).admin.get<ListingVersion[]>(`/api/projects/${body.id}/versions`))
      .body;
    expect(empty).toMatchObject({ number: 3, name: 'Removed', isBlanked: false });
    expect(earlier.map(({ isBlanked }) => isBlanked)).toEqual([true, true]);
    expect((await fetch(`${server.url}${empty?.imageUrl}`)).status).toBe(200);
  });

  test('a blanked picture is neither served nor accepted again; one that differs by a pixel is [R60 R86]', async () => {
    const { admin } = await signInAsAdmin(server);
    const user = await newUser(server);
    const urlOf = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
    // Noise: encoded again, each stored size is another picture.
    const raw = { width: 240, height: 320, channels: 3 } as const;
    const upload = await sharp(randomBytes(240 * 320 * 3), { raw })
      .png()
      .toBuffer();
    const imageUrl = urlOf(upload);
    const avatarOf = async (url: string) => (await user.patch<User>(`/api/users/${user.id}`, { avatarUrl: url })).body;
    const { body: vile } = await submitPaid<ProjectPage>(admin, await newDraft({ imageUrl }));
    const { body: copy } = await submitPaid<ProjectPage>(admin, await newDraft({ imageUrl }));
    await prepareSubmit(user, await newDraft({ imageUrl }));
    const { avatarUrl } = await avatarOf(imageUrl);
    await admin.patch(`/api/projects/${vile.id}/update`, { imageUrl: await pictureUrl(12) });
    const hash = /\w{32}/.exec(vile.imageUrl)?.[0];
    const paths = [vile.imageUrl, `/images/${hash}-96.webp`, avatarUrl ?? ''];
    const load = (path: string, headers = {}) => fetch(server.url + path, { headers });
    const files: Buffer[] = [];
    for (const path of paths) files.push(Buffer.from(await (await load(path)).arrayBuffer()));
    const rows = await db
      .selectFrom('images')
      .selectAll()
      .where('hash', '=', hash ?? '')
      .execute();
    const card = await load(`/og/projects/${copy.slug}.jpg`);

    expect((await act(vile.id, 1, { act: 'blank', reason: 'Abuse' })).status).toBe(200);
    const expectMissing = async () => {
      for (const path of paths)
        for (const headers of [{}, { 'if-none-match': `"${path.slice('/images/'.length)}"` }])
          expect([path, (await load(path, headers)).status]).toEqual([path, 404]);
    };
    await expectMissing();
    const passedMs = performance.now() + 61_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
    onTestFinished(() => clock.mockRestore());
    const cardNow = await load(`/og/projects/${copy.slug}.jpg`, { 'if-none-match': card.headers.get('etag') ?? '' });
    expect(cardNow.status).toBe(200);

    const samePixels = await sharp(upload).png({ compressionLevel: 1 }).toBuffer();
    expect(samePixels.equals(upload)).toBe(false);
    for (const bytes of [upload, ...files, samePixels])
      expect(await prepareSubmit(user, await newDraft({ imageUrl: urlOf(bytes) }))).toMatchObject({
        status: 400,
        body: { error: 'blanked_image', field: 'imageUrl' },
      });
    expect(await avatarOf(imageUrl)).toMatchObject({ error: 'blanked_image', field: 'avatarUrl' });
    // Rows that come back, as from a restored copy.
    await db.insertInto('images').values(rows).execute();
    await expectMissing();

    const pixel = await sharp(upload)
      .composite([{ input: { create: { width: 1, height: 1, channels: 3, background: 'white' } }, left: 9, top: 9 }])
      .png()
      .toBuffer();
    expect((await prepareSubmit(user, await newDraft({ imageUrl: urlOf(pixel) }))).status).toBe(201);
  });
});
