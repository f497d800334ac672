-- Bounds on what one client can store (R59, R66), and on what is left of a person who leaves (R67).

-- The most that a user had earned before an undo took some of it back: whether a number was passed before is known from the row itself (R10).
ALTER TABLE user_stats ADD COLUMN peak_earned bigint NOT NULL DEFAULT 0;

-- Users who are below the number that is congratulated, and have undone votes: what they had earned at most, vote by vote.
UPDATE user_stats s SET peak_earned = p.peak FROM (
  SELECT user_id, max(earned) AS peak FROM (
    SELECT user_id, sum(amount) OVER (PARTITION BY user_id ORDER BY at, amount DESC) AS earned FROM (
      SELECT v.user_id, v.created_at AS at, v.tokens AS amount FROM votes v
      UNION ALL SELECT u.user_id, u.created_at, u.tokens FROM undone_votes u
      UNION ALL SELECT u.user_id, u.undone_at, -u.tokens FROM undone_votes u
    ) changes
    WHERE user_id IN (SELECT u.user_id FROM undone_votes u JOIN user_stats x ON x.user_id = u.user_id WHERE x.tokens_earned < 1000)
  ) totals GROUP BY user_id
) p WHERE p.user_id = s.user_id;

-- Undos are counted by their time (undo_vote).
ALTER TYPE undo_outcome ADD VALUE 'too_many';
CREATE INDEX undone_votes_undone_at_idx ON undone_votes (user_id, undone_at);

-- Votes of later periods, each of which replaces an earlier one: vote_states asks for all of them. Takes no room while nobody renews.
CREATE INDEX votes_later_periods_idx ON votes (user_id, project_id, period) WHERE period > 1;

-- What a user has used up of an allowance that comes back with time (server/users/allowances.ts).
CREATE TABLE user_allowances (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('pictures')),
  started_at timestamptz NOT NULL,
  used bigint NOT NULL CHECK (used >= 0),
  PRIMARY KEY (user_id, kind)
);

-- Claims that came to nothing, which leave after a while (delete_unused).
CREATE INDEX payments_failed_claims_idx ON payments (updated_at) WHERE state = 'failed' AND transaction IS NULL;

-- Passwords that were tried while the login was locked: one line of the audit log says how many.
ALTER TABLE admin_login_attempts ADD COLUMN refused int NOT NULL DEFAULT 0 CHECK (refused >= 0);

-- Lines about withdrawals named the wallet beside the number of the withdrawal, which leads to the account, also after its deletion. Lines of
-- the audit log never change: for this once nothing holds that.
ALTER TABLE audit_log DISABLE TRIGGER USER;
GRANT UPDATE ON audit_log TO CURRENT_USER;
UPDATE audit_log SET detail = regexp_replace(detail, ' to 0x[0-9a-f]{64}', '', 'g') WHERE action ~ '^(withdrawal|payout\.adopt|transfer)' AND detail ~ ' to 0x[0-9a-f]{64}';
REVOKE UPDATE ON audit_log FROM CURRENT_USER;
ALTER TABLE audit_log ENABLE TRIGGER USER;
-- Transactions of payouts that have ended name the wallets that they paid, those of deleted accounts among them.
UPDATE payout_batches b SET transaction = NULL, signature = NULL
WHERE transaction IS NOT NULL AND state IN ('paid', 'failed', 'cancelled')
  AND EXISTS (SELECT FROM withdrawals w WHERE w.wallet_address LIKE 'deleted-%');

-- The last listing period in which a user may not vote on the project at the same place of barred_projects; null: in none at all (R67).
ALTER TABLE user_stats ADD COLUMN barred_periods smallint[];
-- How often the wallet of a deleted account opened a new one since a moment.
ALTER TABLE deleted_wallets ADD COLUMN returned_from timestamptz, ADD COLUMN returns smallint NOT NULL DEFAULT 0;

-- What a name has in common with others that people take for it (server/projects/look-alike-key.ts); null: not known yet.
ALTER TABLE projects ADD COLUMN look_alike_key text;
CREATE INDEX projects_look_alike_key_idx ON projects (look_alike_key) WHERE hidden_at IS NULL AND look_alike_key IS NOT NULL;
CREATE INDEX projects_without_look_alike_key_idx ON projects (id) WHERE look_alike_key IS NULL;
