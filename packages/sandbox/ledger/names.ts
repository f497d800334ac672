export class NameRegistry {
  readonly #addressByName = new Map<string, string>();
  readonly #nameByAddress = new Map<string, string>();

  addressOf(name: string): string | undefined {
    return this.#addressByName.get(name.toLowerCase());
  }

  nameOf(address: string): string | undefined {
    return this.#nameByAddress.get(address);
  }

  set(name: string, address: string): void {
    const key = name.toLowerCase();
    const oldName = this.#nameByAddress.get(address);
    const oldAddress = this.#addressByName.get(key);
    if (oldName !== undefined) this.#addressByName.delete(oldName);
    if (oldAddress !== undefined) this.#nameByAddress.delete(oldAddress);
    this.#addressByName.set(key, address);
    this.#nameByAddress.set(address, key);
  }
}
