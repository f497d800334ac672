import { readFile } from 'node:fs/promises';
import type { SuiClientTypes } from '@mysten/sui/client';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { isSameAddress, normalizeAddress } from '#chain/address.ts';
import { type Book, buildNewBook, buildSetOwner, buildSetPayers, readBook } from '#chain/book.ts';
import { isSignatureOf } from '#chain/payment-signature.ts';
import { buildPublication, publishedModules } from '#chain/publication.ts';
import { decodeTransaction } from '#chain/transaction-bytes.ts';
import { type CoinTerms, NEVER_TRIED, validateCoinTerms } from '#shared/money/coin-rules.ts';
import { formatSui } from '#shared/money/money.ts';
import type { Config } from '#server/kit/config.ts';
import { makeModule, readModule } from './module.ts';

/**
 * `npm run coin`: makes the coin of Snaps (R83) and its Book (R97), and changes the Book's payers and owner. It prints
 * unsigned transactions of the admin's wallet, and sends signed ones that are exactly what it would print. It keeps
 * nothing: sending the same bytes again has the same outcome.
 */

const BOOK_FILE = new URL('../../../chain/move/book/book.mv', import.meta.url);
const TIMEOUT_MS = 15_000;

export interface CoinServices {
  sui: SuiGrpcClient;
  config: Pick<Config, 'adminWallet' | 'snapsCoinType' | 'snapsDecimals' | 'snapsBook'>;
}

export const bookModule = async (): Promise<Uint8Array> => new Uint8Array(await readFile(BOOK_FILE));

/** The words after `npm run coin --`. */
export type Asked =
  | { coin: Omit<CoinTerms, 'decimals'> }
  | { book: true }
  | { payers: readonly string[] }
  | { owner: string };

/** @throws Error with one line for the operator */
export async function printUnsigned(services: CoinServices, asked: Asked): Promise<string[]> {
  const { config } = services;
  if ('coin' in asked) return forCoin(services, { ...asked.coin, decimals: config.snapsDecimals });
  if ('book' in asked) {
    if (config.snapsCoinType === null)
      throw new Error(
        'SNAPS_COIN_TYPE is empty: give --name, --symbol and --supply, and the coin is made with its Book',
      );
    const transaction = buildPublication(config.adminWallet, { book: await bookModule() });
    return unsigned(services, transaction, ['Publishes the Book, whose code can never change. It holds no money.']);
  }
  const book = await requireBook(services);
  const { owner: ownerAddress } = book;
  if (!isSameAddress(ownerAddress, config.adminWallet))
    throw new Error(`The Book is owned by ${ownerAddress}, not by ADMIN_WALLET: only that wallet changes it`);
  if ('payers' in asked) {
    const payers = asked.payers.map(requireAddress);
    const lines = ['Sets the list of wallets that pay from their own coins:', ...payers.map((one) => `- ${one}`)];
    return unsigned(services, buildSetPayers(book, payers), lines);
  }
  const nextAddress = requireAddress(asked.owner);
  return unsigned(services, buildSetOwner(book, nextAddress), [
    `Gives the Book to ${nextAddress}, for good: only that wallet changes it then.`,
  ]);
}

async function forCoin(services: CoinServices, terms: CoinTerms): Promise<string[]> {
  const { adminWallet, snapsCoinType } = services.config;
  if (snapsCoinType !== null)
    throw new Error(`This site pays in ${snapsCoinType}: \`npm run coin -- book\` makes its Book alone`);
  const [wrong] = Object.values(validateCoinTerms(terms, terms.decimals));
  if (wrong !== undefined) throw new Error(wrong);
  const transaction = buildPublication(adminWallet, { coin: await makeModule(terms), book: await bookModule() });
  const { symbol, decimals, firstSupply } = terms;
  return unsigned(services, transaction, [
    `Publishes ${symbol} with ${decimals} decimals and ${firstSupply.toLocaleString()} Snaps at first, and the Book.`,
    `The right to mint and the first supply go to ${adminWallet}.`,
  ]);
}

function requireAddress(text: string): string {
  const address = normalizeAddress(text);
  if (address === null) throw new Error(`${text} is not a Sui address`);
  return address;
}

async function requireBook({ sui, config }: CoinServices): Promise<Book> {
  const book = config.snapsBook === null ? null : await readBook(sui, config.snapsBook);
  if (!book) throw new Error('SNAPS_BOOK names no Book: make one with `npm run coin -- book`');
  return book;
}

async function unsigned({ sui, config }: CoinServices, transaction: Transaction, says: string[]): Promise<string[]> {
  const bytes = await transaction.build({ client: sui });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const run = await sui.core.simulateTransaction({ transaction: bytes, include: { effects: true }, signal });
  if (!run.Transaction)
    throw new Error(`The dry run failed: ${run.FailedTransaction.status.error?.message ?? 'no reason'}`);
  const { computationCost, storageCost, storageRebate } = run.Transaction.effects.gasUsed;
  const gas = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
  const base64 = Buffer.from(bytes).toString('base64');
  return [
    ...says,
    `The dry run passed, for ${formatSui(gas)} SUI of gas. Digest: ${TransactionDataBuilder.getDigestFromBytes(bytes)}`,
    '',
    'Never tried on a real node:',
    ...NEVER_TRIED.map((text) => `- ${text}`),
    '',
    `Sign with that wallet, for example: sui keytool sign --address ${config.adminWallet} --data ${base64}`,
    'Then: npm run coin -- --bytes <the same bytes> --signature <suiSignature>',
  ];
}

