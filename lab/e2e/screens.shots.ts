/**
 * `npm run shots`: every screen, dialog, empty and error state, phone and desktop, light and dark, into ./shots for a person to
 * look through. Taken after a sign-in by clicking, with motion, when what moves has come to its end.
 */
import type { Page } from '@playwright/test';
import type pg from 'pg';
import { signIn } from './front-door/door.ts';
import { becomeBusy, LISTINGS } from './shots-data.ts';
import { ADMIN_SHOTS } from './shots/admin.ts';
import { type Device, takeAll, test } from './shots/album.ts';
import { ownerShots } from './shots/owner.ts';
import { VISITOR_SHOTS } from './shots/visitor.ts';
import { newcomerShots } from './shots/voter.ts';

const SIZES = { desktop: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } };

/** Signs in from the landing page, as every user does. Returns the user's id. */
async function enter(page: Page, database: pg.Pool, options: { admin?: boolean } = {}) {
  await page.goto('/');
  const address = await signIn(page, options);
  const { rows } = await database.query<{ id: string }>('SELECT id FROM users WHERE wallet_address = $1', [address]);
  return { id: Number(rows[0]?.id), address };
}

for (const device of Object.keys(SIZES) as Device[]) {
  test.describe(device, () => {
    test.use({ viewport: SIZES[device], hasTouch: device === 'phone', colorScheme: 'light' });
    test.setTimeout(600_000);

    test('visitor', ({ page }) => takeAll(page, device, VISITOR_SHOTS));

    test('newcomer', async ({ page, database }) => {
      const { id } = await enter(page, database);
      await takeAll(page, device, newcomerShots(database, id));
    });

    test('owner', async ({ page, database }) => {
      const user = await enter(page, database);
      const listings = LISTINGS[device];
      await becomeBusy(database, user, listings);
      await takeAll(page, device, ownerShots(listings.active[0], listings.hidden));
    });

    test('admin', async ({ page, database, browser }) => {
      // A user whose requests fill the lists.
      const other = await browser.newPage({ viewport: SIZES[device] });
      const user = await enter(other, database);
      await becomeBusy(database, user, LISTINGS[`${device} admin`]);
      await other.close();
      await enter(page, database, { admin: true });
      await takeAll(page, device, ADMIN_SHOTS);
    });
  });
}
