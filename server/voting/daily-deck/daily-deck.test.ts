import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects, removeProjects, setProject } from '#lab/testing/builders.ts';
import { newUser, type TestUser, castVote } from '#lab/testing/client.ts';
import { ageVotes } from '#lab/testing/opinions.ts';
import { giveStanding } from '#lab/testing/standing.ts';

const server = await createTestApp();
const { db, cache } = server.services;
beforeEach(async () => {
  await removeProjects(db);
  cache.invalidateAll();
});

const deckOf = async (user: TestUser) => (await user.get<DailyDeck>(`/api/users/${user.id}/daily-deck`)).body;
const idsOf = ({ cards }: DailyDeck) => cards.map(({ projectId }) => projectId);
/** Listed long ago, so that it does not count as a new listing. */
async function oldProjects(count: number, votes: { bullish?: number; bearish?: number } = {}): Promise<number[]> {
  const ids = await insertProjects(db, count, votes);
  await sql`UPDATE projects SET created_at = now() - interval '20 days' WHERE id = ANY (${ids}::bigint[])`.execute(db);
  // All of these votes are verified.
  await sql`INSERT INTO verified_stats (project_id, bullish, bearish)
    SELECT project_id, bullish, bearish FROM project_stats WHERE project_id = ANY (${ids}::bigint[])`.execute(db);
  return ids;
}

