import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Signer } from '@mysten/sui/cryptography';

/** The admin of test servers; a fixed key, so that every file knows its address. */
export const ADMIN_KEYPAIR: Ed25519Keypair = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(7));

export const newWallet = (): Ed25519Keypair => new Ed25519Keypair();
export type Wallet = Signer;
