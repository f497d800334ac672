import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type pg from 'pg';
import { z } from 'zod';
import { SESSION_CACHE_KEY, SESSION_COOKIE, VOTE_LOCK_MS, WALLET_CONNECTION_KEY } from '#shared/constants.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { deckOf, expect, test as base, topCard } from './base.ts';
import { adminKeypair, fundWallet } from './chain.ts';
import { setting } from './setting.ts';
import { watchCalls } from './still-time.ts';
import { uniqueNumber } from './unique.ts';

export { deckOf, enterPassword, expect, toastOf, topCard } from './base.ts';

/** A rejected wallet connection is logged (S8.22). */
export const WALLET_REJECTED = /^Failed to connect wallet/;

export interface TestUser {
  id: number;
  address: string;
  keypair: Ed25519Keypair;
  cookie: string;
}

export async function signInOverHttp(keypair: Ed25519Keypair): Promise<TestUser> {
  const url = `${setting('E2E_URL')}/api/auth/wallet`;
  const send = (body: object) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const walletAddress = keypair.toSuiAddress();
  const { challenge } = (await (await send({ walletAddress })).json()) as {
    challenge: { nonce: string; message: string };
  };
  const { signature } = await keypair.signPersonalMessage(new TextEncoder().encode(challenge.message));
  const response = await send({ walletAddress, nonce: challenge.nonce, signature });
  const { user } = (await response.json()) as { user: { id: number } };
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0]?.split('=')[1] ?? '';
  return { id: user.id, address: walletAddress, keypair, cookie };
}

export async function sessionUser(page: Page): Promise<{ id: number; walletAddress: string }> {
  const cached = await page.evaluate((key) => localStorage.getItem(key), SESSION_CACHE_KEY);
  return (JSON.parse(cached ?? 'null') as { user: { id: number; walletAddress: string } }).user;
}

/** The key of the account that the page's Sandbox Wallet made. */
export async function sandboxKeypair(page: Page): Promise<Ed25519Keypair> {
  const kept = await page.evaluate(() => localStorage.getItem('snapswipe_sandbox_wallet'));
  const { keys } = JSON.parse(kept ?? '{"keys":[]}') as { keys: Array<{ secretKey: string }> };
  return Ed25519Keypair.fromSecretKey(keys[0]?.secretKey ?? '');
}

const NO_STATS = {
  tokenBalance: 0,
  totalVotes: 0,
  bullishVotes: 0,
  bearishVotes: 0,
  currentStreak: 0,
  bullishPercentage: 0,
  tokensEarned: 0,
  streak: 0,
};

const addCookie = (context: BrowserContext, { cookie }: TestUser): Promise<void> =>
  context.addCookies([
    { name: SESSION_COOKIE, value: cookie, url: setting('E2E_URL'), httpOnly: true, sameSite: 'Lax' },
  ]);

/** Signs a new user in by the cookie alone: the browser knows nothing of them until the page tells it. */
export async function giveCookie(page: Page): Promise<TestUser> {
  const user = await signInOverHttp(new Ed25519Keypair());
  await addCookie(page.context(), user);
  return user;
}

async function giveSession(context: BrowserContext, user: TestUser): Promise<void> {
  const { id, address } = user;
  await addCookie(context, user);
  const profile = { username: null, avatarUrl: null, twitterLink: null, telegramLink: null, discordLink: null };
  await context.addInitScript(
    (cached) => {
      if (!localStorage.getItem('snapswipe_user')) localStorage.setItem('snapswipe_user', cached);
    },
    JSON.stringify({ user: { id, walletAddress: address, ...profile }, stats: NO_STATS }),
  );
}

export interface UserElsewhere {
  user: TestUser;
  page: Page;
}

export interface Fixtures {
  newUser: (keypair?: Ed25519Keypair) => Promise<TestUser>;
  /** Like `newUser`, with the wallet in the page's Sandbox Wallet and the faucet's money in it: payments are asked for and signed there. */
  newPayer: (keypair?: Ed25519Keypair) => Promise<TestUser>;
  newUserElsewhere: () => Promise<UserElsewhere>;
  newAdmin: () => Promise<TestUser>;
  signIn: (options?: { admin?: boolean }) => Promise<void>;
}

/**
 * The browser's own line about a response with an error status, 0: a connection that was lost. `path` ends its address (`*`: any
 * one segment), its query aside.
 */
export function responseError(status: number, path: string): RegExp {
  const address = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\\*', '[^/?]+');
  const line =
    status === 0 ? 'net::ERR_INTERNET_DISCONNECTED' : `the server responded with a status of ${status} \\([^)]*\\)`;
  return new RegExp(`${line} \\S*${address}(\\?\\S*)?$`);
}

