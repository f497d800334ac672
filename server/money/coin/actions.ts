import { isSameAddress } from '#chain/address.ts';
import { decodeBase64 } from '#chain/base64.ts';
import { isSignatureOf } from '#chain/payment-signature.ts';
import { isComplete } from '#chain/payment-outcome.ts';
import { plainText } from '#chain/transactions.ts';
import { buildPublication, type Publication, readPublication } from '#chain/publication.ts';
import { RpcError } from '@mysten/sui/grpc';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { type CoinTerms, validateCoinTerms } from '#shared/coin-rules.ts';
import type { CoinDraft, CoinPublication, SnapsCoin } from '#shared/contract/coin.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { badRequest, conflict, invalidField, unavailable } from '#server/kit/http/errors.ts';
import { deliver } from '#server/kit/our-chain.ts';
import type { Services } from '#server/kit/services.ts';
import { makeModule, readModule } from './module.ts';
import { findPublication, toPublication } from './queries.ts';
import { outcomeOf, settlePublication } from './settle.ts';

const TIMEOUT_MS = 10_000;

/** Enough of the services for `npm run coin`, which runs without a server. */
export type CoinServices = Pick<Services, 'db' | 'sui' | 'config' | 'chainId' | 'log'>;

export async function readCoinState({ db, config }: CoinServices): Promise<SnapsCoin> {
  const row = await findPublication(db);
  const { snapsCoinType: coinType, snapsDecimals: decimals, adminWallet: sender } = config;
  return { coinType, decimals, sender, publication: row && toPublication(row) };
}

function requireNoCoin({ snapsCoinType }: CoinServices['config']): void {
  if (snapsCoinType !== null)
    throw conflict('coin_set', `This site pays in ${snapsCoinType}. Remove SNAPS_COIN_TYPE to make another coin`);
}

function requireTerms(terms: CoinTerms, { snapsDecimals }: CoinServices['config']): void {
  const [wrong] = Object.entries(validateCoinTerms(terms, snapsDecimals));
  if (wrong) throw invalidField(...wrong);
}

const NO_GAS = /gas|insufficient|balance/i;

/** @throws 400 wrong terms, 409 a coin is set or the dry run failed, 503 */
export async function draftCoin(
  { config, sui }: CoinServices,
  terms: CoinTerms,
): Promise<CoinDraft & { bytes: Uint8Array }> {
  requireNoCoin(config);
  requireTerms(terms, config);
  const module = await makeModule(terms);
  const sender = config.adminWallet;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const bytes = await buildPublication({ sender, module }).build({ client: sui });
    const { Transaction: run } = await sui.core.simulateTransaction({
      transaction: bytes,
      include: { effects: true },
      signal,
    });
    if (!run) throw new Error('the dry run failed');
    const { computationCost, storageCost, storageRebate } = run.effects.gasUsed;
    const gasMist = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
    return { ...terms, sender, bytes, module: Buffer.from(module).toString('base64'), gasMist: gasMist.toString() };
  } catch (error) {
    throw draftError(error, sender);
  }
}

/** The SDK wraps what the node said about a simulation. */
function draftError(error: unknown, sender: string): Error {
  if (!(error instanceof Error)) return new Error('the dry run failed', { cause: error });
  const said = error instanceof RpcError ? error : error.cause instanceof RpcError ? error.cause : null;
  if ((said !== null && said.code !== 'INVALID_ARGUMENT') || error.name === 'TimeoutError') return away();
  if (NO_GAS.test(error.message))
    return conflict(
      'no_gas',
      `The admin wallet ${sender} holds too little SUI for the gas. Send it 1 SUI, and try again.`,
    );
  return conflict('dry_run_failed', `The chain would not take this coin: ${plainText(error.message)}`);
}

const away = () =>
  unavailable('chain_unreachable', 'The chain cannot be reached right now. Nothing was sent; try again.');

export interface SignedPublication {
  bytes: string;
  signature: string;
  replaces: string | null;
}

/**
 * Stores a signed publication with its digest, then sends it. Repeating it is safe. @throws 400 not exactly a coin of
 * this site by the admin's wallet, 409 a coin is set or being made, 503
 */
