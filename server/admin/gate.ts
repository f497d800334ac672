import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { Config } from '../config.ts';
import { unauthorized } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SessionUser } from '../http/session.ts';

/**
 * What is stored of an admin token: keyed by wallet and password, so that a change of either ends every admin session, on
 * every server that has the new settings.
 */
export function hashAdminToken(config: Config, token: string): Buffer {
  const { adminWallet, adminPassword, adminPasswordHash } = config;
  const credentials = JSON.stringify([adminWallet, adminPasswordHash ?? adminPassword]);
  return createHmac('sha256', credentials).update(token).digest();
}

/** The token of a request; '' when there is none that could be one. */
export function adminTokenOf(request: FastifyRequest): string {
  const token = request.headers[ADMIN_TOKEN_HEADER];
  return typeof token === 'string' && token.length <= 100 ? token : '';
}

/** Third gate of the admin panel: the token that the password login returned, bound to this very session (R31). */
export async function requireAdminToken(
  { db, config }: Services,
  request: FastifyRequest,
  session: SessionUser,
): Promise<void> {
  const row = await db
    .selectFrom('adminSessions')
    .select('expiresAt')
    .where('tokenHash', '=', hashAdminToken(config, adminTokenOf(request)))
    .where('sessionHash', '=', session.tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) throw unauthorized('not_authenticated', 'Not Authenticated');
}
