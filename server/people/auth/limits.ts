import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress } from '#server/kit/http/client-address.ts';
import { plural } from '#shared/numbers/plural.ts';
import type { Config } from '#server/kit/config.ts';
import { tooMany, waitSeconds } from '#server/kit/http/errors.ts';
import { SIGN_IN_COST } from '#server/kit/http/read-budget.ts';
import { networkOf } from '#server/figures/standing/networks.ts';

declare module 'fastify' {
  interface FastifyInstance {
    signInLimits: SignInLimits;
  }
}

/** A page load with a session of its wallet is not counted. */
interface SignInLimits {
  takeChallenge(request: FastifyRequest): void;
  /** A valid signature gives back what it took, and what its challenge took where `admit` lets it in. @throws 429, and the errors of both */
  prove<T>(request: FastifyRequest, verify: () => Promise<void>, admit: () => Promise<T>): Promise<T>;
  /** Called before a wallet gets an account: limits its network's new wallets per hour (R66). @throws 429 */
  takeNewWallet(request: FastifyRequest): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Networks whose new wallets are counted. Beyond that number, those without one for the longest time start over. */
const MAX_NETWORKS = 50_000;

const tooManyNew = (ttlMs: number) => {
  const minutes = plural(Math.max(1, Math.ceil(ttlMs / 60_000)), 'minute');
  const message = `Too many new wallets have signed in from your network within the last hour. Try again in ${minutes}.`;
  return tooMany('new_wallets', message, waitSeconds(ttlMs));
};

/**
 * Challenges without a valid signature and invalid signatures, which attackers repeat and people do not, take of the budget of reads of
 * their address.
 */
export function createSignInLimits(app: FastifyInstance, { newWalletsPerHour }: Config): SignInLimits {
  const perNetwork = {
    max: newWalletsPerHour,
    timeWindow: HOUR_MS,
    cache: MAX_NETWORKS,
    keyGenerator(request: FastifyRequest) {
      // The address is missing when the client has hung up.
      const ip: string | undefined = request.ip;
      return (ip === undefined ? null : networkOf(ip)) ?? clientAddress(request);
    },
  };
  const newWallets = app.createRateLimit(perNetwork);
  const charge = (request: FastifyRequest, cost: number): void => app.readBudget.charge(request, null, cost);
  return {
    takeChallenge: (request) => charge(request, SIGN_IN_COST),
    async prove(request, verify, admit) {
      charge(request, SIGN_IN_COST);
      await verify();
      charge(request, -SIGN_IN_COST);
      const admitted = await admit();
      charge(request, -SIGN_IN_COST);
      return admitted;
    },
    async takeNewWallet(request) {
      const result = await newWallets(request);
      if (!result.isAllowed && result.isExceeded) throw tooManyNew(result.ttl);
    },
  };
}
