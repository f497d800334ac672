-- A vote leaves the table votes only by being undone (undo_vote): its row is then in undone_votes, and the ledger
-- reverses its reward.
CREATE OR REPLACE FUNCTION keep_undone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM previous p WHERE NOT EXISTS (
      SELECT FROM undone_votes u JOIN token_ledger l ON l.user_id = u.user_id AND l.kind = 'vote_undone' AND l.ref = u.id
      WHERE u.user_id = p.user_id AND u.project_id = p.project_id AND u.period = p.period AND u.created_at = p.created_at
        AND u.bullish = p.bullish AND u.tokens = p.tokens AND l.amount = -p.tokens)
  ) THEN
    RAISE EXCEPTION 'votes is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER votes_deleted AFTER DELETE ON votes
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION keep_undone();
