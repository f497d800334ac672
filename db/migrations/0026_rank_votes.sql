-- Verified votes that count for a rank at the end of a day: those since the last change of identity (R27). Null on days before they were counted.
ALTER TABLE project_days ADD COLUMN rank_votes bigint CHECK (rank_votes >= 0);
