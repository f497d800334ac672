import type { Db } from '#db/client.ts';
import { ADMIN_PASSWORD_MIN } from '#shared/people/roles.ts';
import { countChars } from '#shared/text/text.ts';
import { conflict, invalidField, unauthorized } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import type { Services } from '#server/kit/services.ts';
import { type Credentials, ownerCredentials } from './gate.ts';
import { hashPassword, isAdminPassword, matchesHash } from './password.ts';
import { findPassword, replacePassword } from './roles.ts';

export interface Passwords {
  password: string;
  newPassword?: string | undefined;
}

/** `store` replaces the password; false when it has changed since. */
export interface Verified {
  credentials: Credentials;
  store?: (trx: Db) => Promise<boolean>;
}

const EXPIRED = 'This one-time password has expired. Ask the owner for a new one.';

/**
 * Null for a wrong password. A right one-time password has to be replaced in the same request.
 * @throws 400 an invalid new password, 401 expired, 409 without a new password.
 */
export async function verifyPassword(
  { db, config }: Services,
  { role, walletAddress }: SessionUser,
  { password, newPassword }: Passwords,
): Promise<Verified | null> {
  if (role === 'owner') {
    if (!(await isAdminPassword(config, password))) return null;
    if (newPassword !== undefined)
      throw conflict('owner_password', 'The owner’s password is a setting of the server: ADMIN_PASSWORD_HASH');
    return { credentials: ownerCredentials(config) };
  }
  const known = await findPassword(db, walletAddress);
  if (!known || !(await matchesHash(password, known.hash))) return null;
  if (known.expiresAt !== null && known.expiresAt.getTime() <= Date.now())
    throw unauthorized('password_expired', EXPIRED, { success: false });
  if (newPassword === undefined) {
    if (known.expiresAt !== null) throw conflict('choose_password', 'Choose your own password to log in');
    return { credentials: [walletAddress, known.hash] };
  }
  checkNewPassword(newPassword, password);
  const hash = await hashPassword(newPassword);
  return {
    credentials: [walletAddress, hash],
    store: (trx) => replacePassword(trx, walletAddress, known.hash, hash),
  };
}

function checkNewPassword(newPassword: string, password: string): void {
  if (countChars(newPassword) < ADMIN_PASSWORD_MIN)
    throw invalidField('newPassword', `Choose a password of at least ${ADMIN_PASSWORD_MIN} characters`);
  if (newPassword.normalize('NFKC') === password.normalize('NFKC'))
    throw invalidField('newPassword', 'Choose a password other than the current one');
}
