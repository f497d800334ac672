import { servedChain } from '#server/chain/chain-id.ts';
import type { Services } from '#server/kit/services.ts';
import { isLimited, OtherChainError } from '#server/chain/sui-client.ts';

const MIN_PARALLEL = 8;
const MAX_PARALLEL = 256;

export const ROUND_MS = 10_000;
const CALLING = 0.9;

type Obstacle = 'limited' | 'away' | 'other';

export interface Round<Result> {
  results: Array<Result | null | undefined>;
  obstacle: Obstacle | null;
}

export const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  limited: 'the Sui node limits our calls (429): the reading of balances slows down',
  away: 'the Sui node does not answer: the reading of balances waits',
  other: 'the Sui node serves another chain: the reading of balances waits',
};

export interface RoundOptions {
  isSpread?: boolean;
  isOurs?: boolean;
}

type Ask<Result> = (owner: string) => Promise<Result>;

const obstacleOf = (error: unknown): Obstacle | null =>
  error instanceof OtherChainError ? 'other' : isLimited(error) ? 'limited' : null;

/** Distinguishes an unreadable wallet from an unreachable node by reading the admin's wallet. Concurrent failures share a call. */
function createControl({ config }: Services, ask: Ask<unknown>): () => Promise<Obstacle | null> {
  let present: Promise<Obstacle | null> | null = null;
  const askOnce = async (): Promise<Obstacle | null> => {
    try {
      await ask(config.adminWallet);
      return null;
    } catch (error) {
      return obstacleOf(error) ?? 'away';
    } finally {
      present = null;
    }
  };
  return () => (present ??= askOnce());
}

const waitUntil = (ms: number): Promise<void> | null => {
  const left = ms - performance.now();
  return left > 0 ? new Promise((resolve) => void setTimeout(resolve, left)) : null;
};

async function askAll<Result>(
  services: Services,
  addresses: readonly string[],
  { perSecond, isSpread }: { perSecond: number; isSpread: boolean },
  ask: Ask<Result>,
): Promise<Round<Result>> {
  const round: Round<Result> = { results: addresses.map(() => undefined), obstacle: null };
  const findObstacle = createControl(services, ask);
  const startedMs = performance.now();
  const left = addresses.entries();
  const readOne = async (index: number, owner: string): Promise<void> => {
    try {
      round.results[index] = await ask(owner);
    } catch (error) {
      const obstacle = obstacleOf(error) ?? (await findObstacle());
      if (obstacle === null) round.results[index] = null;
      else round.obstacle ??= obstacle;
    }
  };
  const work = async (): Promise<void> => {
    for (const [index, address] of left) {
      // oxlint-disable-next-line no-await-in-loop -- each of the workers asks for one balance at a time
      if (isSpread) await waitUntil(startedMs + (index * CALLING * 1_000) / perSecond);
      if (round.obstacle !== null || (isSpread && performance.now() > startedMs + ROUND_MS)) return;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await readOne(index, address);
    }
  };
  const workers = Math.min(MAX_PARALLEL, Math.max(MIN_PARALLEL, Math.ceil(perSecond)));
  await Promise.all(Array.from({ length: workers }, work));
  return round;
}

const MAX_CONFIRMATIONS = 5;
const CONFIRMATION_PAUSE_MS = 5_000;

async function chainObstacle(services: Services): Promise<Obstacle | null> {
  const served = await servedChain(services);
  if (served.state === 'ours') return null;
  return served.state === 'away' && served.isLimited ? 'limited' : served.state;
}

async function chainObstacleAfter(services: Services, isSpread: boolean): Promise<Obstacle | null> {
  for (let tries = 1; ; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const obstacle = await chainObstacle(services);
    if (obstacle !== 'limited' || !isSpread || tries === MAX_CONFIRMATIONS) return obstacle;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await waitUntil(performance.now() + CONFIRMATION_PAUSE_MS);
  }
}

/**
 * Asks the node about these wallets in one round. Checks the node's chain before and after: while it is down, limits calls, or serves another
 * chain, no wallet loses an attempt and no result is trusted (R68).
 */
export async function askWallets<Result>(
  services: Services,
  addresses: readonly string[],
  { perSecond, isSpread = false, isOurs = false }: RoundOptions & { perSecond: number },
  ask: Ask<Result>,
): Promise<Round<Result>> {
  const before = isOurs ? null : await chainObstacle(services);
  if (before !== null) return { results: [], obstacle: before };
  const round = await askAll(services, addresses, { perSecond, isSpread }, ask);
  const after = await chainObstacleAfter(services, isSpread);
  return after === null ? round : { results: [], obstacle: after };
}
