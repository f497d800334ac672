-- A changed reading makes the state of its voter due (server/standing/count-verified.ts).
CREATE OR REPLACE FUNCTION standing_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_due := true;
  RETURN NEW;
END $$;

CREATE TRIGGER voter_standing_is_due BEFORE UPDATE ON voter_standing
  FOR EACH ROW WHEN ((OLD.read_on, OLD.days_read, OLD.days_held) IS DISTINCT FROM (NEW.read_on, NEW.days_read, NEW.days_held))
  EXECUTE FUNCTION standing_is_due();
