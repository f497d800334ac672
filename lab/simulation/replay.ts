import { sql } from 'kysely';
import { type Db, openDatabase } from '#db/client.ts';
import type { Services } from '#server/kit/services.ts';
import { hasEvidence } from '#server/money/rule/rule.ts';
import { openServices } from '../services.ts';
import { castVotes, changeVotes, signIn } from './cast.ts';
import { at, installClock, LAST_DAY, setClock } from './clock.ts';
import { decide, readBalances } from './day.ts';
import type { Aim, WalletPlan } from './model.ts';
import { seedCrowdWorld } from './world.ts';

const OTHER = 1;
const TARGET = 2;

interface Player {
  plan: WalletPlan;
  userId: number;
}

async function actInEvening({ db }: Services, players: readonly Player[], day: number): Promise<void> {
  const time = at(day, 17);
  await setClock(db, time);
  for (const player of players) {
    if (player.plan.joins === day) [player.userId = 0] = await signIn(db, 1, at(day, 1));
  }
  const vote = (projectId: number) => (player: Player) => ({
    userId: player.userId,
    projectId,
    bullish: true,
    at: time,
  });
  const joining = players.filter(({ plan }) => plan.joins === day);
  const voting = players.filter(({ plan }) => plan.votes[0] === day);
  await castVotes(db, [...joining.map(vote(OTHER)), ...voting.map(vote(TARGET))]);
  const changing = players.filter(({ plan }) => plan.votes.indexOf(day) > 0);
  await changeVotes(
    db,
    changing.map(({ userId }) => userId),
    [TARGET],
    true,
  );
}

const idsOf = (players: readonly Player[]): number[] => players.map(({ userId }) => userId);

async function paidTo({ db, config }: Services, players: readonly Player[]): Promise<number> {
  const { rows } = await sql<{ paid: number }>`SELECT count(*)::int AS paid FROM users u
    WHERE u.id = ANY (${idsOf(players)}::bigint[]) AND ${hasEvidence(config)}
    AND EXISTS (SELECT FROM votes v WHERE v.user_id = u.id AND v.project_id = ${TARGET})`.execute(db);
  return rows[0]?.paid ?? 0;
}

async function verifiedOf(db: Db, players: readonly Player[], isDecided: boolean): Promise<number> {
  const { rows } = await sql<{ votes: number }>`SELECT count(*)::int AS votes FROM vote_states s
    WHERE s.user_id = ANY (${idsOf(players)}::bigint[]) AND s.project_id = ${TARGET} AND s.state = 'verified'
    AND EXISTS (SELECT FROM voter_standing w WHERE w.user_id = s.user_id AND w.decided_until >= (s.said_at AT TIME ZONE 'UTC')::date) = ${isDecided}`.execute(
    db,
  );
  return rows[0]?.votes ?? 0;
}

/** Wallets of each list of plans that reach its aim by the server's own statements, in a migrated, empty database. */
export async function replay(
  databaseUrl: string,
  lists: ReadonlyArray<{ aim: Aim; plans: readonly WalletPlan[] }>,
): Promise<number[]> {
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 1 });
  const url = await installClock(db, databaseUrl);
  await close();
  const { services, close: closeServices } = await openServices(url);
  try {
    await sql`CREATE SEQUENCE simulation.wallets`.execute(services.db);
    await seedCrowdWorld(services.db, { seed: 1, voters: 1, projects: TARGET });
    const groups = lists.map(({ aim, plans }) => ({
      aim,
      players: plans.map((plan): Player => ({ plan, userId: 0 })),
      reached: 0,
    }));
    const all = groups.flatMap(({ players }) => players);
    for (let day = 0; day <= LAST_DAY; day += 1) {
      const holding = idsOf(all.filter(({ plan }) => plan.held[day] === 1));
      await readBalances(services, day, () => sql<boolean>`(r.user_id = ANY (${holding}::bigint[]))`);
      await actInEvening(services, all, day);
      await decide(services, day);
      for (const group of groups) {
        const asking = group.players.filter(({ plan }) => plan.withdraws === day);
        if (group.aim === 'payout') group.reached += await paidTo(services, asking);
        else if (day === LAST_DAY)
          group.reached = await verifiedOf(services.db, group.players, group.aim === 'forGood');
      }
    }
    return groups.map(({ reached }) => reached);
  } finally {
    await closeServices();
  }
}
