-- A balance changes only together with a ledger entry, with any writer. Compared at the commit. docs/build/decisions/0015-balance-guard.md
CREATE OR REPLACE FUNCTION check_balance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
-- A plan made while the tables are empty would later read all entries for each user.
SET search_path = public, pg_temp SET enable_seqscan = off
AS $$
DECLARE
  v_users bigint[];
  v_wrong record;
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    SELECT array_agg(user_id) INTO v_users FROM changed;
  ELSE
    v_users := CASE TG_OP
      WHEN 'INSERT' THEN ARRAY[NEW.user_id] WHEN 'DELETE' THEN ARRAY[OLD.user_id] ELSE ARRAY[OLD.user_id, NEW.user_id] END;
  END IF;
  SELECT u.id, found.* INTO v_wrong
  FROM unnest(v_users) u (id) CROSS JOIN LATERAL (
    SELECT coalesce((SELECT balance FROM user_stats WHERE user_id = u.id), 0) AS balance,
      coalesce((SELECT sum(amount) FROM ledger_entries WHERE user_id = u.id), 0) AS entries
  ) found
  WHERE balance <> entries LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'The balance of user % is % tokens, but its ledger entries add up to %', v_wrong.id, v_wrong.balance, v_wrong.entries
      USING ERRCODE = 'check_violation',
        HINT = 'Change both in one statement: WITH entry AS (INSERT INTO token_ledger …) UPDATE user_stats …';
  END IF;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION check_balance() FROM PUBLIC;

CREATE CONSTRAINT TRIGGER balance_inserted AFTER INSERT ON user_stats DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION check_balance();
CREATE CONSTRAINT TRIGGER balance_deleted AFTER DELETE ON user_stats DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.balance <> 0) EXECUTE FUNCTION check_balance();
-- Skips counted votes: cast_votes writes the entry in the same statement that counts it, and summing a voter's ledger
-- for each vote would cost more than the vote. No condition here depends on the writing role: for each row, that alone
-- costs 4 % of a vote.
CREATE CONSTRAINT TRIGGER balance_updated AFTER UPDATE ON user_stats DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (
    OLD.user_id <> NEW.user_id
    OR (OLD.balance <> NEW.balance AND (NEW.balance - OLD.balance <> NEW.tokens_earned - OLD.tokens_earned OR NEW.total_votes <> OLD.total_votes + 1))
  ) EXECUTE FUNCTION check_balance();
CREATE CONSTRAINT TRIGGER entry_inserted AFTER INSERT ON token_ledger DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_balance();
-- The condition above skips changes in the shape of a counted vote. The console may not use that shape: when its
-- statement triggers run, everything that one statement of the console writes is visible.
CREATE TRIGGER balances_updated_by_console AFTER UPDATE ON user_stats REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (current_user = 'snapswipe_console') EXECUTE FUNCTION check_balance();
