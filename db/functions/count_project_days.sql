-- Counts the days from `p_from` to before `p_until` again; those before are counted. An opinion subtracts the one that it replaces on its own day.
CREATE OR REPLACE FUNCTION count_project_days(p_from date, p_until date DEFAULT 'infinity') RETURNS void LANGUAGE sql AS $$
  WITH newly AS MATERIALIZED (
    SELECT v.project_id, (v.created_at AT TIME ZONE 'UTC')::date AS day, v.bullish, 1 AS votes,
      e.bullish AS was_bullish, (e.said_at AT TIME ZONE 'UTC')::date AS was_on
    FROM votes v LEFT JOIN LATERAL (
      SELECT o.bullish, o.said_at FROM opinions o
      WHERE v.period > 1 AND o.user_id = v.user_id AND o.project_id = v.project_id AND o.period < v.period ORDER BY o.period DESC, o.said_at DESC LIMIT 1) e ON true
    WHERE v.created_at >= p_from::timestamp AT TIME ZONE 'UTC' AND v.created_at < p_until::timestamp AT TIME ZONE 'UTC'
    UNION ALL
    SELECT c.project_id, c.said_on, c.bullish, 0, c.was_bullish, (c.was_said_at AT TIME ZONE 'UTC')::date
    FROM vote_changes c
    WHERE c.said_at >= p_from::timestamp AT TIME ZONE 'UTC' AND c.said_at < p_until::timestamp AT TIME ZONE 'UTC'
  ), days AS (
    SELECT project_id, day, sum(bullish::int - coalesce(was_bullish, false)::int) AS bullish,
      sum((NOT bullish)::int - coalesce(NOT was_bullish, false)::int) AS bearish, sum(votes) AS votes,
      count(*) FILTER (WHERE bullish AND NOT was_bullish) AS turned_bullish, count(*) FILTER (WHERE NOT bullish AND was_bullish) AS turned_bearish
    FROM (
      SELECT project_id, day, bullish, was_bullish, votes FROM newly
      UNION ALL
      -- Days counted before: their votes may have been undone.
      SELECT d.project_id, d.day, NULL, NULL, 0 FROM project_days d WHERE d.day >= p_from AND d.day < p_until
    ) changes GROUP BY 1, 2
  ), counted AS (
    SELECT d.project_id, d.day, d.votes, d.turned_bullish, d.turned_bearish,
      coalesce(b.bullish, 0) + sum(coalesce(d.bullish, 0)) OVER until_day AS bullish,
      coalesce(b.bearish, 0) + sum(coalesce(d.bearish, 0)) OVER until_day AS bearish
    FROM days d LEFT JOIN LATERAL (
      SELECT p.bullish, p.bearish FROM project_days p WHERE p.project_id = d.project_id AND p.day < p_from ORDER BY p.day DESC LIMIT 1) b ON true
    WINDOW until_day AS (PARTITION BY d.project_id ORDER BY d.day)
  ), new_days AS (
    INSERT INTO project_days AS p (project_id, day, bullish, bearish, votes, turned_bullish, turned_bearish)
    SELECT project_id, day, bullish, bearish, votes, turned_bullish, turned_bearish FROM counted
    ON CONFLICT (project_id, day) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish, votes = excluded.votes,
      turned_bullish = excluded.turned_bullish, turned_bearish = excluded.turned_bearish
    WHERE (p.bullish, p.bearish, p.votes, p.turned_bullish, p.turned_bearish)
      <> (excluded.bullish, excluded.bearish, excluded.votes, excluded.turned_bullish, excluded.turned_bearish)
  ), moved AS (
    SELECT project_id, said_on, counted_on, sum(bullish) AS bullish, sum(bearish) AS bearish FROM (
      SELECT project_id, day AS said_on, day AS counted_on, bullish::int AS bullish, (NOT bullish)::int AS bearish FROM newly
      UNION ALL
      SELECT project_id, was_on, day, -was_bullish::int, -(NOT was_bullish)::int FROM newly WHERE was_on IS NOT NULL
    ) x
    -- The 30 days of 'Now', for each of the 35 days whose files a verifier compares: they may be counted late.
    WHERE said_on >= (now() AT TIME ZONE 'UTC')::date - 70 GROUP BY 1, 2, 3
  ), gone AS (
    DELETE FROM opinion_days o
    WHERE o.said_on < (now() AT TIME ZONE 'UTC')::date - 70
      OR (o.counted_on >= p_from AND o.counted_on < p_until AND NOT EXISTS (
        SELECT FROM moved m WHERE m.project_id = o.project_id AND m.said_on = o.said_on AND m.counted_on = o.counted_on))
  )
  INSERT INTO opinion_days AS o (project_id, said_on, counted_on, bullish, bearish)
  SELECT project_id, said_on, counted_on, bullish, bearish FROM moved
  ON CONFLICT (project_id, said_on, counted_on) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish
  WHERE (o.bullish, o.bearish) <> (excluded.bullish, excluded.bearish);

  -- 'Now' at the end of each counted day (R58), where it changed: of all projects at the beginning of a day, later of those with a new opinion.
  INSERT INTO now_days AS p (project_id, day, bullish, bearish)
  SELECT project_id, day, bullish, bearish FROM (
    SELECT s.id AS project_id, t.day, n.bullish, n.bearish, k.day IS NOT NULL AS is_stored,
      coalesce(lag(n.bullish) OVER before, l.bullish, 0) AS was_bullish, coalesce(lag(n.bearish) OVER before, l.bearish, 0) AS was_bearish
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) d
    CROSS JOIN LATERAL (SELECT x::date AS day FROM generate_series(greatest(p_from, d.today - 40), d.today, interval '1 day') x WHERE x < p_until) t
    CROSS JOIN projects s
    LEFT JOIN now_days k ON k.project_id = s.id AND k.day = t.day
    LEFT JOIN LATERAL (SELECT * FROM now_days i WHERE i.project_id = s.id AND i.day < t.day ORDER BY i.day DESC LIMIT 1) l ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(o.bullish), 0)::bigint AS bullish, coalesce(sum(o.bearish), 0)::bigint AS bearish FROM opinion_days o
      WHERE o.project_id = s.id AND o.said_on > t.day - 30 AND o.counted_on <= t.day) n
    WHERE p_from < d.today OR s.id IN (SELECT i.project_id FROM project_days i WHERE i.day = d.today)
    WINDOW before AS (PARTITION BY s.id ORDER BY t.day)
  ) c
  WHERE is_stored OR (bullish, bearish) <> (was_bullish, was_bearish)
  ON CONFLICT (project_id, day) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish
  WHERE (p.bullish, p.bearish) <> (excluded.bullish, excluded.bearish);

  -- Verified counters of today, where they changed. rank_votes: votesForRank of shared/sorts.ts.
  INSERT INTO project_days AS p (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish, rank_votes)
  SELECT l.project_id, (now() AT TIME ZONE 'UTC')::date, l.bullish, l.bearish, 0, v.bullish, v.bearish, v.rank_votes
  FROM project_stats k
  CROSS JOIN LATERAL (SELECT * FROM project_days d WHERE d.project_id = k.project_id ORDER BY d.day DESC LIMIT 1) l
  LEFT JOIN verified_stats s ON s.project_id = l.project_id
  CROSS JOIN LATERAL (SELECT coalesce(s.bullish, 0) AS bullish, coalesce(s.bearish, 0) AS bearish,
    least(coalesce(s.bullish + s.bearish, 0), (SELECT min(c.bullish + c.bearish) FROM open_identity_changes c WHERE c.project_id = l.project_id)) AS rank_votes) v
  WHERE p_until > (now() AT TIME ZONE 'UTC')::date AND EXISTS (SELECT FROM verified_counts)
    AND (l.verified_bullish, l.verified_bearish, l.rank_votes) IS DISTINCT FROM (v.bullish, v.bearish, v.rank_votes)
  ON CONFLICT (project_id, day) DO UPDATE SET verified_bullish = excluded.verified_bullish, verified_bearish = excluded.verified_bearish,
    rank_votes = excluded.rank_votes;
$$;
