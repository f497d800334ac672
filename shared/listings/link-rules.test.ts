import { describe, expect, test } from 'vitest';
import { isDiscordLink, isTelegramLink, isTwitterLink, isWebLink, twitterHandle } from './link-rules.ts';

describe('X handles [R12]', () => {
  test.each([
    ['https://x.com/tidepool', 'tidepool'],
    ['https://twitter.com/Tide_Pool?lang=en', 'Tide_Pool'],
    ['https://www.x.com/tidepool/status/1', 'tidepool'],
    ['https://x.com/@tidepool', 'tidepool'],
    ['https://x.com//tidepool', 'tidepool'],
    ['@tidepool', 'tidepool'],
    [' tidepool ', 'tidepool'],
    ['https://x.com/home_base', 'home_base'],
  ])('%s → %s', (text, handle) => expect(twitterHandle(text)).toBe(handle));

  test.each([
    '',
    '@',
    'https://x.com',
    'https://x.com/',
    'https://x.com/?ref=1',
    'https://x.com/@',
    'two words',
    'a'.repeat(16),
    'https://x.com.evil.example/tidepool',
    'javascript:alert(1)',
    'https://evil.example/tidepool',
    'https://x.com@evil.example/a',
    'https://me:pw@x.com/a',
    'https://x.com:8443/tidepool',
    'https://x.com./a',
    'https://x.com/i/status/1',
    'https://x.com/i/communities/5',
    'https://x.com/home',
    'https://x.com/Home',
    'home',
    '@i',
    ...['intent/tweet', 'share', 'search', 'explore', 'hashtag/sui', 'settings', 'messages'].map(
      (path) => `https://x.com/${path}`,
    ),
  ])('%j does not name an account', (text) => expect(twitterHandle(text)).toBeNull());
});

describe('links [R26]', () => {
  test.each(['https://tidepool.example', 'http://tidepool.example:8080/a?b=c#d'])('accepts %s as a web link', (text) =>
    expect(isWebLink(text)).toBe(true),
  );
  test.each([
    'javascript:alert(1)',
    'data:text/html,hi',
    'ftp://tidepool.example',
    'tidepool.example',
    'https://',
    'https://user:pass@tidepool.example',
    'https://localhost',
    `https://a.example/${'x'.repeat(500)}`,
  ])('rejects %s as a web link', (text) => expect(isWebLink(text)).toBe(false));
});

describe('profile links require their hosts and https, and name an account [R29]', () => {
  test.each([
    [isTwitterLink, ['https://x.com/me', 'https://twitter.com/me', 'https://x.com/me/status/1']],
    [
      isTelegramLink,
      ['https://t.me/me_too', 'https://t.me/+AbCdEf-12', 'https://t.me/joinchat/AbC', 'https://t.me/s/news'],
    ],
    [isDiscordLink, ['https://discord.gg/abc', 'https://discord.com/users/1']],
  ])('%o takes %j', (accepts, links) => expect(links.filter((link) => !accepts(link))).toEqual([]));

  test.each([
    [
      isTwitterLink,
      [
        'http://x.com/me',
        'https://x.com.evil.example/me',
        'javascript:alert(1)',
        'https://t.me/me',
        'https://x.com/',
        'https://x.com',
      ].concat([
        'https://x.com:8443/me',
        'https://a:b@x.com/me',
        'https://x.com/home',
        'https://x.com/i/lists/1',
        'me',
      ]),
    ],
    [
      isTelegramLink,
      [
        'http://t.me/me',
        'https://t.me.evil.example',
        'https://x.com/me',
        'https://telegram.me/me',
        'https://t.me/',
        'https://t.me',
      ].concat([
        'https://t.me:444/me',
        'https://a@t.me/me',
        'https://t.me/share/url?url=x',
        'https://t.me/joinchat',
        'https://t.me/s',
      ]),
    ],
    [
      isDiscordLink,
      [
        'http://discord.gg/a',
        'https://discord.gg/',
        'https://discord.com',
        'https://discord.gg:8/a',
        'https://discord.io/a',
      ],
    ],
  ])('%o refuses %j', (accepts, links) => expect(links.filter((link) => accepts(link))).toEqual([]));
});
