import type { CoinObject } from './coins.ts';

/** An object before and after a transaction; one of the two is missing when it was created or deleted. */
export interface ObjectChange {
  readonly id: string;
  readonly before: CoinObject | null;
  readonly after: CoinObject | null;
}

/** The live objects of the chain, by id and by owner. */
export class ObjectStore {
  readonly #byId = new Map<string, CoinObject>();
  readonly #idsByOwner = new Map<string, Set<string>>();

  get(id: string): CoinObject | undefined {
    return this.#byId.get(id);
  }

  /** Every coin of an owner, in a full node's order: by type, then the largest first. */
  ownedBy(owner: string, coinType?: string): CoinObject[] {
    const coins: CoinObject[] = [];
    for (const id of this.#idsByOwner.get(owner) ?? []) {
      const coin = this.#byId.get(id);
      if (coin && (!coinType || coin.coinType === coinType)) coins.push(coin);
    }
    return coins.sort(compareCoins);
  }

  /** The sum of an owner's coins, by type. */
  balances(owner: string): Map<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const coin of this.ownedBy(owner)) sums.set(coin.coinType, (sums.get(coin.coinType) ?? 0n) + coin.value);
    return sums;
  }

  apply(changes: readonly ObjectChange[]): void {
    for (const { id, before, after } of changes) {
      if (before) this.#idsByOwner.get(before.owner)?.delete(id);
      if (after) this.put(after);
      else this.#byId.delete(id);
    }
  }

  put(coin: CoinObject): void {
    this.#byId.set(coin.id, coin);
    const ids = this.#idsByOwner.get(coin.owner) ?? new Set<string>();
    this.#idsByOwner.set(coin.owner, ids.add(coin.id));
  }
}

function compareCoins(a: CoinObject, b: CoinObject): number {
  if (a.coinType !== b.coinType) return a.coinType < b.coinType ? -1 : 1;
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
