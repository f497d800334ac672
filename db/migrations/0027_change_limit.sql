-- At most 60 changes of a user in any six hours, outside the window of votes (R57): the sixtieth newest is found on the index.
-- contract: the function of the same name that comes with this version no longer returns the value.
CREATE INDEX vote_changes_user_id_said_at_idx ON vote_changes (user_id, said_at);
ALTER TYPE change_outcome RENAME VALUE 'window_full' TO 'too_many';
