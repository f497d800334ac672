import { type RawBuilder, sql, type UpdateObject } from 'kysely';
import type { Db } from '#db/client.ts';
import { eachRow, restingRows } from '#db/each-row.ts';
import type { DB } from '#db/schema.ts';
import type { Services } from '#server/kit/services.ts';

const SLICE = 500;

interface Update {
  of: string;
  due: RawBuilder<boolean>;
  change: UpdateObject<DB, 'projects'>;
}

/** Changes all projects that are due; returns their number. */
export async function updateEach(db: Db, { of, due, change }: Update): Promise<number> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where(due)
    .where(sql<boolean>`id <> ALL (${restingRows<number>(db, of)}::bigint[])`)
    .execute();
  const ids = rows.map(({ id }) => id);
  return eachRow(db, { of, idOf: (id) => id, slice: SLICE }, ids, (some) =>
    db.updateTable('projects').set(change).where('id', 'in', some).where(due).execute(),
  );
}

/** Keeps the indexes of listed projects short; returns the number of delisted ones. Queries compare the time as well. */
export async function delistExpired({ db }: Pick<Services, 'db'>): Promise<number> {
  const due = sql<boolean>`listed AND expires_at <= now()`;
  return updateEach(db, { of: 'expired listing', due, change: { listed: false } });
}
