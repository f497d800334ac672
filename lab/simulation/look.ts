import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';
import { hasEvidence } from '#server/money/rule/rule.ts';
import { type Cost, SIMULATED_ORDERS, type SimulatedOrder, type SimulatedRow, type StrategyId } from './results.ts';
import { RANK_MIN_VOTES, rankRule, votesForRank } from '#shared/sorts.ts';
import { readAttacks, readBoard } from './board.ts';
import { cheaperOf, needsCoins, neededWallets } from './goals.ts';
import { type Attack, ballotOf } from './plan.ts';

const TEN_COINS = 10;

export type Rows = Map<StrategyId, SimulatedRow>;

export const emptyRow = (strategy: StrategyId, tried: number, spentSui: number): SimulatedRow => ({
  strategy,
  tried,
  spentSui,
  goals: Object.fromEntries(
    SIMULATED_ORDERS.map((order) => [order, { first: null, points: null }]),
  ) as SimulatedRow['goals'],
  tenSui: { atOnce: 0, lasting: 0 },
  snaps: 0,
  harmed: 0,
  bystanders: 0,
});

/** Cost of a goal that so many wallets of an attack reach. `lacking`: the verified votes that a rank needs beyond those there are. */
export function costOf({ strategy }: Attack, order: SimulatedOrder, wallets: number, day: number, lacking = 0): Cost {
  const coins = Array.from({ length: wallets }, (_, place) => strategy.coinOf(place)).filter((coin) => coin !== null);
  const held = new Set(coins).size;
  return { wallets, sui: needsCoins(order) ? held : Math.min(held, lacking), days: day };
}

export async function look(
  services: Services,
  attacks: readonly Attack[],
  { rows, orders, day }: { rows: Rows; orders: readonly SimulatedOrder[]; day: number },
): Promise<void> {
  const counted = await readAttacks(services.db, day);
  const board = await readBoard(services, counted);
  const listings = attacks.filter(({ strategy }) => strategy.id === 'listing').map(({ field }) => field.target);
  for (const attack of attacks) {
    const { strategy, field, userIds } = attack;
    const goals = rows.get(strategy.id)?.goals;
    if (!goals) continue;
    const { target } = field;
    const without = new Set(listings.filter((id) => id !== target));
    const question = { board, votes: counted.get(strategy.id) ?? [], wallets: userIds.length, target, without };
    const row = board.get(target);
    const lacking = row && !rankRule([...board.values()], votesForRank)(row) ? RANK_MIN_VOTES - votesForRank(row) : 0;
    for (const order of orders) {
      const needed = neededWallets(order, question);
      for (const goal of ['first', 'points'] as const) {
        const wallets = needed[goal];
        if (wallets === null || wallets === 0) continue;
        const cost = costOf(attack, order, wallets, day, goal === 'first' ? lacking : 0);
        goals[order][goal] = cheaperOf(goals[order][goal], cost);
      }
    }
  }
}

/** Wallets that ten SUI verify this evening, and Snaps that the rule has paid to them and to wallets without SUI. */
export async function lookAtTen({ db, config }: Services, rows: Rows): Promise<void> {
  // A wallet keeps its Snaps when its coin moves on.
  await sql`INSERT INTO simulation.payouts AS p (user_id, strategy, snaps)
    SELECT a.user_id, a.strategy, c.balance FROM simulation.attackers a JOIN users u ON u.id = a.user_id JOIN user_stats c ON c.user_id = a.user_id
    WHERE coalesce(a.coin, 0) < ${TEN_COINS} AND u.deleted_at IS NULL AND ${hasEvidence(config)}
    ON CONFLICT (user_id) DO UPDATE SET snaps = greatest(p.snaps, excluded.snaps)`.execute(db);
  const found = await sql<{ strategy: StrategyId; atOnce: number; snaps: number }>`
    SELECT a.strategy, count(*) FILTER (WHERE s.state = 'standing' AND a.coin < ${TEN_COINS})::int AS "atOnce", coalesce(sum(p.snaps), 0)::int AS snaps
    FROM simulation.attackers a LEFT JOIN voter_standing s ON s.user_id = a.user_id LEFT JOIN simulation.payouts p ON p.user_id = a.user_id
    GROUP BY a.strategy`.execute(db);
  for (const { strategy, atOnce, snaps } of found.rows) {
    const row = rows.get(strategy);
    if (!row) continue;
    row.tenSui.atOnce = Math.max(row.tenSui.atOnce, atOnce);
    row.snaps = snaps;
  }
}

/** Votes that ten coins verify for good, per 35 days in which the coins are bound. */
export async function lookAtDecisions({ db }: Services, attacks: readonly Attack[], rows: Rows): Promise<void> {
  for (const attack of attacks) {
    const { strategy, userIds, bystanders, harmed } = attack;
    const row = rows.get(strategy.id);
    if (!row) continue;
    const lifted = ballotOf(attack, 0)[0]?.projectId ?? attack.field.target;
    const tenth = userIds.filter((_, place) => (strategy.coinOf(place) ?? TEN_COINS) < TEN_COINS);
    const { rows: verified } = await sql<{ votes: number; harmed: number }>`
      SELECT (SELECT count(*)::int FROM vote_states WHERE user_id = ANY (${tenth}::bigint[]) AND project_id = ${lifted} AND state = 'verified') AS votes,
        (SELECT count(DISTINCT user_id)::int FROM votes_set_aside WHERE user_id = ANY (${bystanders}::bigint[])) AS harmed`.execute(
      db,
    );
    row.tenSui.lasting = Math.round(((verified[0]?.votes ?? 0) * 350) / strategy.coinDays) / 10;
    row.harmed = harmed.size + (verified[0]?.harmed ?? 0);
    row.bystanders = bystanders.length;
  }
}
