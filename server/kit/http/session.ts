/**
 * Sessions: a signature over our own message starts one; a random token is in an HttpOnly cookie, its SHA-256 in the database. Rejected:
 * JWTs, which cannot be revoked.
 *
 * Each session has an id that is not secret, by which users list and end their own. The time last seen is known to the hour and written
 * outside the request; votes never write it, because their statement checks the session itself. A user has 20 sessions at most: the one
 * unseen for longest ends.
 *
 * The sign-in limit counts unfinished challenges and invalid signatures per address, each wallet separately. A valid signature returns
 * what its challenge consumed. A limit by wallet alone would let anyone lock a wallet out.
 */
import { hash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GrantedRole, Role } from '#shared/people/roles.ts';
import { LAST_SEEN_EVERY_MS, SESSION_COOKIE, SESSION_DAYS } from '#shared/constants.ts';
import { sql } from 'kysely';
import { deviceName } from './device.ts';
import { insertSession } from './session-queries.ts';
import type { Config } from '../config.ts';
import type { Services } from '../services.ts';

export interface SessionUser {
  userId: number;
  walletAddress: string;
  isAdmin: boolean;
  role: Role | null;
  tokenHash: Buffer;
}

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

declare module 'fastify' {
  interface FastifyInstance {
    sessionCookie: string;
  }
}

const isHttps = ({ publicOrigin }: Config): boolean => publicOrigin.startsWith('https:');

/**
 * The cookie's name. On https browsers take this prefix only from the very host, over https, for all paths: no sibling subdomain
 * can plant a session of its own.
 */
export const sessionCookieName = (config: Config): string =>
  isHttps(config) ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;

function cookieOptions(config: Config): CookieSerializeOptions {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(config),
    maxAge: SESSION_DAYS * 86_400,
  };
}

export function readToken(request: FastifyRequest): string | null {
  const token = request.cookies[request.server.sessionCookie];
  return token && token.length <= 100 ? token : null;
}

/** Written at most once an hour, beside the request and without it waiting: a read must not fail because this does. */
function noteSeen({ db, log }: Services, tokenHash: Buffer): void {
  db.updateTable('sessions')
    .set({ lastSeenAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .where('lastSeenAt', '<', lastSeenDue)
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, 'the time a session was last seen could not be written'));
}

const lastSeenDue = sql<Date>`now() - ${LAST_SEEN_EVERY_MS} * interval '1 millisecond'`;

async function findSession(services: Services, token: string) {
  const { db, config } = services;
  const tokenHash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('admins', (join) =>
      join.onRef('admins.walletAddress', '=', 'users.walletAddress').on('admins.revokedAt', 'is', null),
    )
    .select(['users.id', 'users.walletAddress', 'sessions.expiresAt', 'admins.role'])
    .select(sql<boolean>`sessions.last_seen_at < ${lastSeenDue}`.as('isSeenDue'))
    .where('sessions.tokenHash', '=', tokenHash)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) return null;
  if (row.isSeenDue) noteSeen(services, tokenHash);
  const isAdmin = row.walletAddress === config.adminWallet;
  const role = isAdmin ? 'owner' : (row.role as GrantedRole | null);
  const user: SessionUser = { userId: row.id, walletAddress: row.walletAddress, isAdmin, role, tokenHash };
  return { user, expiresAtMs: row.expiresAt.getTime() };
}

/** The session of the request's cookie as the database has it now, or null. One indexed look-up; the token itself is never stored. */
export async function readSession(services: Services, request: FastifyRequest): Promise<SessionUser | null> {
  const token = readToken(request);
  return token === null ? null : ((await findSession(services, token))?.user ?? null);
}

/** The session known without the database: null without a cookie, undefined when the database has to be read. */
export function getCachedSession({ cache }: Services, request: FastifyRequest): SessionUser | null | undefined {
  const token = readToken(request);
  return token === null ? null : (cache.getCached(`session:${token}`) as SessionUser | undefined);
}

/** Like readSession, from the cache where possible: for reads. A session that ended elsewhere is dropped within milliseconds. */
export async function getSession(services: Services, request: FastifyRequest): Promise<SessionUser | null> {
  const token = readToken(request);
  if (token === null) return null;
  return services.cache.getOrLoad<SessionUser | null>(`session:${token}`, ['sessions'], async () => {
    const found = await findSession(services, token);
    // An unknown token is not cached: it may become a session's in a moment.
    if (!found) return { value: null, expiresAtMs: 0 };
    // Read again now and then, so that a page which is open for days counts as seen.
    const expiresAtMs = Math.min(found.expiresAtMs, Date.now() + LAST_SEEN_EVERY_MS);
    return { value: found.user, expiresAtMs, tags: [`sessions:${found.user.userId}`] };
  });
}

/** Starts a session for a user who has just proved to hold the wallet, and sets its cookie (R1). */
export async function startSession(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const { db, config } = services;
  await insertSession(db, userId, hashToken(token), deviceName(request.headers['user-agent']));
  services.cache.invalidate('sessions');
  services.cache.invalidate(`sessions:${userId}`);
  reply.setCookie(sessionCookieName(config), token, cookieOptions(config));
}

export function clearSessionCookie({ config }: Services, reply: FastifyReply): void {
  const { maxAge: _, ...options } = cookieOptions(config);
  reply.clearCookie(sessionCookieName(config), options);
}

export async function endSession(services: Services, reply: FastifyReply, session: SessionUser | null): Promise<void> {
  if (session) await services.db.deleteFrom('sessions').where('tokenHash', '=', session.tokenHash).execute();
  clearSessionCookie(services, reply);
}
