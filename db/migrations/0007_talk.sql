-- Replies to reviews, reports, and notices in the app (R51).

-- One reply of the project's owner to a review. A hidden one keeps its row: writing it again must not undo the decision.
CREATE TABLE review_replies (
  review_id bigint PRIMARY KEY REFERENCES reviews ON DELETE CASCADE,
  content text NOT NULL CHECK (char_length(content) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  hidden_at timestamptz,
  hidden_reason text
);
CREATE INDEX review_replies_hidden_page_idx ON review_replies (review_id DESC) WHERE hidden_at IS NOT NULL;

CREATE TYPE report_subject AS ENUM ('project', 'review', 'reply');
CREATE TYPE report_reason AS ENUM ('spam', 'scam', 'abuse', 'impersonation', 'other');
CREATE TYPE report_resolution AS ENUM ('hidden', 'dismissed');

-- What users hold against a project, a review or a reply; subject_id is the review's id for a reply.
CREATE TABLE reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject report_subject NOT NULL,
  subject_id bigint NOT NULL,
  user_id bigint NOT NULL REFERENCES users,
  reason report_reason NOT NULL,
  text text NOT NULL CHECK (char_length(text) <= 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  resolution report_resolution,
  CONSTRAINT reports_once_key UNIQUE (user_id, subject, subject_id),
  CHECK ((resolved_at IS NULL) = (resolution IS NULL))
);
-- The queue: subjects in the order of their first open report.
CREATE INDEX reports_open_page_idx ON reports (id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_subject_idx ON reports (subject, subject_id, id) WHERE resolved_at IS NULL;
CREATE INDEX reports_open_user_idx ON reports (user_id) WHERE resolved_at IS NULL;

CREATE TYPE notice_kind AS ENUM ('review', 'reply', 'expiry', 'payout_paid', 'appeal_answered', 'report_resolved');

-- What happened to a user's things, for the bell in the header; the newest 200 of each user are kept. link: where it happened, a path
-- of the page, or null where there is nothing to be seen.
CREATE TABLE notices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind notice_kind NOT NULL,
  text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
  link text CHECK (link LIKE '/%' AND link NOT LIKE '//%'),
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz
);
CREATE INDEX notices_user_id_idx ON notices (user_id, id DESC);
CREATE INDEX notices_unread_idx ON notices (user_id) WHERE read_at IS NULL;

-- The end of a listing that its owner was told about.
CREATE TABLE expiry_notices (
  project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);

ALTER TYPE activity_kind ADD VALUE 'reply_hidden';
ALTER TYPE activity_kind ADD VALUE 'reply_unhidden';
