-- Stops work that was running when the account was deleted. 'refuse' fails with SD001, which the server reports as an ended session;
-- 'skip' leaves the row out. Its triggers follow from db/tables.ts.
CREATE OR REPLACE FUNCTION keep_deleted_empty() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_deleted_at timestamptz;
BEGIN
  SELECT deleted_at INTO v_deleted_at FROM users WHERE id = NEW.user_id FOR KEY SHARE;
  IF v_deleted_at IS NULL THEN RETURN NEW; END IF;
  IF TG_ARGV[0] = 'skip' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'The account of user % was deleted', NEW.user_id USING ERRCODE = 'SD001';
END $$;
REVOKE EXECUTE ON FUNCTION keep_deleted_empty() FROM PUBLIC;
