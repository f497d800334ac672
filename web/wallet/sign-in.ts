import type { Challenge, Session, signIn } from '#shared/contract/auth.ts';
import { ApiError } from '../lib/api-error.ts';
import { callEndpoint } from '../lib/http.ts';

export type SignInStart = { session: Session } | { challenge: Challenge };

const signInRequest = (body: { walletAddress: string; nonce?: string; signature?: string }): Promise<Session> =>
  callEndpoint<typeof signIn>('POST /api/auth/wallet', { body });

function challengeOf(error: unknown): Challenge | null {
  if (!(error instanceof ApiError) || error.status !== 401 || error.code !== 'signature_required') return null;
  return (error.body as { challenge?: Challenge }).challenge ?? null;
}

export async function startSignIn(walletAddress: string): Promise<SignInStart> {
  try {
    return { session: await signInRequest({ walletAddress }) };
  } catch (error) {
    const challenge = challengeOf(error);
    if (challenge) return { challenge };
    throw error;
  }
}

export function finishSignIn(walletAddress: string, nonce: string, signature: string): Promise<Session> {
  return signInRequest({ walletAddress, nonce, signature });
}
