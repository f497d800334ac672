import { type RawBuilder, sql } from 'kysely';
import { CHANGE_PAUSE_MS } from '#shared/constants.ts';

/** Decided by change_vote in the same way (R57). */
export const changeableFrom = (alias: string): RawBuilder<Date> => {
  const [said, cast] = [sql.ref(`${alias}.saidAt`), sql.ref(`${alias}.createdAt`)];
  return sql`greatest(${said} + ${CHANGE_PAUSE_MS} * interval '1 millisecond',
    CASE WHEN ${said} > ${cast} THEN date_trunc('day', ${said}, 'UTC') + interval '1 day' END)`;
};
