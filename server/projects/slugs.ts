import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { isReservedSlug } from '#shared/rules.ts';
import { slugify } from '#shared/text.ts';

/** The part of an address that a name gives: 'Café Swap!' → 'cafe-swap'; 'project' when no letter of it is ASCII. */
const baseOf = (name: string): string => slugify(name) || 'project';

/**
 * A free slug for a name: the name, or with -2, -3 …; never one of our own routes, a number, or a slug that another project
 * has or had (R23). `projectId` may have one of its own earlier slugs back. Call inside a transaction.
 */
export async function chooseSlug(trx: Db, name: string, projectId: number | null = null): Promise<string> {
  // Two projects of one name at the same moment take turns until the transaction ends.
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.slugs})`.execute(trx);
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

/** Whether a present slug was made from this name, so that a change of other words keeps the address. */
export function isSlugOf(slug: string, name: string): boolean {
  const base = baseOf(name);
  return slug === base || (slug.startsWith(`${base}-`) && /^\d+$/.test(slug.slice(base.length + 1)));
}

/** Makes a slug the project's own for ever; an earlier one goes on leading to it. */
export async function keepSlug(trx: Db, slug: string, projectId: number): Promise<void> {
  await trx
    .insertInto('projectSlugs')
    .values({ slug, projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
