import { expect, test } from 'vitest';
import { paths, safeLink, xProfile } from './paths.ts';
import { screenOf } from '../app/routes.tsx';
import { documentTitle } from '#shared/site/screens.ts';

test('a project links by its slug, or by its id without one [S2.12 S2.6]', () => {
  expect(paths.project({ id: 7, slug: 'tide-pool' })).toBe('/projects/tide-pool');
  expect(paths.project({ id: 7, slug: '' })).toBe('/projects/7');
  expect(paths.project({ id: 7, slug: 'a b/c' })).toBe('/projects/a%20b%2Fc');
});

test('only http(s) links are links [R26]', () => {
  expect(safeLink('https://example.org/x')).toBe('https://example.org/x');
  expect(safeLink('HTTP://example.org')).toBe('HTTP://example.org');
  for (const bad of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'javascript:alert(1)//https://example.org',
    'javascript:https://example.org',
    'data:text/html,<a href=https://example.org>',
    'x https://example.org',
    'https:example.org',
    'ftp://example.org',
    'data:text/html,x',
    '//example.org',
    '/x',
    '',
    null,
  ]) {
    expect(safeLink(bad)).toBeNull();
  }
});

test('the X link is built from the handle without a leading @ [S2.33 R12]', () => {
  expect(xProfile('@tide_pool')).toBe('https://x.com/tide_pool');
  expect(xProfile('a/../b')).toBe('https://x.com/a%2F..%2Fb');
});

test.each([
  ['/', '/'],
  ['/subscription', '/subscription'],
  ['/submit-project', '/submit-project'],
  ['/profile', '/profile'],
  ['/portfolio', '/portfolio'],
  ['/projects/tide-pool', '/projects/:ref'],
  ['/projects/12', '/projects/:ref'],
  ['/leaderboard', '/leaderboard'],
  ['/leaderboard/', '/leaderboard'],
  ['/Portfolio', '/portfolio'],
  ['/Projects/Tide-Pool/', '/projects/:ref'],
  ['/admin', '/admin'],
  ['/nope', '*'],
  ['/projects', '*'],
  ['/projects/a/b', '*'],
])('path %s is the screen %s [S2.3 S2.5 S2.8]', (path, pattern) => {
  expect(screenOf(path).path).toBe(pattern);
});

test('every screen except the project page has a title', () => {
  expect(screenOf('/portfolio').title).toBe('Portfolio');
  expect(screenOf('/projects/x').title).toBeNull();
  expect(documentTitle('Portfolio')).toBe('Portfolio · Snapswipe');
  expect(documentTitle('')).toContain('Swipe. Vote. Earn.');
});
