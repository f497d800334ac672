-- Dates an entry after everything that is already counted, even if its transaction began earlier.
CREATE OR REPLACE FUNCTION date_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := vote_time(NEW.created_at);
  RETURN NEW;
END $$;

CREATE TRIGGER token_ledger_date_entry BEFORE INSERT ON token_ledger FOR EACH ROW EXECUTE FUNCTION date_entry();
