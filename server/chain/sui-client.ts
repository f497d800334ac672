import { RpcError, SuiGrpcClient } from '@mysten/sui/grpc';
import type { Config } from '../kit/config.ts';
import { countUp, createDistribution, observe } from '../kit/distribution.ts';
import type { ChainCalls } from '../kit/services.ts';

export interface WatchedSui {
  sui: SuiGrpcClient;
  calls: ReadonlyMap<string, ChainCalls>;
  /** From now on a response of a node that serves another chain fails as UNAVAILABLE; null: the chain is not known yet. */
  expectChain(chainId: () => string | null): void;
}

/** Callers treat a response of a node that serves another chain like an unavailable node. */
export class OtherChainError extends RpcError {
  constructor() {
    super('the node serves another chain', 'UNAVAILABLE');
  }
}

/** The node, or a balancer before it, rejects our calls because there are too many (HTTP 429). */
export const isLimited = (error: unknown): boolean => error instanceof RpcError && error.code === 'RESOURCE_EXHAUSTED';

type TransportOptions = Extract<ConstructorParameters<typeof SuiGrpcClient>[0], { baseUrl: string }>;
type Interceptor = NonNullable<TransportOptions['interceptors']>[number];

/** In the headers of every response of a full node. Behind a balancer each call may reach another node (R68). */
const CHAIN_ID_HEADER = 'x-sui-chain-id';
const WHO = 'GetServiceInfo';

const MS_PER_S = 1_000;
const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? 'UNKNOWN';

export function openSui({ network, rpcUrl }: Pick<Config, 'network' | 'rpcUrl'>): WatchedSui {
  const calls = new Map<string, ChainCalls>();
  const callsOf = (method: string): ChainCalls => {
    const known = calls.get(method) ?? { outcomes: new Map<string, number>(), seconds: createDistribution() };
    calls.set(method, known);
    return known;
  };
  let expected: () => string | null = () => null;
  const assertChain = (headers: Readonly<Record<string, string | string[]>>): void => {
    const [served, ours] = [headers[CHAIN_ID_HEADER], expected()];
    if (served !== undefined && ours !== null && served !== ours) throw new OtherChainError();
  };
  const watch: Interceptor = {
    interceptUnary(next, method, input, options) {
      const startedMs = performance.now();
      const { outcomes, seconds } = callsOf(method.name);
      const finish = (outcome: string): void => {
        countUp(outcomes, outcome);
        observe(seconds, (performance.now() - startedMs) / MS_PER_S);
      };
      const call = next(method, input, options);
      if (method.name !== WHO) {
        const response = call.response.then(async (message) => {
          assertChain(await call.headers);
          return message;
        });
        Object.assign(call, { response });
      }
      call.then(
        () => finish('OK'),
        (error: unknown) => finish(codeOf(error)),
      );
      return call;
    },
  };
  return {
    sui: new SuiGrpcClient({ network, baseUrl: rpcUrl, interceptors: [watch] }),
    calls,
    expectChain: (chainId) => void (expected = chainId),
  };
}
