-- Versions of listings (R60): which name, picture, handle, website, category and description a listing had, and when. Triggers write them with every
-- change of a project, whatever makes it (number_version, keep_version).

ALTER TABLE projects
  -- The listing's newest version, when it began, and its identity: one more than before where name, picture, handle or website changed.
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN version_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN identity integer NOT NULL DEFAULT 1;

CREATE TABLE listing_versions (
  project_id bigint NOT NULL,
  number integer NOT NULL,
  identity integer NOT NULL,
  -- Null where a moderator blanked the version; only the hash stays.
  name text,
  image_hash text,
  twitter_handle text,
  website text,
  category text,
  description text,
  salt bytea,
  -- versionHash of record/entries/sealed.ts.
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  blanked_at timestamptz,
  -- A moderator confirmed that the project with this identity is the one before it; set on the first version of the identity.
  same_at timestamptz,
  -- Whether the public record has the entry of the version, and that of same_at.
  is_recorded boolean NOT NULL DEFAULT false,
  is_same_recorded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, number),
  CHECK (number >= 1),
  CHECK (identity >= 1 AND identity <= number),
  CHECK (octet_length(hash) = 32),
  CHECK (octet_length(salt) = 16),
  CONSTRAINT listing_versions_blanked_check CHECK (CASE WHEN blanked_at IS NULL
    THEN num_nulls(name, image_hash, twitter_handle, category, description, salt) = 0
    ELSE num_nonnulls(name, image_hash, twitter_handle, website, category, description, salt) = 0 END),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
-- Whether a picture is still part of a version (server/listings/images/unused.ts).
CREATE INDEX listing_versions_image_hash_idx ON listing_versions (image_hash) WHERE image_hash IS NOT NULL;
-- What the next batch of the record has to contain.
CREATE INDEX listing_versions_unrecorded_idx ON listing_versions (project_id, number)
  WHERE NOT is_recorded OR (same_at IS NOT NULL AND NOT is_same_recorded);

-- Changes of identity that no moderator marked as the same project, with the votes on either side of each. Written by keep_version, counted with the
-- verified votes (server/figures/standing/count-verified.ts) and the trends (count_trends).
CREATE TABLE identity_changes (
  project_id bigint NOT NULL,
  -- The identity since the change, and the first version that has it.
  identity integer NOT NULL,
  number integer NOT NULL,
  changed_at timestamptz NOT NULL,
  what text[] NOT NULL,
  -- The name before a change of the name; null where that version was blanked.
  old_name text,
  -- Opinions that count and were given before the change.
  votes_before bigint NOT NULL,
  -- Verified opinions since the change, and those of the last seven days (see project_trends).
  bullish bigint NOT NULL DEFAULT 0,
  bearish bigint NOT NULL DEFAULT 0,
  trend_bullish bigint NOT NULL DEFAULT 0,
  trend_bearish bigint NOT NULL DEFAULT 0,
  trend_weight bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, identity),
  CHECK (what <@ ARRAY['name'::text, 'picture'::text, 'handle'::text, 'website'::text] AND cardinality(what) >= 1),
  CHECK (LEAST(votes_before, bullish, bearish, trend_bullish, trend_bearish, trend_weight) >= 0),
  FOREIGN KEY (project_id, number) REFERENCES listing_versions(project_id, number) ON DELETE CASCADE
);

-- Notifies a project's voters of its changes: one round at a time, and at most one a day (server/people/notices/notify-changes.ts).
CREATE TABLE change_notices (
  project_id bigint NOT NULL,
  -- The open round: the version before its changes, and the last user that was checked; null between rounds.
  from_number integer,
  after_user bigint,
  started_at timestamptz,
  -- The version before the first change that no round is about; null: there is none.
  next_number integer,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX change_notices_due_idx ON change_notices (project_id) WHERE from_number IS NOT NULL OR next_number IS NOT NULL;

ALTER TYPE notice_kind ADD VALUE 'listing_changed';

-- Listings of before: what they show now is their first version.
INSERT INTO listing_versions (project_id, number, identity, name, image_hash, twitter_handle, website, category, description, salt, hash, created_at)
SELECT id, 1, 1, name, image_hash, twitter_handle, website, category, description, salt, sha256(convert_to('snapswipe version v1', 'UTF8') || '\x0a' || salt || (
    SELECT string_agg(int4send(octet_length(bytes)) || bytes, ''::bytea ORDER BY place)
    FROM unnest(ARRAY[name, twitter_handle, website, category, description, image_hash]) WITH ORDINALITY AS t(text, place)
    CROSS JOIN LATERAL (SELECT convert_to(coalesce(text, ''), 'UTF8') AS bytes) b
  )), now()
FROM (SELECT *, substr(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16) AS salt FROM projects) p;
