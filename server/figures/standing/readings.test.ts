import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSuiClient } from '#chain/client.ts';
import { buildPayment } from '#chain/payment.ts';
import { MIST_PER_SUI } from '#shared/constants.ts';
import type { Trust } from '#shared/contract/standing.ts';
import { freePort } from '#ops/process/free-port.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, insertUser } from '#lab/testing/builders.ts';
import { startChainProxy } from '#lab/testing/chain-proxy.ts';
import { fundedWallet, send, sharedChain } from '#lab/testing/chain.ts';
import { Client } from '#lab/testing/client.ts';
import { evidenceOf, insertVoter, noonOf, readDay, skipDay, withBalances } from '#lab/testing/standing.ts';
import { newWallet, type Wallet } from '#lab/testing/wallets.ts';
import type { Services } from '#server/kit/services.ts';
import { maxAfter, paceOf } from './pace.ts';
import { decideWeek } from './decide-week.ts';
import { drawMoments, dueReading, hasWork, planDay, utcDay } from './plan.ts';
import { readStanding, readStandingNow } from './read-standing.ts';

const chain = sharedChain();
const server = await createTestApp();
const { services } = server;
const { db } = services;

beforeEach(() => empty(db));

const transfer = (from: Wallet, to: Wallet, amountMist: bigint) =>
  send(chain, [from], buildPayment({ sender: from.toSuiAddress(), recipient: to.toSuiAddress(), amountMist }));

/** Days read and days held of a wallet, among the last seven that the site read; null when it was never asked. */
async function standingOf(userId: number): Promise<[read: number, held: number] | null> {
  const days = await evidenceOf(db, userId);
  return days ? [days.read, days.held] : null;
}

/** The states that a Sunday on that day decides. */
async function statesOf(day: number, ...userIds: number[]): Promise<string[]> {
  await decideWeek(db, { sunday: utcDay(noonOf(day)), minDays: 7 });
  const rows = await db.selectFrom('voterStanding').select(['userId', 'state']).execute();
  return userIds.map((id) => rows.find(({ userId }) => userId === id)?.state ?? 'never read');
}

const withNode = (balanceOf: Parameters<typeof withBalances>[1]) => withBalances(services, balanceOf);
const RICH = 2n * MIST_PER_SUI;

const trust = async (): Promise<Trust> => (await new Client(server.url).get<Trust>('/api/trust')).body;

test('a wallet has a good day when both readings show enough SUI, and only wallets with undecided votes are read [R37]', async () => {
  const rich = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
  const poor = await insertVoter(db);
  const [giver, almost, exact] = [await fundedWallet(chain), newWallet(), newWallet()];
  await transfer(giver, almost, MIST_PER_SUI - 1n);
  await transfer(giver, exact, MIST_PER_SUI);
  const below = await insertVoter(db, almost.toSuiAddress());
  const enough = await insertVoter(db, exact.toSuiAddress());
  const never = await insertUser(db);
  const late = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
  const justInTime = await insertVoter(db);
  await sql`UPDATE user_stats SET last_day = last_day - 36 WHERE user_id = ${late}`.execute(db);
  await sql`UPDATE user_stats SET last_day = last_day - 35 WHERE user_id = ${justInTime}`.execute(db);
  await skipDay(db, -1);
  await readDay(services, 0);
  expect(await Promise.all([rich, poor, below, enough, justInTime, never, late].map(standingOf))).toEqual([
    [1, 1],
    [1, 0],
    [1, 0],
    [1, 1],
    [1, 0],
    null,
    null,
  ]);
  expect((await trust()).readings).toEqual([
    { day: utcDay(noonOf(0)), skipped: null, wallets: 5, standing: 2, unread: 0 },
    expect.objectContaining({ day: utcDay(noonOf(-1)), skipped: 'The node was away' }),
  ]);
});

test('standing needs six of the last seven days read, and seven days since the first sign-in [R38]', async () => {
  const wallet = await fundedWallet(chain);
  const steady = await insertVoter(db, wallet.toSuiAddress());
  const fresh = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress(), 6);
  const poor = await insertVoter(db);
  for (const day of [0, 1, 2, 3, 4]) await readDay(services, day);
  expect(await statesOf(4, steady, fresh, poor)).toEqual(['waiting', 'waiting', 'waiting']);
  await readDay(services, 5);
  expect(await statesOf(5, steady, fresh, poor)).toEqual(['standing', 'standing', 'no_standing']);
  await transfer(wallet, newWallet(), 199n * MIST_PER_SUI + MIST_PER_SUI / 2n);
  await readDay(services, 6);
  // The six good days are still among the last seven.
  expect(await statesOf(6, steady)).toEqual(['standing']);
  await readDay(services, 7);
  expect(await statesOf(7, steady)).toEqual(['no_standing']);
});

