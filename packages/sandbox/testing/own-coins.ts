import type { Signer } from '@mysten/sui/cryptography';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { coinWithBalance, Transaction, type TransactionArgument } from '@mysten/sui/transactions';

const MAKER = '0x534e415053::maker';

export interface OwnCoin {
  coinType: string;
  packageId: string;
  treasuryCap: string;
  upgradeCap: string;
  publisher: string;
}

export async function publishCoin(
  client: SuiGrpcClient,
  signer: Signer,
  { module = 'coin', name = 'COIN' } = {},
): Promise<OwnCoin> {
  const transaction = new Transaction();
  const [treasury, upgrade, publisher] = transaction.moveCall({
    target: `${MAKER}::publish`,
    arguments: [transaction.pure.string(module), transaction.pure.string(name)],
  });
  if (!treasury || !upgrade || !publisher) throw new Error('a publication returns three objects');
  transaction.transferObjects([treasury, upgrade, publisher], signer.toSuiAddress());
  const types = await createdTypes(client, transaction, signer);
  const idOf = (part: string) => [...types].find(([, type]) => type.includes(part))?.[0] ?? '';
  const coinType = /<(.+)>$/.exec(types.get(idOf('::TreasuryCap<')) ?? '')?.[1] ?? '';
  return {
    coinType,
    packageId: coinType.split('::')[0] ?? '',
    treasuryCap: idOf('::TreasuryCap<'),
    upgradeCap: idOf('::UpgradeCap'),
    publisher: idOf('::Publisher'),
  };
}

export async function upgradePackage(
  client: SuiGrpcClient,
  signer: Signer,
  { upgradeCap }: Pick<OwnCoin, 'upgradeCap'>,
): Promise<string> {
  const transaction = callWith(`${MAKER}::upgrade`, upgradeCap);
  await client.signAndExecuteTransaction({ transaction, signer });
  const { object } = await client.core.getObject({ objectId: upgradeCap, include: { json: true } });
  return String(object.json?.['package']);
}

/** Sends money to the balance of an address, where it is in no coin object (SIP-58). */
export function sendFunds(
  sender: string,
  { coinType, amount, recipient }: { coinType: string; amount: bigint; recipient: string },
): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.moveCall({
    target: '0x2::coin::send_funds',
    typeArguments: [coinType],
    arguments: [coinWithBalance({ type: coinType, balance: amount }), transaction.pure.address(recipient)],
  });
  return transaction;
}

export async function createdTypes(
  client: SuiGrpcClient,
  transaction: Transaction,
  signer: Signer,
): Promise<Map<string, string>> {
  const result = await client.signAndExecuteTransaction({
    transaction,
    signer,
    include: { effects: true, objectTypes: true },
  });
  const done = result.Transaction;
  if (!done) throw new Error('the transaction failed');
  const created = done.effects.changedObjects.filter(({ idOperation }) => idOperation === 'Created');
  return new Map(created.map(({ objectId }) => [objectId, done.objectTypes[objectId] ?? '']));
}

export function makeObjects(owner: string, types: readonly string[]): Transaction {
  const transaction = new Transaction();
  const made = types.map((type) => transaction.moveCall({ target: `${MAKER}::object`, typeArguments: [type] }));
  transaction.transferObjects(made, owner);
  return transaction;
}

export function sendObject(id: string, recipient: string): Transaction {
  const transaction = new Transaction();
  transaction.transferObjects([transaction.object(id)], recipient);
  return transaction;
}

export function callWith(target: `${string}::${string}::${string}`, id: string): Transaction {
  const transaction = new Transaction();
  transaction.moveCall({ target, arguments: [transaction.object(id)] });
  return transaction;
}

/** Moves all that a wallet owns of a coin, and all its SUI, into its address balance; the last of its gas goes to `rest`. */
export async function emptyIntoBalance(
  client: SuiGrpcClient,
  signer: Signer,
  { coinType, rest }: { coinType: string; rest: string },
): Promise<void> {
  const owner = signer.toSuiAddress();
  const [{ objects }, { balance }] = await Promise.all([
    client.core.listCoins({ owner, coinType }),
    client.core.getBalance({ owner }),
  ]);
  if (BigInt(balance.coinBalance) < 2_000_000_000n) return;
  const transaction = new Transaction();
  transaction.setSender(owner);
  const send = (type: string, coin: TransactionArgument) =>
    transaction.moveCall({
      target: '0x2::coin::send_funds',
      typeArguments: [type],
      arguments: [coin, transaction.pure.address(owner)],
    });
  for (const coin of objects) send(coinType, transaction.objectRef(coin));
  const [most] = transaction.splitCoins(transaction.gas, [BigInt(balance.coinBalance) - 1_000_000_000n]);
  if (most) send('0x2::sui::SUI', most);
  transaction.transferObjects([transaction.gas], rest);
  const result = await client.signAndExecuteTransaction({ transaction, signer });
  if (result.FailedTransaction) throw new Error('the coins could not be moved');
}
