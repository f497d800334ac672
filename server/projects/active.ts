import { z } from 'zod';
import type { Project } from '#shared/contract/types.ts';
import { cursorsOf, type Page, type PageQuery, toPage } from '../http/pages.ts';
import type { Services } from '../services.ts';
import { countActive, listActive } from './queries.ts';

/**
 * By votes, then by id. A project that votes move across a cursor between two pages may appear twice, or not at all.
 */
const cursors = cursorsOf('projects', z.tuple([z.int().nonnegative(), z.int().positive()]));
const cursorOf = ({ totalVotes, id }: Project): string => cursors.write([totalVotes, id]);

/** When the first of these listing periods ends: until then a list of them is valid. */
export const firstEnd = (rows: ReadonlyArray<{ periodEndsAt: string }>): number =>
  rows.reduce((first, { periodEndsAt }) => Math.min(first, Date.parse(periodEndsAt)), Number.POSITIVE_INFINITY);

/** A page of the public list, and its validity. */
interface ActivePage {
  page: Page<Project>;
  expiresAtMs: number;
}

/** The first page. */
export async function firstActive({ replica }: Services, limit: number): Promise<ActivePage> {
  const [rows, { count, firstEnd: end }] = await Promise.all([listActive(replica, limit + 1), countActive(replica)]);
  // The total is part of the response, so the end of a listing on a later page invalidates this one, too.
  return { page: toPage(rows, { limit }, cursorOf, count), expiresAtMs: end?.getTime() ?? Number.POSITIVE_INFINITY };
}

/**
 * Any other page, out of one list in memory: visitors may request any number of pages, and none of them makes the
 * database rank all projects.
 */
export async function laterActive({ replica, cache }: Services, page: PageQuery): Promise<ActivePage> {
  const key = cursors.read(page);
  const all = await cache.getOrLoad('active-projects', ['projects', 'counts'], async () => {
    const value = await listActive(replica);
    return { value, expiresAtMs: firstEnd(value) };
  });
  const isBehind = ({ totalVotes, id }: Project) =>
    key === null || totalVotes < key[0] || (totalVotes === key[0] && id < key[1]);
  const start = all.findIndex(isBehind);
  const rows = start < 0 ? [] : all.slice(start, start + page.limit + 1);
  return { page: toPage(rows, page, cursorOf, all.length), expiresAtMs: firstEnd(all) };
}
