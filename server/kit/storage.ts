import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { RETENTION } from '#shared/retention.ts';
import type { Services } from './services.ts';

/** Tables by what the admin understands; those that are not named here are 'other'. */
const SUBJECTS: Record<string, readonly string[]> = {
  votes: ['votes', 'vote_changes', 'undone_votes', 'votes_set_aside'],
  ledger: ['token_ledger', 'payments', 'withdrawals', 'book_totals'],
  pictures: ['images', 'blanked_pictures'],
  record: RETENTION.record.tables,
  people: [
    'users',
    'user_stats',
    'activity',
    'asked_again',
    'daily_decks',
    'notices',
    'sessions',
    'auth_challenges',
    'top_voters',
    'voter_networks',
    'voter_standing',
    'standing_reads',
  ],
};

export const STORAGE_SUBJECTS = [...Object.keys(SUBJECTS), 'other'];

const GROWTH_DAYS = 7;

export interface StorageFigure {
  name: string;
  bytes: number;
  bytesPerDay: number | null;
}

async function readBytes(db: Db): Promise<{ name: string; bytes: number }[]> {
  const entries = Object.entries(SUBJECTS).flatMap(([name, tables]) => tables.map((table) => ({ name, table })));
  const { rows } = await sql<{ name: string; bytes: number }>`
    SELECT coalesce(s.name, 'other') AS name, sum(pg_total_relation_size(c.oid))::bigint AS bytes
    FROM pg_class c
    LEFT JOIN unnest(${entries.map(({ name }) => name)}::text[], ${entries.map(({ table }) => table)}::text[]) AS s (name, table_name)
      ON s.table_name = c.relname
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