test('one coin counts for one wallet a day, even where its owner foresees the whole first reading [R37]', async () => {
  const wallets = Array.from({ length: 6 }, newWallet);
  const byAddress = new Map(wallets.map((wallet) => [wallet.toSuiAddress(), wallet]));
  const giver = await fundedWallet(chain);
  let holder = wallets[0] ?? giver;
  // Enough for one wallet, and for the gas of all moves.
  let amountMist = (19n * MIST_PER_SUI) / 10n;
  await transfer(giver, holder, amountMist);
  const shuffled = await Promise.all(wallets.map((wallet) => insertVoter(db, wallet.toSuiAddress())));
  const honest = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
  const moveTo = async (wallet: Wallet | undefined): Promise<void> => {
    if (!wallet || wallet === holder) return;
    amountMist -= MIST_PER_SUI / 100n;
    await transfer(holder, wallet, amountMist);
    holder = wallet;
  };
  const seen = new Set<string>();
  let turn = Promise.resolve();
  const moved = withNode((owner, ask) => {
    const isFirstReading = !seen.has(owner);
    seen.add(owner);
    const asked = turn.then(async () => {
      // Just in time in the first reading; in the second the coin has to be somewhere.
      if (isFirstReading) await moveTo(byAddress.get(owner));
      return ask();
    });
    turn = asked.then(
      () => undefined,
      () => undefined,
    );
    return asked;
  });
  for (const day of [0, 1, 2, 3, 4, 5]) {
    seen.clear();
    await readDay(moved, day);
    const { readings } = await trust();
    expect(readings[0]).toMatchObject({ wallets: 7, standing: 2, unread: 0 });
  }
  const days = await Promise.all(shuffled.map(standingOf));
  expect(days.map((of) => of?.[1] ?? 0).reduce((a, b) => a + b)).toBe(6);
  expect(await statesOf(5, honest)).toEqual(['standing']);
});

test('a day on which a wallet was not read counts as one without standing, even for a returning voter [R38]', async () => {
  const steady = await insertVoter(db);
  const absent = await insertVoter(db);
  const rich = withNode(() => RICH);
  const setLastVote = (userId: number, daysAgo: number) =>
    sql`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int WHERE user_id = ${userId}`.execute(
      db,
    );
  const states: string[][] = [];
  for (const day of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]) {
    if (day === 7) {
      await setLastVote(absent, 60);
      await sql`UPDATE voter_standing SET decided_until = (now() AT TIME ZONE 'UTC')::date - 60 WHERE user_id = ${absent}`.execute(
        db,
      );
    }
    if (day === 9) await setLastVote(absent, 0);
    await readDay(rich, day);
    states.push(await statesOf(day, steady, absent));
  }
  expect([await standingOf(steady), await standingOf(absent)]).toEqual([
    [7, 7],
    [6, 6],
  ]);
  const [both, one] = [
    ['standing', 'standing'],
    ['standing', 'no_standing'],
  ];
  // It was asked until day 6 and from day 9 on: one missing day is allowed, two end it until they have passed.
  expect(states.slice(5)).toEqual([both, both, both, one, one, one, one, one, one, both]);
});

test('a wallet whose first vote comes between the readings of a day was not asked on that day [R37 R38]', async () => {
  const early = await insertVoter(db);
  const rich = withNode(() => RICH);
  const now = noonOf(0);
  await planDay(db, now, [now, now]);
  while ((await dueReading(db, now))?.reading !== 2) await readStanding(rich, now);
  const late = await insertVoter(db);
  await readDay(rich, 0);
  expect([await standingOf(early), await standingOf(late)]).toEqual([[1, 1], null]);
  expect((await trust()).readings).toMatchObject([{ skipped: null, wallets: 1, standing: 1, unread: 0 }]);
});

test('in the demo the admin reads all balances at once, and on a public network no user can [R37]', async () => {
  const panel = await signInAsAdmin(server);
  const user = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
  await insertVoter(db);
  const read = () => panel.post('/api/admin/standing/read');
  expect((await read()).body).toEqual({ wallets: 2, standing: 1, unread: 0 });
  expect(await standingOf(user)).toEqual([1, 1]);
  expect(await read()).toMatchObject({ status: 409, body: { error: 'already_read' } });
  const config: Services['config'] = { ...services.config, network: 'devnet' };
  await expect(readStandingNow({ ...services, config })).rejects.toMatchObject({ code: 'not_a_demo' });
});

