-- Orders and listings whose name looks like that of another listing wait for a moderator (R74).

ALTER TYPE notice_kind ADD VALUE 'name_review';
ALTER TYPE activity_kind ADD VALUE 'payment_waiting';

-- A paid order that waits since then; after its listing, until a moderator has looked at it.
ALTER TABLE payments ADD COLUMN look_alike_since timestamptz;
CREATE INDEX payments_look_alike_idx ON payments (created_at, id) WHERE look_alike_since IS NOT NULL;

-- The listing whose name looks the same, for one that was listed before a moderator looked at it.
ALTER TABLE projects ADD COLUMN look_alike_of bigint REFERENCES projects(id) ON DELETE SET NULL;
CREATE INDEX projects_look_alike_of_idx ON projects (look_alike_of) WHERE look_alike_of IS NOT NULL;
