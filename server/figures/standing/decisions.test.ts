import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import type { Services } from '#server/kit/services.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProject, insertProjects } from '#lab/testing/builders.ts';
import { startChain } from '#lab/testing/chain.ts';
import { newUser } from '#lab/testing/client.ts';
import {
  insertUsers,
  insertVotesAt,
  logKey,
  publishAll,
  readLog,
  recordedByTables,
  replay,
} from '#lab/testing/record.ts';
import { closeToday } from '#lab/testing/close.ts';
import { evidenceOf, insertVoter, noonOf, readDay, setState, skipDay, withBalances } from '#lab/testing/standing.ts';
import { closeReading } from './close-day.ts';
import { decideWeek } from './decide-week.ts';
import { closeMissedDays, drawMoments, dueReading, planDay, utcDay } from './plan.ts';
import { readStanding, readStandingByClock } from './read-standing.ts';
import { MIST_PER_SUI } from '#shared/constants.ts';

const server = await createTestApp({ env: { LOG_PRIVATE_KEY: logKey() } });
const { services } = server;
const { db } = services;

beforeEach(() => empty(db));
afterEach(() => void vi.useRealTimers());

/** When the votes of these tests are cast, on day 0, and not later than now; the readings come on the days after it. */
const CAST_MS = Math.min(noonOf(0).getTime(), Date.now());
const CAST = new Date(CAST_MS).toISOString();
const days = (from: number, until: number): number[] => Array.from({ length: until - from + 1 }, (_, i) => from + i);

interface Voter {
  id: number;
  address: string;
  /** Days on which the wallet holds enough. */
  holdsOn: ReadonlySet<number>;
}

/** A voter who has cast a vote on each of the projects on day 0. */
async function voter(projects: readonly number[], holdsOn: Iterable<number> = []): Promise<Voter> {
  const id = await insertVoter(db);
  const { walletAddress } = await db
    .selectFrom('users')
    .select('walletAddress')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await insertVotesAt(db, { users: [id], projects: [...projects], at: CAST, bullish: true });
  return { id, address: walletAddress, holdsOn: new Set(holdsOn) };
}

/** The server, with a node on which these wallets hold the planned amounts on the day of `clock.day`. */
function withWallets(voters: readonly Voter[]): { node: Services; clock: { day: number } } {
  const clock = { day: 0 };
  const wallets = new Map(voters.map((one) => [one.address, one]));
  return {
    node: withBalances(services, (owner) => (wallets.get(owner)?.holdsOn.has(clock.day) ? MIST_PER_SUI : 0n)),
    clock,
  };
}

/** Reads or skips each of the days. */
async function pass(
  { node, clock }: ReturnType<typeof withWallets>,
  span: readonly number[],
  skipped: ReadonlySet<number> = new Set(),
): Promise<void> {
  for (const day of span) {
    clock.day = day;
    if (skipped.has(day)) await skipDay(db, day);
    else await readDay(node, day);
  }
}

const decideAt = (day: number): Promise<void> => decideWeek(db, { sunday: utcDay(noonOf(day)), minDays: 7 });

const walletsRead = async (day: number) =>
  (
    await sql<{ wallets: number }>`SELECT wallets FROM standing_days WHERE day = ${utcDay(noonOf(day))}::date`.execute(
      db,
    )
  ).rows[0]?.wallets;
/** Day 0 is a Sunday, so days 7, 14, 21 … are Sundays too. */
const dayAfter = (day: number): string => utcDay(new Date(Date.UTC(2026, 0, 4 + day)));

interface History {
  /** A character for each day from Monday on: # holds enough · _ does not · ? no answer · . not asked · - skipped for all. */
  days: string;
  /** The days of the votes, each on another project. */
  votes: number[];
  /** At the close of each Sunday the states of the votes so far: v verified · w not verified yet · x excluded. */
  states: string;
  minDays?: number;
}