test('each reading asks for the balances in a new random order [R37]', async () => {
  const users = await Promise.all(Array.from({ length: 40 }, () => insertVoter(db)));
  const asked: string[] = [];
  await readDay(
    withNode((owner) => {
      asked.push(owner);
      return 0n;
    }),
    0,
  );
  const [first, second] = [asked.slice(0, users.length), asked.slice(users.length)];
  expect(new Set(first).size).toBe(users.length);
  expect(second.toSorted()).toEqual(first.toSorted());
  expect(second).not.toEqual(first);
});

test('a reading that ends with its server continues in the next one, and requests no balance twice [R37]', async () => {
  const users = await Promise.all(Array.from({ length: 30 }, () => insertVoter(db)));
  const now = noonOf(0);
  await planDay(db, now, [now, now]);
  const asked: string[] = [];
  const small = withNode((owner) => (asked.push(owner), 0n));
  const config = { ...services.config, standingReadsPerSecond: 1 };
  await readStanding({ ...small, config }, now);
  expect(asked).toHaveLength(10);
  expect(await standingOf(users[0] ?? 0)).toBeNull();
  // Another process, with only the database.
  await readDay(small, 0);
  expect(asked).toHaveLength(60);
  expect(new Set(asked.slice(0, 30)).size).toBe(30);
  expect(await standingOf(users[0] ?? 0)).toEqual([1, 0]);
});

describe('a reading that fails is not evidence against a wallet', () => {
  const dead = async (): Promise<Services> => ({
    ...services,
    sui: createSuiClient({ network: 'localnet', url: `http://127.0.0.1:${await freePort()}` }),
  });

  test('a reading waits while the node is down; when the day is over it is skipped, and /trust shows it [R37 R39]', async () => {
    const user = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
    await readDay(services, 0);
    const [now, node] = [noonOf(1), await dead()];
    await planDay(db, now, [now, now]);
    await readStanding(node, now);
    await readStanding(node, now);
    const reads = await db.selectFrom('standingReads').select(['attempts', 'hasEnough']).execute();
    expect(reads).toEqual([{ attempts: 0, hasEnough: null }]);
    await readStanding(node, noonOf(2));
    expect(await standingOf(user)).toEqual([1, 1]);
    const { readings, readingsDone, readingsSkipped } = await trust();
    expect(readings[0]).toMatchObject({
      day: utcDay(noonOf(1)),
      skipped: 'The balances could not all be read before the end of the day',
      wallets: 0,
    });
    expect([readingsDone, readingsSkipped]).toEqual([1, 1]);
    expect(await db.selectFrom('standingReads').select('place').execute()).toEqual([]);
  });

  describe('among a hundred wallets', () => {
    /** The node answers for none of these voters; where `answersOnce`, it does so in the first reading. */
    async function withoutAnswerFor(unanswered: readonly number[], answersOnce = false): Promise<Services> {
      const rows = await db.selectFrom('users').select(['id', 'walletAddress']).execute();
      const owners = new Set(rows.filter(({ id }) => unanswered.includes(id)).map((row) => row.walletAddress));
      const answered = new Set<string>();
      return withNode((owner) => {
        const isAnswered = !owners.has(owner) || (answersOnce && !answered.has(owner));
        answered.add(owner);
        if (!isAnswered) throw new Error('unavailable');
        return RICH;
      });
    }
    const hundred = () => Promise.all(Array.from({ length: 100 }, () => insertVoter(db)));

    test('one failed balance leaves its wallet without evidence that day, and two skip the day for all [R37 R38]', async () => {
      const [first = 0, second = 0, third = 0] = await hundred();
      await readDay(await withoutAnswerFor([first], true), 0);
      expect(await evidenceOf(db, first)).toEqual({ read: 0, held: 0, unread: 1 });
      expect(await standingOf(second)).toEqual([1, 1]);
      await readDay(await withoutAnswerFor([first, second]), 1);
      await readDay(await withoutAnswerFor([first, second], true), 2);
      expect([await standingOf(second), await standingOf(third)]).toEqual([
        [1, 1],
        [1, 1],
      ]);
      const skipped = {
        skipped: '2 of 100 balances could not be read',
        wallets: 0,
        standing: 0,
        unread: 0,
      };
      expect((await trust()).readings).toEqual([
        { ...skipped, day: utcDay(noonOf(2)) },
        { ...skipped, day: utcDay(noonOf(1)) },
        { day: utcDay(noonOf(0)), skipped: null, wallets: 99, standing: 99, unread: 1 },
      ]);
    });

    test('a wallet that was asked without an answer is excused for one day in seven, not for two [R38]', async () => {
      const [once = 0, twice = 0] = await hundred();
      for (const [day, unanswered] of [[], [], [], [once], [twice], [twice]].entries())
        await readDay(await withoutAnswerFor(unanswered), day);
      expect([await evidenceOf(db, once), await evidenceOf(db, twice)]).toEqual([
        { read: 5, held: 5, unread: 1 },
        { read: 4, held: 4, unread: 2 },
      ]);
      expect(await statesOf(5, once, twice)).toEqual(['standing', 'waiting']);
      for (const day of [6, 7]) await readDay(await withoutAnswerFor([]), day);
      expect(await statesOf(7, once, twice)).toEqual(['standing', 'standing']);
    });
  });

  test('days without any server are skipped too, each once, and take standing from no user [R37 R38]', async () => {
    const steady = await insertVoter(db);
    const rich = withNode(() => RICH);
    for (const day of [0, 1, 2, 3, 4, 5]) await readDay(rich, day);
    expect(await statesOf(5, steady)).toEqual(['standing']);
    await readStanding(services, noonOf(16));
    await readStanding(services, noonOf(16));
    const { readings } = await trust();
    expect(readings.map(({ skipped }) => skipped)).toEqual([
      ...Array.from({ length: 10 }, () => expect.stringContaining('not running')),
      ...Array.from({ length: 6 }, () => null),
    ]);
    expect([await standingOf(steady), await statesOf(16, steady)]).toEqual([[6, 6], ['standing']]);
    // Skipped days are not among the seven: one of them is poor.
    const empties = withNode(() => 0n);
    await readDay(empties, 17);
    expect([await standingOf(steady), await statesOf(17, steady)]).toEqual([[7, 6], ['standing']]);
  });
});

