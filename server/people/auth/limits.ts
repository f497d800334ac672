import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress } from '#server/kit/http/client-address.ts';
import { plural } from '#shared/numbers/plural.ts';
import type { Config } from '#server/kit/config.ts';
import { rateLimited, tooMany, waitSeconds } from '#server/kit/http/errors.ts';
import { networkOf } from '#server/figures/standing/networks.ts';

declare module 'fastify' {
  interface FastifyInstance {
    signInLimits: SignInLimits;
  }
}

/** A page load with a session of its wallet is not counted. */
interface SignInLimits {
  takeChallenge(request: FastifyRequest, walletAddress: string): Promise<void>;
  /** A valid signature that `admit` lets in refunds its challenge. @throws 429, and the errors of both functions */
  prove<T>(request: FastifyRequest, verify: () => Promise<void>, admit: () => Promise<T>): Promise<T>;
  /** Called before a wallet gets an account: limits its network's new wallets per hour (R66). @throws 429 */
  takeNewWallet(request: FastifyRequest): Promise<void>;
}

const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Networks whose new wallets are counted. Beyond that number, those without one for the longest time start over. */
const MAX_NETWORKS = 50_000;
const LEAST_PER_WALLET = 10;
/** People of one address who sign in within a minute, as a multiple of the sign-ins that may be left unfinished. */
const SUCCESS_FACTOR = 10;

const tooManyNew = (ttlMs: number) => {
  const minutes = plural(Math.max(1, Math.ceil(ttlMs / 60_000)), 'minute');
  const message = `Too many new wallets have signed in from your network within the last hour. Try again in ${minutes}.`;
  return tooMany('new_wallets', message, waitSeconds(ttlMs));
};

/**
 * Counts actions that attackers repeat and people do not: challenges without a valid signature, and invalid signatures.
 * A wallet is counted for each address separately, so that one client in a loop leaves room for its neighbors, and no
 * other address can lock out a wallet.
 */
export function createSignInLimits(
  app: FastifyInstance,
  { signInsPerMinute, newWalletsPerHour }: Config,
): SignInLimits {
  const byAddress = (request: FastifyRequest) => clientAddress(request);
  const wallets = new WeakMap<FastifyRequest, string>();
  const common = { timeWindow: WINDOW_MS, keyGenerator: byAddress };
  const successes = app.createRateLimit({ ...common, max: SUCCESS_FACTOR * signInsPerMinute });
  const failures = app.createRateLimit({ ...common, max: signInsPerMinute });
  const pairs = app.createRateLimit({
    ...common,
    max: Math.max(LEAST_PER_WALLET, Math.ceil(signInsPerMinute / 3)),
    keyGenerator: (request) => `${byAddress(request)} ${wallets.get(request) ?? ''}`,
  });
  const perNetwork = {
    max: newWalletsPerHour,
    timeWindow: HOUR_MS,
    cache: MAX_NETWORKS,
    keyGenerator(request: FastifyRequest) {
      // The address is missing when the client has hung up.
      const ip: string | undefined = request.ip;
      return (ip === undefined ? null : networkOf(ip)) ?? byAddress(request);
    },
  };
  const newWallets = app.createRateLimit(perNetwork);
  const challenges = app.createRateLimit({
    ...common,
    max: async (request) => {
      const found = await successes(request, { increment: false });
      return signInsPerMinute + (found.isAllowed ? 0 : found.max - found.remaining);
    },
  });

  async function take(limit: typeof challenges, request: FastifyRequest, options?: { increment: boolean }) {
    const result = await limit(request, options);
    if (!result.isAllowed && result.isExceeded) throw rateLimited(result.ttl);
    return result;
  }

  return {
    async takeChallenge(request, walletAddress) {
      wallets.set(request, walletAddress);
      await take(pairs, request);
      await take(challenges, request);
    },
    async prove(request, verify, admit) {
      const result = await failures(request, { increment: false });
      if (!result.isAllowed && result.remaining === 0) throw rateLimited(result.ttl);
      await verify().catch(async (error: unknown) => {
        await failures(request);
        throw error;
      });
      const admitted = await admit();
      await successes(request);
      return admitted;
    },
    async takeNewWallet(request) {
      const result = await newWallets(request);
      if (!result.isAllowed && result.isExceeded) throw tooManyNew(result.ttl);
    },
  };
}
