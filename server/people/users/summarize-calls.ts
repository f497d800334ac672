import { sql } from 'kysely';
import { type CallSummary, MOVED_SHOWN } from '#shared/contract/users.ts';
import { CALLS_COUNTED, countCalls, pointsMoved } from '#shared/figures/calls.ts';
import { opinionsOf, statesOf } from '#server/books/opinions.ts';
import type { Services } from '#server/kit/services.ts';
import { type CallFigures, callFigures, seenAt, toCall } from './calls.ts';
import { isChangeable } from './changeable-from.ts';
import { listNewestVotes } from './queries.ts';

type Call = { projectId: number; bullish: boolean; since: Date; isChangeable: boolean; figures: CallFigures | null };

export async function summarizeCalls(services: Pick<Services, 'db' | 'config'>, userId: number): Promise<CallSummary> {
  const { db } = services;
  const [calls, ends, days] = await Promise.all([
    sql<Call>`
      SELECT s.project_id AS "projectId", s.bullish, s.turned_at AS since, ${isChangeable('s')} AS "isChangeable",
        ${callFigures('s', userId)} AS figures
      FROM (SELECT * FROM ${statesOf(userId)} own WHERE own.replaced_at IS NULL AND own.turned_at < date_trunc('day', now(), 'UTC')
        ORDER BY own.turned_at DESC LIMIT ${CALLS_COUNTED}) s JOIN projects ON projects.id = s.project_id`.execute(db),
    sql<{ asOf: string | null; since: string | null }>`SELECT (SELECT max(day)::text FROM closed_days) AS "asOf",
      (${seenAt(userId)} AT TIME ZONE 'UTC')::date::text AS since`.execute(db),
    sql<CallSummary['days'][number]>`SELECT (o.said_at AT TIME ZONE 'UTC')::date::text AS day,
        count(*) FILTER (WHERE o.bullish)::int AS bullish, count(*) FILTER (WHERE NOT o.bullish)::int AS bearish
      FROM ${opinionsOf(userId)} o WHERE o.said_at >= date_trunc('week', now(), 'UTC') - make_interval(weeks => 4)
      GROUP BY 1 ORDER BY 1`.execute(db),
  ]);
  const given = calls.rows.flatMap(({ figures, ...call }) => (figures ? { ...call, figures } : []));
  const moved = given
    .map((call) => ({
      ...call,
      points: call.figures.seen ? Math.abs(pointsMoved(call.figures.seen, call.figures.now)) : 0,
    }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => Number(other.isChangeable) - Number(one.isChangeable) || other.points - one.points);
  return {
    ...countCalls(given.map(({ figures, bullish, since }) => toCall(figures, bullish, since))),
    days: days.rows,
    asOf: ends.rows[0]?.asOf ?? null,
    since: ends.rows[0]?.since ?? null,
    given: given.length,
    moved: moved.length,
    movedVotes: await listNewestVotes(
      services,
      userId,
      moved.slice(0, MOVED_SHOWN).map(({ projectId }) => projectId),
    ),
  };
}
