import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { GUEST_CARDS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { cursorsOf, type Page, type PageQuery, toPage } from '#server/kit/http/pages.ts';
import type { Services } from '#server/kit/services.ts';
import { countActive, listActive } from './queries.ts';

const cursors = cursorsOf('projects', z.tuple([z.int().nonnegative(), z.int().positive()]));
const cursorOf = ({ totalVotes, id }: Project): string => cursors.write([totalVotes, id]);

export const firstEnd = (rows: ReadonlyArray<{ periodEndsAt: string }>): number =>
  rows.reduce((first, { periodEndsAt }) => Math.min(first, Date.parse(periodEndsAt)), Number.POSITIVE_INFINITY);

interface ActivePage {
  page: Page<Project>;
  expiresAtMs: number;
}

export async function firstActive({ replica }: Services, limit: number): Promise<ActivePage> {
  const [rows, { count, firstEnd: end }] = await Promise.all([listActive(replica, limit + 1), countActive(replica)]);
  // The response has the total, so the end of any listing invalidates it.
  return { page: toPage(rows, { limit }, cursorOf, count), expiresAtMs: end?.getTime() ?? Number.POSITIVE_INFINITY };
}

const activeOnce = ({ replica, cache }: Services): Promise<Project[]> =>
  cache.getOrLoad('active-projects', ['projects', 'counts', 'days'], async () => {
    const value = await listActive(replica);
    return { value, expiresAtMs: firstEnd(value) };
  });

const GUEST_CARDS_TTL_MS = 60_000;

/** A random choice of active projects, independent of votes and payments (R76). */
export async function guestCards(services: Services): Promise<{ cards: Project[]; expiresAtMs: number }> {
  const others = [...(await activeOnce(services))];
  const cards: Project[] = [];
  while (cards.length < GUEST_CARDS && others.length > 0) cards.push(...others.splice(randomInt(others.length), 1));
  return { cards, expiresAtMs: Math.min(firstEnd(cards), Date.now() + GUEST_CARDS_TTL_MS) };
}

/** Reads from one list in memory: the database does not rank all projects for each page. */
export async function laterActive(services: Services, page: PageQuery): Promise<ActivePage> {
  const key = cursors.read(page);
  const all = await activeOnce(services);
  const isBehind = ({ totalVotes, id }: Project) =>
    key === null || totalVotes < key[0] || (totalVotes === key[0] && id < key[1]);
  const start = all.findIndex(isBehind);
  const rows = start < 0 ? [] : all.slice(start, start + page.limit + 1);
  return { page: toPage(rows, page, cursorOf, all.length), expiresAtMs: firstEnd(all) };
}
