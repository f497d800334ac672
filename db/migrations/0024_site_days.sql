-- The last days of a wallet are those of the site (R38): one on which it was not asked counts as one without standing. Days on which it was asked
-- without an answer have a history of their own; read_on is the last day on which it was asked.
-- contract: the histories have what days_read and days_held said, and nothing was released that reads those.
DROP TRIGGER IF EXISTS voter_standing_is_due ON voter_standing;
ALTER TABLE voter_standing
  ADD COLUMN history_unread bit(64) NOT NULL DEFAULT 0::bit(64),
  DROP COLUMN days_read,
  DROP COLUMN days_held;
UPDATE voter_standing SET is_due = true;
