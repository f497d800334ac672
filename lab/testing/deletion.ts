import type { Challenge } from '#shared/contract/auth.ts';
import type { TestResponse, TestUser } from './client.ts';
import type { Wallet } from './wallets.ts';

const pathOf = (user: TestUser): string => `/api/users/${user.id}`;

export async function deletionChallenge(user: TestUser): Promise<Challenge> {
  const asked = await user.send<{ error: string; challenge: Challenge }>('DELETE', pathOf(user), {});
  if (asked.status !== 401 || asked.body.error !== 'signature_required')
    throw new Error(`asking for the challenge answered ${asked.status}: ${JSON.stringify(asked.body)}`);
  return asked.body.challenge;
}

export async function deleteAccount(
  user: TestUser,
  { wallet = user.wallet, removeReviews = false }: { wallet?: Wallet; removeReviews?: boolean } = {},
): Promise<TestResponse> {
  const { nonce, message } = await deletionChallenge(user);
  const { signature } = await wallet.signPersonalMessage(new TextEncoder().encode(message));
  return user.send('DELETE', pathOf(user), { nonce, signature, removeReviews });
}
