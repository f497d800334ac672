-- A restore to an earlier moment pays nobody twice (R56): before a payout, the transactions of the paying wallets since the last one
-- read are read from the chain and matched with the books. Where a restore takes the books back, it takes these rows back with them.

-- What holds for the whole database; one row.
CREATE TABLE payout_history (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- Wallets that were never read are read from here on. Never later than the moment to which a backup of before was restored.
  known_until timestamptz NOT NULL,
  -- Cluster, timeline and database, as the last reading saw them; others mean that this is a restored copy.
  database_id text,
  -- What happened between these moments may be missing.
  lost_from timestamptz,
  lost_until timestamptz,
  CHECK ((lost_from IS NULL) = (lost_until IS NULL))
);
INSERT INTO payout_history (known_until)
  SELECT coalesce(greatest((SELECT max(created_at) FROM token_ledger), (SELECT max(updated_at) FROM withdrawals),
    (SELECT max(updated_at) FROM payout_batches)), now());

-- How far the transactions of a wallet were read: outgoing ones of the payout coin, or incoming SUI.
CREATE TABLE payout_scans (
  chain_id text NOT NULL,
  wallet_address text NOT NULL CHECK (wallet_address ~ '^0x[0-9a-f]{64}$'),
  direction text NOT NULL CHECK (direction IN ('out', 'in')),
  coin_type text NOT NULL,
  -- Everything up to this checkpoint is in the books.
  checkpoint bigint NOT NULL,
  -- complete: up to the present · reading: more is to come · behind: the node has not indexed the newest · unreachable · pruned: the node
  -- no longer has what comes next.
  state text NOT NULL CHECK (state IN ('complete', 'reading', 'behind', 'unreachable', 'pruned')),
  -- The node's last checkpoint, and the first that it still has.
  tip bigint NOT NULL,
  lowest bigint NOT NULL,
  scanned_at timestamptz NOT NULL DEFAULT now(),
  -- The last time at which it was complete.
  completed_at timestamptz,
  PRIMARY KEY (chain_id, wallet_address, direction, coin_type)
);

-- Transfers of the payout coin from a paying wallet that no payout batch names.
CREATE TABLE outgoing_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest text NOT NULL,
  -- Among the transfers of its transaction.
  position int NOT NULL,
  wallet text NOT NULL,
  recipient text NOT NULL,
  coin_type text NOT NULL,
  amount_units numeric(20) NOT NULL CHECK (amount_units > 0),
  executed_at timestamptz NOT NULL,
  -- unexplained: payouts wait for it · adopted: a withdrawal is paid by it · internal: to another paying wallet · explained: by the owner.
  state text NOT NULL DEFAULT 'unexplained' CHECK (state IN ('unexplained', 'adopted', 'internal', 'explained')),
  -- Why it could not be matched.
  cause text,
  withdrawal_id bigint REFERENCES withdrawals,
  reason text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (digest, position),
  CHECK ((state = 'adopted') = (withdrawal_id IS NOT NULL)),
  CHECK (state <> 'explained' OR (reason IS NOT NULL AND decided_by IS NOT NULL))
);
CREATE INDEX outgoing_transfers_unexplained_idx ON outgoing_transfers (id) WHERE state = 'unexplained';
CREATE INDEX outgoing_transfers_withdrawal_idx ON outgoing_transfers (withdrawal_id) WHERE withdrawal_id IS NOT NULL;

-- SUI that arrived at a wallet that takes payments, and that no payment names: an order that a restore lost, or a gift.
CREATE TABLE incoming_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest text NOT NULL,
  recipient text NOT NULL,
  payer text,
  amount_mist bigint NOT NULL CHECK (amount_mist > 0),
  executed_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'settled')),
  reason text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (digest, recipient),
  CHECK ((state = 'settled') = (reason IS NOT NULL AND decided_by IS NOT NULL))
);
CREATE INDEX incoming_transfers_open_idx ON incoming_transfers (id) WHERE state = 'open';
