import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AnswerOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from '#shared/endpoint.ts';
import { normalizeAddress } from '#chain/address.ts';
import { requireAdminToken } from './admin/gate.ts';
import { HttpError, badRequest, forbidden, unauthorized } from './errors.ts';
import type { Services } from './services.ts';
import { readSession, type SessionUser } from './session.ts';

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
  handle: (call: Call<EndpointSpec>) => Promise<unknown>;
}

/** Binds an endpoint of the contract to the function that answers it; the types of both sides come from the contract. */
export function implement<E extends EndpointSpec>(endpoint: E, handle: (call: Call<E>) => Promise<AnswerOf<E>>): Route {
  return { endpoint, handle };
}

function parse(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw badRequest(
    'invalid_input',
    `${field || where}: ${issue?.message ?? 'not valid'}`,
    field ? { field } : undefined,
  );
}

const IDENTITY_FIELDS = ['userId', 'walletAddress', 'submittedBy'] as const;
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
    if (!same) throw forbidden('not_yours', `${field} is not that of your session`);
  }
}

async function admit(services: Services, endpoint: EndpointSpec, request: FastifyRequest): Promise<SessionUser | null> {
  const session = await readSession(services, request);
  if (endpoint.access === 'public') return session;
  if (!session) throw unauthorized('not_signed_in', 'User not logged in');
  if (endpoint.access === 'self') {
    const { id } = request.params as { id?: string };
    if (id !== String(session.userId)) throw forbidden('not_yours', 'This belongs to another user');
  }
  if (endpoint.access === 'adminWallet' || endpoint.access === 'admin') {
    if (!session.isAdmin) throw forbidden('not_admin', 'Only the admin wallet may do this');
  }
  if (endpoint.access === 'admin') await requireAdminToken(services, request, session);
  return session;
}

/** 'GET /api/projects/{id}' in the form the router wants. */
const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Order of a request: rate limit, origin (both in app.ts), session, access, identity, input, handler. */
export function mount(app: FastifyInstance, services: Services, { endpoint, handle }: Route, rateLimit?: object): void {
  app.route({
    method: endpoint.method,
    url: routerPath(endpoint.path),
    ...(endpoint.bodyLimitBytes ? { bodyLimit: endpoint.bodyLimitBytes } : {}),
    ...(rateLimit ? { config: { rateLimit } } : {}),
    handler: async (request, reply) => {
      const session = await admit(services, endpoint, request);
      if (endpoint.identity !== false) {
        checkIdentity(request.body, session);
        checkIdentity(request.query, session);
      }
      const answer = await handle({
        services,
        session: session as SessionUser,
        params: parse(endpoint.params, request.params, 'path'),
        query: parse(endpoint.query, request.query, 'query'),
        body: parse(endpoint.body, request.body, 'body'),
        request,
        reply,
      });
      if (reply.sent) return reply;
      if (services.config.env === 'test') checkAnswer(endpoint, answer);
      if (endpoint.status && reply.statusCode === 200) reply.code(endpoint.status);
      return reply.send(answer);
    },
  });
}

/** In tests every answer is held against the contract, so that the two cannot drift apart. */
function checkAnswer(endpoint: EndpointSpec, answer: unknown): void {
  const result = endpoint.answer.safeParse(answer);
  if (!result.success) {
    throw new HttpError(
      500,
      'contract_broken',
      `${endpoint.method} ${endpoint.path} answers against its contract: ${result.error.message}`,
    );
  }
}
