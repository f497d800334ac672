import { hash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE, SESSION_DAYS } from '#shared/constants.ts';
import type { Db } from '#db/client.ts';
import { sql } from 'kysely';
import { forgetOne } from './cache/notices.ts';
import type { Config } from './config.ts';
import type { Services } from './services.ts';

export interface SessionUser {
  userId: number;
  walletAddress: string;
  isAdmin: boolean;
  /** SHA-256 of the cookie's token, as stored. */
  tokenHash: Buffer;
}

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

function cookieOptions(config: Config): CookieSerializeOptions {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.publicOrigin.startsWith('https:'),
    maxAge: SESSION_DAYS * 86_400,
  };
}

/** The token of the request's cookie, if it could be one. */
export function readToken(request: FastifyRequest): string | null {
  const token = request.cookies[SESSION_COOKIE];
  return token && token.length <= 100 ? token : null;
}

async function findSession({ db, config }: Services, token: string) {
  const tokenHash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.walletAddress', 'sessions.expiresAt'])
    .where('sessions.tokenHash', '=', tokenHash)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) return null;
  const isAdmin = row.walletAddress === config.adminWallet;
  const user: SessionUser = { userId: row.id, walletAddress: row.walletAddress, isAdmin, tokenHash };
  return { user, expiresAtMs: row.expiresAt.getTime() };
}

/** The session of the request's cookie as the database has it now, or null. One indexed look-up; the token itself is never stored. */
export async function readSession(services: Services, request: FastifyRequest): Promise<SessionUser | null> {
  const token = readToken(request);
  return token === null ? null : ((await findSession(services, token))?.user ?? null);
}

/** What is known without asking: null without a cookie, undefined when the database has to be asked. */
export function peekSession({ cache }: Services, request: FastifyRequest): SessionUser | null | undefined {
  const token = readToken(request);
  return token === null ? null : (cache.peek(`session:${token}`) as SessionUser | undefined);
}

/** As readSession, from memory where possible: for reads. A session that was ended elsewhere is known to be within milliseconds. */
export async function recallSession(services: Services, request: FastifyRequest): Promise<SessionUser | null> {
  const token = readToken(request);
  if (token === null) return null;
  return services.cache.remember<SessionUser | null>(`session:${token}`, ['s'], async () => {
    const found = await findSession(services, token);
    // Nobody's token is not worth remembering: it might be somebody's in a moment.
    if (!found) return { value: null, expiresAtMs: 0 };
    return { value: found.user, expiresAtMs: found.expiresAtMs, topics: [`s:${found.user.userId}`] };
  });
}

/** Starts a session for a user who has just proved to hold the wallet, and sets its cookie (R1). */
export async function startSession(db: Db, config: Config, reply: FastifyReply, userId: number): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('sessions')
    .values({ tokenHash: hashToken(token), userId, expiresAt: sql`now() + make_interval(days => ${SESSION_DAYS})` })
    .execute();
  reply.setCookie(SESSION_COOKIE, token, cookieOptions(config));
}

/** Ends a session in the database and takes the cookie away. */
export async function endSession(
  { db, config, cache }: Services,
  reply: FastifyReply,
  session: SessionUser | null,
): Promise<void> {
  if (session) {
    await db.deleteFrom('sessions').where('tokenHash', '=', session.tokenHash).execute();
    forgetOne(cache, 's', session.userId);
  }
  const { maxAge: _, ...options } = cookieOptions(config);
  reply.clearCookie(SESSION_COOKIE, options);
}
