import { sql } from 'kysely';
import { coinType, packageId, packageOf, withOriginal } from '#shared/listings/coin-type.ts';
import type { MemoryRead } from '#server/kit/http/from-memory.ts';
import type { Services } from '#server/kit/services.ts';
import { chooseListings, type NamingListing } from './choose-listings.ts';
import { lookUpOriginal } from './look-up-original.ts';

type LookupKind = 'coin' | 'package';

interface Names {
  listings: ReturnType<typeof chooseListings>;
  /** First versions by the ids that listings name. */
  originals: ReadonlyMap<string, string>;
}

const READERS: Record<LookupKind, (text: string) => string | null> = { coin: coinType, package: packageId };

export const lookupKey = (kind: LookupKind, text: string): string | null => READERS[kind](text.trim());

const ENTRY_BYTES = 300;

async function readNames({ replica }: Pick<Services, 'replica'>): Promise<Names> {
  const packages = await replica.selectFrom('packages').selectAll().execute();
  const originals = new Map(packages.map(({ id, originalId }) => [id, originalId]));
  const { rows } = await sql<NamingListing>`
    SELECT p.id, p.slug, p.coin_type AS "coinType", p.package_id AS "packageId", p.coin_source AS "coinSource", o.state, o.subject
    FROM projects p LEFT JOIN ownerships o ON o.project_id = p.id
    WHERE p.hidden_at IS NULL AND num_nonnulls(p.coin_type, p.package_id) > 0
    ORDER BY p.id`.execute(replica);
  return { listings: chooseListings(rows, (name) => withOriginal(name, (id) => originals.get(id))), originals };
}

type NamesServices = Pick<Services, 'cache' | 'replica' | 'sui' | 'log'>;

export const namesRead = (services: NamesServices): MemoryRead<Names> => ({
  key: 'lookup names',
  reads: ['projects'],
  cost: 'list',
  load: async () => {
    const names = await readNames(services);
    return { value: names, bytes: (names.listings.size + names.originals.size) * ENTRY_BYTES };
  },
});

export async function findNamed(services: NamesServices, name: string): Promise<{ id: number; slug: string } | null> {
  const read = namesRead(services);
  return findIn(await services.cache.getOrLoad(read.key, read.reads, read.load), services, name);
}

/** An id that no listing names may be a later version of one that is named: then the chain is asked. */
export async function findIn({ listings, originals }: Names, services: NamesServices, name: string) {
  const known = listings.get(withOriginal(name, (id) => originals.get(id)));
  if (known) return known;
  const id = name.includes('::') ? packageOf(name) : name;
  if (originals.has(id)) return null;
  const original = await lookUpOriginal(services, id);
  return original === null ? null : (listings.get(withOriginal(name, () => original)) ?? null);
}
