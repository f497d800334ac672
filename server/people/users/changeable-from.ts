import { type RawBuilder, sql } from 'kysely';
import { CHANGE_PAUSE_MS } from '#shared/constants.ts';

/**
 * From when on the newest opinion in the row `alias` can be changed or confirmed (R57), as change_vote decides: a minute
 * later, and after a change on the next UTC day.
 */
export const changeableFrom = (alias: string): RawBuilder<Date> => {
  const [said, cast] = [sql.ref(`${alias}.saidAt`), sql.ref(`${alias}.createdAt`)];
  return sql`greatest(${said} + ${CHANGE_PAUSE_MS} * interval '1 millisecond',
    CASE WHEN ${said} > ${cast} THEN date_trunc('day', ${said}, 'UTC') + interval '1 day' END)`;
};
