import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { readBook } from '#chain/book.ts';
import { createSuiClient } from '#chain/client.ts';
import { makeBook, setPayers } from '../testing/book.ts';
import type { LocalChain } from './local-chain.ts';

const FILE = 'book-id';

/** The demo's own Book, made at the first start of a chain; the wallet of PAYOUT_PRIVATE_KEY is one of its payers. */
export async function keepBook(
  folder: string,
  { rpcUrl, demo }: Pick<LocalChain, 'rpcUrl' | 'demo'>,
  payoutWallet: string | null,
): Promise<string | null> {
  if (demo.coin === undefined || demo.adminSecretKey === undefined) return null;
  const client = createSuiClient({ network: 'localnet', url: rpcUrl });
  const signer = Ed25519Keypair.fromSecretKey(demo.adminSecretKey);
  const { coinType } = demo.coin;
  const file = path.join(folder, FILE);
  const id = (await readFile(file, 'utf8').catch(() => '')).trim();
  const known = id === '' ? null : await readBook(client, id);
  const book = known?.coinType === coinType ? known : await makeBook(client, signer, { coinType });
  if (book.id !== id) await writeFile(file, `${book.id}\n`);
  if (payoutWallet !== null && !book.payers.includes(payoutWallet))
    await setPayers(client, signer, book, [...book.payers, payoutWallet]);
  return book.id;
}
