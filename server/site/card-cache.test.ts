import { describe, expect, test } from 'vitest';
import { HttpError } from '#server/kit/http/errors.ts';
import { createCardCache } from './card-cache.ts';

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
  test('a hundred at once: drawn once', async () => {
    const counter = drawer();
    const { cardOf } = createCardCache();
    const cards = await Promise.all(Array.from({ length: 100 }, () => cardOf('a', '1', counter.draw)));
    expect(new Set(cards.map((card) => card.bytes)).size).toBe(1);
    expect(counter.drawn).toBe(1);
  });

  test('one is drawn at a time, and a request beyond the waiting room gets 503', async () => {
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
