import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import fc from 'fast-check';
import { DECISION_MIN_DAYS, decide, STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import type { Trust } from '#shared/contract/standing.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import type { Services } from '#server/kit/services.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProject, insertProjects } from '#lab/testing/builders.ts';
import { startChain } from '#lab/testing/chain.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { insertVotesAt, logKey, publishAll, readLog, recordedByTables, replay } from '#lab/testing/record.ts';
import {
  countAllVotes,
  evidenceOf,
  insertVoter,
  noonOf,
  readDay,
  skipDay,
  withBalances,
} from '#lab/testing/standing.ts';
import { closeReading } from './close-day.ts';
import { refreshVoterStates } from './count-verified.ts';
import { decideVotes } from './decide-votes.ts';
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
const OLD_ENOUGH_MS = CAST_MS + STANDING_VOTER_DAYS * 86_400_000;
const DECIDED = STANDING_VOTER_DAYS + 1;
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

const decideAt = (day: number): Promise<number> => decideVotes(services, { now: noonOf(day) });

async function stateOf({ id }: Voter): Promise<string[]> {
  await refreshVoterStates(db, 7);
  const rows = await db
    .selectFrom('voteStates')
    .select('state')
    .where('userId', '=', id)
    .orderBy('projectId')
    .execute();
  return rows.map(({ state }) => String(state));
}
const walletsRead = async (day: number) =>
  (
    await sql<{ wallets: number }>`SELECT wallets FROM standing_days WHERE day = ${utcDay(noonOf(day))}::date`.execute(
      db,
    )
  ).rows[0]?.wallets;

describe('decisions by the days read in the 35 days after a vote', () => {
  test('a vote is verified for good by more than half of the days, not by half, and later balances change neither [R38]', async () => {
    const project = await insertProject(db);
    const half = days(1, 17);
    const [verified, excluded] = [await voter([project], days(1, 18)), await voter([project], half)];
    const wallets = withWallets([verified, excluded]);
    await pass(wallets, days(0, 34));
    expect(await decideAt(34)).toBe(0);
    await pass(wallets, [35]);
    // The last of the days is closed, and the vote is not 35 days old yet.
    expect(await decideVotes(services, { now: new Date(OLD_ENOUGH_MS - 1) })).toBe(0);
    expect(await decideVotes(services, { now: new Date(OLD_ENOUGH_MS + 1) })).toBe(2);
    const rows = await db.selectFrom('voteDecisions').selectAll().orderBy('userId').execute();
    expect(rows).toMatchObject([
      { userId: verified.id, state: 'verified', daysRead: 35, daysHeld: 18 },
      { userId: excluded.id, state: 'no_standing', daysRead: 35, daysHeld: 17 },
    ]);
    // Neither wallet is read any longer, and nothing is decided twice.
    expect(await decideAt(36)).toBe(0);
    await pass(wallets, days(36, 44));
    expect(await walletsRead(35)).toBe(2);
    expect(await walletsRead(44)).toBe(0);
    expect(await decideAt(44)).toBe(0);
    expect([await stateOf(verified), await stateOf(excluded)]).toEqual([['verified'], ['no_standing']]);
    await countAllVotes(services);
    const trust = (await new Client(server.url).get<Trust>('/api/trust')).body;
    expect(trust).toMatchObject({ votes: 2, verified: 1, noStanding: 1, waiting: 0 });
    expect(await findDifferences(db)).toEqual([]);
  });

  test('a vote with fewer than ten days read waits, its wallet is read on, and the tenth day decides [R37 R38]', async () => {
    const project = await insertProject(db);
    const skipped = new Set(days(1, 27));
    const [holds, empties] = [await voter([project], days(28, 33)), await voter([project], days(28, 32))];
    const wallets = withWallets([holds, empties]);
    await pass(wallets, days(0, 35), skipped);
    // Eight days were read: not verified yet, whatever the last seven were.
    expect(await decideAt(DECIDED)).toBe(2);
    expect([await stateOf(holds), await stateOf(empties)]).toEqual([['waiting'], ['waiting']]);
    await pass(wallets, [36]);
    expect(await decideAt(37)).toBe(0);
    expect(await walletsRead(36)).toBe(2);
    await pass(wallets, [37]);
    expect(await decideAt(38)).toBe(2);
    expect([await stateOf(holds), await stateOf(empties)]).toEqual([['verified'], ['no_standing']]);
    await pass(wallets, [38]);
    expect(await walletsRead(38)).toBe(0);
  });

  test('an account that was deleted before is not read, so its votes are excluded, and no vote of it waits [R38 R55]', async () => {
    const project = await insertProject(db);
    const [one, other] = [await voter([project], days(1, 35)), await voter([project], days(1, 35))];
    await pass(withWallets([one, other]), days(0, 30));
    await sql`DELETE FROM voter_standing WHERE user_id = ${one.id}`.execute(db);
    await sql`UPDATE user_stats SET last_day = NULL WHERE user_id = ${one.id}`.execute(db);
    await sql`UPDATE users SET deleted_at = now(), wallet_address = 'deleted-' || id WHERE id = ${one.id}`.execute(db);
    await pass(withWallets([one, other]), days(31, 35));
    expect(await walletsRead(35)).toBe(1);
    await decideAt(DECIDED);
    expect([await stateOf(one), await stateOf(other)]).toEqual([['no_standing'], ['verified']]);
  });

  test('a vote that is changed later has its own 35 days, and the earlier decision does not apply [R38]', async () => {
    const project = await insertProject(db);
    const one = await voter([project], days(1, 35));
    const wallets = withWallets([one]);
    await pass(wallets, days(0, 35));
    await decideAt(DECIDED);
    expect(await stateOf(one)).toEqual(['verified']);
    // Like a change of the vote: it has another time.
    const changed = noonOf(36).toISOString();
    await behindTheTriggers(db, (trx) => sql`UPDATE votes SET created_at = ${changed}::timestamptz`.execute(trx));
    await sql`UPDATE user_stats SET last_day = ${changed}::timestamptz::date`.execute(db);
    await pass(wallets, days(36, 43));
    expect(await stateOf(one)).toEqual(['waiting']);
    await pass(wallets, days(44, 71));
    expect(await decideVotes(services, { now: noonOf(72) })).toBe(1);
    expect(await stateOf(one)).toEqual(['no_standing']);
  });

  test('the database decides as the rule does, for all readings [R38]', async () => {
    const project = await insertProject(db);
    const site = fc.record({
      skipped: fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
      wallets: fc.array(
        fc.record({
          read: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 50, maxLength: 50 }),
          held: fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
          isGone: fc.integer({ min: 0, max: 9 }),
        }),
        { minLength: 40, maxLength: 40 },
      ),
      share: fc.integer({ min: 0, max: 9 }),
    });
    for (const { skipped, wallets, share } of fc.sample(site, { numRuns: 8, seed: 38 })) {
      await empty(db);
      const dayOf = (day: number) => utcDay(noonOf(day));
      const isSkipped = (day: number) => skipped[day - 1] === true;
      const open = days(1, 50).filter((day) => !isSkipped(day));
      for (const day of days(1, 50))
        await sql`INSERT INTO standing_days (day, skipped) VALUES (${dayOf(day)}::date, ${isSkipped(day) ? 'Away' : null})`.execute(
          db,
        );
      const expected = new Map<number, { state: string; daysRead: number; daysHeld: number }>();
      for (const wallet of wallets) {
        const { id } = await voter([project]);
        const isGone = wallet.isGone === 0;
        if (isGone)
          await sql`UPDATE users SET deleted_at = now(), wallet_address = 'deleted-' || id WHERE id = ${id}`.execute(
            db,
          );
        const read = open.filter((day) => (wallet.read[day - 1] ?? 0) >= share);
        const last = read.at(-1);
        const bits = (wanted: (day: number) => boolean) =>
          open
            .filter((day) => last !== undefined && day <= last)
            .map((day) => (wanted(day) ? '1' : '0'))
            .join('')
            .padStart(64, '0');
        const isHeld = (day: number) => read.includes(day) && wallet.held[day - 1] === true;
        if (last !== undefined)
          await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held)
            VALUES (${id}, ${dayOf(last)}::date, ${bits((day) => read.includes(day))}::bit(64), ${bits(isHeld)}::bit(64))`.execute(
            db,
          );
        const within = read.filter((day) => day <= STANDING_VOTER_DAYS);
        const counted = within.length < DECISION_MIN_DAYS ? read : within;
        const facts = { daysRead: counted.length, daysHeld: counted.filter(isHeld).length };
        expected.set(id, { state: decide({ ...facts, isGone }), ...facts });
      }
      expect(await decideAt(51)).toBe(wallets.length);
      const rows = await db.selectFrom('voteDecisions').select(['userId', 'state', 'daysRead', 'daysHeld']).execute();
      expect(new Map(rows.map(({ userId, ...row }) => [userId, row]))).toEqual(expected);
    }
  });
});

describe('many votes of one day', () => {
  /** This many votes of 20 users, a thousandth of a second apart unless all are cast at once. */
  async function insertMany(users: number, projects: number, isAtOnce = false): Promise<void> {
    const ids = await Promise.all(Array.from({ length: users }, () => insertVoter(db)));
    const on = await insertProjects(db, projects);
    await sql`INSERT INTO votes (user_id, project_id, tokens, bullish, created_at)
      SELECT u, p, 10, true, ${CAST}::timestamptz + CASE WHEN ${isAtOnce} THEN 0 ELSE row_number() OVER () END * interval '1 millisecond'
      FROM unnest(${ids}::bigint[]) u, unnest(${on}::int[]) p`.execute(db);
    for (const day of days(1, 35))
      await sql`INSERT INTO standing_days (day) VALUES (${utcDay(noonOf(day))}::date)`.execute(db);
    await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held)
      SELECT u, ${utcDay(noonOf(35))}::date, (-1)::bit(64), (-1)::bit(64) FROM unnest(${ids}::bigint[]) u`.execute(db);
  }
  const decidedUntil = async () =>
    (await sql<{ at: Date }>`SELECT decided_until AS at FROM verified_counts`.execute(db)).rows[0]?.at.getTime() ?? 0;
  const decisions = async () =>
    (await sql<{ n: number }>`SELECT count(*)::int AS n FROM vote_decisions WHERE state = 'verified'`.execute(db))
      .rows[0]?.n;

  test('many votes are decided in slices, each in a separate transaction, and an interrupted run continues there [R38]', async () => {
    await insertMany(20, 20);
    // The third slice fails, as if the database went away.
    await sql`CREATE FUNCTION stop_at_100() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM vote_decisions) > 100 THEN RAISE EXCEPTION 'the database goes away'; END IF; RETURN NULL; END $$`.execute(
      db,
    );
    await sql`CREATE TRIGGER stop_at_100 AFTER INSERT ON vote_decisions FOR EACH STATEMENT EXECUTE FUNCTION stop_at_100()`.execute(
      db,
    );
    onTestFinished(async () => void (await sql`DROP FUNCTION IF EXISTS stop_at_100 CASCADE`.execute(db)));
    const run = () => decideVotes(services, { now: noonOf(DECIDED), slice: 50 });
    await expect(run()).rejects.toThrow('the database goes away');
    expect(await decisions()).toBe(100);
    expect(await decidedUntil()).toBeGreaterThan(CAST_MS);
    expect(await decidedUntil()).toBeLessThan(CAST_MS + 400);
    await sql`DROP FUNCTION stop_at_100 CASCADE`.execute(db);
    expect(await run()).toBe(300);
    expect(await decisions()).toBe(400);
  });

  test('votes of one moment are decided together, even if they are more than a slice [R38]', async () => {
    await insertMany(10, 5, true);
    expect(await decideVotes(services, { now: noonOf(DECIDED), slice: 7 })).toBe(50);
    expect(await decisions()).toBe(50);
  });

  test('many votes are decided once, also by several servers at the same time [R38]', async () => {
    const other = await startServer(server.databaseUrl);
    onTestFinished(() => other.close());
    await insertMany(20, 20);
    const run = (one: Services) => decideVotes(one, { now: noonOf(DECIDED), slice: 30 });
    const found = await Promise.all([run(services), run(other.services), run(services)]);
    expect(found.reduce((sum, one) => sum + one, 0)).toBe(400);
    expect(await decisions()).toBe(400);
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

  test('a clock that jumps plans, closes and decides nothing while the chain reports the time [R37 R68]', async () => {
    const one = await voter([await insertProject(db)], days(-40, 0));
    await behindTheTriggers(db, (trx) => sql`UPDATE votes SET created_at = now() - interval '20 days'`.execute(trx));
    await pass(withWallets([one]), days(-20, -1));
    const before = await closed();
    for (const jump of [40, 1, -1, -40]) {
      setClock(jump);
      await readStandingByClock(services);
      expect(await decideVotes(services)).toBe(0);
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
    expect(await decideVotes(alone.services)).toBe(0);
    vi.useRealTimers();
    await chain.control({ down: false });
    await readStandingByClock(alone.services);
    expect(await closed()).toBe(1);
  });

  test('a day that the record has as skipped stays skipped after the clock is right again [R37 R63]', async () => {
    await readDay(services, -1);
    setClock(2);
    const days = [utcDay(new Date(Date.now() - 86_400_000)), utcDay(new Date())] as const;
    vi.useRealTimers();
    for (const day of days) await db.insertInto('standingDays').values({ day, skipped: 'made up' }).execute();
    const checkpoint = { size: 1, day: days[0], until: days[1], votes: 0, standingDay: days[0], signedNote: 'made up' };
    await db
      .insertInto('logCheckpoints')
      .values({ ...checkpoint, root: Buffer.alloc(32) })
      .execute();
    await readStandingByClock(services);
    const left = await sql<{
      day: string;
    }>`SELECT day::text AS day FROM standing_days WHERE skipped = 'made up'`.execute(db);
    expect(left.rows).toEqual([{ day: days[0] }]);
  });
});

test('the record contains each decision as a change of state, once [R38 R40]', async () => {
  const [project = 0, other = 0] = await insertProjects(db, 2);
  const [kept, left] = [await voter([project, other], days(1, 35)), await voter([project], days(28, 35))];
  const wallets = withWallets([kept, left]);
  await behindTheTriggers(db, (trx) => sql`UPDATE votes SET created_at = now() - interval '1 hour'`.execute(trx));
  const cast = await sql<{ at: Date }>`SELECT min(created_at) AS at FROM votes`.execute(db);
  const offset = utcDay(cast.rows[0]?.at ?? new Date()) === utcDay(noonOf(0)) ? 0 : -1;
  const exact = async () => {
    await refreshVoterStates(db, 7);
    await publishAll(services);
    const { entries } = await readLog(server.url);
    expect(Object.fromEntries(replay(entries))).toEqual(Object.fromEntries(await recordedByTables(db)));
    return entries.filter(({ kind }) => kind === 'state').length;
  };
  await pass(wallets, days(0, 10));
  expect(await exact()).toBe(0);
  await pass(wallets, days(11, 35 + offset));
  // 'left' holds enough by now, and is verified for the time being.
  expect(await exact()).toBe(1);
  await decideAt(DECIDED + 1);
  expect(await exact()).toBe(2);
  expect(await exact()).toBe(2);
  await sql`UPDATE voter_standing SET state = 'no_standing'`.execute(db);
  expect(await exact()).toBe(2);
  expect(await findDifferences(db)).toEqual([]);
});

test('a voter sees for each vote whether it is decided, and by how many days [R39]', async () => {
  const project = await insertProject(db);
  const user = await newUser(server);
  await insertVotesAt(db, { users: [user.id], projects: [project], at: CAST, bullish: true });
  await sql`UPDATE user_stats SET last_day = ${CAST}::timestamptz::date WHERE user_id = ${user.id}`.execute(db);
  const one: Voter = { id: user.id, address: user.address, holdsOn: new Set(days(1, 12)) };
  const wallets = withWallets([one]);
  const vote = async () => (await user.get<VoteHistoryItem[]>(`/api/users/${user.id}/votes`)).body[0];
  await pass(wallets, days(0, 20));
  expect(await vote()).toMatchObject({
    state: 'waiting',
    evidence: { isDecided: false, daysRead: 20, daysHeld: 12 },
  });
  await pass(wallets, days(21, 35));
  await decideAt(DECIDED);
  expect(await vote()).toMatchObject({
    state: 'no_standing',
    evidence: { isDecided: true, daysRead: 35, daysHeld: 12 },
  });
});
