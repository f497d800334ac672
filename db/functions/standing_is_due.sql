-- See server/figures/standing/count-verified.ts.
CREATE OR REPLACE FUNCTION standing_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_due := true;
  RETURN NEW;
END $$;

CREATE TRIGGER voter_standing_is_due BEFORE UPDATE ON voter_standing
  FOR EACH ROW WHEN ((OLD.read_on, OLD.history_read, OLD.history_held, OLD.history_unread)
    IS DISTINCT FROM (NEW.read_on, NEW.history_read, NEW.history_held, NEW.history_unread))
  EXECUTE FUNCTION standing_is_due();
