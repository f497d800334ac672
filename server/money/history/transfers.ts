import { isSameAddress } from '#chain/address.ts';
import { netChanges } from '#chain/held.ts';
import type { PastTransaction } from '#chain/history.ts';
import { readPayout, type Transfer } from '#chain/payout.ts';

/** Amounts are the chain's record of balances, divided as the bytes of the transaction show. */
export function transfersOf(tx: PastTransaction, wallet: string, coinType: string): Transfer[] {
  if (!tx.status.success) return [];
  const received = [...netChanges(tx, coinType)].filter(
    ([address, units]) => units > 0n && !isSameAddress(address, wallet),
  );
  const reading = tx.bcs ? readPayout(tx.bcs) : null;
  const listed = reading && !('error' in reading) ? reading.transfers : [];
  return received
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([address, amountUnits]) => {
      const parts = listed.filter((part) => isSameAddress(part.address, address));
      const sum = parts.reduce((total, part) => total + part.amountUnits, 0n);
      return sum === amountUnits ? parts.map((part) => ({ ...part, address })) : [{ address, amountUnits }];
    });
}

/** A successful transaction has at least paid for its gas. */
export const isIndexed = (tx: PastTransaction): boolean =>
  tx.timestampMs !== null && tx.checkpoint !== null && (!tx.status.success || tx.balanceChanges.length > 0);
