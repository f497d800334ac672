-- Deleted accounts and archives of own data (R55). docs/decisions/0040-accounts.md

-- An account that was deleted keeps its number, under which its votes and ledger entries stay; nothing in the row leads to anybody. The
-- one row with the wallet 'deleted' owns the listings and payments of all deleted accounts: with the chain they would lead to a wallet,
-- and so must not lead to a number. Accurate to the day, so that the time of an act says nothing.
ALTER TABLE users ADD COLUMN deleted_at timestamptz;
ALTER TABLE users DROP CONSTRAINT users_wallet_address_check;
ALTER TABLE users ADD CONSTRAINT users_wallet_address_check CHECK (
  CASE WHEN deleted_at IS NULL THEN wallet_address ~ '^0x[0-9a-f]{64}$' ELSE wallet_address IN ('deleted', 'deleted-' || id) END);
ALTER TABLE users ADD CONSTRAINT users_deleted_check CHECK (
  deleted_at IS NULL OR num_nonnulls(username, avatar_hash, twitter_link, telegram_link, discord_link) = 0);

-- The key of the hashes below, where ACCOUNT_KEY is not set.
CREATE TABLE account_keys (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  key bytea NOT NULL CHECK (octet_length(key) = 32)
);

-- Wallets whose accounts were deleted, as keyed hashes: one that comes back gets a new account, which votes from this moment on.
CREATE TABLE deleted_wallets (
  wallet_hash bytea PRIMARY KEY CHECK (octet_length(wallet_hash) = 32),
  votes_from timestamptz NOT NULL
);

-- Keyed hashes of a wallet and a project that it voted on or listed before its account was deleted. They name no account.
CREATE TABLE deletion_marks (
  mark bytea PRIMARY KEY CHECK (octet_length(mark) = 16)
);

-- Projects that this account may not vote on, because its wallet did so before; null for nearly all.
ALTER TABLE user_stats ADD COLUMN barred_projects int[];

-- Snaps that an account still had when it was deleted.
ALTER TYPE ledger_kind ADD VALUE 'account_burn';

-- What the signature is for: each has a text of its own.
ALTER TABLE auth_challenges ADD COLUMN purpose text NOT NULL DEFAULT 'sign_in' CHECK (purpose IN ('sign_in', 'delete_account'));

-- A paid withdrawal of a deleted account keeps its amount and its times: not its wallet, nor the transaction that would show it.
ALTER TABLE withdrawals DROP CONSTRAINT withdrawals_check;
ALTER TABLE withdrawals DROP CONSTRAINT withdrawals_check1;
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_digest_check CHECK (state <> 'paid' OR digest IS NOT NULL OR wallet_address LIKE 'deleted-%');
ALTER TABLE withdrawals ADD CONSTRAINT withdrawals_batch_check CHECK (
  (state IN ('sending', 'paid')) = (batch_id IS NOT NULL) OR (state = 'paid' AND wallet_address LIKE 'deleted-%'));

-- Archives of own data: how many a user has had on a day, and until when one that is being made keeps others waiting.
CREATE TABLE archive_requests (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  archives smallint NOT NULL,
  busy_until timestamptz NOT NULL
);
