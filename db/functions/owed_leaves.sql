-- The same as in record/entries/secrets.ts. OFFSET 0 keeps the seed from being computed for each use.
CREATE OR REPLACE FUNCTION owed_leaves(secret bytea, day text, balance bigint, held bigint) RETURNS TABLE (hash bytea, sum bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 2
BEGIN ATOMIC
  SELECT sha256('\x00'::bytea || substr(s.seed, 1, 16) || part.number || int8send(owed_leaves.balance) || int8send(owed_leaves.held)), part.sum
  FROM (
    SELECT seed, (('x' || encode(substr(seed, 17, 8), 'hex'))::bit(64)::bigint & x'7fffffffffffffff'::bigint)
      % (owed_leaves.balance + owed_leaves.held + 1) AS cut
    FROM (SELECT sha256(convert_to(E'snapswipe owed v1\n', 'UTF8') || owed_leaves.secret || convert_to(owed_leaves.day, 'UTF8')) AS seed OFFSET 0) seeded
    OFFSET 0
  ) s, LATERAL (VALUES ('\x01'::bytea, s.cut), ('\x02'::bytea, owed_leaves.balance + owed_leaves.held - s.cut)) part (number, sum);
END;
