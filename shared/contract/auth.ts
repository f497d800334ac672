import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Ok, User, UserStats, WalletAddress } from './types.ts';

export const Session = z.object({ user: User, stats: UserStats });
export type Session = z.output<typeof Session>;

/** Part of the 401 that asks for a signature (R1). */
export const Challenge = z.object({ nonce: z.string(), message: z.string(), expiresAt: z.string() });
export type Challenge = z.output<typeof Challenge>;

export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/wallet',
  access: 'public',
  summary: 'Sign in with a wallet: without a signature answers the challenge to sign (401) or the session that exists',
  identity: false,
  body: z.object({
    walletAddress: WalletAddress,
    nonce: z.string().max(64).optional(),
    signature: z.string().max(20_000).optional(),
  }),
  answer: Session,
});

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  access: 'public',
  summary: 'End the session of the cookie, if there is one',
  answer: Ok,
});