/** Plays a history of a voter who first signed in on day 0, Sunday by Sunday. */
async function play({ days: signs, votes, minDays = 7 }: History): Promise<string> {
  const history = signs.replaceAll(' ', '');
  const [projects, userId] = [await insertProjects(db, votes.length), await insertVoter(db)];
  await sql`UPDATE users SET created_at = ${dayAfter(0)}::date WHERE id = ${userId}`.execute(db);
  const found: string[] = [];
  for (let sunday = 7; sunday <= history.length; sunday += 7) {
    for (let day = sunday - 6; day <= sunday; day += 1) {
      const skipped = history[day - 1] === '-' ? 'The node was away' : null;
      await db
        .insertInto('standingDays')
        .values({ day: dayAfter(day), skipped })
        .execute();
      for (const [index, votedOn] of votes.entries())
        if (votedOn === day) {
          const at = dayAfter(day);
          await insertVotesAt(db, { users: [userId], projects: [projects[index] ?? 0], at, bullish: true });
          await sql`UPDATE user_stats SET last_day = ${at}::date WHERE user_id = ${userId}`.execute(db);
        }
    }
    const asked = history.slice(0, sunday).replaceAll('-', '');
    const bits = (kinds: string) =>
      sql`${Array.from(asked, (sign) => (kinds.includes(sign) ? '1' : '0'))
        .join('')
        .slice(-64)
        .padStart(64, '0')}::bit(64)`;
    await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held, history_unread)
      VALUES (${userId}, ${dayAfter(sunday)}::date, ${bits('#_')}, ${bits('#')}, ${bits('?')})
      ON CONFLICT (user_id) DO UPDATE SET read_on = excluded.read_on, history_read = excluded.history_read,
        history_held = excluded.history_held, history_unread = excluded.history_unread`.execute(db);
    await decideWeek(db, { sunday: dayAfter(sunday), minDays });
    const { rows } = await sql<{ state: string }>`
      SELECT CASE state WHEN 'verified' THEN 'v' WHEN 'waiting' THEN 'w' ELSE 'x' END AS state
      FROM vote_states WHERE user_id = ${userId} ORDER BY created_at`.execute(db);
    found.push(rows.map(({ state }) => state).join(''));
  }
  return found.join(' ');
}

describe('a Sunday decides', () => {
  const WEEK = { held: '#######', not: '_______' };
  const weeks = (...kinds: (keyof typeof WEEK)[]): string => kinds.map((kind) => WEEK[kind]).join('');
  const held = (n: number): string => WEEK.held.repeat(n);

  test.each<[string, History]>([
    [
      "verifies a newcomer's votes where the wallet held on six of seven days",
      { days: '_######', votes: [1, 7], states: 'vv' },
    ],
    ['excuses one day without an answer', { days: '_#####?', votes: [1], states: 'v' }],
    ['waits for a newcomer who was asked too seldom', { days: `....### ${held(1)}`, votes: [4], states: 'w v' }],
    ['waits for a newcomer who was answered too seldom', { days: `???#### ${held(1)}`, votes: [1], states: 'w v' }],
    [
      'waits with the votes of a newcomer for as long as the voter is one',
      { days: held(8), votes: [1, 50], minDays: 49, states: 'w w w w w w v vv' },
    ],
    [
      'leaves out votes of a newcomer without enough at the first two readings after them',
      { days: `__##### ####___ ${held(1)}`, votes: [1, 2], states: 'ww ww ww' },
    ],
    [
      'verifies no earlier vote by a gift on the day of the votes',
      { days: weeks('not', 'held', 'held'), votes: [1, 8], states: 'w ww ww' },
    ],
    [
      'verifies no earlier vote by a gift a week before the votes',
      { days: weeks('not', 'held', 'held'), votes: [1, 13, 14, 15], states: 'w wwv wwvv' },
    ],
    [
      'takes undecided votes with the standing of a wallet that sells, and gives none back',
      { days: weeks('held', 'held', 'not', 'held', 'held'), votes: [1, 10, 28], states: 'v vv ww wwv wwv' },
    ],
    [
      'leaves votes that are decided to a wallet that sells',
      { days: held(6) + WEEK.not.repeat(2), votes: [1, 20], states: 'v v vv vv vv vv vw vx' },
    ],
    [
      'excludes at 35 days what was not verified',
      { days: weeks('not') + held(5), votes: [1, 8], states: 'w ww ww ww ww xw' },
    ],
    [
      'excludes at 35 days a vote of a newcomer who held on too few of them',
      { days: `_#_____ ${'_'.repeat(19)}${'#'.repeat(16)}`, votes: [1, 30], minDays: 35, states: 'w w w w vv xv' },
    ],
    [
      'lets the vote of a newcomer with nine days read wait for the tenth',
      { days: `${'-'.repeat(27)}${'#'.repeat(9)}${'-'.repeat(6)}${held(1)}`, votes: [1], states: 'w w w w v v v' },
    ],
    [
      'counts further days, and no longer standing, for a vote that waits for the tenth',
      { days: `${held(1)}${'-'.repeat(27)}${'#'.repeat(8)}${WEEK.not}`, votes: [7], states: 'v v v v v v v' },
    ],
    [
      'excludes such a vote where the wallet held on half of the days',
      { days: `${held(1)}${'-'.repeat(28)}${held(1)}${WEEK.not}`, votes: [7], states: 'v v v v v v x' },
    ],
  ])('%s [R38]', async (_what, history) => {
    expect(await play(history)).toBe(history.states);
  });

  test('a wallet continues to be read while one of its votes waits for the tenth day [R37 R38]', async () => {
    const one = await voter([await insertProject(db)], days(-10, 60));
    const wallets = withWallets([one]);
    await pass(wallets, days(-7, 0));
    await decideAt(0);
    await pass(wallets, days(1, 36), new Set(days(1, 27)));
    await decideAt(36);
    await pass(wallets, [37]);
    expect(await walletsRead(37)).toBe(1);
    await decideAt(37);
    await pass(wallets, [38]);
    expect(await walletsRead(38)).toBe(0);
  });

  test('many voters are decided once for a Sunday, in slices and by several servers, and an interrupted run continues [R38 R69]', async () => {
    const project = await insertProject(db);
    const users = await insertUsers(db, 5_000);
    await insertVotesAt(db, { users, projects: [project], at: CAST, bullish: true });
    await sql`INSERT INTO standing_days (day) SELECT ${utcDay(noonOf(7))}::date - n FROM generate_series(0, 7) n`.execute(
      db,
    );
    await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held)
      SELECT id, ${utcDay(noonOf(7))}::date, ~0::bit(64), ~0::bit(64) FROM unnest(${users}::bigint[]) AS u (id)`.execute(
      db,
    );
    await sql`UPDATE users SET created_at = now() - interval '30 days'`.execute(db);
    await sql
      .raw(`CREATE FUNCTION stop_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM voter_standing WHERE state = 'standing') > 3000 THEN RAISE EXCEPTION 'the database goes away'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER stop_late AFTER UPDATE ON voter_standing FOR EACH STATEMENT EXECUTE FUNCTION stop_late()`)
      .execute(db);
    await expect(decideAt(7)).rejects.toThrow('the database goes away');
    await sql`DROP FUNCTION stop_late CASCADE`.execute(db);
    await Promise.all([decideAt(7), decideAt(7)]);
    const { rows } = await sql`SELECT state, count(*)::int AS votes FROM vote_states GROUP BY 1`.execute(db);
    expect(rows).toEqual([{ state: 'verified', votes: 5_000 }]);
    await closeToday(services);
    expect(await findDifferences(db)).toEqual([]);
  });
});

describe('the end of a day', () => {
  /** All balances of both readings are read, and both servers are about to close the day. */
  async function lastReading(): Promise<{ id: number }> {
    const one = await voter([await insertProject(db)], [1]);
    const now = noonOf(1);
    const { node, clock } = withWallets([one]);
    clock.day = 1;
    await planDay(db, now, [now, now]);
    // The first reading whole, and of the second everything up to its end.
    for (let round = 0; round < 3; round += 1) await readStanding(node, now);
    expect(await dueReading(db, now)).toMatchObject({ reading: 2, startedAt: expect.any(Date) });
    return one;
  }
  const reading = { day: utcDay(noonOf(1)), reading: 2, isStarted: true };

  test('two servers close a day once [R37]', async () => {
    const other = await startServer(server.databaseUrl);
    onTestFinished(() => other.close());
    const { id } = await lastReading();
    const now = noonOf(1);
    await Promise.all([
      closeReading(db, reading, now),
      closeReading(other.services.db, reading, now),
      closeReading(db, reading, now),
    ]);
    expect(await evidenceOf(db, id)).toEqual({ read: 1, held: 1, unread: 0 });
  });

  test('a reading that ends after midnight is not evidence: the day was skipped and stays skipped [R37]', async () => {
    const { id } = await lastReading();
    await closeMissedDays(db, noonOf(2));
    await closeReading(db, reading, noonOf(1));
    expect(await evidenceOf(db, id)).toBeUndefined();
    const rows = await db.selectFrom('standingDays').select(['skipped', 'wallets']).execute();
    expect(rows).toEqual([{ skipped: 'The balances could not all be read before the end of the day', wallets: 0 }]);
  });
});

describe('a clock that jumps', () => {
  const setClock = (offsetDays: number) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + offsetDays * 86_400_000);
  };
  const closed = async () => (await db.selectFrom('standingDays').select('day').execute()).length;

  test('a clock that jumps plans and closes nothing while the chain reports the time [R37 R68]', async () => {
    const one = await voter([await insertProject(db)], days(-40, 0));
    await behindTheTriggers(db, (trx) => sql`UPDATE votes SET created_at = now() - interval '20 days'`.execute(trx));
    await pass(withWallets([one]), days(-20, -1));
    const before = await closed();
    for (const jump of [40, 1, -1, -40]) {
      setClock(jump);
      await readStandingByClock(services);
      vi.useRealTimers();
    }
    expect(await closed()).toBe(before);
    expect(
      await db
        .selectFrom('standingReadings')
        .select('day')
        .where('day', '>=', sql<Date>`now()`)
        .execute(),
    ).toEqual([]);
    await readStandingByClock(services);
    const planned = await sql`SELECT FROM standing_readings WHERE day = (now() AT TIME ZONE 'UTC')::date`.execute(db);
    // In the evening there is no time left for two readings.
    expect(planned.rows).toHaveLength(drawMoments(new Date()) === null ? 0 : 2);
  });

  test('a clock that jumps closes future days while the node is down, and they are reopened when it is back [R37 R68]', async () => {
    const chain = await startChain();
    onTestFinished(() => chain.stop());
    const alone = await startServer(server.databaseUrl, { env: { SUI_RPC_URL: chain.rpcUrl } });
    onTestFinished(() => alone.close());
    await readDay(services, -1);
    await chain.control({ down: true });
    setClock(10);
    await readStandingByClock(alone.services);
    expect(await closed()).toBe(11);
    vi.useRealTimers();
    await chain.control({ down: false });
    await readStandingByClock(alone.services);
    expect(await closed()).toBe(1);
  });

  test('a skipped day that is closed stays skipped after the clock is right again [R37 R63]', async () => {
    await readDay(services, -1);
    setClock(2);
    const days = [utcDay(new Date(Date.now() - 86_400_000)), utcDay(new Date())] as const;
    vi.useRealTimers();
    for (const day of days) await db.insertInto('standingDays').values({ day, skipped: 'made up' }).execute();
    await db.insertInto('closedDays').values({ day: days[0], until: days[1] }).execute();
    await readStandingByClock(services);
    const left = await sql<{
      day: string;
    }>`SELECT day::text AS day FROM standing_days WHERE skipped = 'made up'`.execute(db);
    expect(left.rows).toEqual([{ day: days[0] }]);
  });
});

test('the record names what a Sunday changes in the batch of that Sunday alone, and no vote of a wallet that was given SUI [R38 R40]', async () => {
  const [project = 0] = await insertProjects(db, 1);
  const one = await voter([project], days(-20, -1));
  const gifted = await voter([project], days(0, 30));
  await sql`UPDATE users SET created_at = now() - interval '60 days'`.execute(db);
  const sunday = (7 - new Date(noonOf(0)).getUTCDay()) % 7;
  const wallets = withWallets([one, gifted]);
  await pass(wallets, days(-20, -1));
  await setState(db, [one.id], 'standing');
  await setState(db, [gifted.id], 'no_standing');
  await sql`UPDATE voter_standing SET sunday = '-infinity'`.execute(db);
  const changes = async () =>
    (await readLog(server.url)).entries.flatMap((entry) => (entry.kind === 'state' ? [entry.day] : []));
  for (let day = 0; day <= sunday + 7; day += 1) {
    await readDay(wallets.node, day);
    wallets.clock.day = day + 1;
    await publishAll(services);
    const { entries } = await readLog(server.url);
    expect(Object.fromEntries(replay(entries))).toEqual(Object.fromEntries(await recordedByTables(db)));
  }
  expect(await changes()).toEqual([utcDay(noonOf(sunday > 1 ? sunday : sunday + 7))]);
  expect(await findDifferences(db)).toEqual([]);
});

test('a voter sees that a vote waits, and that it does not count where its wallet held too little [R39]', async () => {
  const project = await insertProject(db);
  const user = await newUser(server);
  await insertVotesAt(db, { users: [user.id], projects: [project], at: CAST, bullish: true });
  await sql`UPDATE user_stats SET last_day = ${CAST}::timestamptz::date WHERE user_id = ${user.id}`.execute(db);
  const one: Voter = { id: user.id, address: user.address, holdsOn: new Set(days(1, 12)) };
  const wallets = withWallets([one]);
  const vote = async () => (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body[0];
  await pass(wallets, days(0, 20));
  expect(await vote()).toMatchObject({ state: 'waiting' });
  await pass(wallets, days(21, 36));
  await decideAt(36);
  expect(await vote()).toMatchObject({ state: 'no_standing' });
});
