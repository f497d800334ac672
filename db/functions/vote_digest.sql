-- The same as in record/entries/digest.ts.
CREATE OR REPLACE FUNCTION vote_digest(pseudonym bytea, day date, bullish boolean, identity int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || encode(substr(sha256(pseudonym || int4send(day - '1970-01-01'::date)
  || CASE WHEN bullish THEN '\x01'::bytea ELSE '\x00'::bytea END || int8send(identity)), 1, 8), 'hex'))::bit(64)::bigint;
