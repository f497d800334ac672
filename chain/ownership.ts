import { bcs } from '@mysten/sui/bcs';
import { RpcError, type SuiGrpcClient } from '@mysten/sui/grpc';
import { isValidSuiAddress, normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { packageOf } from '#shared/listings/coin-type.ts';
import { normalizeAddress } from './address.ts';

/**
 * Control of a coin or a package by an object that its publication left to the publisher (R71). An upgrade makes a
 * new package: all versions are compared by the id of the first.
 */

export interface Named {
  coinType: string | null;
  packageId: string | null;
}

export interface Control {
  subject: string;
  objectType: string;
  objectId: string;
  objectVersion: string;
}

const UPGRADE_CAP = '0x2::package::UpgradeCap';
const PUBLISHER = '0x2::package::Publisher';
const treasuryCapOf = (coinType: string): string => `0x2::coin::TreasuryCap<${coinType}>`;

const UpgradeCap = bcs.struct('UpgradeCap', {
  id: bcs.Address,
  package: bcs.Address,
  version: bcs.u64(),
  policy: bcs.u8(),
});
const Publisher = bcs.struct('Publisher', { id: bcs.Address, package: bcs.string(), module_name: bcs.string() });

const PAGE = 50;
/** A wallet with more caps than these pages hold must move the right one to another wallet. */
const MAX_PAGES = 10;
const MAX_PACKAGES = 50;
const CALL_TIMEOUT_MS = 10_000;
const signal = () => AbortSignal.timeout(CALL_TIMEOUT_MS);

export class TooManyObjectsError extends Error {}

/** The id of the first version of a package; null if the chain has no such package. @throws errors of the node */
export async function readOriginal(
  client: SuiGrpcClient,
  packageId: string,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<string | null> {
  try {
    const abort = AbortSignal.timeout(timeoutMs);
    const { response } = await client.movePackageService.getPackage({ packageId }, { abort });
    const original = response.package?.originalId;
    if (!original) throw new Error('the node does not say which package is the original one');
    return normalizeSuiAddress(original);
  } catch (error) {
    if (error instanceof RpcError && (error.code === 'NOT_FOUND' || error.code === 'INVALID_ARGUMENT')) return null;
    throw error;
  }
}

type FindOriginal = (packageId: string) => Promise<string>;

function originalsOf(client: SuiGrpcClient): FindOriginal {
  const known = new Map<string, string>();
  return async (packageId) => {
    const found = known.get(packageId);
    if (found !== undefined) return found;
    if (known.size === MAX_PACKAGES) throw new TooManyObjectsError(`caps of more than ${MAX_PACKAGES} packages`);
    const original = (await readOriginal(client, packageId)) ?? packageId;
    known.set(packageId, original);
    return original;
  };
}

const isSameType = (one: string, other: string): boolean => normalizeStructTag(one) === normalizeStructTag(other);

/** A publisher always names the first version. A cap names the newest one, which is the first until an upgrade. */
function parse(objectType: string, content: Uint8Array): { named: string; isOriginal: boolean } {
  if (objectType === PUBLISHER) return { named: Publisher.parse(content).package, isOriginal: true };
  const { package: named, version } = UpgradeCap.parse(content);
  return { named, isOriginal: version === '1' };
}

async function packageIn(objectType: string, content: Uint8Array, original: FindOriginal): Promise<string | null> {
  let found: ReturnType<typeof parse>;
  try {
    found = parse(objectType, content);
  } catch {
    return null;
  }
  const address = normalizeSuiAddress(found.named);
  if (!isValidSuiAddress(address)) return null;
  return found.isOriginal ? address : original(address);
}

interface Found {
  objectId: string;
  content: Uint8Array;
}

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

const packageBehind = (subject: string, original: FindOriginal): Promise<string> =>
  original(subject.includes('::') ? packageOf(subject) : subject);

async function packagesOf({ coinType, packageId }: Named, original: FindOriginal): Promise<Map<string, string>> {
  const packages = new Map<string, string>();
  for (const subject of [coinType, packageId])
    // oxlint-disable-next-line no-await-in-loop -- two at most
    if (subject !== null) packages.set(await packageBehind(subject, original), subject);
  return packages;
}

type Candidate = Omit<Control, 'objectVersion'>;

async function findCandidate(
  client: SuiGrpcClient,
  owner: string,
  named: Named,
  original: FindOriginal,
): Promise<Candidate | null> {
  if (named.coinType !== null) {
    const objectType = treasuryCapOf(named.coinType);
    for await (const [cap] of ownedOf(client, owner, objectType))
      if (cap) return { subject: named.coinType, objectType, objectId: cap.objectId };
  }
  const packages = await packagesOf(named, original);
  for (const objectType of [PUBLISHER, UPGRADE_CAP]) {
    for await (const objects of ownedOf(client, owner, objectType)) {
      for (const { objectId, content } of objects) {
        // oxlint-disable-next-line no-await-in-loop -- most caps need no call
        const subject = packages.get((await packageIn(objectType, content, original)) ?? '');
        if (subject !== undefined) return { subject, objectType, objectId };
      }
    }
  }
  return null;
}

type Look = { version: string } | 'lost';

/** Reads the object itself: lists may be late. */
async function lookAt(
  client: SuiGrpcClient,
  owner: string,
  { subject, objectType, objectId }: Candidate,
  original: FindOriginal,
): Promise<Look> {
  const { objects } = await client.core.getObjects({
    objectIds: [objectId],
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
  if (holder !== owner || !isSameType(object.type, objectType)) return 'lost';
  if (isTreasuryCap(objectType)) return { version: object.version };
  const isOfSubject =
    (await packageIn(objectType, object.content, original)) === (await packageBehind(subject, original));
  return isOfSubject ? { version: object.version } : 'lost';
}

const isTreasuryCap = (objectType: string): boolean => objectType !== UPGRADE_CAP && objectType !== PUBLISHER;

/** @throws TooManyObjectsError and errors of the node */
export async function findControl(client: SuiGrpcClient, owner: string, named: Named): Promise<Control | null> {
  const original = originalsOf(client);
  const candidate = await findCandidate(client, owner, named, original);
  if (candidate === null) return null;
  const look = await lookAt(client, owner, candidate, original);
  return look === 'lost' ? null : { ...candidate, objectVersion: look.version };
}

export async function stillControls(client: SuiGrpcClient, owner: string, proof: Candidate): Promise<boolean> {
  return (await lookAt(client, owner, proof, originalsOf(client))) !== 'lost';
}
