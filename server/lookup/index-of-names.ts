import { sql } from 'kysely';
import type { CoinSource, OwnershipState } from '#db/schema.ts';
import { coinType, packageId, packageOf } from '#shared/coin-type.ts';
import type { MemoryRead } from '../http/from-memory.ts';
import type { Services } from '../services.ts';

/**
 * Which project a coin type, package or website belongs to, in memory: look-ups that find nothing cost no query. Of several listings that name the
 * same, one with a proof comes before one whose coin the catalogue or a moderator set, and this before the word of a lister.
 */
export type LookupKind = 'coin' | 'package' | 'website';

interface Named {
  id: number;
  slug: string;
  coinType: string | null;
  packageId: string | null;
  website: string | null;
  coinSource: CoinSource;
  state: OwnershipState | null;
  isActive: boolean;
}

interface Target {
  id: number;
  slug: string;
}
type Names = ReadonlyMap<string, Target>;

/** Host and path of a website, without what differs between spellings of one address. */
function websiteKey(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const { hostname, pathname } = new URL(address);
  return hostname.includes('.') ? hostname.replace(/^www\./, '') + pathname.replace(/\/+$/, '') : null;
}

const READERS: Record<LookupKind, (text: string) => string | null> = {
  coin: coinType,
  package: packageId,
  website: websiteKey,
};

/** The one spelling of what is looked up; null for a text that names nothing. */
export function lookupKey(kind: LookupKind, text: string): string | null {
  const key = READERS[kind](text.trim());
  return key === null ? null : `${kind}:${key}`;
}

const RANKS: Record<OwnershipState, number> = { proven: 4, accepted: 3, controls: 2, lost: 0 };

/** Whose word it is, the best last; then those that are listed now, then the older ones. */
function compare(one: Named, other: Named): number {
  const rankOf = ({ state, coinSource }: Named) => (state && RANKS[state]) || (coinSource === 'lister' ? 0 : 1);
  return rankOf(one) - rankOf(other) || Number(one.isActive) - Number(other.isActive) || other.id - one.id;
}

const ENTRY_BYTES = 300;

async function readNames({ replica }: Pick<Services, 'replica'>): Promise<Map<string, Target>> {
  const { rows } = await sql<Named>`
    SELECT p.id, p.slug, p.coin_type AS "coinType", p.package_id AS "packageId", p.website, p.coin_source AS "coinSource", o.state,
      p.expires_at > now() AS "isActive"
    FROM projects p LEFT JOIN ownerships o ON o.project_id = p.id
    WHERE p.hidden_at IS NULL AND num_nonnulls(p.coin_type, p.package_id, p.website) > 0`.execute(replica);
  const sorted = rows.toSorted(compare);
  const names = new Map<string, Target>();
  // The package of a coin is the weakest name: others may have a coin of the same package.
  for (const { id, slug, coinType: coin } of sorted)
    if (coin !== null) names.set(`package:${packageOf(coin)}`, { id, slug });
  for (const { id, slug, coinType: coin, packageId: address, website } of sorted) {
    const keys = [
      coin === null ? null : `coin:${coin}`,
      address === null ? null : `package:${address}`,
      website === null ? null : lookupKey('website', website),
    ];
    for (const key of keys) if (key !== null) names.set(key, { id, slug });
  }
  return names;
}

type NamesServices = Pick<Services, 'cache' | 'replica'>;

/** All names, read once for all requests. */
export const namesRead = (services: NamesServices): MemoryRead<Names> => ({
  key: 'lookup names',
  reads: ['projects'],
  cost: 'list',
  load: async () => {
    const names = await readNames(services);
    return { value: names, bytes: names.size * ENTRY_BYTES };
  },
});

/** The project with this name; null when none is listed. */
export async function findNamed(services: NamesServices, key: string): Promise<Target | null> {
  const read = namesRead(services);
  return (await services.cache.getOrLoad(read.key, read.reads, read.load)).get(key) ?? null;
}
