import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';
import { hasEvidence } from '#server/money/rule/rule.ts';
import { LASTING_DAYS } from '#shared/figures/cost-to-change.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { weightOn } from './board.ts';
import type { Field } from './field.ts';
import { type Facts, measure, type Needed, neededWallets } from './goals.ts';
import { type Attack, PATTERNS, PLAYED, PLACES_PLAYED, TEN_COINS } from './patterns.ts';
import {
  cheaperOf,
  type Cost,
  GOALS,
  type PatternId,
  type PlaceId,
  PLACES,
  SIMULATED_ORDERS,
  type SimulatedOrder,
  type SimulatedTable,
  WEEKDAYS,
} from './results.ts';

export type Results = Pick<SimulatedTable, 'rows' | 'tenSui' | 'turnDays'>;

export function emptyResults(): Results {
  const patterns = Object.keys(PATTERNS) as PatternId[];
  const noGoals = () =>
    Object.fromEntries(SIMULATED_ORDERS.map((order) => [order, { first: null, points: null }])) as Record<
      SimulatedOrder,
      { first: Cost; points: Cost }
    >;
  return {
    rows: (Object.keys(PLACES) as PlaceId[]).flatMap((place) =>
      patterns.map((pattern) => ({ place, pattern, goals: noGoals() })),
    ),
    tenSui: Object.fromEntries(
      patterns.map((pattern) => [pattern, { atOnce: 0, lasting: 0, paid: 0 }]),
    ) as Results['tenSui'],
    turnDays: Infinity,
  };
}

interface Row {
  attack: number;
  place: number;
  isVerified: boolean;
  isDecided: boolean;
  weight: number;
}

/** Wallets per 35 days, rounded down to a tenth. */
const perTurn = (wallets: number, days: number): number =>
  wallets === 0 ? 0 : Math.floor((10 * STANDING_VOTER_DAYS * wallets) / days) / 10;

/** Adds the wallets that ten coins of each attack verify this evening; returns the votes of attacks on the target. */
export async function lookAtTen(
  { db, config }: Services,
  attacks: readonly Attack[],
  { results, field, day }: { results: Results; field: Field; day: number },
): Promise<Map<number, Row[]>> {
  const { rows } = await sql<Row>`
    SELECT w.attack, w.place, v.state = 'verified' AS "isVerified", s.decided_until >= (v.said_at AT TIME ZONE 'UTC')::date AS "isDecided",
      ${weightOn(day)} AS weight
    FROM simulation.attackers w JOIN vote_states v ON v.user_id = w.user_id LEFT JOIN voter_standing s ON s.user_id = w.user_id
    WHERE v.project_id = ${field.target} ORDER BY 1, 2`.execute(db);
  await sql`UPDATE simulation.attackers a SET is_paid = true FROM users u WHERE u.id = a.user_id AND NOT a.is_paid AND a.coin < ${TEN_COINS}
    AND (SELECT bit_count(history_held) >= ${LASTING_DAYS} FROM voter_standing s WHERE s.user_id = a.user_id) AND ${hasEvidence(config)}`.execute(
    db,
  );
  const { rows: paid } = await sql<{ attack: number; wallets: number }>`
    SELECT attack, count(*)::int AS wallets FROM simulation.attackers WHERE is_paid GROUP BY 1`.execute(db);
  const byAttack = Map.groupBy(rows, ({ attack }) => attack);
  for (const { id, pattern, weekday } of attacks) {
    const ten = results.tenSui[pattern];
    const reached = (byAttack.get(id) ?? []).filter(
      (row) => row.isVerified && PATTERNS[pattern].coinOf(row.place) < TEN_COINS,
    );
    const lasting = reached.filter(({ isDecided }) => isDecided).length;
    const isPaid = paid.find(({ attack }) => attack === id)?.wallets ?? 0;
    ten.atOnce = Math.max(ten.atOnce, reached.length);
    ten.lasting = Math.max(ten.lasting, perTurn(lasting, day - weekday));
    ten.paid = Math.max(ten.paid, perTurn(isPaid, day - weekday));
    if (lasting >= TEN_COINS) results.turnDays = Math.min(results.turnDays, day - weekday);
  }
  return byAttack;
}

function factsOf({ pattern }: Attack, rows: readonly Row[], isLasting: boolean): Facts {
  const { group } = PATTERNS[pattern];
  const period = PLACES_PLAYED.slice(0, PLAYED - (PLAYED % group)).map((place) =>
    rows.find((row) => row.place === place),
  );
  return {
    verified: period.map((row) => row !== undefined && row.isVerified && (row.isDecided || !isLasting)),
    weights: period.map((row) => row?.weight ?? 0),
  };
}

/** Adds the costs of all goals in these orders, as they are this evening. */
export async function look(
  services: Services,
  attacks: readonly Attack[],
  options: {
    results: Results;
    field: Field;
    day: number;
    votes: Map<number, Row[]>;
    orders: readonly SimulatedOrder[];
  },
): Promise<void> {
  const { results, field, day, votes, orders } = options;
  const measured = await measure(services, field, day);
  const known = new Map<string, Needed>();
  for (const attack of attacks) {
    const rows = votes.get(attack.id) ?? [];
    if (rows.length === 0) continue;
    for (const order of orders) {
      const facts = factsOf(attack, rows, order === 'lasting');
      for (const row of results.rows.filter(({ pattern }) => pattern === attack.pattern)) {
        const key = JSON.stringify([row.place, order, facts]);
        const needed = known.get(key) ?? neededWallets(row.place, order, { measured, field, facts });
        known.set(key, needed);
        for (const goal of GOALS) {
          const cost = costOf(attack, order, needed[goal], day, goal === 'first' ? needed.lacking : 0);
          row.goals[order][goal] = cheaperOf(row.goals[order][goal], cost);
        }
      }
    }
  }
}

/** All votes count in 'Bullish': there coins serve only the verified votes that a rank needs. */
function costOf(
  { pattern, weekday }: Attack,
  order: SimulatedOrder,
  wallets: number | null,
  day: number,
  lacking: number,
): Cost {
  if (wallets === null) return null;
  const held = wallets === 0 ? 0 : 1 + PATTERNS[pattern].coinOf(wallets - 1);
  const sui = order === 'bullish' ? Math.min(held, lacking) : held;
  return { wallets, sui, days: wallets === 0 ? 0 : day - weekday, from: WEEKDAYS[weekday] ?? '' };
}
