CREATE OR REPLACE FUNCTION new_secret() RETURNS bytea LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
