import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { digestText } from '#record/entries/digest.ts';
import type { Services } from '#server/kit/services.ts';
import { firstVoteAt, opinionsGiven, type Span, standingMoves, within } from '#server/books/opinions.ts';
import { IDENTITY } from '#server/figures/totals/tally.ts';
import { endOfSlice } from '#server/figures/totals/slices.ts';

const SLICE = 100_000;
const CHUNK = 1_000;

interface Task {
  size: number;
  /** The time of the first vote, and the end of the checkpoint, as PostgreSQL writes them, to the microsecond. */
  since: string;
  until: string;
}

interface Sum {
  projectId: number;
  period: number;
  digest: bigint;
  /** Opinions that no newer recorded one replaces. */
  bullish: number;
  bearish: number;
}

async function readTask(db: Db): Promise<Task | null> {
  const { rows } = await sql<Task>`
    SELECT c.size, c.until::text AS until, least(${firstVoteAt}, c.until)::text AS since
    FROM (SELECT size, until FROM log_checkpoints ORDER BY size DESC LIMIT 1) c
    WHERE NOT EXISTS (SELECT FROM record_digests r WHERE r.size = c.size)`.execute(db);
  return rows[0] ?? null;
}

/** Recorded votes and changes of a slice, added up by project and listing period; what they replace is taken away. */
async function digestSlice(trx: Db, span: Span): Promise<Sum[]> {
  const { rows } = await sql<Omit<Sum, 'digest'> & { digest: string | null }>`
    SELECT project_id, period, coalesce(sum(digest), 0)::text AS digest, sum(bullish)::bigint AS bullish, sum(bearish)::bigint AS bearish FROM (
      SELECT v.project_id, v.period::int AS period, vote_digest(pseudonym_of(s.secret, v.project_id),
        (v.said_at AT TIME ZONE 'UTC')::date, v.bullish, ${IDENTITY}) AS digest, 0 AS bullish, 0 AS bearish
      FROM ${opinionsGiven(within(span))} v JOIN voter_secrets s ON s.user_id = v.user_id LEFT JOIN projects p ON p.id = v.project_id
      UNION ALL
      SELECT project_id, period, NULL, n * bullish::int, n * (NOT bullish)::int FROM ${standingMoves(within(span))} m
    ) x GROUP BY 1, 2`.execute(trx);
  return rows.map(({ digest, ...project }) => ({ ...project, digest: BigInt(digest ?? 0) }));
}

/**
 * Reads every recorded vote once after a publication and stores the counts and digests of projects (docs/use/record.md): a verifier compares
 * them with those of the log. Reads in slices; recorded votes never change, so slices fit together. A replica is for short single statements.
 */
export async function digestVotes({ db }: Pick<Services, 'db'>): Promise<void> {
  const task = await readTask(db);
  if (!task) return;
  const { size, until } = task;
  const sums = new Map<string, Sum>();
  for (let { since } = task; since !== until;) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    const slice = await longTransaction(db, async (trx) => {
      const end = await endOfSlice(trx, { since, until }, SLICE);
      return { end, rows: await digestSlice(trx, { since, until: end }) };
    });
    since = slice.end;
    for (const row of slice.rows) {
      const key = `${row.projectId} ${row.period}`;
      const sum = sums.get(key) ?? { ...row, digest: 0n, bullish: 0, bearish: 0 };
      sums.set(key, {
        ...row,
        digest: sum.digest + row.digest,
        bullish: sum.bullish + row.bullish,
        bearish: sum.bearish + row.bearish,
      });
    }
  }
  const rows = [...sums.values()].map(({ digest, ...project }) => ({ ...project, size, digest: digestText(digest) }));
  await db.transaction().execute(async (trx) => {
    // The job and 'Publish now' may run at once, and the one with the older checkpoint may come last.
    await sql`LOCK TABLE record_digests IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
    const present = await trx.selectFrom('recordDigests').select('size').where('size', '>=', size).executeTakeFirst();
    if (present) return;
    await trx.deleteFrom('recordDigests').execute();
    for (let at = 0; at < rows.length; at += CHUNK)
      await trx
        .insertInto('recordDigests')
        .values(rows.slice(at, at + CHUNK))
        .execute();
  });
}
