import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Recount } from '#shared/contract/record.ts';
import { createSnapshots } from '#server/kit/cache/snapshot.ts';
import { notReadable } from '#server/kit/http/errors.ts';
import { atCursor } from '#server/figures/totals/cursor.ts';
import { standingSides } from '#server/figures/totals/show.ts';
import { from, standingMoves } from '#server/books/opinions.ts';

interface Row {
  projectId: number;
  period: number;
  bullish: number;
  bearish: number;
  bullishSince: number;
  bearishSince: number;
  digest: string | null;
}

interface Found {
  size: number | null;
  until: Date | null;
  asOf: Date;
  votesSince: number;
  projects: Row[] | null;
}

/**
 * Opinions that no newer one replaces: all of them by the totals, and the recorded ones by digests.ts, or as published
 * until it has run. One statement, and so one snapshot.
 */
async function readRecount(db: Db): Promise<Recount> {
  const row = await atCursor(db, async ({ countedUntil }, isAtCursor) => {
    const later = standingMoves(from(countedUntil));
    const { rows } = await sql<Found>`
      WITH newest AS (SELECT size, until FROM log_checkpoints ORDER BY size DESC LIMIT 1),
      moves AS MATERIALIZED (SELECT * FROM ${later} m),
      present AS (
        SELECT project_id, period, sum(bullish) AS bullish, sum(bearish) AS bearish FROM ${standingSides(sql`moves`)} x GROUP BY 1, 2
      ), recorded AS (
        SELECT project_id, period::int AS period, bullish, bearish FROM recorded_totals
      ), digests AS (SELECT x.project_id, x.period::int AS period, x.bullish, x.bearish, x.digest FROM record_digests x JOIN newest USING (size))
      SELECT (SELECT size FROM newest) AS size, (SELECT until FROM newest) AS until, now() AS "asOf",
        (coalesce((SELECT value FROM totals WHERE name = 'said'), 0) + coalesce((SELECT sum(said) FROM moves), 0)
          - coalesce((SELECT sum(votes) FROM log_checkpoints), 0))::bigint AS "votesSince",
        json_agg(json_build_object('projectId', project_id, 'period', period,
          'bullish', coalesce(d.bullish, r.bullish, 0), 'bearish', coalesce(d.bearish, r.bearish, 0),
          'bullishSince', coalesce(p.bullish, 0) - coalesce(d.bullish, r.bullish, 0), 'bearishSince', coalesce(p.bearish, 0) - coalesce(d.bearish, r.bearish, 0),
          'digest', d.digest) ORDER BY project_id, period) AS projects
      FROM present p FULL JOIN recorded r USING (project_id, period) FULL JOIN digests d USING (project_id, period)
      HAVING ${isAtCursor}`.execute(db);
    return rows[0];
  });
  return {
    size: row.size,
    until: row.until?.toISOString() ?? null,
    asOf: row.asOf.toISOString(),
    votesSince: row.votesSince,
    projects: (row.projects ?? []).map(({ projectId, period, ...votes }) => ({
      projectId,
      period,
      recorded: { bullish: votes.bullish, bearish: votes.bearish },
      since: { bullish: votes.bullishSince, bearish: votes.bearishSince },
      digest: votes.digest,
    })),
  };
}

const snapshotOf = createSnapshots<Recount>({ freshMs: 1_000, busyShare: 1 / 50, notNow: notReadable });

/** The votes by project, at most a second old, or fifty times as old as reading them takes. */
export const currentRecount = (db: Db): Promise<Recount> => snapshotOf(db, readRecount);