describe('a node that limits our calls or cannot be reached', () => {
  /** The server's services with a proxy in front of the chain, and a reading that is due at noon. */
  async function dueThroughProxy() {
    const proxy = await startChainProxy(chain.rpcUrl);
    onTestFinished(() => proxy.close());
    const node = { ...services, sui: createSuiClient({ network: 'localnet', url: proxy.url }) };
    const now = noonOf(0);
    await planDay(db, now, [now, now]);
    return { proxy, node, now };
  }
  const attempts = async () =>
    (await db.selectFrom('standingReads').select(['attempts', 'hasEnough']).execute()) as unknown;
  const plan = () => db.selectFrom('standingReadings').selectAll().orderBy('reading').executeTakeFirstOrThrow();

  test.each(['limited', 'exhausted', 'unavailable', 'cut'] as const)(
    'a reading uses up no attempt and no day while every balance fails, for any number of rounds: %s [R37 R68]',
    async (fault) => {
      const user = await insertVoter(db, (await fundedWallet(chain)).toSuiAddress());
      const { proxy, node, now } = await dueThroughProxy();
      proxy.fail('balance', fault);
      for (let round = 0; round < 5; round += 1) await readStanding(node, now);
      expect(await attempts()).toEqual([{ attempts: 0, hasEnough: null }]);
      expect(await db.selectFrom('standingDays').selectAll().execute()).toEqual([]);
      proxy.heal();
      await readDay(node, 0);
      expect(await standingOf(user)).toEqual([1, 1]);
    },
  );

  test('a round of a reading ends at its first 429, and the next one waits longer, a minute at most, and is slower [R37]', async () => {
    await Promise.all(Array.from({ length: 40 }, () => insertVoter(db)));
    const { proxy, node, now } = await dueThroughProxy();
    proxy.fail('balance', 'limited');
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await readStanding(node, now);
      const { pauseMs, pausedUntil } = await plan();
      waits.push(pauseMs);
      const at = (ms: number) => new Date((pausedUntil?.getTime() ?? 0) + ms);
      expect(await Promise.all([hasWork(db, at(-1)), hasWork(db, at(0))])).toEqual([false, true]);
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    // Calls in flight at that moment fail, too; no further ones begin.
    expect(proxy.calls.balance).toBeLessThanOrEqual(6 * 8);
    expect((await plan()).maxPerSecond).toBe(0.5);
    proxy.heal();
    await readStanding(node, now);
    expect(await plan()).toMatchObject({ pauseMs: 0, pausedUntil: null, walletsRead: 5 });
  });

  test('a failed balance counts as an attempt only if the node could read another one then [R37 R68]', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => insertVoter(db)));
    const now = noonOf(0);
    await planDay(db, now, [now, now]);
    const rejects = (isAway: boolean) =>
      withNode((owner) =>
        isAway || owner !== services.config.adminWallet ? Promise.reject(new Error('deadline')) : 0n,
      );
    await readStanding(rejects(true), now);
    expect(await attempts()).toEqual(users.map(() => ({ attempts: 0, hasEnough: null })));
    await readStanding(rejects(false), now);
    expect(await attempts()).toEqual(users.map(() => ({ attempts: 1, hasEnough: null })));
  });
});

