-- How votes move over time, and search. Nothing here is written while a vote is counted: a job counts (server/trends/), and each of its
-- figures can be counted again from `votes`. Decision record "Trend and charts" has the reasons.

-- What was cast in a stretch of time. Votes are appended in the order of their time, so the index is a few bytes for each 32 pages and a
-- vote's insert does not touch it; the daemon adds ranges as they fill up.
CREATE INDEX votes_created_at_idx ON votes USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

-- A row for each UTC day on which something about a project changed; days without one are as the day before.
CREATE TABLE project_days (
  project_id bigint NOT NULL,
  day date NOT NULL,
  -- Counters at the end of the day (of today: as of the last count): the newest vote of each user.
  bullish bigint NOT NULL CHECK (bullish >= 0),
  bearish bigint NOT NULL CHECK (bearish >= 0),
  -- Votes cast on the day.
  votes bigint NOT NULL CHECK (votes >= 0),
  -- Verified counters at the end of the day; null where they are not known, as on days before the first count of verified votes.
  verified_bullish bigint CHECK (verified_bullish >= 0),
  verified_bearish bigint CHECK (verified_bearish >= 0),
  PRIMARY KEY (project_id, day),
  CHECK ((verified_bullish IS NULL) = (verified_bearish IS NULL))
);
CREATE INDEX project_days_day_idx ON project_days (day);

-- Verified votes of the last seven UTC days, today among them: what the order 'Trending' is worked out from (shared/trending.ts).
-- Projects without any have no row.
CREATE TABLE project_trends (
  project_id bigint PRIMARY KEY,
  bullish bigint NOT NULL CHECK (bullish >= 0),
  bearish bigint NOT NULL CHECK (bearish >= 0),
  -- Each vote with 7 for today, 6 for yesterday, and so on down to 1.
  weight bigint NOT NULL CHECK (weight > 0)
);

-- Names that are close to what was typed. Part of PostgreSQL's own contrib and trusted: a role that owns the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
-- Slugs are names in Latin letters (shared/slug.ts), so that accents and scripts make no difference.
CREATE INDEX projects_slug_trigrams_idx ON projects USING gin (slug gin_trgm_ops) WHERE hidden_at IS NULL;
