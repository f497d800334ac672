import { expect, test } from 'vitest';
import type { User } from '#shared/contract/types.ts';
import { draftChanges, draftErrors, toDraft } from './profile-draft.ts';

const user: User = {
  id: 1,
  walletAddress: `0x${'1'.repeat(64)}`,
  username: 'nemo',
  avatarUrl: '/images/abc.webp',
  twitterLink: null,
  telegramLink: 'https://t.me/nemo',
  discordLink: 'https://discord.gg/nemo',
};

test('an unchanged profile sends nothing [S7.9 R29]', () => {
  expect(draftChanges(toDraft(user), user)).toEqual({});
});

test('a changed profile sends cleaned fields, and null for emptied ones [S7.9 R29]', () => {
  const draft = { ...toDraft(user), username: '  dory ', telegramLink: ' ', avatarUrl: null };
  expect(draftChanges(draft, user)).toEqual({ username: 'dory', telegramLink: null, avatarUrl: null });
});

test('a new picture is sent as its data URL [S7.9 R29]', () => {
  const avatarUrl = 'data:image/png;base64,AAAA';
  expect(draftChanges({ ...toDraft(user), avatarUrl }, user)).toEqual({ avatarUrl });
});

test('every invalid field of a profile is reported at once, and empty ones are valid [R29 S5.8]', () => {
  expect(draftErrors(toDraft({ ...user, username: null, telegramLink: null }), user)).toEqual({});
  const bad = {
    username: 'a b',
    twitterLink: 'javascript:alert(1)',
    telegramLink: 'https://evil.example',
    avatarUrl: null,
  };
  const errors = draftErrors(bad, user);
  expect(errors).toEqual({
    username: 'Only letters, digits and _ are allowed',
    twitterLink: 'Enter a link like https://x.com/yourname',
    telegramLink: 'Enter a link like https://t.me/yourname',
  });
});

test('profile values accepted under earlier rules do not block saving others [R29]', () => {
  const early = { ...user, username: 'sui_official', telegramLink: 'https://telegram.me/nemo' };
  expect(draftErrors({ ...toDraft(early), twitterLink: 'https://x.com/nemo' }, early)).toEqual({});
  expect(draftErrors({ ...toDraft(early), username: 'sui_support' }, early)).toHaveProperty('username');
});
