import { readFile } from 'node:fs/promises';
import type { Signer } from '@mysten/sui/cryptography';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction } from '@mysten/sui/transactions';
import { type Book, buildNewBook, buildSetPayers, readBook } from '#chain/book.ts';
import { createdTypes } from '#packages/sandbox/testing/own-coins.ts';

const BYTES = new URL('../../chain/move/book/book.mv', import.meta.url);

/** Publishes a module that cannot be upgraded; returns its package. */
export async function publishForGood(client: SuiGrpcClient, signer: Signer, bytes?: Uint8Array): Promise<string> {
  const transaction = new Transaction();
  const module = bytes ?? (await readFile(BYTES));
  const cap = transaction.publish({ modules: [[...module]], dependencies: ['0x1', '0x2'] });
  transaction.moveCall({ target: '0x2::package::make_immutable', arguments: [cap] });
  const types = await createdTypes(client, transaction, signer);
  return [...types].find(([, type]) => type === 'package')?.[0] ?? '';
}

export async function newBook(
  client: SuiGrpcClient,
  signer: Signer,
  packageId: string,
  coinType: string,
): Promise<Book> {
  const made = buildNewBook({ sender: signer.toSuiAddress(), packageId, coinType });
  const types = await createdTypes(client, made, signer);
  const id = [...types].find(([, type]) => type.includes('::book::Book<'))?.[0] ?? '';
  const book = await readBook(client, id);
  if (!book) throw new Error('no Book was made');
  return book;
}

/** Makes a Book of a new package, owned by the signer, who pays as the payers do. */
export async function makeBook(
  client: SuiGrpcClient,
  signer: Signer,
  { coinType, payers = [] }: { coinType: string; payers?: string[] },
): Promise<Book> {
  const book = await newBook(client, signer, await publishForGood(client, signer), coinType);
  await setPayers(client, signer, book, [signer.toSuiAddress(), ...payers]);
  return book;
}

export async function setPayers(client: SuiGrpcClient, signer: Signer, book: Book, payers: string[]): Promise<void> {
  await client.signAndExecuteTransaction({ transaction: buildSetPayers(book, payers), signer });
}
