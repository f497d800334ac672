import type { CoinSource, OwnershipState } from '#db/schema.ts';
import { packageOf } from '#shared/listings/coin-type.ts';

export interface NamingListing {
  id: number;
  slug: string;
  coinType: string | null;
  packageId: string | null;
  coinSource: CoinSource;
  state: OwnershipState | null;
  subject: string | null;
}

const covers = (subject: string, name: string): boolean =>
  subject === name || (subject.includes('::') && packageOf(subject) === name);

/** The word of a lister, with a proof or without, never ranks above that of the catalogue or a moderator. */
function rankOf({ coinSource, state, subject }: NamingListing, name: string): number {
  const proof = subject !== null && covers(subject, name) ? state : null;
  if (proof === 'proven' || proof === 'accepted') return 3;
  if (coinSource !== 'lister') return 2;
  return proof === 'controls' ? 1 : 0;
}

/** Less than one rank: a coin is a weaker claim to its package than the package's own address, because a package can have many coins. */
const BY_COIN_ONLY = 0.5;

/** Writes all names by the first versions of their packages (R71). */
function inOriginals(listing: NamingListing, canonical: Canonical): NamingListing {
  const { coinType, packageId, subject } = listing;
  const of = (name: string | null) => name && canonical(name);
  return { ...listing, coinType: of(coinType), packageId: of(packageId), subject: of(subject) };
}

type Canonical = (name: string) => string;

function* rankedNames(listing: NamingListing): Generator<[name: string, rank: number]> {
  const { coinType, packageId } = listing;
  for (const name of [coinType, packageId]) if (name !== null) yield [name, rankOf(listing, name)];
  if (coinType === null) return;
  const name = packageOf(coinType);
  yield [name, rankOf(listing, name) - BY_COIN_ONLY];
}

interface Chosen {
  id: number;
  slug: string;
}

/**
 * The listing of each coin type and package. Listings are ranked for each name apart, because a proof for one name says
 * nothing about another (R74); of equals the first one in the list stays, so they come oldest first.
 */
export function chooseListings(
  listings: readonly NamingListing[],
  canonical: Canonical = (name) => name,
): ReadonlyMap<string, Chosen> {
  const chosen = new Map<string, Chosen & { rank: number }>();
  for (const listing of listings)
    for (const [name, rank] of rankedNames(inOriginals(listing, canonical))) {
      const best = chosen.get(name);
      if (best === undefined || rank > best.rank) chosen.set(name, { id: listing.id, slug: listing.slug, rank });
    }
  return chosen;
}
