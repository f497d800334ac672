-- A transaction may have begun, and an entry been dated, before what is counted by now.
CREATE OR REPLACE FUNCTION date_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := vote_time(NEW.created_at);
  RETURN NEW;
END $$;

CREATE TRIGGER token_ledger_date_entry BEFORE INSERT ON token_ledger FOR EACH ROW EXECUTE FUNCTION date_entry();
