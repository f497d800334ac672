-- The overview counts the Snaps that deletions of accounts burned, and finds them by their users.
CREATE INDEX users_deleted_at_idx ON users (deleted_at) WHERE deleted_at IS NOT NULL;
