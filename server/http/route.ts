import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from '#shared/endpoint.ts';
import { normalizeAddress } from '#chain/address.ts';
import { requireAdminToken } from '../admin/gate.ts';
import { type Kind, isRefused } from './admission.ts';
import { HttpError, forbidden, unauthorized } from './errors.ts';
import { parseInput } from './input.ts';
import { READ_COST } from './read-budget.ts';
import type { Services } from '../services.ts';
import { bytesOf, type HeldAnswer, holdAnswer, sendHeld } from '../cache/answers.ts';
import type { Loaded } from '../cache/cache.ts';
import { forgetOne } from '../cache/notices.ts';
import { hashToken, peekSession, readSession, readToken, recallSession, type SessionUser } from './session.ts';

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

export interface Route {
  endpoint: EndpointSpec;
  /** Answers a request. */
  handle?: (call: Call<EndpointSpec>) => Promise<unknown>;
  /** Answers a read from memory as long as it holds. */
  held?: HeldRead<EndpointSpec>;
  /** Sends the response of a read that is not cached; its session may come from memory. */
  respond?(call: SendCall<EndpointSpec>): Promise<FastifyReply>;
  /** Answers a request whose session its own statement checks. */
  handleUnchecked?: (call: UncheckedCall<EndpointSpec>) => Promise<unknown>;
}

type HeldCall<E extends EndpointSpec> = Pick<Call<E>, 'services' | 'session' | 'params' | 'query'>;

/** What a read gets that sends its response by itself. */
export type SendCall<E extends EndpointSpec> = Omit<Call<E>, 'body'>;

/** A read whose answer is held in memory until something that it depends on changes. */
export interface HeldRead<E extends EndpointSpec> {
  /** One for each answer that differs; null for a request that `respond` handles, or where there is none, that is loaded each time. */
  key: (call: Omit<HeldCall<E>, 'services'>) => string | null;
  /** Kinds, or kinds with an id, as `server/cache/notices.ts` tells them. */
  topics: (call: Omit<HeldCall<E>, 'services'>) => string[];
  load: (call: HeldCall<E>) => Promise<LoadedAnswer<E>>;
}

/** The body of an answer, and headers that belong to it. */
export type LoadedAnswer<E extends EndpointSpec> = Loaded<AnswerOf<E>> & { headers?: Record<string, string> };

/** What a handler gets that lets its own statement check the session. */
export interface UncheckedCall<E extends EndpointSpec> extends Omit<Call<E>, 'session'> {
  /** SHA-256 of the cookie's token: it may be nobody's. */
  tokenHash: Buffer;
}

/** Binds an endpoint of the contract to the function that answers it; the types of both sides come from the contract. */
export function implement<E extends EndpointSpec>(endpoint: E, handle: (call: Call<E>) => Promise<AnswerOf<E>>): Route {
  return { endpoint, handle };
}

/** As `implement`, for a read that is polled: see `HeldRead`. `respond` sends what is not cached. */
export function implementHeld<E extends EndpointSpec>(
  endpoint: E,
  held: HeldRead<E>,
  respond?: (call: SendCall<E>) => Promise<FastifyReply>,
): Route {
  return respond ? { endpoint, held, respond } : { endpoint, held };
}

/** As `implement`, for what is done often: the handler's own statement checks the session, and that it is that of the body's `userId` (R3). */
export function implementUnchecked<E extends EndpointSpec>(
  endpoint: E,
  handleUnchecked: (call: UncheckedCall<E>) => Promise<AnswerOf<E>>,
): Route {
  return { endpoint, handleUnchecked };
}

const IDENTITY_FIELDS = ['userId', 'walletAddress', 'submittedBy'] as const;
const NOT_YOURS = {
  userId: 'You are signed in as another user',
  walletAddress: 'You are signed in with another wallet',
  submittedBy: 'You are signed in with another wallet',
} as const;
/** Fields that name a person must name the person of the session (R3). */
function checkIdentity(value: unknown, session: SessionUser | null): void {
  if (typeof value !== 'object' || value === null) return;
  const sent = value as Record<string, unknown>;
  for (const field of IDENTITY_FIELDS) {
    const named = sent[field];
    if (named === undefined || named === null) continue;
    if (!session) throw unauthorized('not_signed_in', 'User not logged in');
    const same =
      field === 'userId'
        ? named === session.userId || named === String(session.userId)
        : typeof named === 'string' && normalizeAddress(named) === session.walletAddress;
    if (!same) throw forbidden('not_yours', NOT_YOURS[field]);
  }
}

