import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from '#shared/endpoint.ts';
import type { Loaded } from '../cache/cache.ts';
import type { Services } from '../services.ts';
import type { SessionUser } from './session.ts';

/** What a handler gets: parsed input, the session (never null unless the endpoint is public), and the reply for headers. */
export interface Call<E extends EndpointSpec> {
  services: Services;
  session: E['access'] extends 'public' ? SessionUser | null : SessionUser;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** An endpoint with the one function that responds to it. */
export interface Route {
  endpoint: EndpointSpec;
  handle?: (call: Call<EndpointSpec>) => Promise<unknown>;
  cached?: CachedRead<EndpointSpec>;
  /** Sends the response of a read that is not cached; its session may come from memory. */
  respond?(call: SendCall<EndpointSpec>): Promise<FastifyReply>;
  handleWithToken?: (call: TokenCall<EndpointSpec>) => Promise<unknown>;
  handleAnonymously?: (call: AnonymousCall<EndpointSpec>) => Promise<unknown>;
}

type CachedCall<E extends EndpointSpec> = Pick<Call<E>, 'services' | 'session' | 'params' | 'query'>;

/** What a read gets that sends its response by itself. */
export type SendCall<E extends EndpointSpec> = Omit<Call<E>, 'body'>;

/** A read whose response stays cached until something that it depends on changes. */
export interface CachedRead<E extends EndpointSpec> {
  /** One for each response that differs; null for a request that `respond` handles, or that is loaded each time where there is none. */
  key: (call: Omit<CachedCall<E>, 'services'>) => string | null;
  /** Kinds, or kinds with an id, as `server/cache/notifications.ts` names them. */
  tags: (call: Omit<CachedCall<E>, 'services'>) => string[];
  load: (call: CachedCall<E>) => Promise<LoadedResponse<E>>;
}

/** The body of a response, and headers that belong to it. */
export type LoadedResponse<E extends EndpointSpec> = Loaded<ResponseOf<E>> & { headers?: Record<string, string> };

/** What a handler gets whose own statement checks the session. */
export interface TokenCall<E extends EndpointSpec> extends Omit<Call<E>, 'session'> {
  /** SHA-256 of the cookie's token; there may be no session with it. */
  tokenHash: Buffer;
}

/** What a handler gets that asks for no session. */
export type AnonymousCall<E extends EndpointSpec> = Omit<Call<E>, 'session'>;

/** Binds an endpoint of the contract to the function that responds to it; the types of both sides come from the contract. */
export function implement<E extends EndpointSpec>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<ResponseOf<E>>,
): Route {
  return { endpoint, handle };
}

/** As `implement`, for a read that is polled: see `CachedRead`. `respond` sends what is not cached. */
export function implementCached<E extends EndpointSpec>(
  endpoint: E,
  cached: CachedRead<E>,
  respond?: (call: SendCall<E>) => Promise<FastifyReply>,
): Route {
  return respond ? { endpoint, cached, respond } : { endpoint, cached };
}

/** A public read once more as part of the open API: the function that responds to the page's endpoint responds to this one, too. */
export function implementOpenly(open: EndpointSpec, endpoint: EndpointSpec, routes: readonly Route[]): Route {
  const route = routes.find((candidate) => candidate.endpoint === endpoint);
  if (!route) throw new Error(`${endpoint.path} has no route`);
  return { ...route, endpoint: open };
}

/**
 * As `implement`, for a frequent write: one statement of the handler checks that the token's session exists and belongs to the
 * body's `userId` (R3), and does the work.
 */
export function implementWithSessionToken<E extends EndpointSpec>(
  endpoint: E,
  handleWithToken: (call: TokenCall<E>) => Promise<ResponseOf<E>>,
): Route {
  return { endpoint, handleWithToken };
}

/** As `implement`, for a small public write that belongs to nobody: no session is read, and nothing is dropped from the cache. */
export function implementAnonymously<E extends EndpointSpec & { access: 'public'; identity: false }>(
  endpoint: E,
  handleAnonymously: (call: AnonymousCall<E>) => Promise<ResponseOf<E>>,
): Route {
  return { endpoint, handleAnonymously };
}
