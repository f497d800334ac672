-- Votes and changes are deleted only by undo_vote, which moves the row to undone_votes and reverses the reward.
CREATE OR REPLACE FUNCTION keep_undone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_is_kept boolean;
BEGIN
  IF TG_TABLE_NAME = 'vote_changes' THEN
    v_is_kept := NOT EXISTS (
      SELECT FROM previous p WHERE NOT EXISTS (
        SELECT FROM undone_votes u WHERE u.user_id = p.user_id AND u.project_id = p.project_id AND u.period = p.period
          AND u.created_at = p.said_at AND u.bullish = p.bullish AND u.tokens = 0));
  ELSE
    v_is_kept := NOT EXISTS (
      SELECT FROM previous p WHERE NOT EXISTS (
        SELECT FROM undone_votes u JOIN token_ledger l ON l.user_id = u.user_id AND l.kind = 'vote_undone' AND l.ref = u.id
        WHERE u.user_id = p.user_id AND u.project_id = p.project_id AND u.period = p.period AND u.created_at = p.created_at
          AND u.bullish = p.bullish AND u.tokens = 10 AND l.amount = -10));
  END IF;
  IF NOT v_is_kept THEN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege'; END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER votes_deleted AFTER DELETE ON votes
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION keep_undone();
CREATE TRIGGER vote_changes_deleted AFTER DELETE ON vote_changes
  REFERENCING OLD TABLE AS previous FOR EACH STATEMENT EXECUTE FUNCTION keep_undone();
