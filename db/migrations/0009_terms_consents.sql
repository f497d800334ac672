-- Which version of the terms each user agreed to, and when (R80): one row for each user and version, so that it grows with the versions only.
CREATE TABLE terms_consents (
  user_id bigint NOT NULL,
  -- Hash of the text (server/site/legal/terms-version.ts).
  terms_version text NOT NULL,
  -- The first time under this version at each step; null where the user has not taken that step.
  signed_in_at timestamptz,
  paying_at timestamptz,
  PRIMARY KEY (user_id, terms_version),
  CHECK (num_nonnulls(signed_in_at, paying_at) > 0),
  CHECK (length(terms_version) = 16),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
