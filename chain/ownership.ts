import { bcs } from '@mysten/sui/bcs';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { isValidSuiAddress, normalizeStructTag, normalizeSuiAddress, parseStructTag } from '@mysten/sui/utils';
import { normalizeAddress } from './address.ts';

/** Whether a wallet controls a coin or a package now (R71): by an object that its publication left to the publisher. */

/** The coin and package that a listing names; types and addresses in full. */
export interface Named {
  coinType: string | null;
  packageId: string | null;
}

/** The object that proves it, as the chain had it. */
export interface Control {
  /** The coin type or package of the listing. */
  subject: string;
  /** Such as `0x2::coin::TreasuryCap<…>`. */
  objectType: string;
  objectId: string;
  objectVersion: string;
}

const UPGRADE_CAP = '0x2::package::UpgradeCap';
const PUBLISHER = '0x2::package::Publisher';
const treasuryCapOf = (coinType: string): string => `0x2::coin::TreasuryCap<${coinType}>`;

/** Two structs of the Sui framework. */
const UpgradeCap = bcs.struct('UpgradeCap', {
  id: bcs.Address,
  package: bcs.Address,
  version: bcs.u64(),
  policy: bcs.u8(),
});
const Publisher = bcs.struct('Publisher', { id: bcs.Address, package: bcs.string(), module_name: bcs.string() });

const PAGE = 50;
/** Pages of one type that are looked through: a wallet of more caps than that has to move the right one to another wallet. */
const MAX_PAGES = 10;
const CALL_TIMEOUT_MS = 10_000;
const signal = () => AbortSignal.timeout(CALL_TIMEOUT_MS);

/** The wallet has more objects of a type than are looked through. */
export class TooManyObjectsError extends Error {}

const isSameType = (one: string, other: string): boolean => normalizeStructTag(one) === normalizeStructTag(other);

/** The package that a cap or publisher is for; null for contents of another form. */
function packageIn(objectType: string, content: Uint8Array): string | null {
  try {
    const found = objectType === UPGRADE_CAP ? UpgradeCap.parse(content).package : Publisher.parse(content).package;
    const address = normalizeSuiAddress(found);
    return isValidSuiAddress(address) ? address : null;
  } catch {
    return null;
  }
}

interface Found {
  objectId: string;
  content: Uint8Array;
}

/** The wallet's objects of exactly this type, page by page. */
async function* ownedOf(client: SuiGrpcClient, owner: string, type: string): AsyncGenerator<Found[]> {
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before ends
    const found: Awaited<ReturnType<typeof client.core.listOwnedObjects<{ content: true }>>> =
      await client.core.listOwnedObjects({
        owner,
        type,
        cursor,
        limit: PAGE,
        include: { content: true },
        signal: signal(),
      });
    yield found.objects.filter((object) => isSameType(object.type, type));
    if (!found.hasNextPage) return;
    cursor = found.cursor;
  }
  throw new TooManyObjectsError(`more than ${MAX_PAGES * PAGE} objects of type ${type}`);
}

/** The packages that the listing names, each with the part of the listing that names it. */
function packagesOf({ coinType, packageId }: Named): Map<string, string> {
  const packages = new Map<string, string>();
  if (coinType !== null) packages.set(parseStructTag(coinType).address, coinType);
  if (packageId !== null) packages.set(packageId, packageId);
  return packages;
}

type Candidate = Omit<Control, 'objectVersion'>;

async function findCandidate(client: SuiGrpcClient, owner: string, named: Named): Promise<Candidate | null> {
  if (named.coinType !== null) {
    const objectType = treasuryCapOf(named.coinType);
    for await (const [cap] of ownedOf(client, owner, objectType))
      if (cap) return { subject: named.coinType, objectType, objectId: cap.objectId };
  }
  const packages = packagesOf(named);
  for (const objectType of [PUBLISHER, UPGRADE_CAP]) {
    for await (const objects of ownedOf(client, owner, objectType)) {
      for (const { objectId, content } of objects) {
        const subject = packages.get(packageIn(objectType, content) ?? '');
        if (subject !== undefined) return { subject, objectType, objectId };
      }
    }
  }
  return null;
}

/** Result of a look at one object; `version` where the wallet holds it. */
type Look = { version: string } | 'lost';

/** Reads the object itself: lists may be late. */
async function lookAt(client: SuiGrpcClient, owner: string, named: Named, candidate: Candidate): Promise<Look> {
  const { objects } = await client.core.getObjects({
    objectIds: [candidate.objectId],
    include: { content: true },
    signal: signal(),
  });
  const [object] = objects;
  if (object instanceof Error) {
    if ('code' in object && object.code === 'notExists') return 'lost';
    throw object;
  }
  if (!object) throw new Error('the node did not answer about the object');
  const holder = object.owner.$kind === 'AddressOwner' ? normalizeAddress(object.owner.AddressOwner) : null;
  if (holder !== owner || !isSameType(object.type, candidate.objectType)) return 'lost';
  if (isTreasuryCap(candidate.objectType)) return { version: object.version };
  const subject = packagesOf(named).get(packageIn(candidate.objectType, object.content) ?? '');
  return subject === candidate.subject ? { version: object.version } : 'lost';
}

const isTreasuryCap = (objectType: string): boolean => objectType !== UPGRADE_CAP && objectType !== PUBLISHER;

/**
 * The object by which a wallet controls what a listing names, at this moment; null without one. Throws what the node's
 * calls throw, and TooManyObjectsError.
 */
export async function findControl(client: SuiGrpcClient, owner: string, named: Named): Promise<Control | null> {
  const candidate = await findCandidate(client, owner, named);
  if (candidate === null) return null;
  const look = await lookAt(client, owner, named, candidate);
  return look === 'lost' ? null : { ...candidate, objectVersion: look.version };
}

/** Whether the wallet still holds the object, and the object still controls what it did. Throws what the node's call throws. */
export async function stillControls(
  client: SuiGrpcClient,
  owner: string,
  named: Named,
  proof: Candidate,
): Promise<boolean> {
  return (await lookAt(client, owner, named, proof)) !== 'lost';
}
