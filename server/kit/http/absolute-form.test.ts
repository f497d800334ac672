import { expect, test } from 'vitest';
import { literalUrl } from './framework-errors.ts';

test.each([
  ['http://example.com/leaderboard?order=new', '/leaderboard?order=new'],
  ['HTTPS://example.com:8080', '/'],
  ['/leaderboard', '/leaderboard'],
])('routes the request target %s as %s', (target, url) => {
  expect(literalUrl({ url: target })).toBe(url);
});
