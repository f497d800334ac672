import type { FastifyRequest } from 'fastify';
import { normalizeAddress } from '#chain/address.ts';
import { isDatabaseAway } from '#db/database-away.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import type { Services } from '../services.ts';
import { type HttpError, forbidden, unauthorized } from './errors.ts';
import { readSession, readToken, type SessionUser } from './session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    admitted: SessionUser | null | undefined;
  }
}

export type AdminGate = (services: Services, request: FastifyRequest, session: SessionUser) => Promise<void>;

const notSignedIn = () => unauthorized('not_signed_in', 'User not logged in');

const IDENTITY_FIELDS = ['userId', 'walletAddress', 'submittedBy'] as const;
const NOT_YOURS = {
  userId: 'You are signed in as another user',
  walletAddress: 'You are signed in with another wallet',
  submittedBy: 'You are signed in with another wallet',
} as const;

function checkFields(value: unknown, session: SessionUser | null): void {
  if (typeof value !== 'object' || value === null) return;
  const sent = value as Record<string, unknown>;
  for (const field of IDENTITY_FIELDS) {
    const named = sent[field];
    if (named === undefined || named === null) continue;
    if (!session) throw notSignedIn();
    const same =
      field === 'userId'
        ? named === session.userId || named === String(session.userId)
        : typeof named === 'string' && normalizeAddress(named) === session.walletAddress;
    if (!same) throw forbidden('not_yours', NOT_YOURS[field]);
  }
}

const namesUser = (sent: unknown): boolean =>
  typeof sent === 'object' && sent !== null && IDENTITY_FIELDS.some((field) => field in sent);

/**
 * The session of a request, where the database can be asked for it. While there is no primary, a public read continues as a visitor's,
 * unless it is about the user: that one waits for the primary (decision 35).
 */
export async function sessionOrVisitor(
  endpoint: EndpointSpec,
  request: FastifyRequest,
  read: () => Promise<SessionUser | null>,
): Promise<SessionUser | null> {
  try {
    return await read();
  } catch (error) {
    const isForEverybody = endpoint.access === 'public' && endpoint.method === 'GET' && !namesUser(request.query);
    if (isForEverybody && isDatabaseAway(error)) return null;
    throw error;
  }
}

export function checkIdentity(endpoint: EndpointSpec, request: FastifyRequest, session: SessionUser | null): void {
  if (endpoint.identity === false || endpoint.open) return;
  checkFields(request.body, session);
  checkFields(request.query, session);
}

export function checkAccess(endpoint: EndpointSpec, request: FastifyRequest, session: SessionUser | null): void {
  if (endpoint.access === 'public') return;
  if (!session) throw notSignedIn();
  if (endpoint.access === 'self') {
    const { id } = request.params as { id?: string };
    if (id !== String(session.userId)) throw forbidden('not_yours', 'This belongs to another user');
  }
  if (endpoint.access === 'role' || endpoint.access === 'admin') checkRole(endpoint, session);
}

function checkRole({ roles }: EndpointSpec, { role }: SessionUser): void {
  if (role === 'owner') return;
  if (role === null) throw forbidden('not_admin', 'Only the admin wallet may do this');
  if (!roles?.includes(role)) throw forbidden('not_your_role', 'Your role does not allow this');
}

/** The session that may call the endpoint, as the database has it now; null only where the endpoint is public. @throws 401, 403 */
export async function admit(
  services: Services,
  requireAdminToken: AdminGate,
  endpoint: EndpointSpec,
  request: FastifyRequest,
): Promise<SessionUser | null> {
  if (endpoint.open) return null;
  const session = await sessionOrVisitor(endpoint, request, () => readSession(services, request));
  checkAccess(endpoint, request, session);
  if (session && endpoint.access === 'admin') await requireAdminToken(services, request, session);
  return session;
}

export const missingToken = (request: FastifyRequest): HttpError | undefined =>
  readToken(request) === null ? notSignedIn() : undefined;

/**
 * The token of the request's cookie, which may have no session.
 * @throws 401 without one
 */
export function requireToken(request: FastifyRequest): string {
  const token = readToken(request);
  if (token === null) throw notSignedIn();
  return token;
}

export async function requireSession(services: Services, request: FastifyRequest): Promise<void> {
  if (!(await readSession(services, request))) throw notSignedIn();
}
