import { isolated } from '../text/isolated.ts';
import { escapeMarkup } from '../text/escape.ts';
import { ATOM_PATH } from './pages.ts';

/** The feed of new listings and reviews (RFC 4287). */

/** Time of a feed without entries: the format requires one. */
const BEGINNING = new Date(Date.UTC(2026, 0, 1));
/** The year in which ids of this form began: part of each of them (RFC 4151). */
const ID_YEAR = 2026;

export interface AtomEntry {
  ref: string;
  title: string;
  path: string;
  author: string;
  text: string;
  category: string;
  at: Date;
  /** When the content of the entry last changed. */
  changedAt: Date;
}

export const listingEntry = (
  {
    id,
    slug,
    name,
    category,
    description,
    createdAt,
    versionAt = createdAt,
  }: { id: number; createdAt: Date; versionAt?: Date } & Record<'slug' | 'name' | 'category' | 'description', string>,
  author: string,
): AtomEntry => ({
  ref: `projects/${id}`,
  title: `New on Snapswipe: ${isolated(name)}`,
  path: `/projects/${slug}`,
  author,
  text: description,
  category,
  at: createdAt,
  changedAt: versionAt > createdAt ? versionAt : createdAt,
});

export const reviewEntry = (
  {
    id,
    content,
    slug,
    name,
    category,
    createdAt,
  }: { id: number; createdAt: Date } & Record<'slug' | 'name' | 'category' | 'content', string>,
  author: string,
): AtomEntry => ({
  ref: `reviews/${id}`,
  title: `Review of ${isolated(name)}`,
  path: `/projects/${slug}`,
  author,
  text: content,
  category,
  at: createdAt,
  changedAt: createdAt,
});

const idOf = (origin: string, ref: string): string => `tag:${new URL(origin).hostname},${ID_YEAR}:${ref}`;

/** Writes plain text: nothing of it is interpreted as HTML. */
function entryXml(origin: string, { ref, title, path, author, text, category, at, changedAt }: AtomEntry): string {
  return [
    '<entry>',
    `<id>${escapeMarkup(idOf(origin, ref))}</id>`,
    `<title>${escapeMarkup(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeMarkup(origin + path)}"/>`,
    `<published>${at.toISOString()}</published><updated>${changedAt.toISOString()}</updated>`,
    `<author><name>${escapeMarkup(author)}</name></author>`,
    `<category term="${escapeMarkup(category)}"/>`,
    `<content type="text">${escapeMarkup(text)}</content>`,
    '</entry>',
  ].join('');
}

export function toAtom(
  origin: string,
  entries: readonly AtomEntry[],
  license: { name: string; url: string } | null = null,
): string {
  const [updated = BEGINNING] = entries.map(({ changedAt }) => changedAt).toSorted((a, b) => b.getTime() - a.getTime());
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