/** 401 responses that a page may get when its session ends: any read that looks at the session may be pending then. */
export const OWN_READS_401 = allEndpoints()
  .map(([, endpoint]) => endpoint)
  .filter(({ method }) => method === 'GET')
  .filter(({ access, query }) => access !== 'public' || (query instanceof z.ZodObject && 'userId' in query.shape))
  .map(({ path }) => responseError(401, path.replaceAll(/\{\w+\}/g, '*')));

export const test = base.extend<Fixtures>({
  // The server's drawing is visible before the page's code listens to it; a journey waits for that moment.
  page: async ({ page, javaScriptEnabled }, use) => {
    watchCalls(page);
    if (javaScriptEnabled) waitAfterLoads(page);
    await use(page);
  },

  newUser: async ({ context }, use) => {
    await use(async (keypair = new Ed25519Keypair()) => {
      const user = await signInOverHttp(keypair);
      await giveSession(context, user);
      return user;
    });
  },

  newUserElsewhere: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const user = await signInOverHttp(new Ed25519Keypair());
      const context = await browser.newContext({ baseURL });
      contexts.push(context);
      await giveSession(context, user);
      return { user, page: await context.newPage() };
    });
    for (const context of contexts) await context.close();
  },

  newAdmin: async ({ newUser }, use) => {
    await use(async () => newUser(await adminKeypair()));
  },

  newPayer: async ({ context, newUser }, use) => {
    await use(async (keypair) => {
      const user = await newUser(keypair);
      await context.addInitScript(
        ([key = '', connection = '', keyring = '']) => {
          if (localStorage.getItem('snapswipe_sandbox_wallet')) return;
          localStorage.setItem(key, connection);
          localStorage.setItem('snapswipe_sandbox_wallet', keyring);
        },
        [
          WALLET_CONNECTION_KEY,
          `Sandbox Wallet:${user.address}`,
          JSON.stringify({ keys: [{ label: 'Account 1', secretKey: user.keypair.getSecretKey() }], chosen: null }),
        ],
      );
      await fundWallet(user.address);
      return user;
    });
  },

  signIn: async ({ page }, use) => {
    await use(async ({ admin = false } = {}) => {
      await page.getByRole('button', { name: 'Connect Wallet' }).first().click();
      await page
        .getByRole('dialog', { name: 'Connect Wallet' })
        .getByRole('button', { name: /Sandbox Wallet/ })
        .click();
      const wallet = page.getByRole('dialog', { name: 'Connect to Snapswipe?' });
      if (admin) await wallet.getByRole('button', { name: 'Use Sandbox admin' }).click();
      await wallet.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog', { name: 'Sign this message?' }).getByRole('button', { name: 'Sign' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  },
});

/** Lets `goto` and `reload` wait for the page's code as well, where they would wait for the load; a page without its code is not waited for. */
function waitAfterLoads(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const settled = (): Promise<unknown> =>
    page
      .waitForFunction(
        () => {
          if (document.getElementById('root')?.dataset['drawnFor'] === undefined) return true;
          const isKnown = (element: Element | null) =>
            element !== null && Object.keys(element).some((key) => key.startsWith('__reactFiber'));
          const card = document.querySelector('[data-depth]');
          if (card !== null && card.closest('[data-live]') === null) return false;
          return isKnown(document.querySelector('h1') ?? document.getElementById('main'));
        },
        undefined,
        { timeout: 20_000 },
      )
      .catch(() => undefined);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil === undefined) await settled();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (options?.waitUntil === undefined) await settled();
    return response;
  };
}

/** Changes a page's HTML before the browser gets it; the server's HTML would no longer fit, so the browser draws the page itself. */
export async function changeHtml(page: Page, path: string, change: (html: string) => string): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const body = change(await response.text()).replace(' data-numbers="', ' data-unused="');
    await route.fulfill({ response: response, body });
  });
}

/** Takes the first data out of a page's HTML: the page then reads everything itself, as after a navigation from another screen. */
export const withoutFirstData = (page: Page, path: string): Promise<void> =>
  changeHtml(page, path, (html) => html.replace('id="page-data"', 'id="unused"'));

