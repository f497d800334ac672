import sharp from 'sharp';
import { expect, test, describe } from 'vitest';
import { drawLeaderboardCard, drawProjectCard, type CardProject } from './cards.ts';
import { HttpError } from '#server/kit/http/errors.ts';
import { createCardCache } from './card-cache.ts';
import { drawText, fitText } from './card-text.ts';

const picture = await sharp({ create: { width: 30, height: 40, channels: 3, background: '#888' } })
  .png()
  .toBuffer();
const project = (changes: Partial<CardProject>): CardProject => ({
  name: 'Coral',
  twitterHandle: 'coral',
  category: 'DeFi',
  source: 'free',
  lookAlike: null,
  bullishPercentage: 0,
  votes: { bullish: 0, bearish: 0 },
  now: null,
  verified: { bullish: 0, bearish: 0 },
  figuresOn: null,
  picture,
  ...changes,
});
const card = (changes: Partial<CardProject>) => drawProjectCard(project(changes));

test('draws a listing without votes without a percentage, whatever percentage it is given', async () => {
  const [none, other] = await Promise.all([card({}), card({ bullishPercentage: 50 })]);
  expect(none.equals(other)).toBe(true);
  expect(none.equals(await card({ votes: { bullish: 0, bearish: 1 } }))).toBe(false);
});

test('draws interval, sample and verified share of the votes [R44]', async () => {
  const [few, many] = [card({ votes: { bullish: 6, bearish: 2 } }), card({ votes: { bullish: 60, bearish: 20 } })];
  expect((await few).equals(await many)).toBe(false);
  const verified = card({ votes: { bullish: 6, bearish: 2 }, verified: { bullish: 3, bearish: 1 } });
  expect((await few).equals(await verified)).toBe(false);
});

test('draws the evidence of a leaderboard row even if it mentions a change [R44 R60]', async () => {
  const row = (changes: Partial<CardProject>) =>
    drawLeaderboardCard([project({ votes: { bullish: 6, bearish: 2 }, ...changes })], null);
  const changed = { at: '2026-11-01T00:00:00.000Z', what: ['name' as const], name: 'Reef', votes: 5 };
  const [few, more, plain] = await Promise.all([
    row({ changed, verified: { bullish: 1, bearish: 1 } }),
    row({ changed, verified: { bullish: 3, bearish: 1 } }),
    row({ verified: { bullish: 1, bearish: 1 } }),
  ]);
  expect(few.equals(more)).toBe(false);
  expect(few.equals(plain)).toBe(false);
});

test('draws the share of ten verified votes first, and that of all below [R44]', async () => {
  const votes = { bullish: 3, bearish: 17 };
  const [nine, ten] = [
    { bullish: 9, bearish: 0 },
    { bullish: 9, bearish: 1 },
  ];
  /** The bar of a card, from its left to its right end. */
  const greenPx = async (verified: CardProject['verified']) => {
    const bar = { left: 556, top: 434, width: 580, height: 1 };
    const { data, info } = await sharp(await card({ votes, verified }))
      .extract(bar)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const isGreen = (at: number) => (data[at * info.channels + 1] ?? 0) > (data[at * info.channels] ?? 0);
    return Array.from({ length: bar.width }, (_, at) => isGreen(at)).filter(Boolean).length;
  };
  expect((await greenPx(nine)) / 580).toBeCloseTo(0.15, 1);
  expect((await greenPx(ten)) / 580).toBeCloseTo(0.9, 1);
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

test.each(['Проект X', 'Coral 🪸', 'Coral ❤\ufe0f', 'Co\u0301\u030cral', 'Coral\u20dd', '→ Coral', 'Coral①'])(
  'draws the handle instead of %j, which without the characters that the fonts lack would be another name',
  async (name) => {
    expect((await card({ name })).equals(await card({ name: '@coral' }))).toBe(true);
  },
);

test('draws an accent that is a separate character', async () => {
  expect((await card({ name: 'Cafe\u0301  Coral' })).equals(await card({ name: 'Café Coral' }))).toBe(true);
});

test('texts are drawn in the fonts of this folder, not in what the machine has', async () => {
  const [own, any] = await Promise.all([
    drawText('Honkonomics', { sizePx: 80, color: '#fff' }),
    sharp({ text: { text: 'Honkonomics', font: 'no such family Bold 80', dpi: 72, rgba: true } }).metadata(),
  ]);
  expect(own.width).not.toBe(any.width);
});

test('a name is drawn smaller rather than broken inside a word, unless no size has room for the word', async () => {
  const box = { width: 580, height: 200, sizesPx: [88, 74, 62, 52, 44], color: '#fff' };
  const [name, oneLine] = await Promise.all([
    fitText("Cartographer's Guild", box),
    fitText("Cartographer's", { ...box, height: 100 }),
  ]);
  expect(name.width).toBe(oneLine.width);
  const endless = await fitText('W'.repeat(60), box);
  expect(endless.width).toBeLessThanOrEqual(box.width);
  expect(endless.height).toBeLessThanOrEqual(box.height);
});

test('names of one size have one baseline, with and without letters below it', async () => {
  const level = { sizePx: 44, color: '#fff', isLevel: true };
  const [flat, deep] = await Promise.all([drawText('acne', level), drawText('gypsy', level)]);
  expect(flat.height).toBe(deep.height);
});

/** A drawer that counts and can be held back. */
function drawer() {
  let drawn = 0;
  let running = 0;
  let most = 0;
  return {
    draw: async () => {
      drawn += 1;
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return Buffer.from(String(drawn));
    },
    get drawn() {
      return drawn;
    },
    get most() {
      return most;
    },
  };
}

describe('cache of share cards', () => {
  test('a card is drawn once for a hundred simultaneous requests', async () => {
    const counter = drawer();
    const { cardOf } = createCardCache();
    const cards = await Promise.all(Array.from({ length: 100 }, () => cardOf('a', '1', counter.draw)));
    expect(new Set(cards.map((card) => card.bytes)).size).toBe(1);
    expect(counter.drawn).toBe(1);
  });

  test('one card is drawn at a time, and a request beyond the waiting room gets 503', async () => {
    const counter = drawer();
    const { cardOf } = createCardCache({ maxWaiting: 3 });
    const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((key) => cardOf(key, '1', counter.draw)));
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    const [, , , refused] = results;
    expect(refused?.status === 'rejected' && refused.reason).toBeInstanceOf(HttpError);
    expect(counter.most).toBe(1);
    expect((await cardOf('d', '1', counter.draw)).version).toBe('1');
  });
});
