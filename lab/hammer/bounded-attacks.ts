import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { toBase58 } from '@mysten/sui/utils';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { behindTheTriggers, grantTokens } from '../testing/builders.ts';
import { newWallet } from '../testing/wallets.ts';
import { CONGRATULATION_TOKENS, UNDOS_PER_WINDOW, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { type Attack, cookieOf, userOf } from './attack.ts';
import type { Attackers } from './attackers.ts';
import { ProxiedClient } from './proxied-client.ts';

/**
 * Actions that one patient client may take n times, and tries to take more often. An attack that exceeds its bound ends
 * with an error.
 */

interface Challenge {
  challenge: { nonce: string; message: string };
}

const OPEN_CLAIMS = 5;
/** The connections that the proxy of docs/operate/operations.md allows per address. */
const CLAIMS_AT_ONCE = 100;

const claimsAtOnce: Attack = {
  name: `${CLAIMS_AT_ONCE} claims of one wallet at once`,
  async prepare({ stack, users }) {
    const ids = users.map(({ id }) => id);
    await stack.client.db.deleteFrom('payments').where('userId', 'in', ids).execute();
  },
  async run(attackers, signal) {
    const claim = (n: number) =>
      attackers.hit('POST', '/api/projects/999999/renew', {
        body: JSON.stringify({ transactionHash: toBase58(randomBytes(32)) }),
        headers: cookieOf(attackers, n),
      });
    const statuses = await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, () => claim(0)));
    const accepted = statuses.filter((status) => status === 202).length;
    if (accepted !== OPEN_CLAIMS) throw new Error(`${accepted} of ${CLAIMS_AT_ONCE} claims were accepted`);
    return `${accepted} accepted; then ${await attackers.flood(signal, 16, claim)}`;
  },
};

/** The undos that one wallet could make in a month when nothing bounded them. */
const UNDONE_VOTES = 8_000;

async function insertUndoneVotes(db: Db, userId: number): Promise<void> {
  await grantTokens(db, userId, CONGRATULATION_TOKENS - VOTE_REWARD_TOKENS);
  await behindTheTriggers(db, (trx) =>
    sql`WITH undone AS (
        INSERT INTO undone_votes (user_id, created_at, undone_at, project_id, tokens, period, bullish)
        SELECT ${userId}, at, at + interval '1 second', 1, ${VOTE_REWARD_TOKENS}, 1, true
        FROM (SELECT now() - n * interval '1 minute' AS at FROM generate_series(1000, ${999 + UNDONE_VOTES}::int) n) x
        RETURNING id, user_id, tokens, undone_at)
      INSERT INTO token_ledger (user_id, ref, amount, created_at, kind)
      SELECT user_id, id, -tokens, undone_at, 'vote_undone' FROM undone`.execute(trx),
  );
}

const vote = (attackers: Attackers, n: number, projectId: number) =>
  attackers.hit('POST', '/api/votes', {
    body: JSON.stringify({ userId: userOf(attackers, n).id, projectId, voteType: 'bullish' }),
    headers: cookieOf(attackers, n),
  });
const undo = (attackers: Attackers, n: number, projectId: number) =>
  attackers.hit('DELETE', `/api/votes/${projectId}`, { headers: cookieOf(attackers, n) });

/** Tries until the vote was counted, so that it can be undone; false when it never was. */
async function undoSoon(attackers: Attackers, n: number, projectId: number): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await undo(attackers, n, projectId)) === 200) return true;
    await sleep(20);
  }
  return false;
}

const PROJECTS = 50;

