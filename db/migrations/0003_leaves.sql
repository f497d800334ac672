-- The place of a leaf follows from its hash; only leaves whose amounts differ are written.
ALTER TABLE liability_leaves ALTER COLUMN position DROP NOT NULL;
