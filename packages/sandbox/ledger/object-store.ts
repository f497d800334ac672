import type { CoinObject } from './coins.ts';
import { type ChainObject, isCoin, typeOf } from './objects.ts';

/** An object before and after a transaction; one of the two is missing when it was created or deleted. */
export interface ObjectChange {
  readonly id: string;
  readonly before: ChainObject | null;
  readonly after: ChainObject | null;
}

export class ObjectStore {
  readonly #byId = new Map<string, ChainObject>();
  readonly #idsByOwner = new Map<string, Set<string>>();

  get(id: string): ChainObject | undefined {
    return this.#byId.get(id);
  }

  /** Every object of an owner, in a full node's order: by type, coins with the largest first. */
  ownedBy(owner: string): ChainObject[] {
    const objects: ChainObject[] = [];
    for (const id of this.#idsByOwner.get(owner) ?? []) {
      const object = this.#byId.get(id);
      if (object) objects.push(object);
    }
    return objects.sort(compareObjects);
  }

  ofType(objectType: string): ChainObject[] {
    return [...this.#byId.values()].filter((object) => typeOf(object) === objectType);
  }

  coinsOf(owner: string, coinType: string): CoinObject[] {
    return this.ownedBy(owner).filter((object) => isCoin(object) && object.coinType === coinType) as CoinObject[];
  }

  balances(owner: string): Map<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const object of this.ownedBy(owner))
      if (isCoin(object)) sums.set(object.coinType, (sums.get(object.coinType) ?? 0n) + object.value);
    return sums;
  }

  apply(changes: readonly ObjectChange[]): void {
    for (const { id, before, after } of changes) {
      if (before) this.#idsByOwner.get(before.owner)?.delete(id);
      if (after) this.put(after);
      else this.#byId.delete(id);
    }
  }

  put(object: ChainObject): void {
    this.#byId.set(object.id, object);
    const ids = this.#idsByOwner.get(object.owner) ?? new Set<string>();
    this.#idsByOwner.set(object.owner, ids.add(object.id));
  }
}

const valueOf = (object: ChainObject): bigint => (isCoin(object) ? object.value : 0n);

function compareObjects(a: ChainObject, b: ChainObject): number {
  const [typeA, typeB] = [typeOf(a), typeOf(b)];
  if (typeA !== typeB) return typeA < typeB ? -1 : 1;
  if (valueOf(a) !== valueOf(b)) return valueOf(a) > valueOf(b) ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
