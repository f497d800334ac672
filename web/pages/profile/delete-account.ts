import type { Challenge } from '#shared/contract/auth.ts';
import { ApiError } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { disconnectWallet, loadWallet } from '../../wallet-gate.ts';

async function fetchChallenge(userId: number): Promise<Challenge> {
  try {
    await api.deleteAccount({ params: { id: userId }, body: {} });
  } catch (error) {
    const asked = error instanceof ApiError && error.code === 'signature_required';
    const challenge = asked ? (error.body as { challenge?: Challenge }).challenge : undefined;
    if (challenge) return challenge;
    throw error;
  }
  throw new Error('The server asked for no signature');
}

export type DeletionPhase = 'preparing' | 'signing' | 'deleting';

export async function deleteAccount(
  userId: number,
  removeReviews: boolean,
  onPhase: (phase: DeletionPhase) => void,
): Promise<void> {
  onPhase('preparing');
  const [wallet, { nonce, message }] = await Promise.all([loadWallet(), fetchChallenge(userId)]);
  onPhase('signing');
  const { signature } = await wallet.signPersonalMessage(message);
  onPhase('deleting');
  await api.deleteAccount({ params: { id: userId }, body: { removeReviews, nonce, signature } });
  await disconnectWallet();
}
