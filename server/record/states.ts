import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { opinionsGiven, replacedBy, type Span, within } from '#server/books/opinions.ts';
import { COUNTED_AS, IDENTITY, lookUpOpinion, TALLY_JOINS } from '#server/figures/totals/tally.ts';
import { endOfSlice } from '#server/figures/totals/slices.ts';
import { readInPages } from './writer.ts';

/** A vote or a change of one to be recorded, with its voter only by the pseudonym. */
export interface OpinionRow {
  kind: 'vote' | 'change';
  day: string;
  projectId: number;
  period: number;
  bullish: boolean;
  pseudonym: Buffer;
  identity: number;
  state: VoteState;
}

export type ChangeRow = Pick<OpinionRow, 'projectId' | 'period' | 'pseudonym' | 'state'>;

/** States as of a moment: a vote that was replaced later is not replaced yet. */
const stateAt = (until: string) =>
  sql`CASE WHEN v.replaced_at < ${until}::timestamptz THEN 'replaced' ELSE ${COUNTED_AS} END`;

/** Opinions of some projects of a batch. */
export interface OpinionSlice extends Span {
  from: number;
  to: number;
}

const OPINIONS_SLICE = 100_000;

/** Slices in the order of the record: many projects, or one with more opinions. */
export async function slicesOf(db: Db, span: Span): Promise<OpinionSlice[]> {
  const { rows } = await sql<{ from: number; to: number }>`
    SELECT min(project_id)::bigint AS "from", max(project_id)::bigint AS "to" FROM (
      SELECT project_id, floor((sum(opinions) OVER (ORDER BY project_id) - opinions) / ${OPINIONS_SLICE}) AS slice FROM (
        SELECT project_id, count(*) AS opinions FROM ${opinionsGiven(within(span))} o GROUP BY 1) p
    ) s GROUP BY slice ORDER BY 1`.execute(db);
  return rows.map((projects) => ({ ...span, ...projects }));
}

/** New votes and changes in the order of the record. An opinion that a change of this batch follows is not replaced yet. */
export const readOpinions = (trx: Db, { since, until, from, to }: OpinionSlice): AsyncGenerator<OpinionRow[]> =>
  readInPages<OpinionRow>(
    trx,
    'new_opinions',
    sql`SELECT CASE WHEN v.said_at = v.created_at THEN 'vote' ELSE 'change' END AS kind,
        to_char(v.said_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, v.project_id, v.period, v.bullish,
        pseudonym_of(s.secret, v.project_id) AS pseudonym,
        CASE WHEN v.changed_at < ${until}::timestamptz THEN ${COUNTED_AS} ELSE ${stateAt(until)} END AS state,
        ${IDENTITY} AS identity
      FROM opinion_states v LEFT JOIN voter_secrets s ON s.user_id = v.user_id ${TALLY_JOINS}
      WHERE v.said_at >= ${since}::timestamptz AND v.said_at < ${until}::timestamptz AND v.project_id BETWEEN ${from} AND ${to}
      ORDER BY v.project_id, v.period, pseudonym, v.said_at`,
  );

/**
 * Recorded votes whose state has changed, in the order of the record: those that the close of the day counted in another
 * state, and those that votes of this batch replace. A vote with a change in this batch has its state there.
 */
export const readChanges = (trx: Db, { since, until }: Span): AsyncGenerator<ChangeRow[]> =>
  readInPages<ChangeRow>(
    trx,
    'changed_states',
    sql`WITH candidates AS (
        SELECT user_id, project_id, period FROM changed_states UNION SELECT * FROM ${replacedBy(within({ since, until }))} n
      ), compared AS (
      SELECT v.project_id, v.period, pseudonym_of(s.secret, v.project_id) AS pseudonym, ${stateAt(until)} AS state,
        CASE WHEN v.replaced_at < ${since}::timestamptz THEN 'replaced' ELSE coalesce(c.was, ${COUNTED_AS}) END AS was
      FROM candidates k
      JOIN opinion_states v ON v.user_id = k.user_id AND v.project_id = k.project_id AND v.period = k.period
      ${lookUpOpinion('changed_states', 'c')}
      LEFT JOIN voter_secrets s ON s.user_id = v.user_id ${TALLY_JOINS}
      WHERE v.said_at < ${since}::timestamptz AND (v.changed_at >= ${until}::timestamptz) IS NOT FALSE
      )
      SELECT project_id, period, pseudonym, state FROM compared WHERE state <> was ORDER BY state, project_id, period, pseudonym`,
  );

const SECRETS_SLICE = 10_000;

/** Gives a secret to each user who has voted in that time and has none, a statement for each slice. */
export async function insertSecrets(db: Db, { since, until }: Span, size = SECRETS_SLICE): Promise<void> {
  for (let start = since; start !== until;) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    const end = await endOfSlice(db, { since: start, until }, size);
    const given = opinionsGiven(within({ since: start, until: end }));
    // oxlint-disable-next-line no-await-in-loop -- as above
    await sql`
      INSERT INTO voter_secrets (user_id, secret) SELECT user_id, new_secret() FROM (SELECT DISTINCT user_id FROM ${given} o) v
      WHERE NOT EXISTS (SELECT FROM voter_secrets s WHERE s.user_id = v.user_id) ORDER BY user_id
      ON CONFLICT (user_id) DO NOTHING`.execute(db);
    start = end;
  }
}
