import { expect, test } from 'vitest';
import { nextItem } from '../ui/menu.tsx';
import { imageSrcSet } from './project/project-image.tsx';
import { ordinal } from './values/rank-badge.tsx';
import { distanceToNow } from './values/relative-time.tsx';
import { displayName } from './user/user-avatar.tsx';

test('ranks are written 1st, 2nd, 3rd … [S2.37]', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '103rd',
    '111th',
  ]);
});

test('without a name the address is shown, first 6 and last 4 characters [S2.16 S9.12]', () => {
  const walletAddress = `0x1234${'0'.repeat(56)}cdef`;
  expect(displayName({ username: 'ana', walletAddress })).toBe('ana');
  expect(displayName({ username: null, walletAddress })).toBe('0x1234...cdef');
});

test('a stored image names its smaller copies, any other URL none [R25]', () => {
  expect(imageSrcSet('/images/ab12.webp')).toBe(
    '/images/ab12-96.webp 96w, /images/ab12-192.webp 192w, /images/ab12-320.webp 320w, /images/ab12-640.webp 640w',
  );
  expect(imageSrcSet('https://example.org/images/a.webp')).toBeUndefined();
  expect(imageSrcSet('data:image/png;base64,AA==')).toBeUndefined();
});

test('arrows go round the menu, Home and End to its ends [S2.10]', () => {
  expect(nextItem('ArrowDown', 3, 4)).toBe(0);
  expect(nextItem('ArrowUp', 0, 4)).toBe(3);
  expect(nextItem('Home', 2, 4)).toBe(0);
  expect(nextItem('End', 0, 4)).toBe(3);
  expect(nextItem('a', 0, 4)).toBeNull();
});

test("times show the distance to now, '... ago', never the future [S9.16]", () => {
  const nowMs = Date.UTC(2026, 0, 31);
  const ago = (ms: number) => distanceToNow(nowMs - ms, nowMs);
  expect(ago(5_000)).toBe('less than a minute ago');
  expect(ago(60_000)).toBe('1 minute ago');
  expect(ago(59 * 60_000)).toBe('about 1 hour ago');
  expect(ago(3 * 3_600_000)).toBe('about 3 hours ago');
  expect(ago(2 * 86_400_000)).toBe('2 days ago');
  expect(ago(400 * 86_400_000)).toBe('about 1 year ago');
  // Their clock is ahead of ours.
  expect(ago(-3_000)).toBe('less than a minute ago');
});
