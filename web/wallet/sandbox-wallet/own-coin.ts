import { Transaction } from '@mysten/sui/transactions';

const PUBLISH = '0x534e415053::maker::publish';

export function publishOwnCoin(sender: string): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  const made = transaction.moveCall({
    target: PUBLISH,
    arguments: [transaction.pure.string('coin'), transaction.pure.string('COIN')],
  });
  transaction.transferObjects(
    [0, 1, 2].map((part) => made[part] ?? made),
    sender,
  );
  return transaction;
}

export function coinIn(objectTypes: Readonly<Record<string, string>>): string | null {
  for (const type of Object.values(objectTypes)) {
    const coinType = /::coin::TreasuryCap<(.+)>$/.exec(type)?.[1];
    if (coinType !== undefined) return coinType;
  }
  return null;
}
