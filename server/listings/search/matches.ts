import { sql } from 'kysely';
import { cleanLine } from '#shared/text/clean-text.ts';
import { slugify } from '#shared/listings/slug.ts';
import type { Services } from '#server/kit/services.ts';

export const MATCH = { name: 2, close: 1, text: 0 } as const;
export type Match = (typeof MATCH)[keyof typeof MATCH];

const MAX_CLOSE = 100;
const TEXT_BYTES = 1_000;
const MATCH_BYTES = 50;

export const searchKey = (text: string): string => cleanLine(text.normalize('NFKC')).toLowerCase().trim();

interface Text {
  id: number;
  name: string;
  all: string;
}

function textsOnce({ cache, replica }: Services): Promise<Text[]> {
  return cache.getOrLoad('search texts', ['projects'], async () => {
    const rows = await replica
      .selectFrom('projects')
      .select(['id', 'name', 'description', 'twitterHandle', 'category'])
      .where('hiddenAt', 'is', null)
      .execute();
    const value = rows.map(({ id, name, description, twitterHandle, category }) => ({
      id,
      name: searchKey(name),
      all: searchKey(`${name} ${description} ${twitterHandle} ${category}`),
    }));
    return { value, bytes: rows.length * TEXT_BYTES };
  });
}

async function closeNames({ replica }: Services, search: string): Promise<number[]> {
  const name = slugify(search);
  if (name === '') return [];
  const { rows } = await sql<{ id: number }>`SELECT id FROM close_names(${name}, ${MAX_CLOSE})`.execute(replica);
  return rows.map(({ id }) => id);
}

const hasAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));

async function loadMatches(services: Services, search: string): Promise<Map<number, Match>> {
  const words = search.split(/\s+/);
  const found = new Map<number, Match>();
  for (const { id, name, all } of await textsOnce(services))
    if (hasAll(all, words)) found.set(id, hasAll(name, words) ? MATCH.name : MATCH.text);
  if ([...found.values()].includes(MATCH.name)) return found;
  for (const id of await closeNames(services, search)) found.set(id, MATCH.close);
  return found;
}

export function matchesOnce(services: Services, search: string): Promise<Map<number, Match>> {
  return services.cache.getOrLoad(`search:${search}`, ['projects'], async () => {
    const value = await loadMatches(services, search);
    return { value, bytes: 2 * search.length + value.size * MATCH_BYTES };
  });
}
