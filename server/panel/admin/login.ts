import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { DB } from '#db/schema.ts';
import { ADMIN_LOCKOUT_MINUTES, ADMIN_PASSWORD_ATTEMPTS, ADMIN_SESSION_HOURS } from '#shared/constants.ts';
import { plural } from '#shared/numbers/plural.ts';
import { HttpError, tooMany, unauthorized } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { endAdminSession, hashAdminToken } from './gate.ts';
import { type Passwords, verifyPassword } from './verify-password.ts';

/** Counts an attempt before the password is checked, so that simultaneous ones cannot exceed five; null while locked. */
async function countAttempt(db: Db, walletAddress: string): Promise<number | null> {
  const lock = sql<Date>`now() + make_interval(mins => ${ADMIN_LOCKOUT_MINUTES})`;
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
  return row?.attempts ?? null;
}

/** Counts attempts while locked instead of logging each: the log is permanent, and a client can send any number. */
async function refuseLocked(db: Db, walletAddress: string): Promise<never> {
  const row = await db
    .updateTable('adminLoginAttempts')
    .set({ refused: sql`refused + 1` })
    .where('walletAddress', '=', walletAddress)
    .returning(sql<number>`ceil(extract(epoch FROM locked_until - now()))::int`.as('seconds'))
    .executeTakeFirst();
  const seconds = Math.max(1, row?.seconds ?? 1);
  const minutes = Math.ceil(seconds / 60);
  const wait = plural(minutes, 'minute');
  throw tooMany('locked', `Too many wrong passwords. Try again in ${wait}.`, seconds);
}

interface EndedLock {
  walletAddress: string;
  refused: number;
}

async function noteLocks(trx: Db, locks: readonly EndedLock[]): Promise<void> {
  for (const { walletAddress, refused } of locks) {
    if (refused === 0) continue;
    const detail = `Password login: ${plural(refused, 'attempt')} while locked`;
    const line = { action: 'login', detail, outcome: 'locked', rowCount: refused };
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await writeAudit(trx, { actor: walletAddress, ip: null }, line);
  }
}

export function noteEndedLocks(db: Kysely<DB>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<EndedLock>`
      WITH ended AS (
        SELECT wallet_address, refused FROM admin_login_attempts
        WHERE refused > 0 AND (locked_until IS NULL OR locked_until <= now()) FOR UPDATE
      ), noted AS (
        UPDATE admin_login_attempts a SET refused = 0 FROM ended e WHERE a.wallet_address = e.wallet_address
      )
      SELECT wallet_address, refused FROM ended ORDER BY wallet_address`.execute(trx);
    await noteLocks(trx, rows);
    return rows.length;
  });
}

async function clearAttempts(trx: Db, walletAddress: string): Promise<void> {
  const cleared = await trx
    .deleteFrom('adminLoginAttempts')
    .where('walletAddress', '=', walletAddress)
    .returning(['walletAddress', 'refused'])
    .execute();
  await noteLocks(trx, cleared);
}

async function verifyAttempt(
  services: Services,
  session: SessionUser,
  who: Actor,
  { attempts, ...passwords }: Passwords & { attempts: number },
) {
  const { walletAddress } = session;
  const verified = await verifyPassword(services, session, passwords).catch(async (error: unknown) => {
    if (error instanceof HttpError) await services.db.transaction().execute((trx) => clearAttempts(trx, walletAddress));
    throw error;
  });
  return verified ?? refuseWrong(services.db, who, attempts);
}

async function refuseWrong(db: Db, who: Actor, attempts: number): Promise<never> {
  const locked = attempts >= ADMIN_PASSWORD_ATTEMPTS ? `; locked for ${ADMIN_LOCKOUT_MINUTES} minutes` : '';
  await writeAudit(db, who, { action: 'login', detail: `Password login${locked}`, outcome: 'invalid password' });
  throw unauthorized('invalid_password', 'Invalid password', { success: false });
}

/** @throws 400 an invalid new password, 401 wrong or expired, 409 a one-time password, 429 locked after five wrong ones. */
export async function login(services: Services, session: SessionUser, who: Actor, passwords: Passwords) {
  const { db } = services;
  const { walletAddress, role } = session;
  const attempts = (await countAttempt(db, walletAddress)) ?? (await refuseLocked(db, walletAddress));
  const { credentials, store } = await verifyAttempt(services, session, who, { ...passwords, attempts });
  const sessionToken = randomBytes(32).toString('base64url');
  const expiresAt = await db.transaction().execute(async (trx) => {
    if (store && !(await store(trx))) return null;
    await clearAttempts(trx, walletAddress);
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
  if (expiresAt === null) return refuseWrong(db, who, attempts);
  return { success: true as const, sessionToken, expiresAt: expiresAt.toISOString(), role: role ?? 'owner' };
}

export async function logout(services: Services, session: SessionUser, who: Actor, token: string): Promise<void> {
  await endAdminSession(services, session, token);
  await writeAudit(services.db, who, { action: 'logout', detail: 'Admin session ended', outcome: 'ok' });
}
