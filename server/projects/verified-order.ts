import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { ProjectAbove, ProjectPage } from '#shared/contract/projects.ts';
import type { VoteCounts } from '#shared/interval.ts';
import type { Config } from '../config.ts';
import { type ProjectRow, toProjectPage } from './queries.ts';

/** The project that comes next above these verified votes in the order 'Verified' (R44); null where none does. */
export async function findNextAbove(db: Db, { bullish, bearish }: VoteCounts): Promise<ProjectAbove | null> {
  const bound = sql<number>`wilson_bound(verified_stats.bullish, verified_stats.bearish)`;
  const row = await db
    .selectFrom('verifiedStats')
    .innerJoin('projects', 'projects.id', 'verifiedStats.projectId')
    .select(['projects.id', 'projects.slug', 'projects.name', 'verifiedStats.bullish', 'verifiedStats.bearish'])
    .where(bound, '>', sql<number>`wilson_bound(${bullish}, ${bearish})`)
    .where('projects.hiddenAt', 'is', null)
    .orderBy(bound)
    .orderBy('verifiedStats.projectId')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { bullish: above, bearish: below, ...project } = row;
  return { ...project, verified: { bullish: above, bearish: below } };
}

/** What the page of one project shows of it. */
export async function loadProjectPage(
  db: Db,
  { standingMinMist }: Pick<Config, 'standingMinMist'>,
  row: ProjectRow,
): Promise<ProjectPage> {
  const page = toProjectPage(row);
  return {
    ...page,
    nextAbove: await findNextAbove(db, page.verified),
    standingMinMist: String(standingMinMist),
  };
}
