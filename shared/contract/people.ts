import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { GRANTED_ROLES } from '../people/roles.ts';
import { Ok, Reason, Time, WalletAddress } from './types.ts';

/**
 * invited: has a one-time password and has not chosen one yet · expired: did not choose one in time · active · revoked.
 */
export const MemberState = z.enum(['invited', 'expired', 'active', 'revoked']);
export type MemberState = z.output<typeof MemberState>;

export const Member = z.object({
  wallet: z.string(),
  username: z.string().nullable(),
  role: z.enum(GRANTED_ROLES),
  state: MemberState,
  grantedBy: z.string(),
  grantedAt: Time,
  revokedAt: Time.nullable(),
  passwordExpiresAt: Time.nullable(),
  lockedUntil: Time.nullable(),
  lastActAt: Time.nullable(),
});
export type Member = z.output<typeof Member>;

export const listPeople = endpoint('listPeople', {
  access: 'admin',
  summary: 'Wallets with a role, then those whose role was revoked; newest first',
  response: z.object({ people: z.array(Member) }),
});

const ByWallet = z.object({ wallet: WalletAddress });
/** Shown to the owner once; only its hash is stored. */
export const OneTimePassword = z.object({ wallet: z.string(), oneTimePassword: z.string(), expiresAt: Time });
export type OneTimePassword = z.output<typeof OneTimePassword>;

export const grantRole = endpoint('grantRole', {
  access: 'admin',
  summary: 'Give a wallet a role; returns its one-time password, once',
  status: 201,
  body: z.object({ wallet: WalletAddress, role: z.enum(GRANTED_ROLES), reason: Reason }),
  statuses: { 409: 'The wallet already has a role, or is the owner’s' },
  response: OneTimePassword,
});

export const renewPassword = endpoint('renewPassword', {
  access: 'admin',
  summary: 'Replace a person’s password with a one-time password; ends that person’s admin sessions and lockout',
  params: ByWallet,
  body: z.object({ reason: Reason }),
  response: OneTimePassword,
});

export const revokeRole = endpoint('revokeRole', {
  access: 'admin',
  summary: 'Revoke a person’s role; ends that person’s admin sessions',
  params: ByWallet,
  body: z.object({ reason: Reason }),
  response: Ok,
});
