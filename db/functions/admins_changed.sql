CREATE OR REPLACE FUNCTION admins_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_servers('s', (SELECT array_agg(id) FROM users WHERE wallet_address = NEW.wallet_address));
  RETURN NULL;
END $$;

CREATE TRIGGER admins_changed AFTER INSERT OR UPDATE ON admins FOR EACH ROW EXECUTE FUNCTION admins_changed();
