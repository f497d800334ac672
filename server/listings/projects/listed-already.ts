import type { Db } from '#db/client.ts';
import type { ListedAlready } from '#shared/contract/projects.ts';
import { isClaimable } from '#shared/listings/ownership.ts';
import { findProjects, listingOf } from './queries.ts';

interface Found {
  by: ListedAlready['by'];
  id: number | undefined;
}

/** Describes each listing once, by the first thing that it shares. */
export async function describeListed(db: Db, found: readonly Found[]): Promise<ListedAlready[]> {
  const first = new Map<number, ListedAlready['by']>();
  for (const { id, by } of found) if (id !== undefined && !first.has(id)) first.set(id, by);
  const rows = await findProjects(db, [...first.keys()]);
  return rows
    .filter(({ hiddenAt }) => hiddenAt === null)
    .map((row) => ({
      by: first.get(row.id) ?? 'name',
      slug: row.slug,
      name: row.name,
      since: row.createdAt.toISOString(),
      isClaimable: isClaimable(listingOf(row)),
    }));
}
