import type { FastifyInstance } from 'fastify';
import { ATOM_PATH } from '#shared/pages.ts';
import { publicUser } from '#server/kit/public-user.ts';
import { shortenAddress } from '#shared/text.ts';
import type { Db } from '#db/client.ts';
import { bytesOf, type CachedResponse, toCachedText } from '#server/kit/cache/responses.ts';
import type { Loaded } from '#server/kit/cache/cache.ts';
import { allowEverySite, nameLicense } from '#server/kit/http/cors.ts';
import { sendFromMemory } from '#server/kit/http/from-memory.ts';
import type { Config } from '#server/kit/config.ts';
import type { Services } from '#server/kit/services.ts';
import { escapeMarkup } from '#server/kit/escape.ts';

const MAX_ENTRIES = 50;
const CACHE_CONTROL = 'public, max-age=300';
/** Time of a feed without entries: the format requires one. */
const BEGINNING = new Date(Date.UTC(2026, 0, 1));
/** The year in which ids of this form began: part of each of them (RFC 4151). */
const ID_YEAR = 2026;

interface Entry {
  ref: string;
  title: string;
  path: string;
  author: string;
  text: string;
  category: string;
  at: Date;
}

function authorOf(user: Parameters<typeof publicUser>[0]): string {
  const { username, walletAddress } = publicUser(user);
  return username ?? shortenAddress(walletAddress);
}

async function newListings(db: Db): Promise<Entry[]> {
  const rows = await db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .select(['projects.id', 'slug', 'name', 'category', 'description', 'projects.createdAt'])
    .select(['username', 'walletAddress', 'avatarHash'])
    .where('hiddenAt', 'is', null)
    .orderBy('projects.id', 'desc')
    .limit(MAX_ENTRIES)
    .execute();
  return rows.map(({ id, slug, name, category, description, createdAt, ...user }) => ({
    ref: `projects/${id}`,
    title: `New on Snapswipe: ${name}`,
    path: `/projects/${slug}`,
    author: authorOf(user),
    text: description,
    category,
    at: createdAt,
  }));
}

async function newReviews(db: Db): Promise<Entry[]> {
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
  return rows.map(({ id, content, createdAt, slug, name, category, ...user }) => ({
    ref: `reviews/${id}`,
    title: `Review of ${name}`,
    path: `/projects/${slug}`,
    author: authorOf(user),
    text: content,
    category,
    at: createdAt,
  }));
}

const idOf = (origin: string, ref: string): string => `tag:${new URL(origin).hostname},${ID_YEAR}:${ref}`;

/** Plain text: nothing of it is interpreted as HTML. */
function entryXml(origin: string, { ref, title, path, author, text, category, at }: Entry): string {
  return [
    '<entry>',
    `<id>${escapeMarkup(idOf(origin, ref))}</id>`,
    `<title>${escapeMarkup(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(origin + path)}"/>`,
    `<published>${at.toISOString()}</published><updated>${at.toISOString()}</updated>`,
    `<author><name>${escapeMarkup(author)}</name></author>`,
    `<category term="${escapeMarkup(category)}"/>`,
    `<content type="text">${escapeMarkup(text)}</content>`,
    '</entry>',
  ].join('');
}

export function toAtom(origin: string, entries: readonly Entry[], license: Config['dataLicense'] = null): string {
  const updated = entries[0]?.at ?? BEGINNING;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>${escapeMarkup(idOf(origin, 'feed'))}</id>`,
    '<title>Snapswipe: new listings and reviews</title>',
    `<updated>${updated.toISOString()}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeMarkup(origin + ATOM_PATH)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(origin)}/"/>`,
    `<icon>${escapeMarkup(origin)}/icons/icon-32.png</icon>`,
    ...(license
      ? [`<rights>${escapeMarkup(license.name)}</rights>`, `<link rel="license" href="${escapeMarkup(license.url)}"/>`]
      : []),
    ...entries.map((entry) => entryXml(origin, entry)),
    '</feed>\n',
  ].join('\n');
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