/** Whether this session may call the endpoint, but for the admin's token; @throws 401, 403 */
function checkAccess(endpoint: EndpointSpec, request: FastifyRequest, session: SessionUser | null): void {
  if (endpoint.access === 'public') return;
  if (!session) throw unauthorized('not_signed_in', 'User not logged in');
  if (endpoint.access === 'self') {
    const { id } = request.params as { id?: string };
    if (id !== String(session.userId)) throw forbidden('not_yours', 'This belongs to another user');
  }
  if (endpoint.access === 'adminWallet' || endpoint.access === 'admin') {
    if (!session.isAdmin) throw forbidden('not_admin', 'Only the admin wallet may do this');
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who was let in before the body was read; undefined where that is not asked before. */
    admitted: SessionUser | null | undefined;
  }
}

async function admit(services: Services, endpoint: EndpointSpec, request: FastifyRequest): Promise<SessionUser | null> {
  const session = await readSession(services, request);
  checkAccess(endpoint, request, session);
  if (session && endpoint.access === 'admin') await requireAdminToken(services, request, session);
  return session;
}

/** 'GET /api/projects/{id}' in the form the router wants. */
const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** What an async handler returns: the answer itself, as a reply is a promise on which the framework would wait. */
function finish(services: Services, endpoint: EndpointSpec, reply: FastifyReply, answer: unknown): unknown {
  if (reply.sent) return reply;
  if (services.config.env === 'test') checkAnswer(endpoint, answer);
  if (endpoint.status && reply.statusCode === 200) reply.code(endpoint.status);
  return answer;
}

/** Kinds of change that any write but a vote may have made. */
const PUBLIC_KINDS = ['p', 'c', 'r', 'n'];

/** What somebody has just written he sees in his next read from this server, before the database's notice is here. */
function forgetWritten({ cache }: Services, userId: number): void {
  forgetOne(cache, 'u', userId);
  for (const kind of PUBLIC_KINDS) cache.forgetKind(kind);
}

function checkedHandler(services: Services, endpoint: EndpointSpec, handle: NonNullable<Route['handle']>): Handler {
  return async (request, reply) => {
    const session = request.admitted === undefined ? await admit(services, endpoint, request) : request.admitted;
    if (endpoint.identity !== false) {
      checkIdentity(request.body, session);
      checkIdentity(request.query, session);
    }
    if (endpoint.method === 'GET') charge(request, session, READ_COST.list);
    const input = parseInput(endpoint, request);
    const answer = await handle({ services, session: session as SessionUser, ...input, request, reply });
    if (session && endpoint.method !== 'GET') forgetWritten(services, session.userId);
    return finish(services, endpoint, reply, answer);
  };
}

const charge = (request: FastifyRequest, session: SessionUser | null, cost: number): void =>
  request.server.readBudget.charge(request, session?.userId ?? null, cost);

/** From memory to the socket without a wait, where session and answer are there. */
function heldHandler(
  services: Services,
  endpoint: EndpointSpec,
  held: HeldRead<EndpointSpec>,
  respond?: (call: SendCall<EndpointSpec>) => Promise<FastifyReply>,
): Handler {
  function callOf(request: FastifyRequest, session: SessionUser | null) {
    checkAccess(endpoint, request, session);
    if (endpoint.identity !== false) checkIdentity(request.query, session);
    return { session: session as SessionUser, ...parseInput(endpoint, request) };
  }
  async function load(call: ReturnType<typeof callOf>): Promise<Loaded<HeldAnswer>> {
    const { value, headers, ...rest } = await held.load({ services, ...call });
    if (services.config.env === 'test') checkAnswer(endpoint, value);
    const heldAnswer = holdAnswer(value, headers);
    return { value: heldAnswer, bytes: bytesOf(heldAnswer), ...rest };
  }
  const send = (request: FastifyRequest, reply: FastifyReply) => (loaded: HeldAnswer) =>
    sendHeld(request, reply, loaded);
  function answer(request: FastifyRequest, reply: FastifyReply, session: SessionUser | null): unknown {
    const call = callOf(request, session);
    const key = held.key(call);
    if (key === null && isRefused('read', request, reply)) return undefined;
    if (key === null && respond) return respond({ services, ...call, request, reply });
    if (key === null) {
      charge(request, session, READ_COST.long);
      return load(call).then(({ value }) => send(request, reply)(value));
    }
    const known = services.cache.peek(key) as HeldAnswer | undefined;
    // Nothing is returned: a reply is a promise, on which the framework would wait.
    if (known) return void sendHeld(request, reply, known);
    if (isRefused('read', request, reply)) return undefined;
    charge(request, session, READ_COST.small);
    return services.cache.remember(key, held.topics(call), () => load(call)).then(send(request, reply));
  }
  return (request, reply) => {
    const session = peekSession(services, request);
    if (session !== undefined) return answer(request, reply, session);
    if (isRefused('read', request, reply)) return undefined;
    return recallSession(services, request).then((found) => answer(request, reply, found) ?? reply);
  };
}

