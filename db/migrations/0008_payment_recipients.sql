-- Who a payment goes to, who really paid it, and what became of a refund.

-- Every wallet that was ever ADMIN_WALLET of this database, written by the server alone (at its start, with each draft, and by
-- its job while it runs). The console's role has no rights here and so can name no wallet as ours. A transaction up to a day
-- after last_used_at still pays us. Set last_used_at to '1970-01-01' for a wallet that was stolen or entered by mistake.
CREATE TABLE payment_recipients (
  address text PRIMARY KEY CHECK (address ~ '^0x[0-9a-f]{64}$'),
  first_used_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);

-- The wallet that the payer was told to pay. The reference keeps it one of ours, also when the console updates payments.
-- Null in rows from before this migration.
ALTER TABLE payments ADD COLUMN recipient text REFERENCES payment_recipients;
-- Whose coins an unclaimed payment was made with, where that is not the payer's own wallet: a refund goes there.
ALTER TABLE payments ADD COLUMN paid_by text;
-- What was sent back, and by which transaction, as the admin recorded it.
ALTER TABLE payments ADD COLUMN refunded_mist bigint CHECK (refunded_mist > 0);
ALTER TABLE payments ADD COLUMN refund_digest text;

-- Payments that failed without any money seen are looked up again for a day; see server/jobs/recover-payments.ts.
CREATE INDEX payments_order_idx ON payments (user_id, order_hash) WHERE state IN ('draft', 'signed', 'paid');
