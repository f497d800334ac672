import { normalizeSuiAddress } from '@mysten/sui/utils';
import { MAKER_PACKAGE } from './constants.ts';

export interface PublishedPackage {
  readonly id: string;
  readonly version: bigint;
  /** The package before an upgrade; null for a first version. */
  readonly upgradeOf: string | null;
  /** Present in a package that was published by its bytes. */
  readonly module?: { readonly name: string; readonly bytes: Uint8Array };
}

export interface Package {
  readonly id: string;
  readonly originalId: string;
  readonly version: bigint;
}

/** Packages that exist from the beginning: those of the framework, and that of the demo coin. */
const FIRST = ['0x1', '0x2', '0x3', MAKER_PACKAGE];

export class PackageStore {
  readonly #byId = new Map<string, Package>();

  constructor() {
    for (const id of FIRST) this.add({ id: normalizeSuiAddress(id), version: 1n, upgradeOf: null });
  }

  add({ id, version, upgradeOf }: PublishedPackage): void {
    const originalId = upgradeOf === null ? id : (this.#byId.get(upgradeOf)?.originalId ?? upgradeOf);
    this.#byId.set(id, { id, originalId, version });
  }

  get(id: string): Package | undefined {
    return this.#byId.get(id);
  }
}
