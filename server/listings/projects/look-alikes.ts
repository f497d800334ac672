import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { lookAlikeKey } from './look-alike-key.ts';

const BATCH = 500;
const MOST = 10;

async function keySome(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM projects WHERE look_alike_key IS NULL ORDER BY id LIMIT ${BATCH}`.execute(db);
  if (rows.length === 0) return 0;
  const [ids, names] = [rows.map(({ id }) => id), rows.map(({ name }) => name)];
  // A project renamed just now is computed in the next round.
  await sql`UPDATE projects p SET look_alike_key = x.key
    FROM unnest(${ids}::bigint[], ${names}::text[], ${names.map(lookAlikeKey)}::text[]) AS x (id, name, key)
    WHERE p.id = x.id AND p.name = x.name`.execute(db);
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

interface LookAlike {
  id: number;
  slug: string;
  name: string;
}

export async function findLookAlikes(db: Db, name: string, exceptId: number | null = null): Promise<LookAlike[]> {
  await keySome(db);
  return db
    .selectFrom('projects')
    .select(['id', 'slug', 'name'])
    .where('lookAlikeKey', '=', lookAlikeKey(name))
    .where('hiddenAt', 'is', null)
    .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId ?? 0))
    .orderBy('id')
    .limit(MOST)
    .execute();
}
