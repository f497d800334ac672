import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Recount } from '#shared/contract/record.ts';
import { createSnapshots } from '#server/kit/cache/snapshot.ts';
import { notReadable } from '#server/kit/http/errors.ts';
import { from, standingMoves } from '#server/books/opinions.ts';

interface Row {
  projectId: number;
  period: number;
  bullish: number;
  bearish: number;
  bullishSince: number;
  bearishSince: number;
  votes: number;
  digest: string | null;
}

/**
 * Opinions that no newer one replaces: the recorded ones by digests.ts, or as published until it has run, and all of them by the votes
 * since. Undefined if a batch was published since: its end is a parameter, because a statement that reads it itself is planned without its
 * value.
 */
async function readAt(
  db: Db,
  size: number,
  until: string,
): Promise<{ asOf: Date; projects: Row[] | null } | undefined> {
  const { rows } = await sql<{ asOf: Date; projects: Row[] | null }>`
    WITH moves AS (
      SELECT project_id, period::int AS period, sum(n * bullish::int) AS bullish, sum(n * (NOT bullish)::int) AS bearish, sum(said) AS votes
      FROM ${standingMoves(from(until))} m GROUP BY 1, 2
    ), counted AS (SELECT project_id, period::int AS period, bullish, bearish, digest FROM record_digests WHERE size = ${size})
    SELECT now() AS "asOf", json_agg(json_build_object('projectId', project_id, 'period', period,
      'bullish', coalesce(c.bullish, r.bullish, 0), 'bearish', coalesce(c.bearish, r.bearish, 0),
      'bullishSince', coalesce(r.bullish, 0) + coalesce(m.bullish, 0) - coalesce(c.bullish, r.bullish, 0),
      'bearishSince', coalesce(r.bearish, 0) + coalesce(m.bearish, 0) - coalesce(c.bearish, r.bearish, 0),
      'votes', coalesce(m.votes, 0), 'digest', c.digest) ORDER BY project_id, period) AS projects
    FROM (SELECT project_id, period::int AS period, bullish, bearish FROM recorded_totals) r
    FULL JOIN moves m USING (project_id, period) FULL JOIN counted c USING (project_id, period)
    HAVING (SELECT max(size) FROM log_checkpoints) = ${size}`.execute(db);
  return rows[0];
}

async function readRecount(db: Db): Promise<Recount> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again where a batch was published since
    const newest = await db
      .selectFrom('logCheckpoints')
      .select(['size', sql<string>`until::text`.as('until')])
      .orderBy('size', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!newest) return { size: null, until: null, asOf: new Date().toISOString(), projects: [] };
    // oxlint-disable-next-line no-await-in-loop -- as above
    const found = await readAt(db, newest.size, newest.until);
    if (!found) continue;
    return {
      size: newest.size,
      until: new Date(newest.until).toISOString(),
      asOf: found.asOf.toISOString(),
      projects: (found.projects ?? []).map(({ projectId, period, votes, digest, ...sums }) => ({
        projectId,
        period,
        recorded: { bullish: sums.bullish, bearish: sums.bearish },
        since: { bullish: sums.bullishSince, bearish: sums.bearishSince },
        votes,
        digest,
      })),
    };
  }
}

const snapshotOf = createSnapshots<Recount>({ freshMs: 1_000, busyShare: 1 / 50, notNow: notReadable });

/** The votes by project, at most a second old, or fifty times as old as reading them takes. */
export const currentRecount = (db: Db): Promise<Recount> => snapshotOf(db, readRecount);
