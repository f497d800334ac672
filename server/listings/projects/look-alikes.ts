import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { eachRow, restingRows } from '#db/each-row.ts';
import { lookAlikeKeys } from './look-alike-keys.ts';

const NAME = 'name of project';
const BATCH = 500;
const MOST = 10;

/** Joins the keys with spaces, which no key contains. */
const storedKeys = (name: string): string => lookAlikeKeys(name).join(' ');

async function keySome(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM projects WHERE look_alike_keys IS NULL AND id <> ALL (${restingRows<number>(db, NAME)}::bigint[])
    ORDER BY id LIMIT ${BATCH}`.execute(db);
  await eachRow(db, { of: NAME, idOf: ({ id }) => id, slice: BATCH }, rows, (some) => {
    const [ids, names] = [some.map(({ id }) => id), some.map(({ name }) => name)];
    // A project renamed just now is computed in the next round.
    return sql`UPDATE projects p SET look_alike_keys = string_to_array(x.keys, ' ')
      FROM unnest(${ids}::bigint[], ${names}::text[], ${names.map(storedKeys)}::text[]) AS x (id, name, keys)
      WHERE p.id = x.id AND p.name = x.name`.execute(db);
  });
  return rows.length;
}

export async function keyNames({ db }: { db: Db }): Promise<number> {
  let keyed = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one statement after the other
    const rows = await keySome(db);
    keyed += rows;
    if (rows < BATCH) return keyed;
  }
}

const isBacked = sql<boolean>`(projects.is_catalogue OR EXISTS (
  SELECT FROM ownerships o WHERE o.project_id = projects.id AND o.state IN ('proven', 'accepted')))`;

export const lookAlikeColumns = [
  'projects.id',
  'slug',
  'name',
  'ownerId',
  'createdAt',
  'lookAlikeOf',
  isBacked.as('isBacked'),
] as const;

export interface LookAlike {
  id: number;
  slug: string;
  name: string;
  ownerId: number;
  createdAt: Date;
  lookAlikeOf: number | null;
  /** True if the catalogue backs the name, or a proof that the catalogue or a moderator supports. */
  isBacked: boolean;
}

/** Listings with a better claim to the name come first. */
export async function findLookAlikes(db: Db, name: string, exceptId: number | null = null): Promise<LookAlike[]> {
  await keySome(db);
  return db
    .selectFrom('projects')
    .select(lookAlikeColumns)
    .where('lookAlikeKeys', '&&', sql<string[]>`${lookAlikeKeys(name)}::text[]`)
    .where('hiddenAt', 'is', null)
    .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId ?? 0))
    .orderBy(isBacked, 'desc')
    .orderBy(sql`look_alike_of IS NOT NULL`)
    .orderBy('id')
    .limit(MOST)
    .execute();
}

/** The keys with one letter less, and with two neighbors swapped. */
function closeKeys(key: string): string[] {
  const letters = Array.from(key);
  const without = letters.map((_letter, at) => letters.toSpliced(at, 1).join(''));
  const swapped = letters.slice(1).map((letter, at) => letters.toSpliced(at, 2, letter, letters[at] ?? '').join(''));
  return [...without, ...swapped].filter((close) => close !== key && close !== '');
}

export const areClose = (keys: readonly string[], others: readonly string[]): boolean =>
  keys.some((key) =>
    others
      // A letter has up to two UTF-16 units.
      .filter((other) => Math.abs(other.length - key.length) <= 2)
      .some((other) => closeKeys(key).includes(other) || closeKeys(other).includes(key)),
  );

/**
 * Listings whose names have one letter more or less (a doubled one included) than one with these keys, or two neighbors swapped, oldest first. They
 * share no key, so that nothing is marked for them; a moderator sees them. Reads the names once for all keys.
 */
export async function findCloseNames(db: Db, keys: readonly string[]): Promise<number[]> {
  if (keys.length === 0) return [];
  const longerBy1 = keys.map((key) => Array.from(key).length + 1);
  const { rows } = await sql<{ id: number }>`
    SELECT p.id FROM projects p WHERE p.hidden_at IS NULL
      AND (p.look_alike_keys && ${keys.flatMap(closeKeys)}::text[] OR EXISTS (
        SELECT FROM unnest(p.look_alike_keys) longer WHERE char_length(longer) = ANY (${longerBy1}::int[]) AND EXISTS (
          SELECT FROM generate_series(1, char_length(longer)) at WHERE overlay(longer PLACING '' FROM at FOR 1) = ANY (${keys}::text[]))))
    ORDER BY p.id LIMIT ${MOST * keys.length}`.execute(db);
  return rows.map(({ id }) => id);
}
