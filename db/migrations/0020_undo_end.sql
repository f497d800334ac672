-- The moment from which a vote can still be undone (R59): votes cast before it cannot, because a later vote was cast or their result was shown.
-- Null: no vote since this column exists.
ALTER TABLE user_stats ADD COLUMN undoable_from timestamptz;
