import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { at } from './clock.ts';

/** Projects that each wallet of an attack votes on. They fit into one window of votes. */
const BALLOT = 20;
/** Minimum number of projects on which wallets cast other votes. */
const OTHERS = 6;

export interface Field {
  /** Projects of the ballot; results are read from the votes on the first one. */
  ballot: readonly number[];
  others: readonly number[];
}

export async function chooseField(db: Db): Promise<Field> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM projects WHERE listed AND created_at < ${at(0)} ORDER BY id`.execute(db);
  const active = rows.map(({ id }) => id);
  const ballot = active.slice(0, Math.min(BALLOT, active.length - OTHERS));
  return { ballot, others: active.slice(ballot.length) };
}
