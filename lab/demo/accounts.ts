import { createHash } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';

/** Accounts of the demo. Their keys are public on purpose: they own play money of a sandbox chain. */
function account(label: string) {
  const key = Ed25519Keypair.fromSecretKey(createHash('sha256').update(`snapswipe demo account: ${label}`).digest());
  return { label, address: key.toSuiAddress(), secretKey: key.getSecretKey() };
}

export const VOTER = account('A voter of two months');
export const OWNER = account('An owner, ten days before the end');
export const DEMO_ACCOUNTS = [VOTER, OWNER];
export const PAYER = account('Payouts');
