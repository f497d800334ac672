import { sql } from 'kysely';
import { TOP_VOTERS } from '#shared/constants.ts';
import { RETENTION } from '#shared/retention.ts';
import type { Services } from '../services.ts';
import { standingAt } from '../votes/standing-at.ts';

/**
 * Maximum number of reported lines of one kind: a counter that is broken for all users is one finding, not a million.
 */
const SHOWN = 20;

/** Deleted accounts keep their counters and have no rank. */
const IS_THERE = sql`NOT EXISTS (SELECT FROM users u WHERE u.id = user_stats.user_id AND u.deleted_at IS NOT NULL)`;

/** Each finds contradictory rows, one line of text per finding. */
const CHECKS = [
  // Balance = sum of the ledger's entries, including votes (R13).
  sql<{ difference: string }>`
    SELECT format('user %s: balance %s, ledger %s', coalesce(l.user_id, s.user_id), coalesce(s.balance, 0), coalesce(l.balance, 0)) AS difference
    FROM (SELECT user_id, sum(amount) AS balance FROM ledger_entries GROUP BY 1) l FULL JOIN user_stats s USING (user_id)
    WHERE coalesce(l.balance, 0) <> coalesce(s.balance, 0) LIMIT ${SHOWN}`,
  // Votes and their counters.
  sql<{ difference: string }>`
    SELECT format('user %s: counters %s votes, %s bullish, %s earned; votes %s, %s, %s', coalesce(v.user_id, s.user_id),
      s.total_votes, s.bullish, s.tokens_earned, v.total_votes, v.bullish, v.tokens_earned) AS difference
    FROM (
      SELECT user_id, sum(votes) AS total_votes, sum(bullish) AS bullish, sum(tokens) AS tokens_earned FROM (
        SELECT user_id, 1 AS votes, bullish::int, tokens FROM votes
        UNION ALL SELECT user_id, 0, bullish::int - was_bullish::int, 0 FROM vote_changes
      ) moved GROUP BY 1
    ) v
    FULL JOIN user_stats s USING (user_id)
    WHERE coalesce(v.total_votes, 0) <> coalesce(s.total_votes, 0) OR coalesce(v.bullish, 0) <> s.bullish
      OR coalesce(v.tokens_earned, 0) <> s.tokens_earned OR s.total_votes <> s.bullish + s.bearish LIMIT ${SHOWN}`,
  sql<{ difference: string }>`
    SELECT format('project %s: counters %s bullish, %s bearish; votes %s, %s', coalesce(v.project_id, s.project_id),
      coalesce(s.bullish, 0), coalesce(s.bearish, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) AS difference
    FROM (
      SELECT project_id, count(*) FILTER (WHERE bullish) AS bullish, count(*) FILTER (WHERE NOT bullish) AS bearish
      FROM vote_states WHERE replaced_at IS NULL GROUP BY 1
    ) v FULL JOIN project_stats s USING (project_id)
    WHERE coalesce(v.bullish, 0) <> coalesce(s.bullish, 0) OR coalesce(v.bearish, 0) <> coalesce(s.bearish, 0) LIMIT ${SHOWN}`,
  // Each change of a vote continues the opinion before it (R57).
  sql<{ difference: string }>`
    SELECT format('user %s: the change of the vote on project %s on %s continues no opinion of that vote', c.user_id, c.project_id, c.said_on) AS difference
    FROM vote_changes c LEFT JOIN opinions o
      ON o.user_id = c.user_id AND o.project_id = c.project_id AND o.period = c.period AND o.said_at = c.was_said_at
    WHERE (o.bullish, o.created_at) IS DISTINCT FROM (c.was_bullish, c.cast_at) LIMIT ${SHOWN}`,
  // Verified counters, as of their last count; after a later decision of the admin they wait for the next one.
  sql<{ difference: string }>`
    SELECT format('project %s: verified counters %s bullish, %s bearish; verified votes %s, %s', coalesce(v.project_id, s.project_id),
      coalesce(s.bullish, 0), coalesce(s.bearish, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) AS difference
    FROM (
      SELECT project_id, count(*) FILTER (WHERE bullish) AS bullish, count(*) FILTER (WHERE NOT bullish) AS bearish
      FROM opinion_states CROSS JOIN verified_counts c
      WHERE unreplaced_state = 'verified' AND ${standingAt(sql`counted_until`)} AND (replaced_at >= counted_until) IS NOT FALSE GROUP BY 1
    ) v FULL JOIN verified_stats s ON s.project_id = v.project_id
    WHERE NOT EXISTS (SELECT FROM verified_counts WHERE is_stale)
      AND (coalesce(v.bullish, 0) <> coalesce(s.bullish, 0) OR coalesce(v.bearish, 0) <> coalesce(s.bearish, 0)) LIMIT ${SHOWN}`,
  sql<{ difference: string }>`
    SELECT format('votes of %s: counted %s as %s; votes %s', coalesce(v.day, s.day), coalesce(s.votes, 0), coalesce(v.state, s.state),
      coalesce(v.votes, 0)) AS difference
    FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS votes,
        CASE WHEN replaced_at < counted_until THEN 'replaced' ELSE unreplaced_state END AS state
      FROM opinion_states CROSS JOIN verified_counts WHERE ${standingAt(sql`counted_until`)} GROUP BY 1, 3
    ) v FULL JOIN vote_state_days s ON s.day = v.day AND s.state = v.state
    WHERE NOT EXISTS (SELECT FROM verified_counts WHERE is_stale) AND coalesce(v.votes, 0) <> coalesce(s.votes, 0) LIMIT ${SHOWN}`,
  // The opinions before and since each change of identity, as of the same count (R60).
  sql<{ difference: string }>`
    SELECT format('project %s, identity %s: counted %s votes before, %s bullish and %s bearish verified since; votes %s, %s and %s', i.project_id,
      i.identity, i.votes_before, i.bullish, i.bearish, coalesce(v.votes_before, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) AS difference
    FROM identity_changes i CROSS JOIN verified_counts c LEFT JOIN (
      SELECT n.project_id, n.identity, count(*) FILTER (WHERE s.said_at < n.changed_at) AS votes_before,
        count(*) FILTER (WHERE s.said_at >= n.changed_at AND s.unreplaced_state = 'verified' AND s.bullish) AS bullish,
        count(*) FILTER (WHERE s.said_at >= n.changed_at AND s.unreplaced_state = 'verified' AND NOT s.bullish) AS bearish
      FROM identity_changes n JOIN (
        SELECT project_id, said_at, bullish, unreplaced_state FROM opinion_states CROSS JOIN verified_counts
        WHERE ${standingAt(sql`counted_until`)} AND (replaced_at >= counted_until) IS NOT FALSE
      ) s ON s.project_id = n.project_id GROUP BY n.project_id, n.identity
    ) v ON v.project_id = i.project_id AND v.identity = i.identity
    WHERE NOT c.is_stale AND i.changed_at < c.counted_until
      AND (i.votes_before, i.bullish, i.bearish) <> (coalesce(v.votes_before, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) LIMIT ${SHOWN}`,
  // Each listing shows its newest version.
  sql<{ difference: string }>`
    SELECT format('project %s: its newest version is not what it shows', p.id) AS difference
    FROM projects p LEFT JOIN listing_versions v ON v.project_id = p.id AND v.number = p.version
    WHERE (v.identity, v.name, v.image_hash, v.twitter_handle, v.website, v.category, v.description)
      IS DISTINCT FROM (p.identity, p.name, p.image_hash, p.twitter_handle, p.website, p.category, p.description) LIMIT ${SHOWN}`,
  // Past days of projects, and the opinions at that time: the newest of each user.
  sql<{ difference: string }>`
    WITH c AS (SELECT least(day, ((now() - interval '1 hour') AT TIME ZONE 'UTC')::date) AS day FROM project_days ORDER BY day DESC LIMIT 1)
    SELECT format('project %s before %s: days say %s bullish, %s bearish; votes %s, %s', project_id, (SELECT day FROM c),
      coalesce(d.bullish, 0), coalesce(d.bearish, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) AS difference
    FROM (
      SELECT DISTINCT ON (p.project_id) p.project_id, p.bullish, p.bearish FROM project_days p WHERE p.day < (SELECT day FROM c)
      ORDER BY p.project_id, p.day DESC
    ) d FULL JOIN (
      SELECT n.project_id::bigint, count(*) FILTER (WHERE n.bullish) AS bullish, count(*) FILTER (WHERE NOT n.bullish) AS bearish
      FROM (SELECT DISTINCT ON (user_id, project_id) project_id, bullish FROM opinions
        WHERE said_at < (SELECT day FROM c)::timestamp AT TIME ZONE 'UTC' ORDER BY user_id, project_id, period DESC, said_at DESC) n GROUP BY 1
    ) v USING (project_id)
    WHERE coalesce(d.bullish, 0) <> coalesce(v.bullish, 0) OR coalesce(d.bearish, 0) <> coalesce(v.bearish, 0) LIMIT ${SHOWN}`,
  // The histogram that ranks are read from.
  sql<{ difference: string }>`
    SELECT format('%s users have %s votes each; the histogram says %s', coalesce(s.users, 0), coalesce(s.total_votes, h.total_votes), coalesce(h.users, 0)) AS difference
    FROM (SELECT total_votes, count(*) AS users FROM user_stats WHERE total_votes > 0 AND ${IS_THERE} GROUP BY 1) s FULL JOIN vote_totals h USING (total_votes)
    WHERE coalesce(s.users, 0) <> coalesce(h.users, 0) LIMIT ${SHOWN}`,
  // The candidates for the top voters.
  sql<{ difference: string }>`
    SELECT format('user %s with %s votes is not among the top voters', t.user_id, t.total_votes) AS difference
    FROM (SELECT user_id, total_votes FROM user_stats WHERE total_votes > 0 AND ${IS_THERE}
      ORDER BY total_votes DESC, user_id LIMIT ${TOP_VOTERS}) t
    WHERE NOT EXISTS (SELECT FROM top_voters l WHERE l.user_id = t.user_id)`,
  // Every burn has its review; a demo seeded by an earlier version holds reviews without a burn.
  sql<{ difference: string }>`
    SELECT format('burn of user %s: review %s does not exist', l.user_id, l.ref) AS difference
    FROM token_ledger l LEFT JOIN reviews r ON r.id = l.ref AND r.user_id = l.user_id
    WHERE l.kind = 'review_burn' AND r.id IS NULL LIMIT ${SHOWN}`,
  // An account's remaining balance is burned when it is deleted (R55).
  sql<{ difference: string }>`
    SELECT format('user %s was deleted and has %s tokens', u.id, s.balance) AS difference
    FROM users u JOIN user_stats s ON s.user_id = u.id WHERE u.deleted_at IS NOT NULL AND s.balance <> 0 LIMIT ${SHOWN}`,
  sql<{ difference: string }>`
    SELECT format('burn of the account of user %s, which was not deleted', l.user_id) AS difference
    FROM token_ledger l LEFT JOIN users u ON u.id = l.user_id
    WHERE l.kind = 'account_burn' AND (u.deleted_at IS NULL OR l.ref <> l.user_id) LIMIT ${SHOWN}`,
  // A withdrawal is held once, released once when it ends, and paid out once when it is paid (R14).
  sql<{ difference: string }>`
    SELECT format('withdrawal %s (%s of %s tokens): ledger holds %s, releases %s, pays %s', coalesce(w.id, l.ref),
      coalesce(w.state::text, 'none'), w.token_amount, coalesce(l.hold, 0), coalesce(l.release, 0), coalesce(l.payout, 0)) AS difference
    FROM withdrawals w FULL JOIN (
      SELECT user_id, ref, sum(amount) FILTER (WHERE kind = 'withdrawal_hold') AS hold, sum(amount) FILTER (WHERE kind = 'hold_release') AS release,
        sum(amount) FILTER (WHERE kind = 'payout') AS payout
      FROM token_ledger WHERE kind IN ('withdrawal_hold', 'hold_release', 'payout') GROUP BY 1, 2
    ) l ON l.user_id = w.user_id AND l.ref = w.id
    WHERE w.id IS NULL OR coalesce(l.hold, 0) <> -w.token_amount
      OR coalesce(l.release, 0) <> CASE WHEN w.state IN ('paid', 'rejected') THEN w.token_amount ELSE 0 END
      OR coalesce(l.payout, 0) <> CASE WHEN w.state = 'paid' THEN -w.token_amount ELSE 0 END LIMIT ${SHOWN}`,
  // Every opinion given before the end of the newest batch is in the record (R40); an earlier one that was stored later
  // is missing.
  sql<{ difference: string }>`
    SELECT format('record: %s votes and changes published, %s given before %s', published, given_before, until) AS difference
    FROM (SELECT sum(votes) AS published, max(until) AS until FROM log_checkpoints) c
    CROSS JOIN LATERAL (SELECT count(*) AS given_before FROM opinions WHERE said_at < c.until) o WHERE published <> given_before`,
  // The record's facts about projects, and the votes.
  sql<{ difference: string }>`
    SELECT format('project %s in period %s: record %s bullish, %s bearish; votes %s, %s', coalesce(r.project_id, v.project_id),
      coalesce(r.period, v.period), coalesce(r.bullish, 0), coalesce(r.bearish, 0), coalesce(v.bullish, 0), coalesce(v.bearish, 0)) AS difference
    FROM (
      SELECT project_id, period, count(*) FILTER (WHERE bullish) AS bullish, count(*) FILTER (WHERE NOT bullish) AS bearish
      FROM opinion_states CROSS JOIN (SELECT max(until) AS until FROM log_checkpoints) c
      WHERE ${standingAt(sql`until`)} AND (replaced_at >= until) IS NOT FALSE GROUP BY 1, 2
    ) v FULL JOIN recorded_totals r USING (project_id, period)
    WHERE coalesce(r.bullish, 0) <> coalesce(v.bullish, 0) OR coalesce(r.bearish, 0) <> coalesce(v.bearish, 0) LIMIT ${SHOWN}`,
  // The proof of liabilities, its leaves, and the liabilities of /supply by the ledger at that time.
  sql<{ difference: string }>`
    SELECT format('proof of liabilities: %s tokens of %s users; leaves %s of %s; ledger %s', p.total, p.accounts, l.total, l.accounts, p.ledger) AS difference
    FROM liability_proof p CROSS JOIN (SELECT coalesce(sum(balance + held), 0) AS total, count(*) AS accounts FROM liability_leaves) l
    WHERE (p.total, p.accounts) <> (l.total, l.accounts) OR p.total <> p.ledger`,
];

