import { setTimeout as sleep } from 'node:timers/promises';
import { RENEW_FEE_MIST } from '#shared/constants.ts';
import { fund, fundedWallet, signPayment, type TestChain } from '../../testing/chain.ts';
import { newUser } from '../../testing/client.ts';
import { cookieOf } from '../requests.ts';
import { oneConnection, type Reply, type Tally } from './tally.ts';

/** Votes of one window. */
const VOTES_EACH = 25;
const LONGEST_PAUSE_MS = 400;

/** How long a client waits until its next request: often longer than replacing a process takes. */
const pause = (signal: AbortSignal, longestMs = LONGEST_PAUSE_MS): Promise<void> =>
  sleep(Math.random() * longestMs, undefined, { signal }).catch(() => undefined);

export interface Votes {
  /** Counted votes, by the server's responses: `<user> <project>`. */
  counted: Set<string>;
}

/**
 * Users from `first` on, each on a separate connection that is idle between votes; the next user takes over when a
 * window is full.
 */
export async function vote(
  tally: Tally,
  signal: AbortSignal,
  { first, step, last, projects, votes }: { first: number; step: number; last: number; projects: number; votes: Votes },
): Promise<void> {
  const agent = oneConnection();
  for (let userId = first; userId <= last && !signal.aborted; userId += step) {
    for (let n = 0; n < VOTES_EACH && !signal.aborted; n += 1) {
      const projectId = ((userId * 7 + n) % projects) + 1;
      const body = { userId, projectId, voteType: n % 3 === 0 ? 'bearish' : 'bullish' };
      const { status } = await tally.send('vote', {
        method: 'POST',
        path: '/api/votes',
        headers: { cookie: cookieOf(userId) },
        body,
        agent,
      });
      if (status === 200) votes.counted.add(`${userId} ${projectId}`);
      await pause(signal);
    }
  }
  agent.destroy();
}

const assetsIn = (text: string): string[] => [...new Set(text.match(/\/assets\/[\w.-]+/g))];

/** Visits like those of browsers without a cache: the page, and each file that it names, on new connections. */
export async function visit(tally: Tally, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const page = await tally.send('page', { path: Math.random() < 0.5 ? '/' : '/leaderboard' });
    const files = await Promise.all(assetsIn(page.text).map((path) => tally.send('file of a page', { path })));
    if (page.status === 200 && files.length === 0) tally.failures.set('page without files', 1);
    await pause(signal);
  }
}

/**
 * A tab that was opened before the first upgrade: it requests code that it has not needed until now, by the old names.
 */
export async function stayOpen(tally: Tally, signal: AbortSignal, files: readonly string[]): Promise<void> {
  const agent = oneConnection();
  while (!signal.aborted) {
    const path = files[Math.floor(Math.random() * files.length)] ?? '';
    await tally.send('file of an old tab', { path, agent });
    await tally.send('poll of an old tab', { path: '/api/supply', agent });
    await pause(signal, 4 * LONGEST_PAUSE_MS);
  }
  agent.destroy();
}

export interface Payer {
  pay: (signal: AbortSignal) => Promise<void>;
  /** Payments that are complete by the server's responses. */
  paid: () => number;
}

/** An owner who renews a listing repeatedly, as the page does: prepare, sign, execute, place. */
export async function createPayer(
  tally: Tally,
  {
    url,
    chain,
    recipient,
    list,
  }: { url: string; chain: TestChain; recipient: string; list: (ownerId: number) => Promise<number> },
): Promise<Payer> {
  const wallet = await fundedWallet(chain);
  await fund(chain, wallet.toSuiAddress(), 6);
  const user = await newUser({ url }, wallet);
  const projectId = await list(user.id);
  const agent = oneConnection();
  let paid = 0;
  const post = (path: string, body: unknown): Promise<Reply> =>
    tally.send('payment', { method: 'POST', path, headers: { cookie: user.cookie }, body, agent });
  async function renew(signal: AbortSignal): Promise<void> {
    const prepared = await post('/api/payments', { purpose: 'renew', projectId });
    if (prepared.status >= 400 || prepared.status === 0) return;
    const { paymentId } = JSON.parse(prepared.text) as { paymentId: string };
    const { bytes, signature, digest } = await signPayment(chain, wallet, RENEW_FEE_MIST, recipient);
    // 202: the chain has not confirmed it yet.
    while ((await post(`/api/payments/${paymentId}/execute`, { bytes, signature })).status === 202) await pause(signal);
    const placed = await post(`/api/projects/${projectId}/renew`, { transactionHash: digest });
    if (placed.status >= 200 && placed.status < 300) paid += 1;
  }
  return {
    paid: () => paid,
    async pay(signal) {
      while (!signal.aborted) {
        await renew(signal);
        await sleep(1_500, undefined, { signal }).catch(() => undefined);
      }
      agent.destroy();
    },
  };
}
