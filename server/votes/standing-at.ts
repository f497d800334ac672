import { type RawBuilder, sql } from 'kysely';

/** Rows of `opinion_states` that were the newest opinion of their vote at this moment: one of each vote that was cast by then. */
export const standingAt = (moment: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`said_at < ${moment} AND (changed_at >= ${moment}) IS NOT FALSE`;
