import { describe, expect, test } from 'vitest';
import { isDiscordLink, isTelegramLink, isTwitterLink, isWebLink, twitterHandle } from '../listings/link-rules.ts';
import { validateUsername } from '../people/profile-rules.ts';
import { isReservedSlug } from './reserved-slugs.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('reserved words in the place of a name', () => {
  test.each(
    words(`i home intent share search explore hashtag settings messages notifications compose login logout signup account about
      tos privacy jobs download oauth who_to_follow`),
  )('%s is a page of X and not an account [R12]', (page) => expect(twitterHandle(`https://x.com/${page}`)).toBeNull());

  test.each(words('share iv proxy socks login setlanguage confirmphone addstickers'))(
    '%s is an action of Telegram and not an account [R29]',
    (action) => expect(isTelegramLink(`https://t.me/${action}`)).toBe(false),
  );

  test.each(
    words(`admin administrator moderator mod mods root system support help staff team official snapswipe snaps sui mysten
      mystenlabs api null undefined anonymous everyone security owner`),
  )('%s is not a valid username [R29]', (name) => expect(validateUsername(name)).toBe('This username is reserved'));

  test.each(
    words(`subscription submit-project profile portfolio projects leaderboard admin api images assets supply wallet update renew
      reviews all new healthz readyz metrics og badge embed insights sitemap robots`),
  )('%s is not a valid address of a project [R23]', (slug) => expect(isReservedSlug(slug)).toBe(true));
});

test.each(['x.com', 'www.x.com', 'mobile.x.com', 'twitter.com', 'www.twitter.com', 'mobile.twitter.com'])(
  '%s is a host of X [R29]',
  (host) => expect(isTwitterLink(`https://${host}/tidepool`)).toBe(true),
);

test.each(['discord.gg', 'www.discord.gg', 'discord.com', 'www.discord.com'])('%s is a host of Discord [R29]', (host) =>
  expect(isDiscordLink(`https://${host}/tidepool`)).toBe(true),
);

test('a link has 500 characters at most [R26]', () => {
  const link = (length: number): string => 'https://a.example/'.padEnd(length, 'x');
  expect(isWebLink(link(500))).toBe(true);
  expect(isWebLink(link(501))).toBe(false);
});

test('a name on t.me begins at the start of its path [R29]', () => {
  expect(isTelegramLink('https://t.me/tide%20pool')).toBe(false);
  expect(isTelegramLink('https://t.me/.tidepool')).toBe(false);
  expect(isTelegramLink('https://t.me/+AbCdEf')).toBe(true);
});

test('a username looks like an address only from its beginning [R29]', () => {
  expect(validateUsername('0xabcd')).toBe('A username cannot look like a wallet address');
  expect(validateUsername('jo0xabcd')).toBeNull();
});
