import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';
import { hasEvidence } from '#server/money/rule/rule.ts';
import { LASTING_DAYS } from '#shared/figures/cost-to-change.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import type { Field } from './field.ts';
import { type Attack, PATTERNS, TEN_COINS } from './patterns.ts';
import type { PatternId, SimulatedTable } from './results.ts';

export type Results = Pick<SimulatedTable, 'tenSui' | 'turnDays'>;

export function emptyResults(): Results {
  const none = (Object.keys(PATTERNS) as PatternId[]).map((pattern) => [pattern, { atOnce: 0, lasting: 0, paid: 0 }]);
  return { tenSui: Object.fromEntries(none) as Results['tenSui'], turnDays: Infinity };
}

interface Row {
  attack: number;
  place: number;
  isVerified: boolean;
  isDecided: boolean;
}

/** Wallets per 35 days, rounded down to a tenth. */
const perTurn = (wallets: number, days: number): number =>
  wallets === 0 ? 0 : Math.floor((10 * STANDING_VOTER_DAYS * wallets) / days) / 10;

/** Adds the wallets that ten coins of each attack verify this evening. */
export async function lookAtTen(
  { db, config }: Services,
  attacks: readonly Attack[],
  { results, field, day }: { results: Results; field: Field; day: number },
): Promise<void> {
  const { rows } = await sql<Row>`
    SELECT w.attack, w.place, v.state = 'verified' AS "isVerified", s.decided_until >= (v.said_at AT TIME ZONE 'UTC')::date AS "isDecided"
    FROM simulation.attackers w JOIN vote_states v ON v.user_id = w.user_id LEFT JOIN voter_standing s ON s.user_id = w.user_id
    WHERE v.project_id = ${field.ballot[0]}`.execute(db);
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
}
