import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ListedProject, searchProjects } from '#shared/contract/projects.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import type { Sort } from '#shared/listings/sort-names.ts';
import { compareKeys, rankAt, SORT_KEYS, type SortKey } from '#shared/figures/sorts.ts';
import { cursorsOf, type Page, toFetch, toPage } from '#server/kit/http/pages.ts';
import type { Services } from '#server/kit/services.ts';
import { type Match, MATCH, matchesOnce, searchKey } from './matches.ts';
import { firstIndex } from '../projects/feed-snapshot.ts';
import { orderedOnce } from '../projects/ordered.ts';

export type Search = QueryOf<typeof searchProjects>;

const HASH_CHARS = 8;
/** A project that moves across a cursor may appear twice or not at all. */
function cursorsFor({ sort, category, search }: Search) {
  const asked = search ? hash('sha256', search, 'base64url').slice(0, HASH_CHARS) : '';
  return cursorsOf(`${sort}:${category ?? ''}:${asked}`, z.array(z.number()).min(3).max(8));
}

interface Found {
  row: Omit<ListedProject, 'rank'>;
  rank: number | null;
  match: Match;
}

/** Sorts by having a rank (R27), then by the match, then in the requested order. */
const groupOf = ({ rank, match }: Found): SortKey => [rank === null ? 0 : 1, match];
const keyOf = (sort: Sort, found: Found): SortKey => [...groupOf(found), ...SORT_KEYS[sort](found.row)];

function firstBehind(found: readonly Found[], sort: Sort, key: SortKey): number {
  const isBehind = (one: Found | undefined) => one !== undefined && compareKeys(keyOf(sort, one), key) > 0;
  return firstIndex(found.length, (index) => isBehind(found[index]));
}

async function findAll(services: Services, { sort, category, search = '' }: Search) {
  const key = searchKey(search);
  const [{ rows, ranked, expiresAtMs }, matches] = await Promise.all([
    orderedOnce(services, sort),
    key === '' ? null : matchesOnce(services, key),
  ]);
  const found: Found[] = [];
  for (const [index, row] of rows.entries()) {
    const match = matches === null ? MATCH.name : matches.get(row.id);
    if (match === undefined || (category !== undefined && row.category !== category)) continue;
    found.push({ row, rank: rankAt(index, { ranked }), match });
  }
  if (matches) found.sort((one, other) => compareKeys(groupOf(one), groupOf(other)));
  return { found, expiresAtMs };
}

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
    (one) => cursors.write([...keyOf(query.sort, one)]),
    found.length,
  );
  return { page: { ...place, rows: rows.map(({ row, rank }) => ({ ...row, rank })) }, expiresAtMs };
}
