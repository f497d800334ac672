import { describe, expect, test } from 'vitest';
import { validateProfileField, validateUsername } from './profile-rules.ts';

describe('usernames [R29]', () => {
  test.each(['abc', 'A_1', 'x'.repeat(24)])('takes %s as a username', (name) =>
    expect(validateUsername(name)).toBeNull(),
  );

  test.each(['ab', 'x'.repeat(25), 'with space', 'ümlaut', 'a-b', '<b>hi</b>', '', '😀😀😀'])(
    'refuses %j as a username',
    (name) => {
      expect(validateUsername(name)).toEqual(expect.any(String));
    },
  );

  test.each([
    'admin',
    'ADMIN',
    'Snapswipe',
    'sui',
    'S_U_I',
    'Snapswipe_Admin',
    'snapswipe_fan',
    'official_sui',
    'SuiOfficial',
    'administrator_jo',
    'jo_admin',
    'TheAdmin',
    'theadmin',
    'sysadmin',
    'admin2',
    '4dmin',
    'adm1n_jo',
    '0fficial',
    'Jo_Support',
    'SecurityTeam',
    'supp0rt',
    'staff_7',
    'moderator9',
    'm0derator',
    'the_mods',
    'Snap_Swipe',
    'sn4pswipe',
  ])('%s is reserved', (name) => expect(validateUsername(name)).toBe('This username is reserved'));

  test.each([
    'admiral',
    'Admiral_Nelson',
    'badminton',
    'sui_fan',
    'SuiLover',
    'suited',
    'team_rocket',
    'root_beer',
    'helper',
    'supporter',
    'insecurity',
    'model',
    'modern',
    'commander',
    'staffordshire',
    'unofficial',
    'api_rookie',
    'nullwake',
    'snappy',
    'snaps_hot',
    'swiper',
    'systemic',
    'mod_squad',
    'downer',
    'jo1990',
    'BadMinton',
    '0xjohn',
  ])('%s is an ordinary name', (name) => expect(validateUsername(name)).toBeNull());

  test.each(['0x03ef74', '0xDEADBEEF', '0x03ef_74', '0x_1234_abcd'])('%s looks like an address', (name) =>
    expect(validateUsername(name)).toBe('A username cannot look like a wallet address'),
  );
});

test('an empty profile field is fine, and a bad link gets an example of a good one [S5.8]', () => {
  for (const field of ['username', 'twitterLink', 'telegramLink', 'discordLink'] as const)
    expect(validateProfileField(field, '')).toBeNull();
  expect(validateProfileField('twitterLink', 'https://x.com/')).toBe('Enter a link like https://x.com/yourname');
  expect(validateProfileField('telegramLink', 'https://telegram.me/me')).toBe(
    'Enter a link like https://t.me/yourname',
  );
  expect(validateProfileField('discordLink', 'https://discord.gg')).toBe(
    'Enter a link like https://discord.gg/yourserver',
  );
});