describe('the daily deck [R49]', () => {
  test('a deck has ten cards of the feed, new listings and close results among them, each with its project', async () => {
    const user = await newUser(server);
    const own = await insertProject(db, { ownerId: user.id });
    const close = await oldProjects(3, { bullish: 5, bearish: 5 });
    const clear = await oldProjects(12, { bullish: 9, bearish: 1 });
    const fresh = await insertProjects(db, 4);
    await insertProject(db, { expiresInDays: -1 });
    await insertProject(db, { hidden: true });
    const deck = await deckOf(user);
    expect(deck.day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(deck.cards).toHaveLength(10);
    const kindOf = new Map(deck.cards.map(({ projectId, kind }) => [projectId, kind]));
    expect(fresh.filter((id) => kindOf.get(id) === 'new')).toHaveLength(3);
    expect(close.filter((id) => kindOf.get(id) === 'close')).toHaveLength(2);
    expect(kindOf.has(own)).toBe(false);
    expect(clear.some((id) => kindOf.get(id) === 'feed')).toBe(true);
    for (const card of deck.cards) expect(card).toMatchObject({ project: { id: card.projectId }, vote: null });
  });

  test('votes of today count for the day wherever they were cast, in the places of open cards [R49 R76]', async () => {
    const ids = await oldProjects(14);
    const user = await newUser(server);
    await castVote(user, ids[0] ?? 0);
    const voted = ({ cards }: DailyDeck) => cards.flatMap((card) => (card.vote ? card.projectId : []));
    const first = await deckOf(user);
    expect([first.cards.length, voted(first)]).toEqual([10, [ids[0]]]);
    const open = idsOf(first).slice(1);
    const { projectIds: stored } = await db
      .selectFrom('dailyDecks')
      .select('projectIds')
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow();
    // The day draws the cards: the vote may have taken the place of one.
    const elsewhere = ids
      .slice(1)
      .filter((id) => ![...idsOf(first), ...stored].includes(id))
      .slice(0, 2);
    for (const id of [open[1] ?? 0, ...elsewhere]) await castVote(user, id);
    const later = await deckOf(user);
    expect(later.cards).toHaveLength(10);
    expect(new Set(voted(later))).toEqual(new Set([ids[0], open[1], ...elsewhere]));
    expect(idsOf(later)).toEqual(expect.arrayContaining(open.slice(0, 7)));
    // Votes of earlier days do not count for this one.
    await ageVotes(db, user.id, '1 day');
    expect(voted(await deckOf(user))).not.toContain(elsewhere[0]);
  });

  test('a deck has projects whose share moved most in a week', async () => {
    const [moved = 0, steady = 0, young = 0] = await oldProjects(3, { bullish: 18, bearish: 2 });
    const dayOf = (id: number, daysAgo: number, bullish: number, bearish: number) =>
      sql`INSERT INTO project_days (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish)
        VALUES (${id}, (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int, ${bullish}, ${bearish}, 1, ${bullish}, ${bearish})`.execute(
        db,
      );
    await dayOf(moved, 9, 5, 5);
    await dayOf(moved, 1, 18, 2);
    await dayOf(steady, 9, 9, 1);
    await dayOf(steady, 1, 18, 2);
    await dayOf(young, 2, 1, 9);
    const { cards } = await deckOf(await newUser(server));
    expect(new Map(cards.map(({ projectId, kind }) => [projectId, kind]))).toEqual(
      new Map([
        [moved, 'moved'],
        [steady, 'feed'],
        [young, 'feed'],
      ]),
    );
  });

  test('a deck stays the same all day, shows the result of a vote and why it was given, and leaves out hidden projects', async () => {
    const [one = 0, two = 0, three = 0] = await oldProjects(3, { bullish: 2, bearish: 1 });
    const user = await newUser(server);
    const before = await deckOf(user);
    expect(new Set(idsOf(before))).toEqual(new Set([one, two, three]));
    await insertProjects(db, 5);
    await castVote(user, two);
    await castVote(user, one, 'bearish');
    await user.send('PUT', `/api/votes/${one}/reasons`, { reasons: ['risk'] });
    await setProject(db, three, { hiddenAt: sql`now()` });
    const after = await deckOf(user);
    // Votes come first, in their order (R98).
    expect(idsOf(after)).toEqual([two, one, three]);
    const card = (id: number) => after.cards.find(({ projectId }) => projectId === id);
    expect(card(one)).toMatchObject({
      project: null,
      imageUrl: expect.stringMatching(/^\/images\//),
      vote: { voteType: 'bearish', bullishCount: 2, bearishCount: 2, reasons: ['risk'] },
    });
    expect(card(two)).toMatchObject({ project: null, vote: { voteType: 'bullish' } });
    expect(card(three)).toMatchObject({ name: null, imageUrl: null, project: null, vote: null });
    expect(after.streak).toBe(1);
    expect(Date.parse(after.votesReturnAt ?? '')).toBeGreaterThan(Date.now());
    expect(before.votesReturnAt).toBeNull();
    await setProject(db, one, { expiresAt: sql`now()` });
    const expired = (await deckOf(user)).cards.find(({ projectId }) => projectId === one);
    expect(expired?.vote).toEqual({ voteType: 'bearish', bullishCount: 2, bearishCount: 2 });
  });

  test('a deck asks again in a new listing period, and distinguishes the earlier vote from a new one [R45 R49]', async () => {
    const [renewed = 0, other = 0] = await oldProjects(2);
    const user = await newUser(server);
    await castVote(user, renewed, 'bearish');
    await castVote(user, other);
    await sql`UPDATE projects SET period_starts = ARRAY[now() - interval '31 days', now() - interval '1 minute']
      WHERE id = ${renewed}`.execute(db);
    const deck = await deckOf(user);
    expect(deck.cards).toMatchObject([
      { projectId: other, vote: { voteType: 'bullish' } },
      { projectId: renewed, kind: 'still_bullish', project: { id: renewed }, vote: null },
    ]);
    expect(deck.earlierVotes).toEqual([{ projectId: renewed, voteType: 'bearish' }]);
    await sql`INSERT INTO votes (user_id, project_id, period, bullish, created_at)
      VALUES (${user.id}, ${renewed}, 2, true, now())`.execute(db);
    const after = await deckOf(user);
    expect(after.cards[1]).toMatchObject({ projectId: renewed, project: null, vote: { voteType: 'bullish' } });
    expect(after.earlierVotes).toEqual([]);
  });

  test('a deck asks about own votes older than a week, each once in a listing period, and a change answers [R61 R57]', async () => {
    const [old = 0, young = 0] = await oldProjects(2);
    const user = await newUser(server);
    for (const id of [old, young]) await castVote(user, id);
    await ageVotes(db, user.id, '8 days', old);
    await ageVotes(db, user.id, '2 days', young);
    // A deck with fewer cards is filled with own votes.
    await oldProjects(10);
    cache.invalidateAll();
    const asked = (deck: DailyDeck) => deck.cards.flatMap(({ projectId, asksAbout }) => (asksAbout ? projectId : []));
    const deck = await deckOf(user);
    expect(asked(deck)).toEqual([old]);
    expect(deck.cards.find(({ projectId }) => projectId === old)).toMatchObject({
      kind: 'still_bullish',
      project: { id: old },
      asksAbout: 'bullish',
      vote: null,
    });
    expect((await user.send('PUT', `/api/votes/${old}`, { voteType: 'bearish' })).status).toBe(200);
    expect((await deckOf(user)).cards.find(({ projectId }) => projectId === old)).toMatchObject({
      project: null,
      asksAbout: null,
      vote: { voteType: 'bearish' },
    });
    // A week later the same reason does not bring it back.
    await ageVotes(db, user.id, '8 days', old);
    await sql`UPDATE daily_decks SET day = day - 1 WHERE user_id = ${user.id}`.execute(db);
    expect(asked(await deckOf(user))).not.toContain(old);
  });

  test('a deck asks a voter who has gained standing to repeat a vote that would then count [R57 R38]', async () => {
    const [lost = 0, verified = 0, excluded = 0] = await oldProjects(3);
    const user = await newUser(server);
    for (const id of [lost, verified, excluded]) await castVote(user, id);
    await ageVotes(db, user.id, '1 day');
    await ageVotes(db, user.id, '2 days', lost);
    await sql`INSERT INTO votes_set_aside (user_id, project_id, reason, detail, actor) VALUES (${user.id}, ${excluded}, 'moderator', 'd', 'a')`.execute(
      db,
    );
    await giveStanding(db, [user.id]);
    await sql`UPDATE voter_standing SET verified_days = datemultirange(daterange((now() AT TIME ZONE 'UTC')::date - 1, NULL))`.execute(
      db,
    );
    await oldProjects(9);
    await server.allNotified();
    cache.invalidateAll();
    const { cards } = await deckOf(user);
    expect(cards.flatMap(({ projectId, asksAbout }) => (asksAbout ? projectId : []))).toEqual([lost]);
    const stateOf = async (id: number) =>
      (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body.find(({ project }) => project.id === id);
    const own = async (id: number) => (await user.get<OwnVote>(`/api/projects/${id}/own-vote`)).body.vote;
    expect(await stateOf(lost)).toMatchObject({ state: 'waiting', when: 'Say it again to make it count' });
    expect(await own(lost)).toMatchObject({ when: 'Say it again to make it count' });
    await user.send('PUT', `/api/votes/${lost}`, { voteType: 'bullish' });
    expect(await stateOf(lost)).toMatchObject({
      state: 'verified',
      when: 'Your vote counts as verified from tomorrow on',
    });
    expect(await own(lost)).toMatchObject({ when: 'Your vote counts as verified from tomorrow on' });
    expect(await stateOf(verified)).toMatchObject({ state: 'verified', when: null });
  });

  test('a deck asks about votes that are older than a change of identity before other old votes [R61 R60]', async () => {
    const ids = await oldProjects(12);
    const user = await newUser(server);
    for (const id of ids) await castVote(user, id);
    await ageVotes(db, user.id, '8 days');
    const renamed = ids.slice(8, 11);
    await sql`UPDATE projects SET name = name || ' Renamed' WHERE id = ANY (${renamed}::bigint[])`.execute(db);
    await user.send('PUT', `/api/votes/${ids[8]}`, { voteType: 'bullish' });
    await sql`UPDATE projects SET website = 'https://elsewhere.example' WHERE id = ${ids[11]}`.execute(db);
    await insertProjects(db, 10);
    cache.invalidateAll();
    const asked = async () =>
      (await deckOf(user)).cards.flatMap(({ projectId, asksAbout }) => (asksAbout ? projectId : []));
    expect((await asked()).toSorted((one, other) => one - other)).toEqual(ids.slice(9));
    const changesOf = async (id = 0) => (await deckOf(user)).cards.find(({ projectId }) => projectId === id)?.changed;
    expect(await changesOf(ids[9])).toEqual({ what: ['name'], name: expect.stringMatching(/^Project/) });
    expect(await changesOf(ids[11])).toEqual({ what: ['website'], name: null });
    // Its name came back.
    await sql`UPDATE projects SET name = replace(name, ' Renamed', '') WHERE id = ${ids[9]}`.execute(db);
    expect(await changesOf(ids[9])).toBeUndefined();
    // The next deck does not ask for the same reason.
    const { rows } = await sql<{
      reason: string;
    }>`SELECT DISTINCT reason FROM asked_again WHERE user_id = ${user.id}`.execute(db);
    expect(rows).toEqual([{ reason: 'identity' }]);
  });

  test('a deck of a user who has voted on everything asks about votes of earlier days [R61 R9]', async () => {
    const ids = await oldProjects(12);
    const user = await newUser(server);
    for (const id of ids) await castVote(user, id);
    expect((await deckOf(user)).cards.filter((card) => card.vote === null)).toEqual([]);
    await ageVotes(db, user.id, '1 day');
    const { cards } = await deckOf(user);
    expect(cards).toHaveLength(10);
    const [first] = cards;
    expect(first?.asksAbout).toBe('bullish');
    const { body } = await user.send<{ userStats: { streak: number } }>('PUT', `/api/votes/${first?.projectId}`, {
      voteType: 'bullish',
    });
    expect(body.userStats.streak).toBe(2);
  });

  test('two simultaneous calls get one deck', async () => {
    await oldProjects(40);
    const user = await newUser(server);
    const decks = await Promise.all(Array.from({ length: 6 }, () => deckOf(user)));
    expect(new Set(decks.map((deck) => idsOf(deck).join())).size).toBe(1);
  });

  test('a deck is empty without a listing, and made once one exists', async () => {
    const user = await newUser(server);
    expect((await deckOf(user)).cards).toEqual([]);
    const id = await insertProject(db);
    expect(idsOf(await deckOf(user))).toEqual([id]);
  });

  test('only its own user can read a deck', async () => {
    const [user, other] = [await newUser(server), await newUser(server)];
    expect((await other.get(`/api/users/${user.id}/daily-deck`)).status).toBe(403);
  });
});
