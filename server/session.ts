import { createHash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE, SESSION_DAYS } from '#shared/constants.ts';
import type { Db } from '#db/client.ts';
import { sql } from 'kysely';
import type { Config } from './config.ts';
import type { Services } from './services.ts';

export interface SessionUser {
  userId: number;
  walletAddress: string;
  isAdmin: boolean;
  /** SHA-256 of the cookie's token, as stored. */
  tokenHash: Buffer;
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

function cookieOptions(config: Config): CookieSerializeOptions {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.publicOrigin.startsWith('https:'),
    maxAge: SESSION_DAYS * 86_400,
  };
}

/** The session of the request's cookie, or null. One indexed look-up; the token itself is never stored. */
export async function readSession({ db, config }: Services, request: FastifyRequest): Promise<SessionUser | null> {
  const token = request.cookies[SESSION_COOKIE];
  if (!token || token.length > 100) return null;
  const tokenHash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.walletAddress'])
    .where('sessions.tokenHash', '=', tokenHash)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) return null;
  return {
    userId: row.id,
    walletAddress: row.walletAddress,
    isAdmin: row.walletAddress === config.adminWallet,
    tokenHash,
  };
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
  { db, config }: Services,
  reply: FastifyReply,
  session: SessionUser | null,
): Promise<void> {
  if (session) await db.deleteFrom('sessions').where('tokenHash', '=', session.tokenHash).execute();
  const { maxAge: _, ...options } = cookieOptions(config);
  reply.clearCookie(SESSION_COOKIE, options);
}