export async function publishCoin(
  services: CoinServices,
  who: Actor,
  sent: SignedPublication,
): Promise<CoinPublication> {
  const { db, config } = services;
  requireNoCoin(config);
  const bytes = decodeBase64(sent.bytes);
  const publication = bytes && readPublication(bytes);
  if (bytes === null || publication === null) throw badRequest('not_this_coin', 'This is not a Sui transaction');
  if ('error' in publication) throw badRequest('not_this_coin', publication.error);
  const terms = await requireOurs(services, publication);
  await requireSignature(services, bytes, sent.signature);
  const stored = { digest: publication.digest, transaction: Buffer.from(bytes), signature: sent.signature };
  if (await store(db, who, { ...stored, ...terms }, sent.replaces))
    await sendFirst(services, who, { ...stored, bytes });
  const row = await findPublication(db);
  if (row?.digest !== publication.digest) throw conflict('coin_replaced', 'Another coin was made in the meantime');
  return toPublication(row);
}

async function requireOurs({ config }: CoinServices, { sender, module }: Publication): Promise<CoinTerms> {
  if (!isSameAddress(sender, config.adminWallet))
    throw badRequest(
      'wrong_wallet',
      `Only the admin wallet ${config.adminWallet} makes the coin; this is from another wallet`,
    );
  const terms = await readModule(module);
  if (terms === null)
    throw badRequest('not_this_coin', 'The transaction publishes other bytes than those of the Snaps coin');
  requireTerms(terms, config);
  return terms;
}

async function requireSignature({ sui, config }: CoinServices, bytes: Uint8Array, signature: string): Promise<void> {
  const isSigned = await isSignatureOf(sui, bytes, signature, config.adminWallet).catch(() => {
    throw unavailable('chain_unreachable', 'The chain cannot be reached right now. Nothing was sent; try again.');
  });
  if (!isSigned)
    throw badRequest('wrong_signature', 'The signature is not that of the admin wallet. Nothing was sent; sign again.');
}

interface NewPublication extends CoinTerms {
  digest: string;
  transaction: Buffer;
  signature: string;
}

/** True for the one of several simultaneous requests that may send. */
async function store(db: Db, who: Actor, row: NewPublication, replaces: string | null): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const fresh = { ...row, state: 'sent', coinType: null, failureCode: null, createdAt: sql<Date>`now()` };
    const stored = await trx
      .insertInto('coinPublication')
      .values(fresh)
      .onConflict((conflicting) =>
        conflicting
          .column('id')
          .doUpdateSet(fresh)
          .where((eb) =>
            eb.or([
              eb('coinPublication.state', '=', 'failed'),
              eb.and([
                eb('coinPublication.state', '=', 'made'),
                eb('coinPublication.digest', '=', replaces ?? ''),
                eb('coinPublication.digest', '!=', row.digest),
              ]),
            ]),
          ),
      )
      .returning('id')
      .executeTakeFirst();
    if (stored === undefined) return requireSame(trx, row.digest);
    const { symbol, firstSupply, decimals, digest } = row;
    const detail = `${symbol}, ${decimals} decimals, first supply ${firstSupply}, transaction ${digest}`;
    await writeAudit(trx, who, { action: 'coin.publish', detail, outcome: 'ok' });
    return true;
  });
}

async function requireSame(trx: Db, digest: string): Promise<false> {
  const present = await findPublication(trx);
  if (present?.digest === digest) return false;
  if (present?.state === 'made')
    throw conflict(
      'coin_made',
      `A coin was made already: ${present.coinType}. Set SNAPS_COIN_TYPE to it, or make another one on purpose`,
    );
  throw conflict('coin_sent', 'A coin is being made. Wait until the chain has answered');
}

/** Only here a rejection means that nothing was made: these bytes were never sent before. */
async function sendFirst(
  services: CoinServices,
  who: Actor,
  signed: { digest: string; bytes: Uint8Array; signature: string },
): Promise<void> {
  const delivery = await deliver(services, signed);
  if (delivery.state === 'executed' && isComplete(delivery.transaction))
    await settlePublication(services.db, who, signed.digest, outcomeOf(delivery.transaction));
  if (delivery.state !== 'rejected') return;
  services.log.warn({ digest: signed.digest, reason: delivery.reason }, 'the chain rejected a coin');
  await settlePublication(services.db, who, signed.digest, { failureCode: 'rejected' });
}
