import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Ok, Time, User, UserStats, WalletAddress } from './types.ts';

export const Session = z.object({ user: User, stats: UserStats });
export type Session = z.output<typeof Session>;

export const Challenge = z.object({ nonce: z.string(), message: z.string(), expiresAt: z.string() });
export type Challenge = z.output<typeof Challenge>;

export const signIn = endpoint('signIn', {
  access: 'public',
  summary: 'Sign in with a wallet: without a signature, returns the challenge to sign (401) or the existing session',
  identity: false,
  body: z.object({
    walletAddress: WalletAddress,
    nonce: z.string().max(64).optional(),
    signature: z.string().max(20_000).optional(),
  }),
  statuses: {
    401: {
      when: 'Without a signature: the challenge to sign. With one: why the signature is not accepted',
      body: z.object({ error: z.string(), message: z.string(), challenge: Challenge.optional() }),
    },
  },
  response: Session,
});

export const signOut = endpoint('signOut', {
  access: 'public',
  summary: 'End the current session, if there is one',
  response: Ok,
});

export const SessionInfo = z.object({
  /** Identifies the session; useless for signing in. */
  id: z.uuid(),
  device: z.string(),
  signedInAt: Time,
  lastSeenAt: Time,
  isCurrent: z.boolean(),
});
export type SessionInfo = z.output<typeof SessionInfo>;

export const listSessions = endpoint('listSessions', {
  access: 'user',
  summary: 'Active sessions of the user: the current one first, then the most recently used',
  response: z.array(SessionInfo),
});

export const endSession = endpoint('endSession', {
  access: 'user',
  summary: 'End one session of the user',
  params: z.object({ id: z.uuid() }),
  response: Ok,
});

export const endSessions = endpoint('endSessions', {
  access: 'user',
  summary: 'End all sessions of the user; with keepCurrent=true, all except the current one',
  query: z.object({ keepCurrent: z.enum(['true', 'false']).default('false') }),
  response: Ok,
});
