export interface SentFunds {
  readonly address: string;
  readonly coinType: string;
  readonly amount: bigint;
}

/** Money that addresses own without coin objects (SIP-58). It can be received here, and not be paid from. */
export class AddressBalances {
  readonly #byOwner = new Map<string, Map<string, bigint>>();

  add({ address, coinType, amount }: SentFunds): void {
    const owned = new Map(this.of(address));
    this.#byOwner.set(address, owned.set(coinType, (owned.get(coinType) ?? 0n) + amount));
  }

  of(owner: string): ReadonlyMap<string, bigint> {
    return this.#byOwner.get(owner) ?? new Map();
  }
}