describe('the pace of a reading', () => {
  const startedAt = new Date('2026-03-01T21:00:00Z');
  const after = (minutes: number) => new Date(startedAt.getTime() + minutes * 60_000);
  const progress = { reading: 1, wallets: 1_000_000, walletsRead: 0, maxPerSecond: null };

  test('the pace is enough for two readings of a million wallets within the last three hours of a day, within the default limit [R37]', () => {
    const pace = paceOf(progress, startedAt, 250);
    expect(pace).toBe(250);
    expect((2 * progress.wallets) / pace).toBeLessThan(3 * 3_600);
  });

  test('the pace follows from the wallets and the time that is left, and exceeds no limit [R37]', () => {
    const few = { ...progress, wallets: 300 };
    expect(paceOf(few, startedAt, 250)).toBe(2);
    expect(paceOf({ ...progress, wallets: 36_000 }, startedAt, 250)).toBe(10);
    // Late: what is left of both readings, by ten minutes before midnight.
    expect(paceOf({ ...progress, wallets: 36_000, walletsRead: 18_000 }, after(160), 250)).toBe(90);
    expect(paceOf({ ...progress, wallets: 36_000, maxPerSecond: 3 }, startedAt, 250)).toBe(3);
    expect(paceOf(progress, after(179), 250)).toBe(250);
  });

  test('the pace is back to what it needs within minutes after the node has stopped rejecting calls [R37]', () => {
    let max: number | null = null;
    for (let round = 0; round < 60; round += 1) max = maxAfter(max, max ?? 200, true);
    expect(max).toBe(0.5);
    let rounds = 0;
    for (; max !== null && max < 200; rounds += 1) max = maxAfter(max, max, false);
    expect((rounds * 10) / 60).toBeLessThan(15);
  });
});

describe('the moments of a day', () => {
  const at = (time: string) => new Date(`2026-03-01T${time}Z`);

  test('the moments of readings are random, in order, and leave the readings time to finish [R37]', () => {
    const now = at('00:00:05.000');
    const drawn = Array.from({ length: 200 }, () => drawMoments(now));
    for (const moments of drawn) {
      const [first, second] = moments ?? [new Date(0), new Date(0)];
      expect(first.getTime()).toBeGreaterThanOrEqual(now.getTime());
      expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime());
      expect(second.getTime()).toBeLessThan(at('21:00:00.000').getTime());
    }
    expect(new Set(drawn.map((moments) => moments?.[0].getTime())).size).toBeGreaterThan(150);
  });

  test('the moments of readings are drawn once a day and secret, and nothing is read before them [R37]', async () => {
    const [midnight, noon] = [new Date(`${utcDay(noonOf(0))}T00:00:10Z`), noonOf(0)];
    await readStanding(services, midnight);
    const drawn = () => db.selectFrom('standingReadings').select(['reading', 'startsAt']).orderBy('reading').execute();
    const before = await drawn();
    expect(before).toHaveLength(2);
    await readStanding(services, midnight);
    expect(await drawn()).toEqual(before);
    await sql`UPDATE standing_readings SET starts_at = ${new Date(noon.getTime() + 1)}`.execute(db);
    expect(await dueReading(db, noon)).toBeNull();
    const { rows } = await sql<{ readable: boolean }>`
      SELECT has_table_privilege('snapswipe_console', t, 'SELECT') AS readable FROM unnest(ARRAY['standing_readings', 'standing_reads',
        'voter_networks', 'network_salts']) t`.execute(db);
    expect(rows.map(({ readable }) => readable)).toEqual([false, false, false, false]);
  });
});
