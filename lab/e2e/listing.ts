/** Listings of the journeys: planted in the database, or typed into the form. */
import type { Page } from '@playwright/test';
import type { Pool } from 'pg';
import sharp from 'sharp';
import { expect } from './base.ts';
import { uniqueText } from './unique.ts';

export interface Listing {
  id: number;
  slug: string;
  name: string;
}

interface Planted {
  name?: string;
  /** The owner of paper-foxes when it is missing. */
  wallet?: string;
  /** Days since it was listed, and until it expires. */
  days?: [age: number, left: number];
  /** Days until each further listing period begins. */
  periods?: number[];
  /** Makes it an unclaimed listing of the catalogue. */
  coinType?: string;
}

/** A listing as if it had been paid for days ago, with the picture and texts of paper-foxes. */
export async function plantListing(
  database: Pool,
  { name = `Harbor ${uniqueText()}`, wallet, days: [age, left] = [10, 20], periods = [], coinType }: Planted = {},
): Promise<Listing> {
  const { rows } = await database.query<Listing>(
    `WITH listing AS (
       INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, website, created_at, expires_at,
         owner_id, period_starts, coin_type, coin_source, is_catalogue)
       SELECT $1, $2, category, description, image_hash, twitter_handle, website, now() - $3 * interval '1 day', now() + $4 * interval '1 day',
         coalesce((SELECT id FROM users WHERE wallet_address = $5), owner_id),
         ARRAY(SELECT now() + day * interval '1 day' FROM unnest($6::float8[]) day ORDER BY day), $7::text,
         (CASE WHEN $7::text IS NULL THEN 'lister' ELSE 'catalogue' END)::coin_source, $7::text IS NOT NULL
       FROM projects WHERE slug = 'paper-foxes' RETURNING id, slug, name
     ), counters AS (INSERT INTO project_stats (project_id) SELECT id FROM listing)
     SELECT id::int, slug, name FROM listing`,
    [name.toLowerCase().replaceAll(' ', '-'), name, age, left, wallet ?? null, [-age, ...periods], coinType ?? null],
  );
  const [listing] = rows;
  if (!listing) throw new Error('nothing was listed');
  return listing;
}

/** The order of a listing, as if its owner had paid it. */
export async function payForListing(database: Pool, name: string): Promise<void> {
  await database.query(
    `INSERT INTO payments (user_id, purpose, state, project_id, draft, order_hash, amount_mist, received_mist, digest, chain_id, created_at, expires_at)
     SELECT owner_id, 'submit', 'fulfilled', id, '{}', slug, 15000000000, 15000000000, 'paid for ' || slug, 'made up', created_at, created_at
     FROM projects WHERE name = $1`,
    [name],
  );
}

export async function fillListing(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Project Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Meme');
  await page.getByRole('textbox', { name: 'Description' }).fill('A reef where memes grow into coral 🪸');
  await page.getByRole('textbox', { name: 'X Account Link' }).fill('https://x.com/driftwood');
  const buffer = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#0e6ea0' } })
    .png()
    .toBuffer();
  await page.getByLabel('Project Image').setInputFiles({ name: 'harbor.png', mimeType: 'image/png', buffer });
  // Under the file input, which takes presses and dropped files: it is seen, not pressed.
  await expect(page.getByAltText('Preview of the project')).toBeVisible();
}
