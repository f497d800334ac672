import type { FastifyReply, FastifyRequest } from 'fastify';
import { CSV_MARK } from '#shared/text/csv.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import {
  type CachedResponse,
  bytesOf,
  sendCached,
  sendPersonal,
  toCachedResponse,
  toCachedText,
} from '../cache/responses.ts';
import type { Loaded } from '../cache/cache.ts';
import { invalidatorOf } from '../cache/notifications.ts';
import type { Tag } from '../cache/tags.ts';
import { NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import type { Services } from '../services.ts';
import { absolutePictures } from './absolute-pictures.ts';
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
import type { ResponseCheck } from './check-response.ts';
import type { CachedCall, CacheSpec, Call, LoadedResponse, Route, TokenCall } from './declare.ts';
import { sendFromMemory } from './from-memory.ts';
import { parseInput } from './input.ts';
import { charged, type Cost } from './read-budget.ts';
import { hashToken, getCachedSession, readSession, getSession, type SessionUser } from './session.ts';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

export interface Mounting {
  services: Services;
  requireAdminToken: AdminGate;
  check: ResponseCheck;
}

const userIdOf = (session: SessionUser | null): number | null => session?.userId ?? null;
const costOf = (cost: NonNullable<Route['cost']>, asked: CachedCall<EndpointSpec>): Cost =>
  typeof cost === 'function' ? cost(asked) : cost;

const asFile = ({ contentType }: EndpointSpec, body: unknown): unknown =>
  contentType === 'text/csv' ? CSV_MARK + String(body) : body;

function finish({ endpoint }: Route, check: ResponseCheck, reply: FastifyReply, said: unknown): unknown {
  if (reply.sent) return reply;
  const body = said === undefined ? { success: true } : said;
  check(endpoint, body);
  if (endpoint.status && reply.statusCode === 200) reply.code(endpoint.status);
  return asFile(endpoint, body);
}

/** Sends the result of a handler of the open API like `sendCached`, with 304 for a client that has it already. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, body: unknown, origin: string): FastifyReply {
  const names = [NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER];
  const headers = names.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : []));
  return sendCached(request, reply, toCachedResponse(absolutePictures(body, origin), Object.fromEntries(headers)));
}

/** The session that was admitted before the body. An admin's is read again: the role may have been revoked while a slow body arrived. */
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

function sessionHandler({ services, requireAdminToken, check }: Mounting, route: Route): Handler {
  const { endpoint, session: checks, writes = [] } = route;
  const cost = route.cost as Cost | undefined;
  const handle = route.handle as (call: Call<EndpointSpec>) => Promise<unknown>;
  const invalidate = invalidatorOf(writes);
  return async (request, reply) => {
    const session = checks === 'none' ? null : await sessionOf(services, requireAdminToken, endpoint, request);
    checkIdentity(endpoint, request, session);
    const respond = () =>
      handle({ services, session: session as SessionUser, ...parseInput(endpoint, request), request, reply });
    const body = await (cost ? charged(request, userIdOf(session), cost, respond) : respond());
    if (session) invalidate(services.cache, session.userId);
    const finished = finish(route, check, reply, body);
    return endpoint.open && finished !== reply
      ? sendTagged(request, reply, finished, services.config.publicOrigin)
      : finished;
  };
}

function cachedHandler(
  { services, check }: Mounting,
  route: Route,
  { key: keyOf, reads }: CacheSpec<EndpointSpec>,
): Handler {
  const { endpoint, cost = 'long' } = route;
  const handle = route.handle as (call: CachedCall<EndpointSpec>) => Promise<LoadedResponse<EndpointSpec>>;
  function toResponse(value: unknown, headers?: Record<string, string>): CachedResponse {
    check(endpoint, value);
    const { contentType } = endpoint;
    if (contentType) return toCachedText(String(asFile(endpoint, value)), `${contentType}; charset=utf-8`, headers);
    return toCachedResponse(endpoint.open ? absolutePictures(value, services.config.publicOrigin) : value, headers);
  }
  async function load(call: CachedCall<EndpointSpec>, isChosen: boolean): Promise<Loaded<CachedResponse>> {
    const loaded = await handle(call);
    if ('prepared' in loaded) throw new Error(`${endpoint.path} has a key for the response of one user`);
    const { value, headers, ...rest } = loaded;
    const response = toResponse(value, headers);
    return { value: response, bytes: bytesOf(response), isChosen, ...rest };
  }
  async function sendLoaded(call: CachedCall<EndpointSpec>, request: FastifyRequest, reply: FastifyReply) {
    const loaded = await handle(call);
    if (!('prepared' in loaded)) return sendCached(request, reply, toResponse(loaded.value, loaded.headers));
    check(endpoint, loaded.prepared.json);
    return sendPersonal(request, reply.headers(loaded.headers ?? {}), loaded.prepared);
  }
  function serve(request: FastifyRequest, reply: FastifyReply, session: SessionUser | null): unknown {
    checkAccess(endpoint, request, session);
    checkIdentity(endpoint, request, session);
    const call = { services, session: session as SessionUser, ...parseInput(endpoint, request) };
    const wanted = keyOf(call);
    const userId = userIdOf(session);
    if (wanted === null) {
      if (isRefused('read', request, reply)) return undefined;
      return charged(request, userId, costOf(cost, call), () => sendLoaded(call, request, reply));
    }
    const isChosen = typeof wanted !== 'string';
    // The page has reads with the same keys.
    const key = (endpoint.open ? 'open ' : '') + (isChosen ? wanted.chosen : wanted);
    const known = services.cache.getCached(key) as CachedResponse | undefined;
    // Nothing is returned: a reply is a promise, on which the framework would wait.
    if (known) return void sendCached(request, reply, known);
    const tags = reads.map((tag) => (tag.endsWith(':own') ? tag.replace('own', String(userId)) : tag) as Tag);
    const loadCost = isChosen ? costOf(cost, call) : ('small' as const);
    const read = { key, reads: tags, cost: loadCost, userId, load: () => load(call, isChosen) };
    return sendFromMemory(services.cache, request, reply, read);
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
 * Passes on the token's hash; the handler's own statement checks the session. Unreadable input never reaches the handler, so its
 * session is read here: without one the response is 401, as everywhere.
 */
function tokenHandler({ services, check }: Mounting, route: Route): Handler {
  const { endpoint, writes = [] } = route;
  const handle = route.handle as (call: TokenCall<EndpointSpec>) => Promise<unknown>;
  const invalidate = invalidatorOf(writes);
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
    invalidate(services.cache, (input.body as { userId: number }).userId);
    return finish(route, check, reply, body);
  };
}

export function handlerOf(mounting: Mounting, route: Route): Handler {
  if (route.cache) return cachedHandler(mounting, route, route.cache);
  return route.session === 'in-statement' ? tokenHandler(mounting, route) : sessionHandler(mounting, route);
}
