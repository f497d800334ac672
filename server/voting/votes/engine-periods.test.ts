import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';
import { VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { findStats, findVotingStatus } from '#server/people/users/queries.ts';
import type { VoteDecision } from '#server/kit/services.ts';
import { openVoteEngines } from '#lab/testing/vote-engine.ts';

const { db, pool, voter, castBehind, engineOn, beginPeriod, castElsewhere, statsOf } = await openVoteEngines();

/** The rules of R8 and R9 for one user, in the simplest way: what was, and how long ago. */
class VoterModel {
  private totalVotes = 0;
  private windowVotes = 0;
  private windowAgoHours = Number.POSITIVE_INFINITY;
  private streak = 0;
  private lastVoteDaysAgo = Number.POSITIVE_INFINITY;

  private get isOpen(): boolean {
    return this.windowAgoHours < VOTE_WINDOW_HOURS;
  }

  vote(): VoteDecision {
    if (this.isOpen && this.windowVotes >= VOTES_PER_WINDOW) return 'vote_limit';
    if (!this.isOpen) [this.windowAgoHours, this.windowVotes] = [0, 0];
    this.windowVotes += 1;
    this.totalVotes += 1;
    if (this.lastVoteDaysAgo > 0) this.streak = this.lastVoteDaysAgo === 1 ? this.streak + 1 : 1;
    this.lastVoteDaysAgo = 0;
    return 'counted';
  }

  hoursPass(hours: number): void {
    this.windowAgoHours += hours;
  }

  daysPass(days: number): void {
    this.hoursPass(24 * days);
    this.lastVoteDaysAgo += days;
  }

  state() {
    return {
      totalVotes: this.totalVotes,
      votesRemaining: this.isOpen ? VOTES_PER_WINDOW - this.windowVotes : VOTES_PER_WINDOW,
      hasEnd: this.isOpen,
      streak: this.lastVoteDaysAgo <= 1 ? this.streak : 0,
    };
  }
}

describe('a vote of a new listing period waits for another change of the same voter', () => {
  test('a vote of a new period replaces an earlier vote that commits while it waits [R45]', async () => {
    const user = await voter();
    const projectId = await insertProject(db);
    const outcome = await castBehind(
      async (client) => {
        await castElsewhere(client, user, projectId);
        await beginPeriod(projectId);
      },
      { ...user, projectId, bullish: false },
    );
    expect(outcome).toMatchObject({ decided: 'counted', totalVotes: 2, balance: 20 });
    expect(await statsOf(projectId)).toMatchObject({ bullish: 0, bearish: 1 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a vote of a new period does not subtract an earlier vote that is undone while it waits [R45 R46]', async () => {
    const user = await voter();
    const projectId = await insertProject(db);
    await engineOn(pool).castVote({ ...user, projectId, bullish: true });
    const outcome = await castBehind(
      async (client) => {
        await client.query(`SELECT undo_vote($1, $2, '1 hour')`, [user.userId, projectId]);
        await beginPeriod(projectId);
      },
      { ...user, projectId, bullish: true },
    );
    expect(outcome).toMatchObject({ decided: 'counted', totalVotes: 1, balance: 10 });
    expect(await statsOf(projectId)).toMatchObject({ bullish: 1, bearish: 0 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('the same vote sent twice at once counts once in each period [R7 R45]', async () => {
    const user = await voter();
    const projectId = await insertProject(db);
    for (const period of [1, 2]) {
      const outcome = await castBehind((client) => castElsewhere(client, user, projectId), {
        ...user,
        projectId,
        bullish: true,
      });
      expect([period, outcome.decided]).toEqual([period, 'already_voted']);
      await beginPeriod(projectId);
    }
    expect(await statsOf(projectId)).toMatchObject({ bullish: 1, bearish: 0 });
  });
});

test('a batch of votes of different periods on the same projects counts as one after another would [R45]', async () => {
  const [one, two, three] = await Promise.all([voter(), voter(), voter()]);
  const [a = 0, b = 0] = await insertProjects(db, 2);
  const engine = engineOn(pool, { maxInFlight: 1 });
  const cast = (user: { userId: number; tokenHash: Buffer }, projectId: number, bullish: boolean) =>
    engine.castVote({ ...user, projectId, bullish });
  await Promise.all([cast(one, a, true), cast(two, a, true), cast(three, b, true)]);
  await beginPeriod(a);
  const outcomes = await Promise.all([
    cast(one, a, false),
    cast(two, a, true),
    cast(three, a, true),
    cast(one, a, true),
    cast(three, b, false),
    cast(two, b, false),
  ]);
  expect(outcomes.map(({ decided }) => decided)).toEqual([
    'counted',
    'counted',
    'counted',
    'already_voted',
    'already_voted',
    'counted',
  ]);
  expect(await statsOf(a)).toMatchObject({ bullish: 2, bearish: 1 });
  expect(await statsOf(b)).toMatchObject({ bullish: 1, bearish: 1 });
  expect(await findDifferences(db)).toEqual([]);
});

test('windows and streaks match a simple model for any votes at any time [R8 R9]', async () => {
  const projects = await insertProjects(db, 150);
  const engine = engineOn(pool);
  const day = async () =>
    (await sql<{ day: number }>`SELECT extract(epoch FROM now())::bigint / 86400 AS day`.execute(db)).rows[0]?.day;
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ votes: fc.constantFrom(1, 2, 12, 24, 25, 26) }) },
    { weight: 3, arbitrary: fc.record({ hours: fc.constantFrom(1, 2, 5, 6, 7) }) },
    { weight: 3, arbitrary: fc.record({ days: fc.constantFrom(1, 1, 2, 3) }) },
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
    const user = await voter();
    const model = new VoterModel();
    const today = await day();
    let next = 0;
    const seen: unknown[] = [];
    const expected: unknown[] = [];
    const pass = (hours: number, days: number) =>
      sql`UPDATE user_stats SET window_started_at = window_started_at - make_interval(hours => ${hours + 24 * days}),
        last_day = last_day - ${days}::int WHERE user_id = ${user.userId}`.execute(db);
    for (const each of steps) {
      if ('votes' in each) {
        const some = projects.slice(next, (next += each.votes));
        const casts = some.map((projectId) => engine.castVote({ ...user, projectId, bullish: true }));
        seen.push((await Promise.all(casts)).map(({ decided }) => decided));
        expected.push(some.map(() => model.vote()));
      } else if ('hours' in each) {
        await pass(each.hours, 0);
        model.hoursPass(each.hours);
      } else {
        await pass(0, each.days);
        model.daysPass(each.days);
      }
      const [stats, status] = [await findStats(db, user.userId), await findVotingStatus(db, user.userId)];
      const { votesRemaining, periodEndsAt } = status;
      const { totalVotes, streak } = stats;
      seen.push({ totalVotes, votesRemaining, hasEnd: periodEndsAt !== null, streak });
      expected.push(model.state());
    }
    // Over midnight a day passes that the model knows nothing of.
    fc.pre((await day()) === today);
    expect(seen).toEqual(expected);
  });
  await fc.assert(property, runs(12));
  expect(await findDifferences(db)).toEqual([]);
});
