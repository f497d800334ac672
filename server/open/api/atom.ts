import type { FastifyInstance } from 'fastify';
import { type AtomEntry, listingEntry, reviewEntry, toAtom } from '#shared/site/atom.ts';
import { ATOM_PATH } from '#shared/site/pages.ts';
import { publicUser } from '#server/kit/public-user.ts';
import { shortenAddress } from '#shared/text/text.ts';
import type { Db } from '#db/client.ts';
import { bytesOf, type CachedResponse, toCachedText } from '#server/kit/cache/responses.ts';
import type { Loaded } from '#server/kit/cache/cache.ts';
import { allowEverySite, nameLicense } from '#server/kit/http/cors.ts';
import { sendFromMemory } from '#server/kit/http/from-memory.ts';
import { shownDescription } from '#server/listings/projects/withheld.ts';
import type { Services } from '#server/kit/services.ts';

const MAX_ENTRIES = 50;
const CACHE_CONTROL = 'public, max-age=300';
function authorOf(user: Parameters<typeof publicUser>[0]): string {
  const { username, walletAddress } = publicUser(user);
  return username ?? shortenAddress(walletAddress);
}

async function newListings(db: Db): Promise<AtomEntry[]> {
  const rows = await db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .select([
      'projects.id',
      'slug',
      'name',
      'category',
      'description',
      'projects.createdAt',
      'versionAt',
      'lookAlikeOf',
    ])
    .select(['username', 'walletAddress', 'avatarHash'])
    .where('hiddenAt', 'is', null)
    .orderBy('projects.id', 'desc')
    .limit(MAX_ENTRIES)
    .execute();
  return rows.map(({ lookAlikeOf, ...row }) =>
    listingEntry({ ...row, description: shownDescription(row.description, lookAlikeOf) }, authorOf(row)),
  );
}

async function newReviews(db: Db): Promise<AtomEntry[]> {
  const rows = await db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.userId')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .select(['reviews.id', 'reviews.content', 'reviews.createdAt', 'slug', 'name', 'category'])
    .select(['username', 'walletAddress', 'avatarHash'])
    .where('reviews.hiddenAt', 'is', null)
    .where('projects.hiddenAt', 'is', null)
    .orderBy('reviews.id', 'desc')
    .limit(MAX_ENTRIES)
    .execute();
  return rows.map((row) => reviewEntry(row, authorOf(row)));
}

export function mountAtom(app: FastifyInstance, { replica: db, config, cache }: Services): void {
  async function draw(): Promise<Loaded<CachedResponse>> {
    const [listings, reviews] = await Promise.all([newListings(db), newReviews(db)]);
    const entries = [...listings, ...reviews].toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_ENTRIES);
    const headers = { 'Cache-Control': CACHE_CONTROL };
    const value = toCachedText(
      toAtom(config.publicOrigin, entries, config.dataLicense),
      'application/atom+xml; charset=utf-8',
      headers,
    );
    return { value, bytes: bytesOf(value), rests: true };
  }

  const read = { key: 'atom', reads: ['projects', 'reviews', 'profiles'], cost: 'list', load: draw } as const;
  app.get(ATOM_PATH, { compress: false, config: { kind: 'memory' } }, (request, reply) =>
    sendFromMemory(cache, request, nameLicense(allowEverySite(reply), config.dataLicense), read),
  );
}
