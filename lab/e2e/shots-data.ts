import type pg from 'pg';

interface User {
  id: number;
  address: string;
}

interface Listings {
  active: readonly [number, number];
  expired: number;
  hidden: number;
}

/** Demo listings that become a user's own; no two users of the pictures share one. */
export const LISTINGS = {
  desktop: { active: [5, 6], expired: 21, hidden: 30 },
  phone: { active: [7, 9], expired: 22, hidden: 29 },
  'desktop admin': { active: [10, 11], expired: 23, hidden: 28 },
  'phone admin': { active: [12, 13], expired: 24, hidden: 27 },
} as const satisfies Record<string, Listings>;

/** Makes the user the owner of three listings, one of them expired. */
export async function becomeOwner(
  database: pg.Pool,
  { id }: Pick<User, 'id'>,
  { active, expired }: Listings = LISTINGS.desktop,
): Promise<void> {
  await database.query('UPDATE projects SET owner_id = $1 WHERE id = ANY ($2)', [id, [...active, expired]]);
  await database.query("UPDATE projects SET expires_at = now() - interval '3 days' WHERE id = $1", [expired]);
}

async function addHiddenListing(database: pg.Pool, { id }: User, { hidden }: Listings): Promise<void> {
  await database.query(
    `UPDATE projects SET owner_id = $1, hidden_at = now(), hidden_reason = 'The picture is the logo of another project' WHERE id = $2`,
    [id, hidden],
  );
}

const WITHDRAWALS = [
  ['requested', null],
  ['approved', null],
  ['sending', null],
  ['paid', null],
  ['failed', 'The transaction ran out of gas. It will be sent again.'],
  ['rejected', 'These votes came from one machine. Your Snaps are back in your balance.'],
] as const;

const tokensOf = (index: number): number => 1200 - index * 150;

/** A withdrawal in each state, with the batch that pays it. */
async function addWithdrawals(database: pg.Pool, { id, address }: User): Promise<void> {
  for (const [index, [state, reason]] of WITHDRAWALS.entries()) {
    const isSent = state === 'sending' || state === 'paid';
    const digest = isSent ? `${index}x7Qm2pWn9KcV4tRz8LbYh3DfGj6sAe${id}` : null;
    await database.query(
      `WITH batch AS (
         INSERT INTO payout_batches (state, digest) SELECT (CASE $2::text WHEN 'paid' THEN 'paid' ELSE 'sent' END)::payout_batch_state, $4::text
         WHERE $4::text IS NOT NULL RETURNING id
       ), withdrawal AS (
         INSERT INTO withdrawals (user_id, wallet_address, token_amount, state, reason, digest, batch_id, created_at)
         SELECT $1, $6, $5::int, $2::text::withdrawal_state, $3, $4::text, (SELECT id FROM batch), now() - $5::int * interval '1 minute'
         RETURNING id
       )
       INSERT INTO payout_items (batch_id, withdrawal_id, wallet_address, token_amount, amount_units)
       SELECT batch.id, withdrawal.id, $6, $5::int, $5::int * 1000000::numeric FROM batch, withdrawal`,
      [id, state, reason, digest, tokensOf(index), address],
    );
  }
}

/** Earned tokens, less what the withdrawals hold or have paid; balance and ledger change together. */
async function addTokens(database: pg.Pool, { id }: User): Promise<void> {
  await database.query(
    `WITH entries AS (
       SELECT 'withdrawal_hold'::ledger_kind AS kind, id AS ref, -token_amount AS amount FROM withdrawals WHERE user_id = $1
       UNION ALL SELECT 'hold_release', id, token_amount FROM withdrawals WHERE user_id = $1 AND state IN ('paid', 'rejected')
       UNION ALL SELECT 'payout', id, -token_amount FROM withdrawals WHERE user_id = $1 AND state = 'paid'
     ), earned AS (
       INSERT INTO votes (user_id, project_id, bullish, tokens, created_at) VALUES ($1, -1, true, 16500, now()) RETURNING tokens
     ), written AS (
       INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) SELECT $1, kind, ref, amount, now() FROM entries
     )
     UPDATE user_stats SET balance = balance + (SELECT tokens FROM earned) + (SELECT sum(amount) FROM entries) WHERE user_id = $1`,
    [id],
  );
}

async function addPayments(database: pg.Pool, { id }: User): Promise<void> {
  const add = (state: string, rest: { digest?: string; note?: string; purpose?: string }) =>
    database.query(
      `INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, received_mist, chain_id, digest, message, expires_at)
       VALUES ($1, $2, $3, '{"name":"Driftwood Harbor"}', $6, 15000000000, 15000000000, 'shots', $4, $5, now() + interval '1 hour')`,
      [id, rest.purpose ?? 'submit', state, rest.digest ?? null, rest.note ?? null, `${state}${id}`],
    );
  await add('draft', {});
  await add('unclaimed', {
    digest: `9hTqW3nXvYb2KcD7mPzR4sLfGjE8aUoN${id}`,
    note: 'The name was taken while you paid. You get your money back, or another name if you like.',
  });
}

async function addVotes(database: pg.Pool, { id }: User): Promise<void> {
  await database.query(
    `INSERT INTO votes (user_id, project_id, bullish, tokens, created_at)
     SELECT $1, id, id % 3 > 0, 10, now() - id * interval '7 minutes' FROM projects WHERE id BETWEEN 8 AND 20`,
    [id],
  );
  await database.query(
    'UPDATE user_stats SET total_votes = 13, bullish = 9, bearish = 4, streak = 4, balance = balance + 130, tokens_earned = 130 WHERE user_id = $1',
    [id],
  );
}

/** An owner with a long history: everything that a portfolio can show at once. */
export async function becomeBusy(database: pg.Pool, user: User, listings: Listings): Promise<void> {
  await becomeOwner(database, user, listings);
  await addHiddenListing(database, user, listings);
  await addVotes(database, user);
  await addWithdrawals(database, user);
  await addTokens(database, user);
  await addPayments(database, user);
}
