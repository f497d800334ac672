import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#db/client.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { COUNT_MAX_ROWS, NEXT_CURSOR_HEADER, type Page, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { badRequest } from './errors.ts';

export type { Page } from '#shared/site/pages.ts';

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export interface Cursors<K> {
  /** The sort key behind which the page begins; null for the first page. @throws 400 for a cursor that this list did not hand out */
  read(query: PageQuery): K | null;
  write(key: K): string;
}

const invalidCursor = () =>
  badRequest('invalid_cursor', 'This cursor is not valid. Read the list from its beginning, without a cursor.', {
    field: 'cursor',
  });

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}

/**
 * Cursors of a list: the list's name and the sort key of a page's last row, whose last part is unique, in base64url. Pages
 * begin behind a key instead of at a number of rows, so that rows that come and go in between move nothing else.
 * The name keeps a cursor of one list (of one project, of one state) from being used for another.
 */
export function cursorsOf<K>(list: string, key: z.ZodType<K>): Cursors<K> {
  const shape = z.tuple([z.literal(list), key]);
  const write = (value: K): string => Buffer.from(JSON.stringify([list, value])).toString('base64url');
  return {
    read({ cursor }) {
      if (cursor === undefined) return null;
      const found = shape.safeParse(decode(cursor));
      if (!found.success || write(found.data[1]) !== cursor) throw invalidCursor();
      return found.data[1];
    },
    write,
  };
}

/** A time as PostgreSQL keeps it: in JavaScript's milliseconds different times would look alike. */
export const micros = (column: string) => sql<number>`(extract(epoch FROM ${sql.ref(column)}) * 1000000)::bigint`;
export const fromMicros = (time: number) =>
  sql<Date>`(timestamptz 'epoch' + ${time}::float8 * interval '1 microsecond')`;

export const isBehind = (columns: readonly [string, string], [time, id]: readonly [number, number | string]) =>
  sql<boolean>`(${sql.ref(columns[0])}, ${sql.ref(columns[1])}) < (${fromMicros(time)}, ${id})`;

export const isFirstPage = ({ pages }: EndpointSpec, { limit, cursor }: PageQuery): boolean =>
  cursor === undefined && limit === pages?.size;

/** One row more than a page holds: its presence says whether there is a next page. */
export const toFetch = ({ limit }: PageQuery): number => limit + 1;

export function toPage<T>(
  fetched: readonly T[],
  { limit }: PageQuery,
  cursorOf: (last: T) => string,
  total: number | null,
): Page<T> {
  const rows = fetched.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: fetched.length > limit && last !== undefined ? cursorOf(last) : null, total };
}

export const mapPage = <T, U>(page: Page<T>, map: (row: T) => U): Page<U> => ({ ...page, rows: page.rows.map(map) });

/** Counts rows up to COUNT_MAX_ROWS; null beyond. */
export async function countRows(db: Db, query: Expression<unknown>): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count
    FROM (SELECT FROM ${query} AS selected LIMIT ${COUNT_MAX_ROWS + 1}) AS counted`.execute(db);
  const { count = 0 } = rows[0] ?? {};
  return count > COUNT_MAX_ROWS ? null : count;
}

export interface IdList<D, TB extends keyof D, O extends { id: number }> {
  name: string;
  page: PageQuery;
  rows: SelectQueryBuilder<D, TB, O>;
  id?: string;
  isOldestFirst?: boolean;
}

/** A page of a list in the order of its ids, the newest first where it is not said otherwise. @throws 400 for a cursor of another list */
export async function listById<D, TB extends keyof D, O extends { id: number }>(
  db: Db,
  { name, page, rows, id = 'id', isOldestFirst = false }: IdList<D, TB, O>,
): Promise<Page<O>> {
  const cursors = cursorsOf(name, z.int().positive());
  const last = cursors.read(page);
  const isBeyond = sql<boolean>`${sql.ref(id)} ${sql.raw(isOldestFirst ? '>' : '<')} ${last}`;
  const [fetched, total] = await Promise.all([
    (last === null ? rows : rows.where(isBeyond))
      .orderBy(sql.ref(id), isOldestFirst ? 'asc' : 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(db, rows),
  ]);
  return toPage(fetched as O[], page, (row) => cursors.write(row.id), total);
}

/** The same for rows with a UUID, in the order of their creation; `time` is `micros` of it. */
export async function listByTime<D, TB extends keyof D, O extends { id: string; time: number }>(
  db: Db,
  { name, page, rows, table }: { name: string; page: PageQuery; rows: SelectQueryBuilder<D, TB, O>; table: string },
): Promise<Page<O>> {
  const cursors = cursorsOf(name, z.tuple([z.int().nonnegative(), z.guid()]));
  const last = cursors.read(page);
  const columns = [`${table}.createdAt`, `${table}.id`] as const;
  const [fetched, total] = await Promise.all([
    (last === null ? rows : rows.where(isBehind(columns, last)))
      .orderBy(sql.ref(columns[0]), 'desc')
      .orderBy(sql.ref(columns[1]), 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(db, rows),
  ]);
  return toPage(fetched as O[], page, (row) => cursors.write([row.time, row.id]), total);
}

export function pageHeaders({ nextCursor, total }: Page<unknown>): Record<string, string> {
  return {
    ...(nextCursor === null ? {} : { [NEXT_CURSOR_HEADER]: nextCursor }),
    ...(total === null ? {} : { [TOTAL_COUNT_HEADER]: String(total) }),
  };
}

export function sendPage<T>(reply: { headers(values: Record<string, string>): unknown }, page: Page<T>): T[] {
  reply.headers(pageHeaders(page));
  return page.rows;
}
