import { randomBytes } from 'node:crypto';
import { normalizeAddress } from '#chain/address.ts';
import { buildSignInMessage, verifySignIn } from '#chain/sign-in.ts';
import type { Challenge, Session } from '#shared/contract/auth.ts';
import { badRequest, unauthorized, unavailable } from '#server/kit/http/errors.ts';
import { noteConsent } from '../users/consents.ts';
import type { Services } from '#server/kit/services.ts';
import { rejectedSignatureText } from '#server/kit/signature-texts.ts';
import { findStats, findUser } from '../users/queries.ts';
import {
  type ChallengePurpose,
  type ChallengeRow,
  burnChallenge,
  insertChallenge,
  isKnownWallet,
  upsertUser,
} from './queries.ts';
import type { GrantedRole, Role } from '#shared/people/roles.ts';

async function findRole({ db, config }: Services, walletAddress: string): Promise<Role | null> {
  if (walletAddress === config.adminWallet) return 'owner';
  const row = await db
    .selectFrom('admins')
    .select('role')
    .where('walletAddress', '=', walletAddress)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  return (row?.role ?? null) as GrantedRole | null;
}

/** The purpose that the wallet shows, so that no purpose can be mistaken for another. */
const STATEMENTS: Record<ChallengePurpose, string> = {
  sign_in: 'Sign in to Snapswipe. This sends no transaction and costs nothing.',
  delete_account:
    'DELETE my Snapswipe account for good: name, picture, links, and remaining Snaps. This sends no transaction and costs nothing.',
};

function messageOf({ config }: Services, row: ChallengeRow): string {
  return buildSignInMessage({
    statement: STATEMENTS[row.purpose],
    domain: new URL(config.publicOrigin).host,
    uri: config.publicOrigin,
    address: row.walletAddress,
    network: config.network,
    nonce: row.nonce,
    issuedAt: row.issuedAt,
    expiresAt: row.expiresAt,
  });
}

/** The address in the one form that is stored and compared (R2); 400 when it is not an address. */
export function requireAddress(text: string): string {
  const address = normalizeAddress(text);
  if (!address) throw badRequest('invalid_address', 'Not a Sui wallet address');
  return address;
}

export async function createChallenge(
  services: Services,
  walletAddress: string,
  purpose: ChallengePurpose,
): Promise<Challenge> {
  const row = await insertChallenge(services.db, randomBytes(16).toString('hex'), walletAddress, purpose);
  return { nonce: row.nonce, message: messageOf(services, row), expiresAt: row.expiresAt.toISOString() };
}

interface SignedChallenge {
  purpose: ChallengePurpose;
  walletAddress: string;
  nonce: string;
  signature: string;
}

/** @throws 401 for anything except a valid signature of that wallet over our own message for that purpose (R1) */
export async function verifyChallenge(
  services: Services,
  { purpose, walletAddress, nonce, signature }: SignedChallenge,
): Promise<void> {
  const row = await burnChallenge(services.db, nonce, purpose);
  if (!row) throw unauthorized('unknown_nonce', 'This request is no longer valid. Please try again.');
  if (row.expired) throw unauthorized('challenge_expired', 'This request has expired. Please try again.');
  if (row.walletAddress !== walletAddress) throw unauthorized('wrong_address', 'This request is for another wallet.');
  const result = await verifySignIn({
    message: messageOf(services, row),
    address: walletAddress,
    signature,
    client: services.sui,
  }).catch(() => {
    throw unavailable('verifier_unavailable', 'The signature could not be checked right now. Please try again.');
  });
  if (result !== 'valid')
    throw unauthorized('bad_signature', rejectedSignatureText(signature, 'The signature does not match this wallet.'));
}

export async function admitWallet(
  { db, config, termsVersion }: Services,
  walletAddress: string,
  admitNew: () => Promise<void>,
): Promise<number> {
  if (!(await isKnownWallet(db, walletAddress))) await admitNew();
  return db.transaction().execute(async (trx) => {
    const userId = await upsertUser(trx, config, walletAddress);
    await noteConsent(trx, termsVersion, userId, 'signedInAt');
    return userId;
  });
}

export async function describeSession(services: Services, userId: number): Promise<Session> {
  const [user, stats] = await Promise.all([findUser(services.db, userId), findStats(services.db, userId)]);
  const role = await findRole(services, user.walletAddress);
  return { user: role === null ? user : { ...user, role }, stats };
}
