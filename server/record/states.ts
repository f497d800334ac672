import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { OWED } from './liabilities.ts';
import { readInPages } from './writer.ts';

/** A vote to be recorded, with its voter only by the pseudonym. */
export interface VoteRow {
  day: string;
  projectId: number;
  period: number;
  bullish: boolean;
  pseudonym: Buffer;
  state: VoteState;
  /** The project's identity that the vote is about. */
  identity: number;
}

/** A recorded vote whose state has changed. */
export interface ChangeRow extends Omit<VoteRow, 'day' | 'identity'> {
  was: VoteState;
}

/** From `since` to before `until`: the unrecorded votes. Times as PostgreSQL writes them, to the microsecond. */
export interface Span {
  since: string;
  until: string;
}

/** States as of a moment: a vote that was replaced later is not replaced yet. */
const stateAt = (until: string) =>
  sql`CASE WHEN v.replaced_at < ${until}::timestamptz THEN 'replaced' ELSE v.unreplaced_state END`;

/** New votes in the order of the record. */
export const readVotes = (trx: Db, { since, until }: Span): AsyncGenerator<VoteRow[]> =>
  readInPages<VoteRow>(
    trx,
    'new_votes',
    sql`SELECT to_char(v.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, v.project_id, v.period, v.bullish,
        pseudonym_of(s.secret, v.project_id) AS pseudonym, ${stateAt(until)} AS state,
        identity_at(v.project_id, coalesce(p.identity, 1), v.created_at) AS identity
      FROM vote_states v LEFT JOIN voter_secrets s ON s.user_id = v.user_id LEFT JOIN projects p ON p.id = v.project_id
      WHERE v.created_at >= ${since}::timestamptz AND v.created_at < ${until}::timestamptz
      ORDER BY v.project_id, v.period, pseudonym`,
  );

/** The state of an undecided vote by the state of its voter alone. */
const BY_VOTER = sql`CASE r.state WHEN 'standing' THEN 'verified' ELSE 'waiting' END::vote_state`;

/**
 * Recorded votes whose state has changed, in the order of the record. Checked are votes of voters whose state has
 * changed, votes that were decided since, votes that are or were set aside, and those that votes of this batch replace.
 */
export const readChanges = (trx: Db, { since, until }: Span): AsyncGenerator<ChangeRow[]> =>
  readInPages<ChangeRow>(
    trx,
    'changed_states',
    sql`WITH candidates AS (
        SELECT v.user_id, v.project_id, v.period FROM recorded_voters r
        LEFT JOIN voter_standing s ON s.user_id = r.user_id JOIN votes v ON v.user_id = r.user_id
        WHERE r.state <> coalesce(s.state, 'waiting')
        UNION SELECT user_id, project_id, period FROM vote_decisions WHERE recorded_state IS DISTINCT FROM state
        UNION SELECT user_id, project_id, period FROM recorded_votes
        UNION SELECT user_id, project_id, period FROM votes_set_aside
        UNION SELECT n.user_id, n.project_id, (SELECT max(e.period) FROM votes e
            WHERE e.user_id = n.user_id AND e.project_id = n.project_id AND e.period < n.period)
          FROM votes n WHERE n.period > 1 AND n.created_at >= ${since}::timestamptz AND n.created_at < ${until}::timestamptz
      ), compared AS (
      SELECT v.project_id, v.period, v.bullish, pseudonym_of(s.secret, v.project_id) AS pseudonym, ${stateAt(until)} AS state,
        CASE WHEN v.replaced_at < ${since}::timestamptz THEN 'replaced' ELSE coalesce(e.state, d.recorded_state, ${BY_VOTER}) END AS was
      FROM candidates c
      JOIN vote_states v ON v.user_id = c.user_id AND v.project_id = c.project_id AND v.period = c.period
      JOIN recorded_voters r ON r.user_id = c.user_id
      LEFT JOIN recorded_votes e ON e.user_id = c.user_id AND e.project_id = c.project_id AND e.period = c.period
      LEFT JOIN vote_decisions d ON d.user_id = c.user_id AND d.project_id = c.project_id AND d.period = c.period
      LEFT JOIN voter_secrets s ON s.user_id = c.user_id
      WHERE v.created_at < ${since}::timestamptz
      )
      SELECT * FROM compared WHERE state <> was ORDER BY project_id, period, pseudonym`,
  );

/** Stores the present state of each recorded vote. */
export async function storeStates(trx: Db, { since, until }: Span): Promise<void> {
  await sql`
    UPDATE recorded_voters r SET state = s.state FROM voter_standing s WHERE s.user_id = r.user_id AND s.state <> r.state`.execute(
    trx,
  );
  await sql`
    UPDATE recorded_voters r SET state = 'waiting'
    WHERE r.state <> 'waiting' AND NOT EXISTS (SELECT FROM voter_standing s WHERE s.user_id = r.user_id)`.execute(trx);
  await sql`
    INSERT INTO recorded_voters (user_id, state)
    SELECT v.user_id, coalesce(s.state, 'waiting') FROM (
      SELECT DISTINCT user_id FROM votes WHERE created_at >= ${since}::timestamptz AND created_at < ${until}::timestamptz
    ) v LEFT JOIN voter_standing s ON s.user_id = v.user_id
    ON CONFLICT (user_id) DO NOTHING`.execute(trx);
  await sql`UPDATE vote_decisions SET recorded_state = state WHERE recorded_state IS DISTINCT FROM state`.execute(trx);
  await sql`DELETE FROM recorded_votes`.execute(trx);
  await sql`
    INSERT INTO recorded_votes (user_id, project_id, period, state)
    SELECT DISTINCT v.user_id, v.project_id, v.period, v.unreplaced_state
    FROM votes_set_aside a JOIN vote_states v ON v.user_id = a.user_id AND v.project_id = a.project_id AND v.period = a.period
    WHERE v.created_at < ${until}::timestamptz`.execute(trx);
}

async function insertSecretsOf(db: Db, users: RawBuilder<unknown>): Promise<void> {
  await sql`
    INSERT INTO voter_secrets (user_id, secret)
    SELECT user_id, new_secret() FROM (${users}) needed
    WHERE NOT EXISTS (SELECT FROM voter_secrets s WHERE s.user_id = needed.user_id)
    ON CONFLICT (user_id) DO NOTHING`.execute(db);
}

/** Gives a secret to each user who is to be recorded and has none. */
export const insertSecrets = (db: Db, { since, until }: Span): Promise<void> =>
  insertSecretsOf(
    db,
    sql`SELECT user_id FROM votes WHERE created_at >= ${since}::timestamptz AND created_at < ${until}::timestamptz
      UNION SELECT user_id FROM (${OWED}) o`,
  );

/** Gives a secret to users who have earned their first tokens since. */
export const insertLateSecrets = (trx: Db): Promise<void> => insertSecretsOf(trx, sql`SELECT user_id FROM (${OWED}) o`);
