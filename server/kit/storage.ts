import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { DATA, type Data, STORAGE_SUBJECTS } from '#db/tables.ts';
import type { Services } from './services.ts';

/** Tables by the subjects that the admin sees; the first declared subject of a table counts. */
const SUBJECTS = new Map(
  Object.values<Data>(DATA)
    .toReversed()
    .flatMap(({ tables, isPersonal = true, storage = isPersonal ? 'people' : 'other' }) =>
      Object.keys(tables).map((table) => [table, storage] as const),
    ),
);

const GROWTH_DAYS = 7;

export interface StorageFigure {
  name: string;
  bytes: number;
  bytesPerDay: number | null;
}

async function readBytes(db: Db): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    SELECT s.name, sum(pg_total_relation_size(c.oid))::bigint AS bytes
    FROM pg_class c JOIN unnest(${[...SUBJECTS.keys()]}::text[], ${[...SUBJECTS.values()]}::text[]) AS s (table_name, name) ON s.table_name = c.relname
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' GROUP BY 1`.execute(db);
  const found = new Map(rows.map(({ name, bytes }) => [name, bytes]));
  return STORAGE_SUBJECTS.map((name) => ({ name, bytes: found.get(name) ?? 0 }));
}

/** Size and growth of the database by subject. Cheap at any size. */
export async function readStorage(db: Db): Promise<StorageFigure[]> {
  const now = await readBytes(db);
  const { rows } = await sql<{ name: string; bytes: number; days: number }>`
    SELECT DISTINCT ON (name) name, bytes, (now() AT TIME ZONE 'UTC')::date - day AS days FROM storage_figures
    WHERE day < (now() AT TIME ZONE 'UTC')::date AND day >= (now() AT TIME ZONE 'UTC')::date - ${GROWTH_DAYS}::int
    ORDER BY name, day`.execute(db);
  const before = new Map(rows.map((row) => [row.name, row]));
  return now.map(({ name, bytes }) => {
    const earlier = before.get(name);
    return { name, bytes, bytesPerDay: earlier ? Math.round((bytes - earlier.bytes) / earlier.days) : null };
  });
}

export async function noteStorage({ db }: Pick<Services, 'db'>): Promise<void> {
  const figures = await readBytes(db);
  await sql`INSERT INTO storage_figures (day, name, bytes)
    SELECT (now() AT TIME ZONE 'UTC')::date, f.name, f.bytes
    FROM unnest(${figures.map(({ name }) => name)}::text[], ${figures.map(({ bytes }) => bytes)}::bigint[]) AS f (name, bytes)
    ON CONFLICT DO NOTHING`.execute(db);
}
