import type { Selectable } from 'kysely';
import type { Db } from '#db/client.ts';
import type { CoinPublication as Row } from '#db/schema.ts';
import type { CoinPublication } from '#shared/contract/coin.ts';

export type PublicationRow = Selectable<Row>;

const NOTES: Record<string, string> = {
  rejected: 'The chain rejected the transaction; nothing was made',
  failed_on_chain: 'The transaction failed on chain; nothing was made, and its gas is spent',
  unseen: 'The transaction did not appear on the chain within a day',
};

/** Null before the first publication. */
export async function findPublication(db: Db): Promise<PublicationRow | null> {
  return (await db.selectFrom('coinPublication').selectAll().executeTakeFirst()) ?? null;
}

export function toPublication({ state, failureCode, createdAt, ...row }: PublicationRow): CoinPublication {
  const { digest, name, symbol, decimals, firstSupply, coinType } = row;
  const note = failureCode === null ? null : (NOTES[failureCode] ?? failureCode);
  const known = state === 'made' || state === 'failed' ? state : 'sent';
  const terms = { name, symbol, decimals, firstSupply };
  return { ...terms, digest, state: known, coinType, note, createdAt: createdAt.toISOString() };
}
