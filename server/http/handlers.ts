import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { type CachedResponse, bytesOf, sendCached, toCachedResponse, toCachedText } from '../cache/responses.ts';
import type { Loaded } from '../cache/cache.ts';
import { invalidateOne } from '../cache/notifications.ts';
import { NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/pages.ts';
import type { Services } from '../services.ts';
import {
  type AdminGate,
  admit,
  checkAccess,
  checkIdentity,
  requireSession,
  requireToken,
  sessionOrVisitor,
} from './access.ts';
import { isRefused } from './admission.ts';
import { checkResponse } from './check-response.ts';
import type { CachedRead, Route, SendCall } from './declare.ts';
import { parseInput } from './input.ts';
import { READ_COST } from './read-budget.ts';
import { hashToken, getCachedSession, readSession, getSession, type SessionUser } from './session.ts';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** What an async handler returns: the body itself, as a reply is a promise on which the framework would wait. */
function finish(services: Services, endpoint: EndpointSpec, reply: FastifyReply, body: unknown): unknown {
  if (reply.sent) return reply;
  if (services.config.env === 'test') checkResponse(endpoint, body);
  if (endpoint.status && reply.statusCode === 200) reply.code(endpoint.status);
  return body;
}

/** Sends what a handler of the open API returned as `sendCached` does, so that a client that has it already is told so. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, body: unknown): FastifyReply {
  const names = [NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER];
  const headers = names.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : []));
  return sendCached(request, reply, toCachedResponse(body, Object.fromEntries(headers)));
}

const charge = (request: FastifyRequest, session: SessionUser | null, cost: number): void =>
  request.server.readBudget.charge(request, session?.userId ?? null, cost);

/** Kinds of change that any write but a vote may have made. */
const PUBLIC_KINDS = ['p', 'c', 'r', 'n'];

/** A user's next read from this server shows what the user has just written, before the database's notification arrives. */
function invalidateWritten({ cache }: Services, userId: number): void {
  invalidateOne(cache, 'u', userId);
  for (const kind of PUBLIC_KINDS) cache.invalidateKind(kind);
}

/**
 * The session that was admitted before the body. An admin's is read again: a body may take its time, and the role may have been
 * revoked meanwhile.
 */
function sessionOf(
  services: Services,
  requireAdminToken: AdminGate,
  endpoint: EndpointSpec,
  request: FastifyRequest,
): Promise<SessionUser | null> | SessionUser | null {
  const { admitted } = request;
  const isKnown = admitted !== undefined && endpoint.access !== 'admin' && endpoint.access !== 'role';
  return isKnown ? admitted : admit(services, requireAdminToken, endpoint, request);
}

/** Reads the session from the database, then the input, then calls the handler. */
export function sessionHandler(
  services: Services,
  requireAdminToken: AdminGate,
  endpoint: EndpointSpec,
  handle: NonNullable<Route['handle']>,
): Handler {
  return async (request, reply) => {
    const session = await sessionOf(services, requireAdminToken, endpoint, request);
    checkIdentity(endpoint, request, session);
    if (endpoint.method === 'GET') charge(request, session, READ_COST.list);
    const input = parseInput(endpoint, request);
    const body = await handle({ services, session: session as SessionUser, ...input, request, reply });
    if (session && endpoint.method !== 'GET') invalidateWritten(services, session.userId);
    const finished = finish(services, endpoint, reply, body);
    return endpoint.open && finished !== reply ? sendTagged(request, reply, finished) : finished;
  };
}

/** From memory to the socket without a wait, where both session and response are cached. */
export function cachedHandler(
  services: Services,
  endpoint: EndpointSpec,
  cached: CachedRead<EndpointSpec>,
  respond?: (call: SendCall<EndpointSpec>) => Promise<FastifyReply>,
): Handler {
  function callOf(request: FastifyRequest, session: SessionUser | null) {
    checkAccess(endpoint, request, session);
    checkIdentity(endpoint, request, session);
    return { session: session as SessionUser, ...parseInput(endpoint, request) };
  }
  async function load(call: ReturnType<typeof callOf>): Promise<Loaded<CachedResponse>> {
    const { value, headers, ...rest } = await cached.load({ services, ...call });
    if (services.config.env === 'test') checkResponse(endpoint, value);
    const { contentType } = endpoint;
    const response = contentType
      ? toCachedText(String(value), `${contentType}; charset=utf-8`, headers)
      : toCachedResponse(value, headers);
    return { value: response, bytes: bytesOf(response), ...rest };
  }
  const send = (request: FastifyRequest, reply: FastifyReply) => (response: CachedResponse) =>
    sendCached(request, reply, response);
  function serve(request: FastifyRequest, reply: FastifyReply, session: SessionUser | null): unknown {
    const call = callOf(request, session);
    const key = cached.key(call);
    if (key === null && isRefused('read', request, reply)) return undefined;
    if (key === null && respond) return respond({ services, ...call, request, reply });
    if (key === null) {
      charge(request, session, READ_COST.long);
      return load(call).then(({ value }) => send(request, reply)(value));
    }
    const known = services.cache.getCached(key) as CachedResponse | undefined;
    // Nothing is returned: a reply is a promise, on which the framework would wait.
    if (known) return void sendCached(request, reply, known);
    if (isRefused('read', request, reply)) return undefined;
    charge(request, session, READ_COST.small);
    return services.cache.getOrLoad(key, cached.tags(call), () => load(call)).then(send(request, reply));
  }
  return (request, reply) => {
    const session = endpoint.open ? null : getCachedSession(services, request);
    if (session !== undefined) return serve(request, reply, session);
    if (isRefused('read', request, reply)) return undefined;
    return sessionOrVisitor(endpoint, request, () => getSession(services, request)).then(
      (found) => serve(request, reply, found) ?? reply,
    );
  };
}

function hasOtherIdentity({ body, query }: FastifyRequest): boolean {
  if (Object.keys(query as object).length > 0) return true;
  return typeof body === 'object' && body !== null && ('walletAddress' in body || 'submittedBy' in body);
}

/**
 * Hands the token's hash on; the handler's own statement checks the session. Input that cannot be read never gets there, so that the
 * session is read for it: without one the response is 401, as everywhere.
 */
export function tokenHandler(
  services: Services,
  endpoint: EndpointSpec,
  handle: NonNullable<Route['handleWithToken']>,
): Handler {
  return async (request, reply) => {
    const token = requireToken(request);
    // The statement knows the user by `userId`; the other identity fields are checked here.
    if (hasOtherIdentity(request)) checkIdentity(endpoint, request, await readSession(services, request));
    let input: ReturnType<typeof parseInput>;
    try {
      input = parseInput(endpoint, request);
    } catch (error) {
      await requireSession(services, request);
      throw error;
    }
    const body = await handle({ services, tokenHash: hashToken(token), ...input, request, reply });
    return finish(services, endpoint, reply, body);
  };
}

/** Neither reads a session nor writes anything by itself. */
export function anonymousHandler(
  services: Services,
  endpoint: EndpointSpec,
  handle: NonNullable<Route['handleAnonymously']>,
): Handler {
  return async (request, reply) => {
    const body = await handle({ services, ...parseInput(endpoint, request), request, reply });
    return finish(services, endpoint, reply, body);
  };
}