/** Each vote takes the wallet past 1,000 Snaps. SQL backdates its undos, as if days had passed between them. */
const passingVotes: Attack = {
  name: `votes that pass 1,000 Snaps after ${UNDONE_VOTES} undone ones`,
  async prepare({ stack, users }) {
    for (const { id } of users) await insertUndoneVotes(stack.client.db, id);
  },
  async run(attackers, signal) {
    const { db } = attackers.stack.client;
    const statuses = new Map<number, number>();
    const votes: Array<Promise<unknown>> = [];
    const pass = async (n: number): Promise<void> => {
      const { id } = userOf(attackers, n);
      for (let turn = 0; !signal.aborted; turn += 1) {
        const projectId = 1 + (turn % PROJECTS);
        // Not awaited: the vote can be undone while the fields of its response are looked up.
        const voted = vote(attackers, n, projectId);
        votes.push(voted.then((status) => statuses.set(status, (statuses.get(status) ?? 0) + 1)));
        if (!(await undoSoon(attackers, n, projectId))) return;
        await behindTheTriggers(db, (trx) =>
          sql`UPDATE undone_votes SET undone_at = undone_at - interval '6 hours'
            WHERE user_id = ${id} AND undone_at > now() - interval '6 hours'`.execute(trx),
        );
      }
    };
    await Promise.all(attackers.users.map((_, n) => pass(n)));
    await Promise.all(votes);
    const failed = [...statuses].filter(([status]) => status >= 500);
    if (failed.length > 0) throw new Error(`votes that counted were answered by ${failed.join(', ')}`);
    return [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  },
};

const undosWithoutEnd: Attack = {
  name: 'votes that are taken back without end',
  async run(attackers, signal) {
    const { users } = attackers;
    let undone = 0;
    const takeBack = async (n: number): Promise<number> => {
      const projectId = 1 + (Math.floor(n / users.length) % PROJECTS);
      await vote(attackers, n, projectId);
      const status = await undo(attackers, n, projectId);
      if (status === 200) undone += 1;
      return status;
    };
    // However little time there is.
    const least = users.length * (UNDOS_PER_WINDOW + 2);
    for (let n = 0; n < least; n += users.length) await Promise.all(users.map((_, of) => takeBack(n + of)));
    const statuses = await attackers.flood(signal, users.length, (n) => takeBack(least + n));
    const most = UNDOS_PER_WINDOW * users.length;
    if (undone !== most) throw new Error(`${undone} votes of ${users.length} wallets were taken back, not ${most}`);
    return `${undone} taken back; then ${statuses}`;
  },
};

/** The sizes that the servers store, with a margin. */
const COUNTED_AFTER_MS = 6_000;
const HONEST_VIEWS = 20;
const FIRST_FORGED = 200;
/** Browsers of one address that each server counts for an event. */
const COUNTED_BROWSERS = 20;

async function viewsOf(db: Db, slug: string): Promise<number> {
  const { rows } = await sql<{ views: number }>`
    SELECT coalesce(sum(e.count), 0)::int AS views FROM project_events_days e JOIN projects p ON p.id = e.project_id
    WHERE p.slug = ${slug} AND e.kind = 'view'`.execute(db);
  return rows[0]?.views ?? 0;
}

const forgedViews: Attack = {
  name: 'views by browsers that one address makes up',
  async run(attackers, signal) {
    const { db } = attackers.stack.client;
    const projects = await db.selectFrom('projects').select('slug').orderBy('id').limit(2).execute();
    const [forged = '', honest = ''] = projects.map(({ slug }) => slug);
    const before = [await viewsOf(db, forged), await viewsOf(db, honest)] as const;
    const browser = (n: number) => `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${n}.0`;
    const forge = (n: number) =>
      attackers.hit('GET', `/badge/${forged}.svg`, { headers: { 'user-agent': browser(n) } });
    // However little time there is.
    await Promise.all(Array.from({ length: FIRST_FORGED }, (_, n) => forge(n)));
    const flood = attackers.flood(signal, 16, (n) => forge(FIRST_FORGED + n));
    for (let n = 0; n < HONEST_VIEWS; n += 1) {
      const headers = { 'user-agent': browser(120), 'x-forwarded-for': `198.51.100.${n + 1}` };
      await attackers.hit('GET', `/badge/${honest}.svg`, { headers });
    }
    const statuses = await flood;
    await sleep(COUNTED_AFTER_MS);
    const counted = (await viewsOf(db, honest)) - before[1];
    const made = (await viewsOf(db, forged)) - before[0];
    if (counted !== HONEST_VIEWS) throw new Error(`${counted} of ${HONEST_VIEWS} honest views were counted`);
    const most = attackers.stack.servers.length * COUNTED_BROWSERS;
    if (made === 0 || made > most) throw new Error(`${made} views of one address were counted`);
    return `${counted} of ${HONEST_VIEWS} honest views, ${made} forged; ${statuses}`;
  },
};

const pollers: Attack = {
  name: 'pollers of what is dear to read',
  run({ hit, flood }, signal) {
    const paths = ['/api/supply', '/api/record/recount'];
    return flood(signal, 32, (n) => hit('GET', paths[n % paths.length] ?? ''));
  },
};

/** Events that each server admits of one network within an hour. */
const NEW_WALLETS_PER_HOUR = 300;

/** A complete sign-in by an unknown wallet; returns its final status. */
async function signInNew(url: string, address: string): Promise<number> {
  const wallet = newWallet();
  const walletAddress = wallet.toSuiAddress();
  const client = new ProxiedClient(url, address);
  const { body, status } = await client.post<Partial<Challenge>>('/api/auth/wallet', { walletAddress });
  if (!body.challenge) return status;
  const { nonce, message } = body.challenge;
  const { signature } = await wallet.signPersonalMessage(new TextEncoder().encode(message));
  return (await client.post('/api/auth/wallet', { walletAddress, nonce, signature })).status;
}

const newWallets: Attack = {
  name: 'new wallets of one network',
  async run({ stack: { servers }, flood }, signal) {
    let admitted = 0;
    const statuses = await flood(signal, 8, async (n) => {
      const { url } = servers[n % 2 === 0 ? 0 : 1];
      const status = await signInNew(url, `203.0.113.${200 + (n % 50)}`).catch(() => 0);
      if (status === 200) admitted += 1;
      return status;
    });
    const most = servers.length * NEW_WALLETS_PER_HOUR;
    if (admitted > most) throw new Error(`${admitted} new wallets were admitted`);
    return statuses;
  },
};

export const BOUNDED_ATTACKS: readonly Attack[] = [
  claimsAtOnce,
  passingVotes,
  undosWithoutEnd,
  forgedViews,
  pollers,
  newWallets,
];
