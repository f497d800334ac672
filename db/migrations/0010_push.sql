-- Web Push (R78). A notice of the bell is also sent to the browsers of a user who picked its kind.

-- Bad news rings the bell, always.
ALTER TYPE notice_kind ADD VALUE IF NOT EXISTS 'payout_rejected';
ALTER TYPE notice_kind ADD VALUE IF NOT EXISTS 'payout_failed';
ALTER TYPE notice_kind ADD VALUE IF NOT EXISTS 'listing_hidden';
ALTER TYPE notice_kind ADD VALUE IF NOT EXISTS 'text_hidden';

-- The kinds that each user picked (shared/push-kinds.ts). `daily_on`: the last UTC day with a message of a kind that is sent at most once a day.
CREATE TABLE push_settings (
  user_id bigint NOT NULL,
  kinds text[] NOT NULL,
  daily_on date,
  PRIMARY KEY (user_id),
  CHECK (kinds <@ ARRAY['money', 'project', 'votes_back']),
  CHECK (cardinality(kinds) <= 7),
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- A browser that gets messages, one for each session: it ends with its session. The keys are the browser's own (RFC 8291).
CREATE TABLE push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  endpoint text NOT NULL,
  public_key bytea NOT NULL,
  auth_secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id),
  UNIQUE (token_hash),
  UNIQUE (endpoint),
  CHECK (length(endpoint) BETWEEN 10 AND 1000),
  CHECK (octet_length(public_key) = 65),
  CHECK (octet_length(auth_secret) = 16),
  FOREIGN KEY (token_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id);

-- The queue: a message for one browser. `due_at` is the next attempt, null once it is sent. Rows stay for a day, so that their number is the
-- limit of a browser's messages per day.
CREATE TABLE push_messages (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  subscription_id bigint NOT NULL,
  kind text NOT NULL,
  text text NOT NULL,
  link text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  due_at timestamptz DEFAULT now(),
  attempts smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CHECK (char_length(text) BETWEEN 1 AND 500),
  CHECK (link ~ '^/([^/]|$)'),
  CHECK (kind IN ('money', 'project', 'votes_back')),
  CHECK (attempts >= 0),
  FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_messages_due_idx ON push_messages (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX push_messages_subscription_id_idx ON push_messages (subscription_id);
CREATE INDEX push_messages_user_id_idx ON push_messages (user_id);
CREATE INDEX push_messages_created_at_idx ON push_messages (created_at);

-- Test messages are limited per user.
ALTER TABLE user_allowances DROP CONSTRAINT user_allowances_kind_check;
ALTER TABLE user_allowances ADD CHECK (kind IN ('pictures', 'push_tests'));
