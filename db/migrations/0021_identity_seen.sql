-- A vote and a change of mind name the identity of the project that was seen (R60), and are rejected where it is another by now.
-- contract: the functions of the same names that come with this version take the calls of servers before it, without an identity.
DROP FUNCTION IF EXISTS cast_votes(bytea[], bigint[], bigint[], boolean[], int, interval, int);
DROP FUNCTION IF EXISTS change_vote(bigint, bigint, boolean, int, interval, interval);

ALTER TYPE vote_outcome ADD VALUE 'renamed';
ALTER TYPE change_outcome ADD VALUE 'renamed';
