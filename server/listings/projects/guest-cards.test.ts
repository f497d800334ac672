/** Cards that a visitor can vote on before signing in. */
import { expect, test } from 'vitest';
import type { Project } from '#shared/contract/types.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';

const server = await createTestApp({ cache: false });
const { db } = server.services;
const guest = new Client(server.url);
const read = async () => (await guest.get<{ cards: Project[] }>('/api/guest-cards')).body.cards;

test('visitors get the few cards that there are, and none that has ended or is hidden [R76]', async () => {
  const id = await insertProject(db);
  await insertProject(db, { expiresInDays: -1 });
  await insertProject(db, { hidden: true });
  expect((await read()).map((card) => card.id)).toEqual([id]);
});

test('visitors get three different cards, and every listing has its turn, whatever its votes [R76]', async () => {
  const ids = await insertProjects(db, 5);
  await insertProject(db, { bullish: 5 });
  const seen = new Set<number>();
  // A listing that is dealt half of the time is left out of 100 deals once in 2^100.
  for (let deal = 0; deal < 100; deal += 1) {
    const cards = await read();
    expect(new Set(cards.map(({ id }) => id)).size).toBe(3);
    for (const { id } of cards) seen.add(id);
  }
  for (const id of ids) expect(seen).toContain(id);
});
