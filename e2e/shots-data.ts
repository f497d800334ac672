import type { Page } from '@playwright/test';
import type pg from 'pg';
import sharp from 'sharp';
import { grantTokens, type Person } from './fixtures.ts';

/** Makes the person the owner of three listings, one of them expired. */
export async function becomeOwner(database: pg.Pool, { id }: Person): Promise<void> {
  await database.query('UPDATE projects SET owner_id = $1 WHERE id IN (5, 6)', [id]);
  await database.query(
    'UPDATE projects SET owner_id = $1 WHERE id = (SELECT id FROM projects WHERE expires_at < now() LIMIT 1)',
    [id],
  );
}

const WITHDRAWALS = [
  ['requested', null],
  ['approved', null],
  ['sending', null],
  ['paid', null],
  ['failed', 'The transaction ran out of gas. It will be sent again.'],
  ['rejected', 'These votes came from one machine. Your tokens are back in your balance.'],
] as const;

async function addWithdrawals(database: pg.Pool, { id, address }: Person): Promise<void> {
  for (const [index, [state, reason]] of WITHDRAWALS.entries()) {
    const isSent = state === 'sending' || state === 'paid';
    const digest = isSent ? `${index}x7Qm2pWn9KcV4tRz8LbYh3DfGj6sAeUoTiPqXwNvMkB`.slice(0, 44) : null;
    await database.query(
      `WITH batch AS (
         INSERT INTO payout_batches (state, digest) SELECT CASE $2::text WHEN 'paid' THEN 'paid' ELSE 'sent' END, $4::text
         WHERE $4::text IS NOT NULL RETURNING id
       )
       INSERT INTO withdrawals (user_id, wallet_address, token_amount, state, reason, digest, batch_id, created_at)
       SELECT $1, $6, $5::int, $2::text, $3, $4::text, (SELECT id FROM batch), now() - $5::int * interval '1 minute'`,
      [id, state, reason, digest && `${digest.slice(0, 30)}${id}`, 1200 - index * 150, address],
    );
  }
}

async function addPayments(database: pg.Pool, { id }: Person): Promise<void> {
  const add = (state: string, rest: { digest?: string; note?: string; purpose?: string }) =>
    database.query(
      `INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, received_mist, chain_id, digest, note, expires_at)
       VALUES ($1, $2, $3, '{"name":"Driftwood Harbour"}', $6, 15000000000, 15000000000, 'shots', $4, $5, now() + interval '1 hour')`,
      [id, rest.purpose ?? 'submit', state, rest.digest ?? null, rest.note ?? null, `${state}${id}`],
    );
  await add('draft', {});
  await add('unclaimed', {
    digest: `9hTqW3nXvYb2KcD7mPzR4sLfGjE8aUoN${id}`,
    note: 'The name was taken while you paid. You get your money back, or another name if you like.',
  });
}

async function addVotes(database: pg.Pool, { id }: Person): Promise<void> {
  await database.query(
    `INSERT INTO votes (user_id, project_id, bullish, tokens, created_at)
     SELECT $1, id, id % 3 > 0, 10, now() - id * interval '7 minutes' FROM projects WHERE id BETWEEN 8 AND 20`,
    [id],
  );
  await database.query(
    'UPDATE user_stats SET total = 13, bullish = 9, bearish = 4, streak = 4, earned = 130 WHERE user_id = $1',
    [id],
  );
}

/** An owner with a long history: everything that a portfolio can show at once. */
export async function becomeBusy(database: pg.Pool, person: Person): Promise<void> {
  await becomeOwner(database, person);
  await database.query(
    "UPDATE projects SET owner_id = $1, hidden_at = now(), hidden_reason = 'The picture is somebody else’s logo' WHERE id = 30",
    [person.id],
  );
  await grantTokens(database, person.id, 12_345);
  await addVotes(database, person);
  await addWithdrawals(database, person);
  await addPayments(database, person);
}

/** Fills the form of a listing with something to look at. */
export async function fillListing(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Project Name' }).fill('Driftwood Harbour');
  await page.getByRole('combobox', { name: 'Category' }).selectOption('DeFi');
  await page
    .getByRole('textbox', { name: 'Description' })
    .fill('Berths for tokens that have seen a storm or two, and a harbour master who answers.');
  await page.getByRole('textbox', { name: 'X Account Link' }).fill('https://x.com/driftwood');
  const buffer = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#0e6ea0' } })
    .png()
    .toBuffer();
  await page.getByLabel('Project Image').setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer });
  await page.getByAltText('Preview of the project').waitFor();
}
