import { randomInt } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { normalizeAddress } from '#chain/address.ts';
import type { Db } from '#db/client.ts';
import type { Admins } from '#db/schema.ts';
import type { OneTimePassword, Member, MemberState } from '#shared/contract/people.ts';
import { type GrantedRole, ONE_TIME_PASSWORD_HOURS } from '#shared/people/roles.ts';
import { conflict, invalidField, notFound } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { hashPassword } from './password.ts';
import { endAdminSessions } from './roles.ts';

const MOST_PEOPLE = 500;

const expiry = sql<Date>`now() + make_interval(hours => ${ONE_TIME_PASSWORD_HOURS})`;

type Row = Pick<Selectable<Admins>, 'revokedAt' | 'passwordExpiresAt'>;
function stateOf({ revokedAt, passwordExpiresAt }: Row): MemberState {
  if (revokedAt !== null) return 'revoked';
  if (passwordExpiresAt === null) return 'active';
  return passwordExpiresAt.getTime() <= Date.now() ? 'expired' : 'invited';
}

const isoOf = (time: Date | null): string | null => time?.toISOString() ?? null;

export async function listPeople(db: Db): Promise<{ people: Member[] }> {
  const rows = await db
    .selectFrom('admins as a')
    .leftJoin('users', 'users.walletAddress', 'a.walletAddress')
    .leftJoin('adminLoginAttempts as tries', 'tries.walletAddress', 'a.walletAddress')
    .select(['a.walletAddress', 'a.role', 'a.grantedBy', 'a.createdAt', 'a.revokedAt', 'a.passwordExpiresAt'])
    .select(['users.username', 'tries.lockedUntil'])
    .select((eb) =>
      eb
        .selectFrom('auditLog')
        .select('createdAt')
        .whereRef('actor', '=', 'a.walletAddress')
        .orderBy('id', 'desc')
        .limit(1)
        .as('lastActAt'),
    )
    .orderBy(sql`a.revoked_at IS NOT NULL`)
    .orderBy('a.createdAt', 'desc')
    .orderBy('a.walletAddress')
    .limit(MOST_PEOPLE)
    .execute();
  const people = rows.map((row): Member => ({
    wallet: row.walletAddress,
    username: row.username,
    role: row.role as GrantedRole,
    state: stateOf(row),
    grantedBy: row.grantedBy,
    grantedAt: row.createdAt.toISOString(),
    revokedAt: isoOf(row.revokedAt),
    passwordExpiresAt: isoOf(row.passwordExpiresAt),
    lockedUntil: row.lockedUntil && row.lockedUntil.getTime() > Date.now() ? row.lockedUntil.toISOString() : null,
    lastActAt: isoOf(row.lastActAt),
  }));
  return { people };
}

/** Characters that cannot be confused when read aloud; 20 of them have 98 bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
export function oneTimePassword(): string {
  const character = () => ALPHABET[randomInt(ALPHABET.length)] ?? '';
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, character).join('')).join('-');
}

function readWallet(sent: string): string {
  const wallet = normalizeAddress(sent);
  if (wallet === null) throw invalidField('wallet', 'Enter the address of a Sui wallet');
  return wallet;
}

export async function grantRole(
  { db, config }: Services,
  who: Actor,
  sent: { wallet: string; role: GrantedRole; reason: string },
): Promise<OneTimePassword> {
  const wallet = readWallet(sent.wallet);
  const reason = readReason(sent.reason);
  const { role } = sent;
  if (wallet === config.adminWallet)
    throw conflict('is_owner', 'This is the owner’s wallet, which already has every right');
  const password = oneTimePassword();
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    const values = { role, passwordHash, passwordExpiresAt: expiry, grantedBy: who.actor };
    const row = await trx
      .insertInto('admins')
      .values({ ...values, walletAddress: wallet, hasPaid: role === 'payer' })
      .onConflict((conflicting) =>
        conflicting
          .column('walletAddress')
          .doUpdateSet({
            ...values,
            hasPaid: sql<boolean>`admins.has_paid OR excluded.has_paid`,
            createdAt: sql<Date>`now()`,
            revokedAt: null,
          })
          .where('admins.revokedAt', 'is not', null),
      )
      .returning('passwordExpiresAt')
      .executeTakeFirst();
    if (!row) throw conflict('has_role', 'This wallet already has a role. Revoke it before you give it another one');
    await endAdminSessions(trx, wallet);
    const detail = `${wallet} as ${role}. Reason: ${reason}`;
    await writeAudit(trx, who, { action: 'role.grant', detail, outcome: 'ok' });
    return { wallet, oneTimePassword: password, expiresAt: isoOf(row.passwordExpiresAt) ?? '' };
  });
}

export async function renewPassword(
  { db }: Services,
  who: Actor,
  sent: { wallet: string; reason: string },
): Promise<OneTimePassword> {
  const reason = readReason(sent.reason);
  const wallet = readWallet(sent.wallet);
  const password = oneTimePassword();
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    const change = { passwordHash, passwordExpiresAt: expiry };
    const row = await changePerson(trx, who, { wallet, reason, action: 'role.password' }, change);
    return { wallet, oneTimePassword: password, expiresAt: isoOf(row.passwordExpiresAt) ?? '' };
  });
}

/** Revokes a role; the person's next request is rejected. @throws 400, 404 */
export async function revokeRole(
  { db }: Services,
  who: Actor,
  sent: { wallet: string; reason: string },
): Promise<void> {
  const reason = readReason(sent.reason);
  const wallet = readWallet(sent.wallet);
  await db
    .transaction()
    .execute((trx) =>
      changePerson(trx, who, { wallet, reason, action: 'role.revoke' }, { revokedAt: sql<Date>`now()` }),
    );
}

/** Changes a person's row, ends their admin sessions and writes the audit log. @throws 404 */
async function changePerson(
  trx: Db,
  who: Actor,
  { wallet, reason, action }: { wallet: string; reason: string; action: 'role.password' | 'role.revoke' },
  change: { revokedAt: ReturnType<typeof sql<Date>> } | { passwordHash: string; passwordExpiresAt: typeof expiry },
) {
  const row = await trx
    .updateTable('admins')
    .set(change)
    .where('walletAddress', '=', wallet)
    .where('revokedAt', 'is', null)
    .returning(['role', 'passwordExpiresAt'])
    .executeTakeFirst();
  if (!row) throw notFound('no_role', 'This wallet has no role');
  await endAdminSessions(trx, wallet);
  await writeAudit(trx, who, { action, detail: `${wallet}, ${row.role}. Reason: ${reason}`, outcome: 'ok' });
  return row;
}
