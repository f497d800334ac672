import { expect, test } from 'vitest';
import { createSeen } from './seen.ts';

const addressOf = (user: number): string => `192.0.${(user >> 8) & 255}.${user & 255}`;

test('with four times as many users as it holds, it forgets single ones and stays as large [R39]', () => {
  const seen = createSeen(4096);
  for (let user = 1; user <= 16_384; user += 1) seen.add(user, addressOf(user));
  const known = (from: number, to: number): number => {
    let count = 0;
    for (let user = from; user <= to; user += 1) if (seen.has(user, addressOf(user))) count += 1;
    return count;
  };
  // Nearly all of the newest few are present, and never more than fit.
  expect(known(16_284, 16_384)).toBeGreaterThan(90);
  expect(known(1, 16_384)).toBeLessThanOrEqual(4096);
  expect(known(1, 16_384)).toBeGreaterThan(3500);
});