/**
 * Contradictions in ledger, balances, counters and withdrawals, read in one snapshot: a line of text each, none when
 * all is well.
 */
export async function findDifferences(db: Services['db']): Promise<string[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`SET LOCAL statement_timeout = '10min'`.execute(trx);
      const found: string[] = [];
      for (const check of CHECKS) found.push(...(await check.execute(trx)).rows.map((row) => row.difference));
      return found;
    });
}

/** Number of differences that are stored with a run. */
const EXAMPLES = 10;

/** Finds the differences, reports them to the log and records the run (invariant_runs); changes nothing else. */
export async function checkInvariants({ db, log }: Pick<Services, 'db' | 'log'>): Promise<string[]> {
  const startedMs = performance.now();
  const differences = await findDifferences(db);
  for (const difference of differences) log.error({ difference }, 'the books contradict each other');
  await db
    .insertInto('invariantRuns')
    .values({
      checkedAt: sql`clock_timestamp()`,
      durationMs: Math.round(performance.now() - startedMs),
      differences: differences.length,
      examples: differences.slice(0, EXAMPLES),
    })
    .execute();
  await db
    .deleteFrom('invariantRuns')
    .where('checkedAt', '<', sql<Date>`now() - ${RETENTION.invariantRuns.kept.days} * interval '1 day'`)
    .execute();
  return differences;
}
