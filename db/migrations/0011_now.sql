-- 'Now' by day (R58): the newest opinions of the 30 days before the end of each day on which they changed, for the files of the leaderboard.
-- count_project_days writes them.
CREATE TABLE now_days (
  project_id bigint NOT NULL,
  day date NOT NULL,
  bullish bigint NOT NULL,
  bearish bigint NOT NULL,
  PRIMARY KEY (project_id, day),
  CHECK (least(bullish, bearish) >= 0)
);
