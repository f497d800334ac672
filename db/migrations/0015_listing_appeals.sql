-- Appeals against hiding a paid listing, once each (R80). Appeals without a project are about votes: one of them may be open at a time.
ALTER TABLE appeals ADD COLUMN project_id bigint UNIQUE REFERENCES projects(id) ON DELETE CASCADE;
DROP INDEX appeals_open_key;
CREATE UNIQUE INDEX appeals_open_key ON appeals (user_id) WHERE answered_at IS NULL AND project_id IS NULL;

-- The newest fee of a listing, also one that was refunded after an appeal.
CREATE INDEX payments_listing_fee_idx ON payments (project_id, created_at DESC, id DESC)
  WHERE project_id IS NOT NULL AND purpose IN ('submit', 'renew')
    AND (state = 'fulfilled' OR state = 'refunded' AND failure_code = 'listing_hidden');
-- A transaction counts as one refund.
CREATE INDEX payments_refund_digest_idx ON payments (refund_digest) WHERE refund_digest IS NOT NULL;
