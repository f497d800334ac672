import { bcs } from '@mysten/sui/bcs';
import { STORAGE_PRICE_MIST_PER_BYTE } from './constants.ts';
import { digestOf } from './digests.ts';
import type { PublishedPackage } from './packages.ts';

export interface PackageWrite {
  readonly id: string;
  readonly version: bigint;
  readonly digest: string;
}

/** Packages that were published by their bytes, as objects in the effects of their transaction. */
export function packageWrites(packages: readonly PublishedPackage[], previousTransaction: string): PackageWrite[] {
  return packages.flatMap((published) => {
    if (published.module === undefined) return [];
    const bytes = packageObject(published, previousTransaction);
    return [{ id: published.id, version: published.version, digest: digestOf('Object', bytes) }];
  });
}

const GENESIS = '1'.repeat(32);

export function packageFeeMist(packages: readonly PublishedPackage[]): bigint {
  const bytes = packages.reduce((sum, one) => sum + (one.module ? packageObject(one, GENESIS).length : 0), 0);
  return BigInt(bytes) * STORAGE_PRICE_MIST_PER_BYTE;
}

function packageObject({ id, version, module }: PublishedPackage, previousTransaction: string): Uint8Array {
  const moduleMap = new Map(module ? [[module.name, module.bytes]] : []);
  const content = { id, version, moduleMap, typeOriginTable: [], linkageTable: new Map() };
  const object = { data: { Package: content }, owner: { Immutable: true }, previousTransaction, storageRebate: 0 };
  return bcs.Object.serialize(object, { maxSize: 1 << 20 }).toBytes();
}
