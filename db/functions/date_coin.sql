CREATE OR REPLACE FUNCTION date_coin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.coin_set_on := (now() AT TIME ZONE 'UTC')::date;
  RETURN NEW;
END $$;

CREATE TRIGGER projects_date_coin BEFORE UPDATE OF coin_type, coin_minimum, coin_source ON projects
  FOR EACH ROW WHEN ((OLD.coin_type, OLD.coin_minimum, OLD.coin_source) IS DISTINCT FROM (NEW.coin_type, NEW.coin_minimum, NEW.coin_source))
  EXECUTE FUNCTION date_coin();
