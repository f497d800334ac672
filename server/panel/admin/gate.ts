import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { Config } from '#server/kit/config.ts';
import { unauthorized } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { findPassword } from './roles.ts';

export type Credentials = readonly [wallet: string, stored: string | null];

export const ownerCredentials = ({ adminWallet, adminPassword, adminPasswordHash }: Config): Credentials => [
  adminWallet,
  adminPasswordHash ?? adminPassword,
];

/** Stored form of an admin token, keyed by wallet and password: a change of either ends the person's admin sessions. */
export function hashAdminToken(credentials: Credentials, token: string): Buffer {
  return createHmac('sha256', JSON.stringify(credentials)).update(token).digest();
}

/** Null without a role, and while the person has not chosen a password. */
async function credentialsOf({ db, config }: Services, session: SessionUser): Promise<Credentials | null> {
  if (session.role === 'owner') return ownerCredentials(config);
  const found = await findPassword(db, session.walletAddress);
  return found && found.expiresAt === null ? [session.walletAddress, found.hash] : null;
}

export function adminTokenOf(request: FastifyRequest): string {
  const token = request.headers[ADMIN_TOKEN_HEADER];
  return typeof token === 'string' && token.length <= 100 ? token : '';
}

export async function requireAdminToken(
  services: Services,
  request: FastifyRequest,
  session: SessionUser,
): Promise<void> {
  const credentials = await credentialsOf(services, session);
  const row =
    credentials &&
    (await services.db
      .selectFrom('adminSessions')
      .select('expiresAt')
      .where('tokenHash', '=', hashAdminToken(credentials, adminTokenOf(request)))
      .where('sessionHash', '=', session.tokenHash)
      .where('expiresAt', '>', sql<Date>`now()`)
      .executeTakeFirst());
  if (!row) throw unauthorized('not_authenticated', 'Not Authenticated');
}

export async function endAdminSession(services: Services, session: SessionUser, token: string): Promise<void> {
  const credentials = await credentialsOf(services, session);
  if (!credentials) return;
  await services.db.deleteFrom('adminSessions').where('tokenHash', '=', hashAdminToken(credentials, token)).execute();
}
