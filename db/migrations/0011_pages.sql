-- What each list in pages reads: an index in its order, so that any page costs as much as the first. Votes have none of their own:
-- it would be one entry more for each vote, and a user's votes are found by their key.
CREATE INDEX withdrawals_user_page_idx ON withdrawals (user_id, id DESC);
CREATE INDEX payments_user_page_idx ON payments (user_id, created_at DESC, id DESC);
DROP INDEX payments_user_id_idx;
CREATE INDEX payments_page_idx ON payments (created_at DESC, id DESC);
CREATE INDEX payments_state_page_idx ON payments (state, created_at DESC, id DESC);
CREATE INDEX payout_batches_page_idx ON payout_batches (created_at DESC, id DESC);
CREATE INDEX projects_owner_page_idx ON projects (owner_id, id DESC);
DROP INDEX projects_owner_id_idx;
CREATE INDEX projects_hidden_page_idx ON projects (id DESC) WHERE hidden_at IS NOT NULL;
CREATE INDEX reviews_hidden_page_idx ON reviews (id DESC) WHERE hidden_at IS NOT NULL;
