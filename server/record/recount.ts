import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Recount } from '#shared/contract/record.ts';
import { createSnapshots } from '../cache/snapshot.ts';
import { notReadable } from '../http/errors.ts';
import { standingAt } from '../votes/standing-at.ts';

interface Row {
  projectId: number;
  period: number;
  bullish: number;
  bearish: number;
  bullishSince: number;
  bearishSince: number;
  digest: string | null;
}

/**
 * Counts all opinions that no newer one replaces, one by one; one statement for votes and the newest checkpoint, and so
 * one snapshot.
 */
async function readRecount(db: Db): Promise<Recount> {
  const { rows } = await sql<{
    size: number | null;
    until: Date | null;
    asOf: Date;
    votesSince: number;
    projects: Row[] | null;
  }>`
    WITH newest AS (SELECT size, until FROM log_checkpoints ORDER BY size DESC LIMIT 1),
    counted AS (
      SELECT project_id, period,
        count(*) FILTER (WHERE bullish AND was_counted) AS bullish, count(*) FILTER (WHERE NOT bullish AND was_counted) AS bearish,
        count(*) FILTER (WHERE bullish AND is_counted) AS all_bullish, count(*) FILTER (WHERE NOT bullish AND is_counted) AS all_bearish,
        count(*) FILTER (WHERE is_since) AS since
      FROM (
        SELECT project_id, period, bullish, changed_at IS NULL AND replaced_at IS NULL AS is_counted,
          ${standingAt(sql`n.until`)} AND (replaced_at >= n.until) IS NOT FALSE AS was_counted,
          (said_at < n.until) IS NOT TRUE AS is_since
        FROM opinion_states LEFT JOIN newest n ON true
      ) x GROUP BY project_id, period
    )
    SELECT (SELECT size FROM newest) AS size, (SELECT until FROM newest) AS until, now() AS "asOf", coalesce(sum(since), 0)::bigint AS "votesSince", json_agg(
      json_build_object('projectId', project_id, 'period', period, 'bullish', bullish, 'bearish', bearish,
        'bullishSince', all_bullish - bullish, 'bearishSince', all_bearish - bearish, 'digest', d.digest) ORDER BY project_id, period) AS projects
    FROM counted LEFT JOIN (SELECT r.* FROM record_digests r JOIN newest USING (size)) d USING (project_id, period)`.execute(
    db,
  );
  const [row] = rows;
  return {
    size: row?.size ?? null,
    until: row?.until?.toISOString() ?? null,
    asOf: (row?.asOf ?? new Date()).toISOString(),
    votesSince: row?.votesSince ?? 0,
    projects: (row?.projects ?? []).map(({ projectId, period, ...votes }) => ({
      projectId,
      period,
      recorded: { bullish: votes.bullish, bearish: votes.bearish },
      since: { bullish: votes.bullishSince, bearish: votes.bearishSince },
      digest: votes.digest,
    })),
  };
}

/** All votes are read. */
const snapshotOf = createSnapshots<Recount>({ freshMs: 1_000, busyShare: 1 / 50, notNow: notReadable });

/**
 * The votes by project, at most a second old, or fifty times as old as counting them takes; `asOf` is the time of the
 * count.
 */
export const currentRecount = (db: Db): Promise<Recount> => snapshotOf(db, readRecount);
