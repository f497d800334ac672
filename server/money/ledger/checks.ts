import { type RawBuilder, sql } from 'kysely';
import type { Cursor } from '#server/figures/totals/cursor.ts';
import { SIDES, standingSides, STATE_DAYS, VERIFIED } from '#server/figures/totals/show.ts';
import { unitsOf } from '#server/books/totals.ts';
import { from, standingMoves } from '#server/books/opinions.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';

/** Maximum number of reported lines of one kind. */
export const SHOWN = 20;

interface Line {
  difference: string;
}
type Check = RawBuilder<Line>;

/** Ids above `after`, up to `until`; null: all. */
export type Users = { after: number; until: number } | null;

export const isOf = (users: Users, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  users === null ? sql`true` : sql`${id} > ${users.after} AND ${id} <= ${users.until}`;

const compared = (users: Users) => sql`(
  SELECT user_id, sum(amount) AS balance FROM ledger_entries WHERE ${isOf(users, sql`user_id`)} GROUP BY 1) l
  FULL JOIN (SELECT user_id, balance FROM user_stats WHERE ${isOf(users, sql`user_id`)}) s USING (user_id)
  WHERE coalesce(l.balance, 0) <> coalesce(s.balance, 0)`;

export const balanceDifferences = (users: Users) => sql<{ differing: number; excess: number }>`
  SELECT count(*) AS differing, coalesce(sum(coalesce(s.balance, 0) - coalesce(l.balance, 0)), 0)::bigint AS excess FROM ${compared(users)}`;

export const userChecks = (users: Users): Check[] => [
  sql`
    SELECT format('user %s: balance %s, ledger %s', user_id, coalesce(s.balance, 0), coalesce(l.balance, 0)) AS difference
    FROM ${compared(users)} LIMIT ${SHOWN}`,
  sql`
    SELECT format('user %s: counters %s votes, %s bullish, %s earned; votes %s, %s, %s', coalesce(v.user_id, s.user_id),
      s.total_votes, s.bullish, s.tokens_earned, v.total_votes, v.bullish, v.tokens_earned) AS difference
    FROM (
      SELECT user_id, sum(votes) AS total_votes, sum(bullish) AS bullish, ${sql.lit(VOTE_REWARD_TOKENS)} * sum(votes) AS tokens_earned FROM (
        SELECT user_id, 1 AS votes, bullish::int FROM votes
        UNION ALL SELECT user_id, 0, bullish::int - was_bullish::int FROM vote_changes
      ) moved WHERE ${isOf(users, sql`user_id`)} GROUP BY 1
    ) v
    FULL JOIN (SELECT * FROM user_stats WHERE ${isOf(users, sql`user_id`)}) s USING (user_id)
    WHERE coalesce(v.total_votes, 0) <> coalesce(s.total_votes, 0) OR coalesce(v.bullish, 0) <> s.bullish
      OR coalesce(v.tokens_earned, 0) <> s.tokens_earned OR s.total_votes <> s.bullish + s.bearish LIMIT ${SHOWN}`,
  // Each change of a vote continues the opinion before it (R57). The planner needs both sides restricted to the same
  // users.
  sql`
    SELECT format('user %s: the change of the vote on project %s on %s continues no opinion of that vote', c.user_id, c.project_id, c.said_on) AS difference
    FROM vote_changes c LEFT JOIN opinions o
      ON o.user_id = c.user_id AND o.project_id = c.project_id AND o.period = c.period AND o.said_at = c.was_said_at
        AND ${isOf(users, sql`o.user_id`)}
    WHERE ${isOf(users, sql`c.user_id`)} AND (o.bullish, o.created_at) IS DISTINCT FROM (c.was_bullish, c.cast_at) LIMIT ${SHOWN}`,
  sql`
    SELECT format('burn of user %s: review %s does not exist', l.user_id, l.ref) AS difference
    FROM token_ledger l LEFT JOIN reviews r ON r.id = l.ref AND r.user_id = l.user_id
    WHERE l.kind IN ('review_burn', 'sentence_burn') AND ${isOf(users, sql`l.user_id`)} AND r.id IS NULL LIMIT ${SHOWN}`,
  sql`
    SELECT format('user %s was deleted and has %s tokens', u.id, s.balance) AS difference
    FROM users u JOIN user_stats s ON s.user_id = u.id WHERE u.deleted_at IS NOT NULL AND ${isOf(users, sql`u.id`)} AND s.balance <> 0 LIMIT ${SHOWN}`,
  sql`
    SELECT format('burn of the account of user %s, which was not deleted', l.user_id) AS difference
    FROM token_ledger l LEFT JOIN users u ON u.id = l.user_id
    WHERE l.kind = 'account_burn' AND ${isOf(users, sql`l.user_id`)} AND (u.deleted_at IS NULL OR l.ref <> l.user_id) LIMIT ${SHOWN}`,
  sql`
    SELECT format('withdrawal %s (%s of %s tokens): ledger holds %s, releases %s, pays %s', coalesce(w.id, l.ref),
      coalesce(w.state::text, 'none'), w.token_amount, coalesce(l.hold, 0), coalesce(l.release, 0), coalesce(l.payout, 0)) AS difference
    FROM (SELECT * FROM withdrawals WHERE ${isOf(users, sql`user_id`)}) w FULL JOIN (
      SELECT user_id, ref, sum(amount) FILTER (WHERE kind = 'withdrawal_hold') AS hold, sum(amount) FILTER (WHERE kind = 'hold_release') AS release,
        sum(amount) FILTER (WHERE kind = 'payout') AS payout
      FROM token_ledger WHERE kind IN ('withdrawal_hold', 'hold_release', 'payout') AND ${isOf(users, sql`user_id`)} GROUP BY 1, 2
    ) l ON l.user_id = w.user_id AND l.ref = w.id
    WHERE w.id IS NULL OR coalesce(l.hold, 0) <> -w.token_amount
      OR coalesce(l.release, 0) <> CASE WHEN w.state IN ('paid', 'rejected') THEN w.token_amount ELSE 0 END
      OR coalesce(l.payout, 0) <> CASE WHEN w.state = 'paid' THEN -w.token_amount ELSE 0 END LIMIT ${SHOWN}`,
  sql`
    SELECT format('user %s: total of Book %s %s units, of which %s from before; withdrawals %s', coalesce(t.user_id, w.user_id),
      coalesce(t.book_id, w.book_id), t.units, t.carried, w.units) AS difference
    FROM (SELECT * FROM book_totals WHERE ${isOf(users, sql`user_id`)}) t FULL JOIN (
      SELECT w.user_id, w.book_id, sum(${unitsOf('w')}) AS units, max(w.mark) AS mark
      FROM withdrawals w JOIN books b ON b.id = w.book_id WHERE ${isOf(users, sql`w.user_id`)} GROUP BY 1, 2
    ) w ON w.user_id = t.user_id AND w.book_id = t.book_id
    WHERE coalesce(t.units, 0) <> coalesce(t.carried, 0) + coalesce(w.units, 0) OR w.mark <> t.units LIMIT ${SHOWN}`,
  sql`
    SELECT format('withdrawal %s is %s and has a mark in a Book', id, state) AS difference
    FROM withdrawals WHERE ${isOf(users, sql`user_id`)} AND mark IS NOT NULL AND state NOT IN ('approved', 'paid') LIMIT ${SHOWN}`,
];

/** True while no day is being closed, so that its figures are those of the totals. */
const ARE_SHOWN = sql`EXISTS (SELECT FROM closed_days c JOIN totals_state t ON t.counted_until = c.until)`;

/** None of these reads votes or entries from before the cursor of the totals. */
export const wholeChecks = ({ countedUntil }: Cursor): Check[] => [
  sql`
    SELECT format('project %s: counters %s bullish, %s bearish; votes %s, %s', coalesce(v.project_id, s.project_id),
      coalesce(s.bullish, 0), coalesce(s.bearish, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) AS difference
    FROM (
      SELECT project_id, sum(bullish) AS bullish, sum(bearish) AS bearish
      FROM ${standingSides(standingMoves(from(countedUntil)))} x GROUP BY 1
    ) v FULL JOIN project_stats s USING (project_id)
    WHERE coalesce(v.bullish, 0) <> coalesce(s.bullish, 0) OR coalesce(v.bearish, 0) <> coalesce(s.bearish, 0) LIMIT ${SHOWN}`,
  sql`
    SELECT format('project %s: verified counters %s bullish, %s bearish; verified votes %s, %s', coalesce(v.project_id, s.project_id),
      coalesce(s.bullish + s.excluded_since, 0), coalesce(s.bearish, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) AS difference
    FROM (${VERIFIED}) v FULL JOIN verified_stats s ON s.project_id = v.project_id
    WHERE ${ARE_SHOWN} AND (coalesce(v.bullish, 0) <> coalesce(s.bullish + s.excluded_since, 0) OR coalesce(v.bearish, 0) <> coalesce(s.bearish, 0)) LIMIT ${SHOWN}`,
  sql`
    SELECT format('votes of %s: counted %s as %s; votes %s', coalesce(v.day, s.day), coalesce(s.votes, 0), coalesce(v.state, s.state),
      coalesce(v.votes, 0)) AS difference
    FROM (${STATE_DAYS}) v FULL JOIN vote_state_days s ON s.day = v.day AND s.state = v.state
    WHERE ${ARE_SHOWN} AND coalesce(v.votes, 0) <> coalesce(s.votes, 0) LIMIT ${SHOWN}`,
  sql`
    SELECT format('project %s, identity %s: counted %s votes before, %s bullish and %s bearish verified since; votes %s, %s and %s', i.project_id,
      i.identity, i.votes_before, i.bullish, i.bearish, v.votes_before, v.bullish, v.bearish) AS difference
    FROM identity_changes i JOIN (${SIDES}) v ON v.project_id = i.project_id AND v.identity = i.identity
    LEFT JOIN verified_stats s ON s.project_id = i.project_id
    WHERE ${ARE_SHOWN} AND i.changed_at < (SELECT counted_until FROM totals_state) AND ((i.votes_before, i.bearish) <> (v.votes_before, v.bearish)
      OR v.bullish - i.bullish NOT BETWEEN 0 AND coalesce(s.excluded_since, 0)) LIMIT ${SHOWN}`,
  sql`
    SELECT format('project %s: its newest version is not what it shows', p.id) AS difference
    FROM projects p LEFT JOIN listing_versions v ON v.project_id = p.id AND v.number = p.version
    WHERE (v.identity, v.name, v.image_hash, v.twitter_handle, v.website, v.category, v.description)
      IS DISTINCT FROM (p.identity, p.name, p.image_hash, p.twitter_handle, p.website, p.category, p.description) LIMIT ${SHOWN}`,
];
