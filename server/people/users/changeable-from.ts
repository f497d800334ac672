import { type RawBuilder, sql } from 'kysely';
import { CHANGE_PAUSE_MS } from '#shared/constants.ts';

/** Decided by change_vote in the same way (R57). */
export const changeableFrom = (alias: string): RawBuilder<Date> => {
  const [said, cast] = [sql.ref(`${alias}.saidAt`), sql.ref(`${alias}.createdAt`)];
  return sql`greatest(${said} + ${CHANGE_PAUSE_MS} * interval '1 millisecond',
    CASE WHEN ${said} > ${cast} THEN date_trunc('day', ${said}, 'UTC') + interval '1 day' END)`;
};

/** Whether the listing `projects` takes a change of the vote `alias`, now or later. */
export const isChangeable = (alias: string): RawBuilder<boolean> => {
  const [user, period] = [sql.ref(`${alias}.userId`), sql.ref(`${alias}.period`)];
  return sql`(projects.hidden_at IS NULL AND projects.expires_at > now() AND projects.owner_id <> ${user}
    AND ${period} = period_at(projects.period_starts, now()))`;
};
