import { sql } from 'kysely';
import { coinType, packageId } from '#shared/coin-type.ts';
import type { MemoryRead } from '#server/kit/http/from-memory.ts';
import type { Services } from '#server/kit/services.ts';
import { chooseListings, type NamingListing } from './choose-listings.ts';

type LookupKind = 'coin' | 'package';

type Names = ReturnType<typeof chooseListings>;

const READERS: Record<LookupKind, (text: string) => string | null> = { coin: coinType, package: packageId };

export const lookupKey = (kind: LookupKind, text: string): string | null => READERS[kind](text.trim());

const ENTRY_BYTES = 300;

async function readNames({ replica }: Pick<Services, 'replica'>): Promise<Names> {
  const { rows } = await sql<NamingListing>`
    SELECT p.id, p.slug, p.coin_type AS "coinType", p.package_id AS "packageId", p.coin_source AS "coinSource", o.state, o.subject
    FROM projects p LEFT JOIN ownerships o ON o.project_id = p.id
    WHERE p.hidden_at IS NULL AND num_nonnulls(p.coin_type, p.package_id) > 0
    ORDER BY p.id`.execute(replica);
  return chooseListings(rows);
}

type NamesServices = Pick<Services, 'cache' | 'replica'>;

export const namesRead = (services: NamesServices): MemoryRead<Names> => ({
  key: 'lookup names',
  reads: ['projects'],
  cost: 'list',
  load: async () => {
    const names = await readNames(services);
    return { value: names, bytes: names.size * ENTRY_BYTES };
  },
});

export async function findNamed(services: NamesServices, name: string): Promise<{ id: number } | null> {
  const read = namesRead(services);
  return (await services.cache.getOrLoad(read.key, read.reads, read.load)).get(name) ?? null;
}
