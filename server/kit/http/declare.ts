import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from '#shared/endpoint.ts';
import type { Loaded } from '../cache/cache.ts';
import type { Change, Dependency } from '../cache/tags.ts';
import type { Services } from '../services.ts';
import type { Cost } from './read-budget.ts';
import type { SessionUser } from './session.ts';

type SessionOf<E extends EndpointSpec> = E['access'] extends 'public' ? SessionUser | null : SessionUser;

export interface Call<E extends EndpointSpec> {
  services: Services;
  session: SessionOf<E>;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type CachedCall<E extends EndpointSpec> = Pick<Call<E>, 'services' | 'session' | 'params' | 'query'>;

export type AnonymousCall<E extends EndpointSpec> = Omit<Call<E>, 'session'>;

export interface TokenCall<E extends EndpointSpec> extends AnonymousCall<E> {
  tokenHash: Buffer;
}

type Asked<E extends EndpointSpec> = Omit<CachedCall<E>, 'services'>;

/** `chosen`: a client can request any number of such keys; they share a part of the memory, and each load costs its client `cost`. */
export type CacheKey = string | { chosen: string };

export interface CacheSpec<E extends EndpointSpec> {
  key: (asked: Asked<E>) => CacheKey | null;
  reads: readonly Dependency[];
}

export type LoadedResponse<E extends EndpointSpec> = (
  | Loaded<ResponseOf<E>>
  | { prepared: { json: Buffer; etag: string } }
) & { headers?: Record<string, string> };

type Body<E extends EndpointSpec> = ResponseOf<E> | ({ success: true } extends ResponseOf<E> ? void : never);

type Of<E extends EndpointSpec, D> = D extends { cache: object }
  ? { call: CachedCall<E>; response: LoadedResponse<E> }
  : D extends { session: 'in-statement' }
    ? { call: TokenCall<E>; response: Body<E> }
    : D extends { session: 'none' }
      ? { call: AnonymousCall<E>; response: Body<E> }
      : { call: Call<E>; response: Body<E> };

/** Loading a shared cached response costs `small`; `cost` is for one without a key, or with a key that clients choose. */
type ReadSpec<E extends EndpointSpec> =
  | { cost: Cost; cache?: never }
  | { cache: CacheSpec<E>; cost?: Cost | ((asked: Asked<E>) => Cost) };

interface WriteSpec {
  /**
   * Replaces the contract's access. `in-statement`: one statement of the handler checks that the token's session exists and
   * belongs to the body's `userId` (R3), and does the work. `none`: a small write without a user.
   */
  session?: 'in-statement' | 'none';
  writes: readonly Change[];
}

type Declaration<E extends EndpointSpec> = E['method'] extends 'GET' ? ReadSpec<E> : WriteSpec;

export interface Route extends Partial<WriteSpec> {
  endpoint: EndpointSpec;
  cache?: CacheSpec<EndpointSpec>;
  cost?: Cost | ((asked: Asked<EndpointSpec>) => Cost);
  handle: (call: never) => Promise<unknown>;
}

/** Binds an endpoint of the contract to the function that responds to it; the types of both sides come from the contract. */
export const route = <E extends EndpointSpec, const D extends Declaration<E>>(
  endpoint: E,
  declaration: D,
  handle: (call: Of<E, D>['call']) => Promise<Of<E, D>['response']>,
): Route => ({ endpoint, ...(declaration as object), handle });
