import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { TREND_MAX_DAYS, type LinkedProject, type ProjectDay } from '#shared/contract/trends.ts';
import { shownDescription } from '#server/listings/projects/withheld.ts';
import { imageUrl } from '#server/kit/image-url.ts';

export async function listDays(db: Db, projectId: number): Promise<ProjectDay[]> {
  return db
    .selectFrom('projectDays')
    .select([
      sql<string>`day::text`.as('day'),
      'bullish',
      'bearish',
      'votes',
      'turnedBullish',
      'turnedBearish',
      'verifiedBullish',
      'verifiedBearish',
    ])
    .where('projectId', '=', projectId)
    .where(sql<boolean>`day > (now() AT TIME ZONE 'UTC')::date - ${TREND_MAX_DAYS}::int`)
    .orderBy('projectDays.day')
    .execute();
}

const MAX_SIMILAR = 4;

export async function listSimilar(
  db: Db,
  { id, category, name, description }: { id: number; category: string; name: string; description: string },
): Promise<{ rows: LinkedProject[]; expiresAtMs: number }> {
  const found = await db
    .selectFrom('projects')
    .select(['id', 'slug', 'name', 'category', 'description', 'imageHash', 'expiresAt', 'lookAlikeOf'])
    .where('listed', '=', true)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('category', '=', category)
    .where('id', '<>', id)
    .orderBy(sql`similarity(name || ' ' || description, ${`${name} ${description}`})`, 'desc')
    .orderBy('id')
    .limit(MAX_SIMILAR)
    .execute();
  return {
    rows: found.map(({ id: own, slug, name: title, description: text, imageHash, lookAlikeOf }) => {
      const fields = { id: own, slug, name: title, category, description: shownDescription(text, lookAlikeOf) };
      return { ...fields, imageUrl: imageUrl(imageHash) };
    }),
    expiresAtMs: Math.min(...found.map(({ expiresAt }) => expiresAt.getTime())),
  };
}
