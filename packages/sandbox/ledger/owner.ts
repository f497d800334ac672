/**
 * The owner of an object as one word: an address, `shared:<version since when>`, or `object:<id of the parent>`. A new
 * shared object is `shared` alone until its version is known.
 */

export type OwnerKind = { address: string } | { sharedSince: bigint } | { parent: string };

export const SHARED = 'shared';
const SHARED_SINCE = `${SHARED}:`;
const OF_OBJECT = 'object:';

export const ofObject = (id: string): string => `${OF_OBJECT}${id}`;

export const writtenOwner = (owner: string, version: bigint): string =>
  owner === SHARED ? `${SHARED_SINCE}${version}` : owner;

export function readOwner(owner: string): OwnerKind {
  if (owner.startsWith(SHARED_SINCE)) return { sharedSince: BigInt(owner.slice(SHARED_SINCE.length)) };
  if (owner.startsWith(OF_OBJECT)) return { parent: owner.slice(OF_OBJECT.length) };
  return { address: owner };
}

/** The owner in the form of BCS. */
export function ownerBcs(owner: string) {
  const kind = readOwner(owner);
  if ('sharedSince' in kind) return { Shared: { initialSharedVersion: kind.sharedSince } };
  return 'parent' in kind ? { ObjectOwner: kind.parent } : { AddressOwner: kind.address };
}
