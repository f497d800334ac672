import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { isReservedSlug } from '#shared/site/reserved-slugs.ts';
import { slugify } from '#shared/listings/slug.ts';

export async function lockNames(trx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.slugs})`.execute(trx);
}

/**
 * Names that differ only in case, compatibility forms, white space and invisible characters are equal. Expired listings keep their names,
 * hidden ones do not, and a project may keep its present name. Final only under `lockNames`.
 */
export async function findNameTaken(db: Db, name: string, projectId: number | null = null): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM projects WHERE name_key(name) = name_key(${name}) AND hidden_at IS NULL AND id IS DISTINCT FROM ${projectId}
      AND NOT EXISTS (SELECT FROM projects WHERE id = ${projectId} AND name_key(name) = name_key(${name}))
    LIMIT 1`.execute(db);
  return rows[0]?.id ?? null;
}

export const isNameTaken = async (db: Db, name: string, projectId: number | null = null): Promise<boolean> =>
  (await findNameTaken(db, name, projectId)) !== null;

const baseOf = (name: string): string => slugify(name) || 'project';

/** A free slug: the name, or with -2, -3 …; not a route of ours, a number, or another project's present or former slug (R23). Call in a transaction. */
export async function chooseSlug(trx: Db, name: string, projectId: number | null = null): Promise<string> {
  await lockNames(trx);
  const base = baseOf(name);
  const rows = await trx
    .selectFrom('projectSlugs')
    .select('slug')
    .where((eb) => eb.or([eb('slug', '=', base), eb('slug', 'like', `${base}-%`)]))
    .$if(projectId !== null, (query) => query.where('projectId', '<>', projectId))
    .execute();
  const taken = new Set(rows.map((row) => row.slug));
  const isFree = (slug: string) => !taken.has(slug) && !isReservedSlug(slug);
  if (isFree(base)) return base;
  let number = 2;
  while (!isFree(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

export function isSlugOf(slug: string, name: string): boolean {
  const base = baseOf(name);
  return slug === base || (slug.startsWith(`${base}-`) && /^\d+$/.test(slug.slice(base.length + 1)));
}
