-- An upload costs its user from an allowance before it is decoded, and one that is known by its bytes is not decoded again.
ALTER TABLE images ADD COLUMN upload_digest bytea CHECK (length(upload_digest) = 32);
CREATE INDEX images_upload_digest_idx ON images (upload_digest) WHERE upload_digest IS NOT NULL;

ALTER TABLE user_allowances DROP CONSTRAINT user_allowances_kind_check;
ALTER TABLE user_allowances ADD CHECK (kind IN ('pictures', 'push_tests', 'uploads'));
