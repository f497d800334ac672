-- The daily deck of a user (R49): the projects of a UTC day in their order, and why each is among them. Replaced when another day begins.
CREATE TABLE daily_decks (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  day date NOT NULL,
  project_ids int[] NOT NULL,
  kinds text[] NOT NULL,
  CHECK (cardinality(project_ids) BETWEEN 1 AND 10 AND cardinality(kinds) = cardinality(project_ids)),
  CHECK (kinds <@ ARRAY['still_bullish', 'new', 'close', 'moved', 'feed'])
);
