import { isolated } from '#shared/text/isolated.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { TURN_DAYS, TURN_LEAD_VOTES, TURN_MIN_VOTES, TURN_POINTS } from '#shared/voting/follow-rules.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { recordEachNotice } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';

const MOST_SLICES = 500;
const FOLLOWERS_PER_SLICE = 5_000;
const USERS_PER_SLICE = 500;

interface Turn {
  name: string;
  slug: string;
  bullish: number;
  bearish: number;
  bullishBefore: number;
  bearishBefore: number;
}

/** Verified figures of a project on the newest day of its own until then. */
const figuresUntil = (day: RawBuilder<unknown>) => sql`(
  SELECT verified_bullish AS bullish, verified_bearish AS bearish FROM project_days d
  WHERE d.project_id = m.project_id AND d.day <= ${day} AND d.verified_bullish + d.verified_bearish > 0 ORDER BY d.day DESC LIMIT 1)`;
const share = (of: RawBuilder<unknown>) => sql`${of}.bullish::numeric / (${of}.bullish + ${of}.bearish)`;
const [now, before] = [sql`a`, sql`b`];

/**
 * Begins the round of the newest published day: projects whose verified majority turned, or moved by TURN_POINTS, since
 * the day a week before. One round a day, and once a week for each project: so a user is notified once a day at most.
 */
async function beginRound(trx: Db): Promise<void> {
  await sql`
    INSERT INTO project_turns AS t (project_id, day, bullish, bearish, bullish_before, bearish_before, followers_until)
    SELECT m.project_id, r.day, a.bullish, a.bearish, b.bullish, b.bearish, 0
    FROM (SELECT max(day) AS day FROM closed_days) r
    CROSS JOIN LATERAL (SELECT DISTINCT project_id FROM project_days WHERE day > r.day - ${TURN_DAYS}::int AND day <= r.day) m
    JOIN projects p ON p.id = m.project_id AND p.listed
    CROSS JOIN LATERAL ${figuresUntil(sql`r.day`)} a CROSS JOIN LATERAL ${figuresUntil(sql`r.day - ${TURN_DAYS}::int`)} b
    WHERE least(a.bullish + a.bearish, b.bullish + b.bearish) >= ${TURN_MIN_VOTES}
      AND abs(a.bullish - a.bearish - b.bullish + b.bearish) >= ${TURN_LEAD_VOTES}
      AND (sign(a.bullish - a.bearish) * sign(b.bullish - b.bearish) < 0 OR abs(${share(now)} - ${share(before)}) * 100 >= ${TURN_POINTS})
      AND NOT EXISTS (SELECT FROM project_turns o WHERE o.day >= r.day OR o.followers_until IS NOT NULL)
      AND NOT EXISTS (SELECT FROM turn_notices)
    ON CONFLICT (project_id) DO UPDATE SET day = excluded.day, bullish = excluded.bullish, bearish = excluded.bearish,
      bullish_before = excluded.bullish_before, bearish_before = excluded.bearish_before, followers_until = excluded.followers_until
    WHERE t.day <= excluded.day - ${TURN_DAYS}::int`.execute(trx);
}

async function noteFollowers(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ projectId: number; after: number }>`
    SELECT project_id AS "projectId", followers_until AS after FROM project_turns WHERE followers_until IS NOT NULL
    ORDER BY project_id LIMIT 1 FOR UPDATE`.execute(trx);
  const [turn] = rows;
  if (!turn) return false;
  await sql`
    WITH slice AS (
      SELECT user_id FROM follows WHERE project_id = ${turn.projectId} AND user_id > ${turn.after}
      ORDER BY user_id LIMIT ${FOLLOWERS_PER_SLICE}
    ), noted AS (
      INSERT INTO turn_notices (user_id, project_id) SELECT user_id, ${turn.projectId} FROM slice ON CONFLICT DO NOTHING
    )
    UPDATE project_turns SET followers_until = (SELECT CASE WHEN count(*) = ${FOLLOWERS_PER_SLICE} THEN max(user_id) END FROM slice)
    WHERE project_id = ${turn.projectId}`.execute(trx);
  return true;
}

const hasTurned = ({ bullish, bearish, bullishBefore, bearishBefore }: Turn): boolean =>
  (bullish - bearish) * (bullishBefore - bearishBefore) < 0;

function textOf(turn: Turn, others: number): string {
  const { name, bullish, bearish, bullishBefore, bearishBefore } = turn;
  const rest = others > 0 ? ` · and ${others} more` : '';
  return `${isolated(name)} ${hasTurned(turn) ? 'turned' : 'moved'}: ${bullishPercentage(bullish, bearish)}% bullish, ${bullishPercentage(bullishBefore, bearishBefore)}% a week ago${rest}`;
}

async function tellSlice(db: Db, trx: Db): Promise<boolean> {
  const { rows } = await sql<{ userId: number; turns: Turn[] | null }>`
    WITH next AS (SELECT DISTINCT user_id FROM turn_notices ORDER BY user_id LIMIT ${USERS_PER_SLICE}),
    taken AS (DELETE FROM turn_notices n USING next WHERE n.user_id = next.user_id RETURNING n.user_id, n.project_id)
    SELECT n.user_id AS "userId", jsonb_agg(jsonb_build_object('name', p.name, 'slug', p.slug, 'bullish', t.bullish, 'bearish', t.bearish,
        'bullishBefore', t.bullish_before, 'bearishBefore', t.bearish_before)
      ORDER BY (t.bullish > t.bearish) = (t.bullish_before > t.bearish_before), p.id) FILTER (WHERE p.id IS NOT NULL) AS turns
    FROM taken n LEFT JOIN (project_turns t JOIN projects p ON p.id = t.project_id AND p.listed) ON t.project_id = n.project_id
    GROUP BY 1`.execute(trx);
  const notices = rows.flatMap(({ userId, turns }) => {
    const [first, ...others] = turns ?? [];
    if (!first) return [];
    const link = others.length > 0 ? '/portfolio#follows' : `/projects/${encodeURIComponent(first.slug)}`;
    return [{ userId, kind: 'turned' as const, text: textOf(first, others.length), link }];
  });
  await recordEachNotice(db, trx, notices);
  return rows.length > 0;
}

/** Notifies followers of turns (R91), in slices that continue where the last run ended; notices follow once all followers are noted. */
export async function tellTurns({ db }: Pick<Services, 'db'>): Promise<void> {
  await longTransaction(db, beginRound);
  const step = async (trx: Db) => (await noteFollowers(trx)) || tellSlice(db, trx);
  for (let slice = 0; slice < MOST_SLICES; slice += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    if (!(await longTransaction(db, step))) return;
  }
}
