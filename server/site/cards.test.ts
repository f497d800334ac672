import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawProjectCard, type CardProject } from './cards.ts';

const picture = await sharp({ create: { width: 30, height: 40, channels: 3, background: '#888' } })
  .png()
  .toBuffer();
const card = (changes: Partial<CardProject>) =>
  drawProjectCard({
    name: 'Coral',
    twitterHandle: 'coral',
    category: 'DeFi',
    source: 'free',
    bullishPercentage: 0,
    votes: { bullish: 0, bearish: 0 },
    now: null,
    verified: { bullish: 0, bearish: 0 },
    picture,
    ...changes,
  });

test('draws a listing without votes without any percentage, the same whatever the percentage says', async () => {
  const [none, other] = await Promise.all([card({}), card({ bullishPercentage: 50 })]);
  expect(none.equals(other)).toBe(true);
  expect(none.equals(await card({ votes: { bullish: 0, bearish: 1 } }))).toBe(false);
});

test('says that a listing is paid or part of the catalogue [R70]', async () => {
  const [free, paid, catalogue] = await Promise.all([
    card({}),
    card({ source: 'paid' }),
    card({ source: 'catalogue' }),
  ]);
  expect(paid.equals(await card({ category: 'DeFi · Paid listing' }))).toBe(true);
  expect(catalogue.equals(await card({ category: 'DeFi · Catalogue' }))).toBe(true);
  expect(free.equals(paid)).toBe(false);
});

test('draws the handle where the fonts lack a letter of the name, which would be left as another name', async () => {
  const handle = await card({ name: '@coral' });
  expect((await card({ name: 'Проект X' })).equals(handle)).toBe(true);
  expect((await card({ name: 'Coral 🪸' })).equals(await card({ name: 'Coral' }))).toBe(true);
});
