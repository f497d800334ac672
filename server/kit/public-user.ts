import { imageUrl } from './image-url.ts';

/** Value in the rows of deleted accounts that replaces the wallet; see users in db/migrations/0001_schema.sql. */
export const SHARED_WALLET = 'deleted';
export const deletedWallet = (userId: number): string => `${SHARED_WALLET}-${userId}`;

export const isDeleted = (wallet: string): boolean => wallet.startsWith(SHARED_WALLET);

const DELETED_NAME = 'Deleted account';

/** The wallet that strangers see: empty for a deleted account, which it would identify. */
export const publicWallet = (wallet: string): string => (isDeleted(wallet) ? '' : wallet);

interface UserColumns {
  username: string | null;
  walletAddress: string;
  avatarHash: string | null;
}

export function publicUser({ username, walletAddress, avatarHash }: UserColumns) {
  return {
    username: isDeleted(walletAddress) ? DELETED_NAME : username,
    walletAddress: publicWallet(walletAddress),
    avatarUrl: avatarHash && imageUrl(avatarHash),
  };
}
