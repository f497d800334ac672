import type { ClientWithCoreApi, SuiClientTypes } from '@mysten/sui/client';
import type { Transaction, TransactionObjectArgument } from '@mysten/sui/transactions';

/** The coins and the address balance from which a wallet pays. */

const CALL_MS = 8_000;

export class NotEnoughCoinsError extends Error {
  /** Units in coins and in the address balance. */
  readonly heldUnits: bigint;
  readonly neededUnits: bigint;

  constructor({ heldUnits, neededUnits }: { heldUnits: bigint; neededUnits: bigint }) {
    super(
      heldUnits < neededUnits
        ? 'The wallet does not hold enough of the payout coin'
        : `The payout coin lies in too many small coins: one transaction can use ${MAX_COINS}. Merge them in the wallet`,
    );
    this.heldUnits = heldUnits;
    this.neededUnits = neededUnits;
  }
}

/** Fits into a transaction of 128 KB beside 200 recipients. */
const MAX_COINS = 1_000;
const MAX_MERGED = 500;
const PAGE = 250;
/** Nodes list the largest coins first; where one does not, a wallet of ten thousand coins is read to its end. */
const MAX_PAGES = 50;

export interface CoinLister {
  core: Pick<ClientWithCoreApi['core'], 'listCoins' | 'getBalance'>;
}

interface Asked {
  owner: string;
  coinType: string;
  neededUnits: bigint;
}

interface Funds {
  coins: SuiClientTypes.Coin[];
  /** Units taken from the address balance. */
  withdrawnUnits: bigint;
}

/** The most that one payout of this wallet can pay. */
export async function readPayable(client: CoinLister, asked: Asked): Promise<bigint> {
  const { coins, addressUnits } = await readFunds(client, asked);
  return valueOf(coins) + addressUnits;
}

const valueOf = (coins: readonly SuiClientTypes.Coin[]): bigint =>
  coins.reduce((sum, { balance }) => sum + BigInt(balance), 0n);

/** @throws NotEnoughCoinsError */
export async function chooseFunds(client: CoinLister, asked: Asked): Promise<Funds> {
  const { neededUnits } = asked;
  const { coins, addressUnits, heldUnits } = await readFunds(client, asked);
  const chosen: SuiClientTypes.Coin[] = [];
  let left = neededUnits;
  for (const coin of coins) {
    if (left <= 0n) break;
    chosen.push(coin);
    left -= BigInt(coin.balance);
  }
  const withdrawnUnits = left > 0n ? left : 0n;
  if (withdrawnUnits > addressUnits) throw new NotEnoughCoinsError({ heldUnits, neededUnits });
  return { coins: chosen, withdrawnUnits };
}

/** Reads the address balance and the largest coins: as many as the amount needs and one transaction can use. */
async function readFunds(
  client: CoinLister,
  { owner, coinType, neededUnits }: Asked,
): Promise<{ coins: SuiClientTypes.Coin[]; addressUnits: bigint; heldUnits: bigint }> {
  const { balance } = await client.core.getBalance({ owner, coinType, signal: AbortSignal.timeout(CALL_MS) });
  const held: SuiClientTypes.Coin[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before ends
    const found: SuiClientTypes.ListCoinsResponse = await client.core.listCoins({
      owner,
      coinType,
      cursor,
      limit: PAGE,
      signal: AbortSignal.timeout(CALL_MS),
    });
    held.push(...found.objects.filter(({ balance: value }) => BigInt(value) > 0n));
    if (!found.hasNextPage || valueOf(held.slice(0, MAX_COINS)) >= neededUnits) break;
    cursor = found.cursor;
  }
  held.sort((one, other) => (BigInt(one.balance) < BigInt(other.balance) ? 1 : -1));
  const coins = held.slice(0, MAX_COINS);
  const addressUnits = BigInt(balance.addressBalance);
  const seen = valueOf(held) + addressUnits;
  const total = BigInt(balance.balance);
  return { coins, addressUnits, heldUnits: seen > total ? seen : total };
}

export function gather(transaction: Transaction, coinType: string, { coins, withdrawnUnits }: Funds) {
  const parts: TransactionObjectArgument[] = coins.map(({ objectId, version, digest }) =>
    transaction.objectRef({ objectId, version, digest }),
  );
  if (withdrawnUnits > 0n || parts.length === 0)
    parts.push(
      transaction.moveCall({
        target: '0x2::coin::redeem_funds',
        typeArguments: [coinType],
        arguments: [transaction.withdrawal({ amount: withdrawnUnits, type: coinType })],
      }),
    );
  const [first, ...rest] = parts;
  if (!first) throw new RangeError('no coins to pay from');
  for (let at = 0; at < rest.length; at += MAX_MERGED) transaction.mergeCoins(first, rest.slice(at, at + MAX_MERGED));
  return first;
}
