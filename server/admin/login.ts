import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { ADMIN_LOCKOUT_MINUTES, ADMIN_PASSWORD_ATTEMPTS, ADMIN_SESSION_HOURS } from '#shared/constants.ts';
import { plural } from '#shared/plural.ts';
import { tooMany, unauthorized } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SessionUser } from '../http/session.ts';
import { type Actor, writeAudit } from './audit.ts';
import { hashAdminToken } from './gate.ts';
import { isAdminPassword } from './password.ts';

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

/** Opens the admin panel for this session (R31). @throws 401 wrong password, 429 locked after five of them. */
export async function login(
  { db, config }: Services,
  session: SessionUser,
  who: Actor,
  password: string,
): Promise<{ success: true; sessionToken: string; expiresAt: string }> {
  const { walletAddress } = session;
  if (!(await countAttempt(db, walletAddress))) await refuseLocked(db, who, walletAddress);
  if (!(await isAdminPassword(config, password))) {
    await writeAudit(db, who, { action: 'login', detail: 'Password login', outcome: 'invalid password' });
    throw unauthorized('invalid_password', 'Invalid password', { success: false });
  }
  const sessionToken = randomBytes(32).toString('base64url');
  const expiresAt = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('adminLoginAttempts').where('walletAddress', '=', walletAddress).execute();
    await trx
      .deleteFrom('adminSessions')
      .where('expiresAt', '<=', sql<Date>`now()`)
      .execute();
    await writeAudit(trx, who, { action: 'login', detail: 'Password login', outcome: 'ok' });
    const row = await trx
      .insertInto('adminSessions')
      .values({
        tokenHash: hashAdminToken(config, sessionToken),
        sessionHash: session.tokenHash,
        expiresAt: sql`now() + make_interval(hours => ${ADMIN_SESSION_HOURS})`,
      })
      .returning('expiresAt')
      .executeTakeFirstOrThrow();
    return row.expiresAt;
  });
  return { success: true, sessionToken, expiresAt: expiresAt.toISOString() };
}

/** Ends the admin session of the token. */
export async function logout({ db, config }: Services, who: Actor, token: string): Promise<void> {
  await db.deleteFrom('adminSessions').where('tokenHash', '=', hashAdminToken(config, token)).execute();
  await writeAudit(db, who, { action: 'logout', detail: 'Admin session ended', outcome: 'ok' });
}
