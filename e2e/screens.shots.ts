/** `npm run shots`: every screen, phone and desktop, light and dark, into ./shots for a person to look through. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Page } from '@playwright/test';
import type pg from 'pg';
import { expect, type Person, test } from './fixtures.ts';

type Who = 'visitor' | 'user' | 'owner';

interface Shot {
  name: string;
  path: string;
  who: Who;
  /** What to do before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
  /** Only what a person sees at first, not the whole page. */
  viewportOnly?: boolean;
}

const SHOTS: Shot[] = [
  { name: 'landing', path: '/', who: 'visitor' },
  {
    name: 'connect',
    path: '/',
    who: 'visitor',
    viewportOnly: true,
    prepare: (page) => page.getByRole('button', { name: 'Connect Wallet' }).first().click(),
  },
  { name: 'home', path: '/', who: 'user' },
  { name: 'deck', path: '/', who: 'user', viewportOnly: true },
  { name: 'leaderboard', path: '/leaderboard', who: 'visitor', viewportOnly: true },
  { name: 'project', path: '/projects/1', who: 'user' },
  { name: 'project-visitor', path: '/projects/2', who: 'visitor' },
  { name: 'project-missing', path: '/projects/there-is-none', who: 'visitor' },
  { name: 'profile', path: '/profile', who: 'user' },
  { name: 'profile-visitor', path: '/profile', who: 'visitor' },
  { name: 'portfolio', path: '/portfolio', who: 'owner' },
  { name: 'portfolio-empty', path: '/portfolio', who: 'user' },
  { name: 'submit-project', path: '/submit-project', who: 'user' },
  { name: 'subscription', path: '/subscription', who: 'user' },
  { name: 'subscription-visitor', path: '/subscription', who: 'visitor' },
  { name: 'admin-visitor', path: '/admin', who: 'visitor' },
  { name: 'admin-denied', path: '/admin', who: 'user' },
  { name: 'not-found', path: '/nowhere', who: 'visitor' },
];

/** Makes the person the owner of three listings, one of them expired, with some votes of their own. */
async function becomeOwner(database: pg.Pool, { id }: Person): Promise<void> {
  await database.query('UPDATE projects SET owner_id = $1 WHERE id IN (5, 6)', [id]);
  await database.query(
    'UPDATE projects SET owner_id = $1 WHERE id = (SELECT id FROM projects WHERE expires_at < now() LIMIT 1)',
    [id],
  );
}

for (const device of ['desktop', 'phone'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test.describe(`${device}, ${theme}`, () => {
      test.use({
        colorScheme: theme,
        viewport: device === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        hasTouch: device === 'phone',
        contextOptions: { reducedMotion: 'reduce' },
      });
      for (const shot of SHOTS) {
        test(shot.name, async ({ page, newUser, database }) => {
          if (shot.who !== 'visitor') {
            const person = await newUser(new Ed25519Keypair());
            if (shot.who === 'owner') await becomeOwner(database, person);
          }
          await page.goto(shot.path);
          await expect(page.getByRole('main')).toBeVisible();
          await page.waitForLoadState('networkidle');
          await shot.prepare?.(page);
          await page.waitForTimeout(600);
          await page.screenshot({ path: `shots/${shot.name}-${device}-${theme}.png`, fullPage: !shot.viewportOnly });
        });
      }
    });
  }
}
