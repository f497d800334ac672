import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { ADMIN_LOCKOUT_MINUTES, ADMIN_PASSWORD_ATTEMPTS, ADMIN_SESSION_HOURS } from '#shared/constants.ts';
import { plural } from '#shared/plural.ts';
import { HttpError, tooMany, unauthorized } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SessionUser } from '../http/session.ts';
import { type Actor, writeAudit } from './audit.ts';
import { endAdminSession, hashAdminToken } from './gate.ts';
import { type Passwords, verifyPassword } from './verify-password.ts';

/**
 * Counts a try before the password is looked at, so that many at once cannot be more than five: false while locked. The
 * fifth in a row locks; a right password takes the lock away again.
 */
async function countAttempt(db: Db, walletAddress: string): Promise<boolean> {
  const lock = sql<Date>`now() + make_interval(mins => ${ADMIN_LOCKOUT_MINUTES})`;
  // A lock that has run out begins a new count.
  const attempts = sql<number>`CASE WHEN admin_login_attempts.locked_until IS NULL THEN admin_login_attempts.attempts ELSE 0 END + 1`;
  const row = await db
    .insertInto('adminLoginAttempts')
    .values({ walletAddress, attempts: 1 })
    .onConflict((conflict) =>
      conflict
        .column('walletAddress')
        .doUpdateSet({
          attempts,
          lockedUntil: sql<Date | null>`CASE WHEN ${attempts} >= ${ADMIN_PASSWORD_ATTEMPTS} THEN ${lock} END`,
        })
        .where((eb) =>
          eb.or([
            eb('adminLoginAttempts.lockedUntil', 'is', null),
            eb('adminLoginAttempts.lockedUntil', '<=', sql<Date>`now()`),
          ]),
        ),
    )
    .returning('attempts')
    .executeTakeFirst();
  return row !== undefined;
}

async function secondsLocked(db: Db, walletAddress: string): Promise<number> {
  const row = await db
    .selectFrom('adminLoginAttempts')
    .select(sql<number>`ceil(extract(epoch FROM locked_until - now()))::int`.as('seconds'))
    .where('walletAddress', '=', walletAddress)
    .executeTakeFirst();
  return Math.max(1, row?.seconds ?? 1);
}

async function refuseLocked(db: Db, who: Actor, walletAddress: string): Promise<never> {
  const seconds = await secondsLocked(db, walletAddress);
  await writeAudit(db, who, { action: 'login', detail: 'Password login', outcome: 'locked' });
  const minutes = Math.ceil(seconds / 60);
  const wait = plural(minutes, 'minute');
  throw tooMany('locked', `Too many wrong passwords. Try again in ${wait}.`, seconds);
}

/** As `verifyPassword`; a right password that cannot be used yet takes the lock away, too. @throws also 401 when it is wrong. */
async function verifyAttempt(services: Services, session: SessionUser, who: Actor, passwords: Passwords) {
  const { walletAddress } = session;
  const verified = await verifyPassword(services, session, passwords).catch(async (error: unknown) => {
    if (error instanceof HttpError)
      await services.db.deleteFrom('adminLoginAttempts').where('walletAddress', '=', walletAddress).execute();
    throw error;
  });
  return verified ?? refuseWrong(services.db, who);
}

async function refuseWrong(db: Db, who: Actor): Promise<never> {
  await writeAudit(db, who, { action: 'login', detail: 'Password login', outcome: 'invalid password' });
  throw unauthorized('invalid_password', 'Invalid password', { success: false });
}

/**
 * Opens the admin panel for this session (R31); with a new password, replaces the one given (R54).
 * @throws 400 a new password that cannot be one, 401 wrong or expired password, 409 a one-time password, 429 locked after five wrong ones.
 */
export async function login(services: Services, session: SessionUser, who: Actor, passwords: Passwords) {
  const { db } = services;
  const { walletAddress, role } = session;
  if (!(await countAttempt(db, walletAddress))) await refuseLocked(db, who, walletAddress);
  const { credentials, store } = await verifyAttempt(services, session, who, passwords);
  const sessionToken = randomBytes(32).toString('base64url');
  const expiresAt = await db.transaction().execute(async (trx) => {
    if (store && !(await store(trx))) return null;
    await trx.deleteFrom('adminLoginAttempts').where('walletAddress', '=', walletAddress).execute();
    await trx
      .deleteFrom('adminSessions')
      .where('expiresAt', '<=', sql<Date>`now()`)
      .execute();
    if (store) await writeAudit(trx, who, { action: 'password', detail: 'Own password chosen', outcome: 'ok' });
    await writeAudit(trx, who, { action: 'login', detail: 'Password login', outcome: 'ok' });
    const row = await trx
      .insertInto('adminSessions')
      .values({
        tokenHash: hashAdminToken(credentials, sessionToken),
        sessionHash: session.tokenHash,
        expiresAt: sql`now() + make_interval(hours => ${ADMIN_SESSION_HOURS})`,
      })
      .returning('expiresAt')
      .executeTakeFirstOrThrow();
    return row.expiresAt;
  });
  // Another login, or the owner, has replaced the password in between.
  if (expiresAt === null) return refuseWrong(db, who);
  return { success: true as const, sessionToken, expiresAt: expiresAt.toISOString(), role: role ?? 'owner' };
}

/** Ends the admin session of the token. */
export async function logout(services: Services, session: SessionUser, who: Actor, token: string): Promise<void> {
  await endAdminSession(services, session, token);
  await writeAudit(services.db, who, { action: 'logout', detail: 'Admin session ended', outcome: 'ok' });
}