/** Sends what this command printed, and says what comes next. @throws Error with one line for the operator */
export async function sendSigned(services: CoinServices, base64: string, signature: string): Promise<string[]> {
  const { sui, config } = services;
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  await requireOurs(services, bytes);
  if (!(await isSignatureOf(sui, bytes, signature, config.adminWallet)))
    throw new Error('The signature is not that of ADMIN_WALLET. Nothing was sent; sign again');
  const include = { effects: true, objectTypes: true } as const;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = await sui.core.executeTransaction({ transaction: bytes, signatures: [signature], include, signal });
  if (!sent.Transaction)
    throw new Error(`It failed on chain: ${sent.FailedTransaction.status.error?.message ?? 'no reason'}`);
  return nextStep(services, sent.Transaction);
}

type Sent = SuiClientTypes.Transaction<{ effects: true; objectTypes: true }>;

async function nextStep(services: CoinServices, { objectTypes }: Sent): Promise<string[]> {
  const { config } = services;
  const types = Object.entries(objectTypes);
  const made = types.find(([, type]) => /::book::Book</.test(type));
  if (made) return bookMade(made);
  const packages = types.filter(([, type]) => type === 'package').map(([id]) => id);
  if (packages.length === 0) return ['The Book is changed.'];
  const cap = types.flatMap(([, type]) => /::TreasuryCap<(.+)>$/.exec(type)?.[1] ?? [])[0];
  const coinType = cap ?? config.snapsCoinType ?? '';
  const packageId = packages.find((id) => !isSameAddress(id, coinType.split('::')[0] ?? '')) ?? '';
  const newBook = buildNewBook({ sender: config.adminWallet, packageId, coinType });
  return [
    ...(cap === undefined
      ? ['The package is on the chain.']
      : ['The coin is on the chain. Put into .env:', '', `SNAPS_COIN_TYPE=${coinType}`, '']),
    'One more signature makes the Book:',
    ...(await unsigned(services, newBook, [
      `Makes the Book of ${coinType}, owned by ${config.adminWallet}, who is its first payer.`,
    ])),
  ];
}

const bookMade = ([id]: [string, string]): string[] => [
  'The Book is on the chain. Put into .env, and restart the server:',
  '',
  `SNAPS_BOOK=${id}`,
  '',
  'Other wallets pay after `npm run coin -- payers <all their addresses, your own too>`.',
];

const OTHER = 'This is not what `npm run coin` prints. Nothing was sent';

/** Accepts only what this command builds from the same parts, with any gas. */
async function requireOurs(services: CoinServices, bytes: Uint8Array): Promise<void> {
  const data = decodeTransaction(bytes);
  const kind = data?.kind.ProgrammableTransaction;
  if (!data || !kind) throw new Error('This is not a Sui transaction. Nothing was sent');
  const { adminWallet } = services.config;
  if (!isSameAddress(data.sender, adminWallet) || !isSameAddress(data.gasData.owner, adminWallet))
    throw new Error(`This is a transaction of another wallet than ADMIN_WALLET, ${adminWallet}. Nothing was sent`);
  const again = await rebuild(services, bytes);
  if (!again || !(await kindOf(again)).equals(await kindOf(Transaction.from(bytes)))) throw new Error(OTHER);
}

const kindOf = async (transaction: Transaction): Promise<Buffer> =>
  Buffer.from(await transaction.build({ onlyTransactionKind: true }));

async function rebuild(services: CoinServices, bytes: Uint8Array): Promise<Transaction | null> {
  const { adminWallet: sender, snapsDecimals } = services.config;
  const modules = publishedModules(bytes);
  const book = await bookModule();
  if (modules.length === 1) return buildPublication(sender, { book });
  if (modules.length > 1) {
    const terms = await readModule(modules[0] ?? book);
    const isFine = terms !== null && Object.keys(validateCoinTerms(terms, snapsDecimals)).length === 0;
    return isFine ? buildPublication(sender, { coin: await makeModule(terms), book }) : null;
  }
  return rebuildCall(services, Transaction.from(bytes));
}

async function rebuildCall(services: CoinServices, signed: Transaction): Promise<Transaction | null> {
  const { adminWallet: sender } = services.config;
  const call = signed.getData().commands[0]?.MoveCall;
  if (call?.function === 'new')
    return buildNewBook({ sender, packageId: call.package, coinType: call.typeArguments[0] ?? '' });
  const book = await requireBook(services);
  const pure = signed.getData().inputs[1]?.Pure?.bytes;
  const words = pure === undefined ? [] : addressesIn(Buffer.from(pure, 'base64'));
  if (call?.function === 'set_payers') return buildSetPayers({ ...book, owner: sender }, words);
  return call?.function === 'set_owner' && words[0] !== undefined
    ? buildSetOwner({ ...book, owner: sender }, words[0])
    : null;
}

/** Reads one address, or a list that begins with its length. */
function addressesIn(bytes: Buffer): string[] {
  const from = bytes.length % 32;
  const count = (bytes.length - from) / 32;
  return Array.from(
    { length: count },
    (_, at) => `0x${bytes.subarray(from + 32 * at, from + 32 * at + 32).toString('hex')}`,
  );
}
