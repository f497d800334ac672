import { randomBytes } from 'node:crypto';
import { normalizeAddress } from '#chain/address.ts';
import { buildSignInMessage, verifySignIn } from '#chain/sign-in.ts';
import type { Challenge, Session } from '#shared/contract/auth.ts';
import { findRole } from '../http/role.ts';
import { badRequest, unauthorized, unavailable } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { findStats, findUser } from '../users/queries.ts';
import { type ChallengeRow, burnChallenge, insertChallenge, upsertUser } from './queries.ts';

function signInMessage({ config }: Services, row: ChallengeRow): string {
  return buildSignInMessage({
    domain: new URL(config.publicOrigin).host,
    uri: config.publicOrigin,
    address: row.walletAddress,
    network: config.network,
    nonce: row.nonce,
    issuedAt: row.issuedAt,
    expiresAt: row.expiresAt,
  });
}

/** The address in the one form that is stored and compared (R2); 400 when it is none. */
export function requireAddress(text: string): string {
  const address = normalizeAddress(text);
  if (!address) throw badRequest('invalid_address', 'Not a Sui wallet address');
  return address;
}

/** A new message for a wallet to sign. */
export async function createChallenge(services: Services, walletAddress: string): Promise<Challenge> {
  const row = await insertChallenge(services.db, randomBytes(16).toString('hex'), walletAddress);
  return { nonce: row.nonce, message: signInMessage(services, row), expiresAt: row.expiresAt.toISOString() };
}

/** The user who signed the challenge; 401 for anything but a valid signature of that wallet over our own message (R1). */
export async function verifyChallenge(
  services: Services,
  walletAddress: string,
  nonce: string,
  signature: string,
): Promise<number> {
  const row = await burnChallenge(services.db, nonce);
  if (!row) throw unauthorized('unknown_nonce', 'This sign-in request is no longer valid. Please try again.');
  if (row.expired) throw unauthorized('challenge_expired', 'This sign-in request has expired. Please try again.');
  if (row.walletAddress !== walletAddress)
    throw unauthorized('wrong_address', 'This sign-in request is for another wallet.');
  const result = await verifySignIn({
    message: signInMessage(services, row),
    address: walletAddress,
    signature,
    client: services.sui,
  }).catch(() => {
    throw unavailable('verifier_unavailable', 'The signature could not be checked right now. Please try again.');
  });
  if (result !== 'valid') throw unauthorized('bad_signature', 'The signature does not match this wallet.');
  return services.db.transaction().execute((trx) => upsertUser(trx, walletAddress));
}

/** User and stats as the sign-in returns them. */
export async function describeSession(services: Services, userId: number): Promise<Session> {
  const [user, stats] = await Promise.all([findUser(services.db, userId), findStats(services.db, userId)]);
  const role = await findRole(services, user.walletAddress);
  return { user: role === null ? user : { ...user, role }, stats };
}