export async function grantTokens(database: pg.Pool, userId: number, tokens: number): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE user_stats SET balance = balance + $2 WHERE user_id = $1', [userId, tokens]);
    await client.query(
      "INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) VALUES ($1, 'grant', -$3::bigint, $2, now())",
      [userId, tokens, uniqueNumber()],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Plants the histories as well as the state: a recount finds the same. */
export async function giveStandingAndSnaps(database: pg.Pool, wallet: string, snaps: number): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    "UPDATE users SET created_at = now() - interval '30 days' WHERE wallet_address = $1 RETURNING id",
    [wallet],
  );
  const id = rows[0]?.id;
  await database.query(
    `INSERT INTO voter_standing (user_id, read_on, state, history_read, history_held)
     VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 'standing', (-1)::bit(64), (-1)::bit(64))`,
    [id],
  );
  await grantTokens(database, Number(id), snaps);
}

/**
 * Votes on the projects of a query, as they look to the feed. What they pay is held at once: balance and supply stay as they are. Votes
 * are append-only, so a journey leaves them where they are.
 */
export async function insertVotes(database: pg.Pool, userId: number, projects: string): Promise<void> {
  await database.query(
    `WITH voted AS (
       INSERT INTO votes (user_id, project_id, period, bullish, created_at)
       SELECT $1, id, coalesce((SELECT period_at(p.period_starts, now()) FROM projects p WHERE p.id = listed.id), 1), true, now() FROM (${projects}) listed RETURNING user_id
     )
     INSERT INTO token_ledger (user_id, kind, ref, amount, created_at)
     SELECT $1, 'withdrawal_hold', -$2::bigint, -10 * count(*), now() FROM voted HAVING count(*) > 0`,
    [userId, uniqueNumber()],
  );
}

export async function drag(page: Page, target: Locator, distancePx: number): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to drag');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 10; step += 1) await page.mouse.move(x + (distancePx * step) / 10, y);
  await page.mouse.up();
}

export async function voteByButton(page: Page, vote: 'Bullish' | 'Bearish'): Promise<void> {
  const before = (await topCard(page).getAttribute('data-project')) ?? '';
  const pending = page.waitForResponse((r) => r.url().endsWith('/api/votes') && r.request().method() === 'POST');
  await deckOf(page).getByRole('button', { name: vote, exact: true }).click();
  const response = await pending;
  expect(response.status()).toBe(200);
  expect(response.request().postDataJSON()).toMatchObject({
    projectId: Number(before),
    voteType: vote.toLowerCase(),
  });
  await expect(topCard(page)).not.toHaveAttribute('data-project', before);
  await lockOver(page);
}

/** Votes on the cards of the day, then on the first of a user's feed, without the page and its animations, as `request`'s session. */
export async function voteOverHttp(request: APIRequestContext, userId: number, votes: number): Promise<void> {
  const feed = (await (await request.get(`/api/projects?userId=${userId}`)).json()) as Array<{ id: number }>;
  const today = (await (await request.get(`/api/users/${userId}/daily-deck`)).json()) as {
    cards: Array<{ projectId: number; vote: unknown }>;
  };
  // Where other journeys list projects at the same time, those of the day are not the first of the feed, or not among its first at all.
  const ofToday = today.cards.flatMap(({ projectId, vote }) => (vote === null ? projectId : []));
  const ordered = new Set([...ofToday, ...feed.map(({ id }) => id)]);
  for (const id of [...ordered].slice(0, votes)) {
    const response = await request.post('/api/votes', {
      data: { userId, projectId: id, voteType: 'bullish', tokensEarned: 10 },
    });
    expect(response.status()).toBe(200);
  }
}

/** The calls by which a page casts, changes or takes back votes from now on. */
export function watchVotes(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && new URL(request.url()).pathname.startsWith('/api/votes'))
      calls.push(request.url());
  });
  return calls;
}

export async function voteElsewhere({ id }: { id: number }): Promise<void> {
  const user = await signInOverHttp(new Ed25519Keypair());
  const response = await fetch(`${setting('E2E_URL')}/api/votes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${SESSION_COOKIE}=${user.cookie}` },
    body: JSON.stringify({ userId: user.id, projectId: id, voteType: 'bullish', tokensEarned: 10 }),
  });
  expect(response.status).toBe(200);
}

/** Ends the page's session as another device that has the same cookie would. */
export async function endElsewhere(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const { value } = cookies.find(({ name }) => name === SESSION_COOKIE) ?? { value: '' };
  const response = await fetch(new URL('/api/auth/logout', page.url()), {
    method: 'POST',
    headers: { cookie: `${SESSION_COOKIE}=${value}` },
  });
  expect(response.status).toBe(200);
}

/** The end of the lock after a vote (S4.4): votes within it are ignored without a sign, so there is nothing else to wait for. */
export const lockOver = (page: Page): Promise<void> => page.waitForTimeout(VOTE_LOCK_MS);
