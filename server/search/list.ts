import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ListedProject, searchProjects } from '#shared/contract/projects.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import type { Sort } from '#shared/sort-names.ts';
import { compareKeys, SORT_KEYS, type SortKey } from '#shared/sorts.ts';
import { cursorsOf, type Page, toFetch, toPage } from '../http/pages.ts';
import type { Services } from '../services.ts';
import { type Match, MATCH, matchesOnce, searchKey } from './matches.ts';
import { orderedOnce } from '../projects/ordered.ts';

export type Search = QueryOf<typeof searchProjects>;

const HASH_CHARS = 8;
/** Votes may move a project across a cursor between two pages: it may then appear twice, or not at all. */
function cursorsFor({ sort, category, search }: Search) {
  const asked = search ? hash('sha256', search, 'base64url').slice(0, HASH_CHARS) : '';
  return cursorsOf(`${sort}:${category ?? ''}:${asked}`, z.array(z.number()).min(2).max(8));
}

/** Position of a row in a list: its match, then the order. */
const keyOf = (sort: Sort, row: Omit<ListedProject, 'rank'>, match: Match): SortKey => [match, ...SORT_KEYS[sort](row)];

interface Found {
  row: Omit<ListedProject, 'rank'>;
  /** Place among all projects. */
  rank: number;
  match: Match;
}

/** The first of `found` after the key. */
function firstBehind(found: readonly Found[], sort: Sort, key: SortKey): number {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = found[middle];
    if (at && compareKeys(keyOf(sort, at.row, at.match), key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** All results of the query, in its order, and their validity. */
async function findAll(services: Services, { sort, category, search = '' }: Search) {
  const key = searchKey(search);
  const [{ rows, expiresAtMs }, matches] = await Promise.all([
    orderedOnce(services, sort),
    key === '' ? null : matchesOnce(services, key),
  ]);
  const found: Record<Match, Found[]> = { [MATCH.name]: [], [MATCH.close]: [], [MATCH.text]: [] };
  for (const [index, row] of rows.entries()) {
    const match = matches === null ? MATCH.name : matches.get(row.id);
    if (match === undefined || (category !== undefined && row.category !== category)) continue;
    found[match].push({ row, rank: index + 1, match });
  }
  return { found: [...found[MATCH.name], ...found[MATCH.close], ...found[MATCH.text]], expiresAtMs };
}

/** A page of the projects that a query finds, out of lists in memory (see projects/ordered.ts). */
export async function listProjects(
  services: Services,
  query: Search,
): Promise<{ page: Page<ListedProject>; expiresAtMs: number }> {
  const cursors = cursorsFor(query);
  const behind = cursors.read(query);
  const { found, expiresAtMs } = await findAll(services, query);
  const start = behind === null ? 0 : firstBehind(found, query.sort, behind);
  const { rows, ...place } = toPage(
    found.slice(start, start + toFetch(query)),
    query,
    ({ row, match }) => cursors.write([...keyOf(query.sort, row, match)]),
    found.length,
  );
  return { page: { ...place, rows: rows.map(({ row, rank }) => ({ ...row, rank })) }, expiresAtMs };
}
