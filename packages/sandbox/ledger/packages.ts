import { createHash } from 'node:crypto';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { MAKER_PACKAGE } from './constants.ts';

export interface PublishedPackage {
  readonly id: string;
  readonly version: bigint;
  /** The package before an upgrade; null for a first version. */
  readonly upgradeOf: string | null;
  /** The module of a package that was published by its bytes. */
  readonly module?: { readonly name: string; readonly bytes: Uint8Array };
}

export interface Package {
  readonly id: string;
  readonly originalId: string;
  readonly version: bigint;
  /** Published by the bytes of chain/move/book. */
  readonly isBook: boolean;
}

/** SHA-256 of chain/move/book/book.mv, whose twin is book.ts. */
const BOOK_BYTES = '23b74dcf14c441ade724d908715d01b1917cb6700adb4803078e00727c752ea8';
const isBook = (module: Uint8Array): boolean => createHash('sha256').update(module).digest('hex') === BOOK_BYTES;

/** Packages that exist from the beginning: those of the framework, and that of the demo coin. */
const FIRST = ['0x1', '0x2', '0x3', MAKER_PACKAGE];

export class PackageStore {
  readonly #byId = new Map<string, Package>();

  constructor() {
    for (const id of FIRST) this.add({ id: normalizeSuiAddress(id), version: 1n, upgradeOf: null });
  }

  add({ id, version, upgradeOf, module }: PublishedPackage): void {
    const originalId = upgradeOf === null ? id : (this.#byId.get(upgradeOf)?.originalId ?? upgradeOf);
    this.#byId.set(id, { id, originalId, version, isBook: module !== undefined && isBook(module.bytes) });
  }

  get(id: string): Package | undefined {
    return this.#byId.get(id);
  }
}
