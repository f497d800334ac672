import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { z } from 'zod';
import { createSuiClient } from '#chain/client.ts';

const FILE = 'record-keys.json';
const newKey = (): string => randomBytes(32).toString('base64');
const Keys = z.object({
  LOG_PRIVATE_KEY: z.string(),
  ANCHOR_PRIVATE_KEY: z.string(),
  PUSH_PRIVATE_KEY: z.string(),
});
type RecordKeys = z.output<typeof Keys>;

/** Enough gas for hundreds of anchors. */
const ENOUGH_MIST = 1_000_000_000n;
const TIMEOUT_MS = 5_000;

/** Made at the first start: neither a log nor the push subscriptions of browsers can continue with another key. */
export async function keepRecordKeys(folder: string): Promise<RecordKeys> {
  const file = path.join(folder, FILE);
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (known !== null) return Keys.parse(JSON.parse(known));
  const keys = newRecordKeys();
  await writeFile(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
}

export const newRecordKeys = (): RecordKeys => ({
  LOG_PRIVATE_KEY: newKey(),
  ANCHOR_PRIVATE_KEY: new Ed25519Keypair().getSecretKey(),
  PUSH_PRIVATE_KEY: newKey(),
});

/** Funds the address that pays for anchors, when its balance is low. */
export async function fundAnchors(
  anchorKey: string,
  { rpcUrl, faucetUrl }: { rpcUrl: string; faucetUrl: string },
): Promise<void> {
  const recipient = Ed25519Keypair.fromSecretKey(anchorKey).toSuiAddress();
  const client = createSuiClient({ network: 'localnet', url: rpcUrl });
  const { balance } = await client.core.getBalance({ owner: recipient, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (BigInt(balance.balance) < ENOUGH_MIST) await requestSuiFromFaucetV2({ host: faucetUrl, recipient });
}
