import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { replacedBy, type Span, within } from '#server/books/opinions.ts';
import { IDENTITY } from '#server/figures/totals/tally.ts';
import { OWED } from './liabilities.ts';
import { readInPages } from './writer.ts';

export interface Counted {
  bullish: boolean;
  state: VoteState;
}

/** A vote or a change of one to be recorded, with its voter only by the pseudonym. */
export interface OpinionRow extends Counted {
  kind: 'vote' | 'change';
  day: string;
  projectId: number;
  period: number;
  pseudonym: Buffer;
  identity: number;
  /** The vote before a change as the earlier batches have it; null where the vote is in this batch. */
  wasBullish: boolean | null;
  wasState: VoteState | null;
}

export interface ChangeRow extends Omit<OpinionRow, 'kind' | 'day' | 'identity' | 'wasBullish' | 'wasState'> {
  was: VoteState;
}

/** States as of a moment: a vote that was replaced later is not replaced yet. */
const stateAt = (until: string) =>
  sql`CASE WHEN v.replaced_at < ${until}::timestamptz THEN 'replaced' ELSE v.unreplaced_state END`;

/** The state of an undecided vote by the state of its voter alone. */
const BY_VOTER = sql`CASE r.state WHEN 'standing' THEN 'verified' ELSE 'waiting' END::vote_state`;
/** The state that the record said last of a vote, after `joinRecorded`: r is its row of `recorded_voters`, e of `recorded_votes`, d its decision. */
export const RECORDED = sql`coalesce(e.state, d.recorded_state, ${BY_VOTER})`;
/** Joins what `RECORDED` reads of the votes of a table, by the moment (a column) of the opinion that counts. */
export function joinRecorded(votes: string, saidAt: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${votes}.${column}`);
  const isSame = (row: string) =>
    sql`${sql.ref(`${row}.user_id`)} = ${of('user_id')} AND ${sql.ref(`${row}.project_id`)} = ${of('project_id')} AND ${sql.ref(`${row}.period`)} = ${of('period')}`;
  return sql`JOIN recorded_voters r ON r.user_id = ${of('user_id')} LEFT JOIN recorded_votes e ON ${isSame('e')}
    LEFT JOIN vote_decisions d ON ${isSame('d')} AND d.cast_at = ${sql.ref(saidAt)}`;
}

const CHANGE = sql`c.user_id = v.user_id AND c.project_id = v.project_id AND c.period = v.period AND c.said_at = v.said_at`;

/** New votes and changes in the order of the record. An opinion that a change of this batch follows is not replaced yet. */
export const readOpinions = (trx: Db, { since, until }: Span): AsyncGenerator<OpinionRow[]> =>
  readInPages<OpinionRow>(
    trx,
    'new_opinions',
    sql`SELECT CASE WHEN v.said_at = v.created_at THEN 'vote' ELSE 'change' END AS kind,
        to_char(v.said_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, v.project_id, v.period, v.bullish,
        pseudonym_of(s.secret, v.project_id) AS pseudonym,
        CASE WHEN v.changed_at < ${until}::timestamptz THEN v.unreplaced_state ELSE ${stateAt(until)} END AS state,
        -- Looked up for changes alone.
        CASE WHEN v.said_at > v.created_at THEN (SELECT c.was_bullish FROM vote_changes c WHERE ${CHANGE}) END AS was_bullish,
        CASE WHEN v.said_at > v.created_at THEN (
          SELECT ${RECORDED} FROM vote_changes c ${joinRecorded('c', 'c.was_said_at')} WHERE ${CHANGE}) END AS was_state,
        ${IDENTITY} AS identity
      FROM opinion_states v LEFT JOIN voter_secrets s ON s.user_id = v.user_id LEFT JOIN projects p ON p.id = v.project_id
      WHERE v.said_at >= ${since}::timestamptz AND v.said_at < ${until}::timestamptz
      ORDER BY v.project_id, v.period, pseudonym, v.said_at`,
  );

/**
 * Recorded votes whose state has changed, in the order of the record. Checked are votes of voters whose state has
 * changed, votes that were decided since, votes that are or were set aside, and those that votes of this batch replace.
 * A vote with a change in this batch has its state there.
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
        UNION SELECT * FROM ${replacedBy(within({ since, until }))} n
      ), compared AS (
      SELECT v.project_id, v.period, v.bullish, pseudonym_of(s.secret, v.project_id) AS pseudonym, ${stateAt(until)} AS state,
        CASE WHEN v.replaced_at < ${since}::timestamptz THEN 'replaced' ELSE ${RECORDED} END AS was
      FROM candidates c
      JOIN opinion_states v ON v.user_id = c.user_id AND v.project_id = c.project_id AND v.period = c.period
      ${joinRecorded('c', 'v.said_at')}
      LEFT JOIN voter_secrets s ON s.user_id = c.user_id
      WHERE v.said_at < ${since}::timestamptz AND (v.changed_at >= ${until}::timestamptz) IS NOT FALSE
      )
      SELECT * FROM compared WHERE state <> was ORDER BY project_id, period, pseudonym`,
  );

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

const SECRETS_SLICE = 10_000;

/** Gives a secret to the next users who have voted or are owed Snaps, and have none; the last user looked at, or null. */
async function insertSecretsSlice(db: Db, after: number, size: number): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    WITH slice AS MATERIALIZED (SELECT id FROM users WHERE id > ${after} ORDER BY id LIMIT ${size}),
    inserted AS (
      INSERT INTO voter_secrets (user_id, secret)
      SELECT id, new_secret() FROM slice
      WHERE NOT EXISTS (SELECT FROM voter_secrets s WHERE s.user_id = slice.id)
        AND (EXISTS (SELECT FROM votes v WHERE v.user_id = slice.id)
          OR EXISTS (SELECT FROM user_stats u WHERE u.user_id = slice.id AND u.balance > 0)
          OR EXISTS (SELECT FROM withdrawals w WHERE w.user_id = slice.id AND w.state NOT IN ('paid', 'rejected')))
      ON CONFLICT (user_id) DO NOTHING
    )
    SELECT max(id) AS last FROM slice`.execute(db);
  return rows[0]?.last ?? null;
}

/** Gives a secret to each user who may be recorded and has none, in slices: each is a separate transaction. */
export async function insertSecrets(db: Db, size = SECRETS_SLICE): Promise<void> {
  for (let after: number | null = 0; after !== null;)
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    after = await insertSecretsSlice(db, after, size);
}

export async function insertLateSecrets(trx: Db): Promise<void> {
  await sql`
    INSERT INTO voter_secrets (user_id, secret)
    SELECT user_id, new_secret() FROM (${OWED}) o
    WHERE NOT EXISTS (SELECT FROM voter_secrets s WHERE s.user_id = o.user_id)
    ON CONFLICT (user_id) DO NOTHING`.execute(trx);
}
