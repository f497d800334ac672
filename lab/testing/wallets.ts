import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Signer } from '@mysten/sui/cryptography';

/**
 * The admin of test servers. Files that run at the same time share the chain but not its admin: each worker of Vitest has one of
 * its own, so that what the admin gains or spends comes from this file alone.
 */
export const ADMIN_KEYPAIR: Ed25519Keypair = Ed25519Keypair.fromSecretKey(
  new Uint8Array(32).fill(7).with(0, Number(process.env['VITEST_POOL_ID'] ?? 0)),
);

export const newWallet = (): Ed25519Keypair => new Ed25519Keypair();
export type Wallet = Signer;