function namesOtherwise({ body, query }: FastifyRequest): boolean {
  if (Object.keys(query as object).length > 0) return true;
  return typeof body === 'object' && body !== null && ('walletAddress' in body || 'submittedBy' in body);
}

function uncheckedHandler(
  services: Services,
  endpoint: EndpointSpec,
  handle: NonNullable<Route['handleUnchecked']>,
): Handler {
  return async (request, reply) => {
    const token = readToken(request);
    if (token === null) throw unauthorized('not_signed_in', 'User not logged in');
    // The statement knows the user by `userId`; what names him in another way is checked here.
    if (namesOtherwise(request)) {
      const session = await readSession(services, request);
      checkIdentity(request.body, session);
      checkIdentity(request.query, session);
    }
    const input = parseInput(endpoint, request);
    const answer = await handle({ services, tokenHash: hashToken(token), ...input, request, reply });
    return finish(services, endpoint, reply, answer);
  };
}

function handlerOf(services: Services, { endpoint, handle, held, respond, handleUnchecked }: Route): Handler {
  if (held) return heldHandler(services, endpoint, held, respond);
  if (handleUnchecked) return uncheckedHandler(services, endpoint, handleUnchecked);
  if (handle) return checkedHandler(services, endpoint, handle);
  throw new Error(`${endpoint.path} has no handler`);
}

/** Asks who calls before the body is read: a stranger's megabytes are neither received nor parsed. */
function admitBeforeBody(services: Services, { endpoint, handle }: Route): object {
  if (!handle || endpoint.method === 'GET' || endpoint.access === 'public') return {};
  return {
    preParsing: async (request: FastifyRequest) => {
      request.admitted = await admit(services, endpoint, request);
    },
  };
}

/** What is refused under load, and how late: server/http/admission.ts. */
function kindOf({ endpoint, held, handleUnchecked }: Route): Kind {
  if (handleUnchecked) return 'vote';
  if (held) return 'memory';
  const isAct = endpoint.method !== 'GET' || endpoint.path.startsWith('/api/payments');
  return isAct || endpoint.access.startsWith('admin') ? 'act' : 'read';
}

/** Order of a request: load, origin, rate limit (both in app.ts), session, access, body, identity, input, handler. */
export function mount(app: FastifyInstance, services: Services, route: Route, rateLimit?: object): void {
  const { endpoint } = route;
  app.route({
    method: endpoint.method,
    url: routerPath(endpoint.path),
    ...(endpoint.bodyLimitBytes ? { bodyLimit: endpoint.bodyLimitBytes } : {}),
    config: { kind: kindOf(route), ...(rateLimit ? { rateLimit } : {}) },
    // Held answers are compressed once and not for everybody; a vote's is too short.
    ...(route.handle ? {} : { compress: false as const }),
    ...admitBeforeBody(services, route),
    handler: handlerOf(services, route),
  });
}

/** In tests every answer is held against the contract, so that the two cannot drift apart. */
export function checkAnswer(endpoint: EndpointSpec, answer: unknown): void {
  const result = endpoint.answer.safeParse(answer);
  if (!result.success) {
    throw new HttpError(
      500,
      'contract_broken',
      `${endpoint.method} ${endpoint.path} answers against its contract: ${result.error.message}`,
    );
  }
}
