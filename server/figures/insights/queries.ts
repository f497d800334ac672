import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { EventDay, Insights } from '#shared/contract/insights.ts';
import { TREND_MAX_DAYS } from '#shared/contract/trends.ts';

export async function shownDays(db: Db, listedAt: Date): Promise<{ since: string; today: string }> {
  const { rows } = await sql<{ since: string; today: string }>`
    SELECT today::text AS today, least(today, greatest((${listedAt}::timestamptz AT TIME ZONE 'UTC')::date, today - ${TREND_MAX_DAYS - 1}::int))::text AS since
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS clock`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database knows no day');
  return row;
}

export async function countersBefore(db: Db, projectId: number, since: string): Promise<Insights['before']> {
  const row = await db
    .selectFrom('projectDays')
    .select(['bullish', 'bearish', 'verifiedBullish', 'verifiedBearish'])
    .where('projectId', '=', projectId)
    .where('day', '<', sql<Date>`${since}::date`)
    .orderBy('projectDays.day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? { bullish: 0, bearish: 0, verifiedBullish: null, verifiedBearish: null };
}

export async function listEventDays(db: Db, projectId: number, since: string): Promise<EventDay[]> {
  const rows = await db
    .selectFrom('projectEventsDays')
    .select([sql<string>`day::text`.as('day'), 'kind', 'source', 'count'])
    .where('projectId', '=', projectId)
    .where('day', '>=', sql<Date>`${since}::date`)
    .orderBy('projectEventsDays.day')
    .execute();
  const days = new Map<string, EventDay>();
  for (const { day, kind, source, count } of rows) {
    const known = days.get(day) ?? {
      day,
      views: { deck: 0, page: 0, badge: 0, embed: 0, link: 0 },
      clicks: 0,
      shares: 0,
    };
    days.set(day, known);
    if (kind === 'view') known.views[source] += count;
    else known[kind === 'click' ? 'clicks' : 'shares'] += count;
  }
  return [...days.values()];
}
