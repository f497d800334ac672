import { z } from 'zod';
import type { Project } from '#shared/contract/types.ts';
import { cursorsOf, type Page, type PageQuery, toPage } from '../http/pages.ts';
import type { Services } from '../services.ts';
import { countActive, listActive } from './queries.ts';

/** Votes, then the id. A project that votes move across a cursor meanwhile may come twice, or not. */
const cursors = cursorsOf('projects', z.tuple([z.int().nonnegative(), z.int().positive()]));
const cursorOf = ({ totalVotes, id }: Project): string => cursors.write([totalVotes, id]);

/** When the first of these listing periods ends: a list of them is not true for longer. */
export const firstEnd = (rows: ReadonlyArray<{ periodEndsAt: string }>): number =>
  rows.reduce((first, { periodEndsAt }) => Math.min(first, Date.parse(periodEndsAt)), Number.POSITIVE_INFINITY);

/** The first page of the public list, and until when it is true. */
export async function firstActive(
  { replica }: Services,
  limit: number,
): Promise<{ page: Page<Project>; expiresAtMs: number }> {
  const [rows, { count, firstEnd: end }] = await Promise.all([listActive(replica, limit + 1), countActive(replica)]);
  // The total is part of the response, so that a listing that ends on a later page ends this one, too.
  return { page: toPage(rows, { limit }, cursorOf, count), expiresAtMs: end?.getTime() ?? Number.POSITIVE_INFINITY };
}

/**
 * Any other page of it, out of one list in memory: visitors may ask for as many pages as they like, and none of them has the
 * database rank all projects.
 */
export async function laterActive({ replica, cache }: Services, page: PageQuery): Promise<Page<Project>> {
  const key = cursors.read(page);
  const all = await cache.getOrLoad('active-projects', ['projects', 'counts'], async () => {
    const value = await listActive(replica);
    return { value, expiresAtMs: firstEnd(value) };
  });
  const isBehind = ({ totalVotes, id }: Project) =>
    key === null || totalVotes < key[0] || (totalVotes === key[0] && id < key[1]);
  const start = all.findIndex(isBehind);
  const rows = start < 0 ? [] : all.slice(start, start + page.limit + 1);
  return toPage(rows, page, cursorOf, all.length);
}
