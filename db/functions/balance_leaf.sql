-- The same as in record/entries/secrets.ts.
CREATE OR REPLACE FUNCTION balance_leaf(secret bytea, day text, balance bigint) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256('\x00'::bytea || substr(sha256(convert_to(E'snapswipe balance v1\n', 'UTF8') || secret || convert_to(day, 'UTF8')), 1, 16)
  || int8send(balance));
