import { describe, expect, test } from 'vitest';
import type { User } from '#shared/contract/types.ts';
import { draftChanges, draftFaults, toDraft } from './profile-draft.ts';

const user: User = {
  id: 1,
  walletAddress: `0x${'1'.repeat(64)}`,
  username: 'nemo',
  avatarUrl: '/images/abc.webp',
  twitterLink: null,
  telegramLink: 'https://t.me/nemo',
  discordLink: 'https://discord.gg/nemo',
};

describe('[S7.9 R29] what the profile form sends', () => {
  test('nothing when nothing changed, and never the Discord link, which has no input', () => {
    expect(draftChanges(toDraft(user), user)).toEqual({});
  });

  test('only what changed; cleaned, and null for emptied', () => {
    const draft = { ...toDraft(user), username: '  dory ', telegramLink: ' ', avatarUrl: null };
    expect(draftChanges(draft, user)).toEqual({ username: 'dory', telegramLink: null, avatarUrl: null });
  });

  test('a new picture as its data URL', () => {
    const avatarUrl = 'data:image/png;base64,AAAA';
    expect(draftChanges({ ...toDraft(user), avatarUrl }, user)).toEqual({ avatarUrl });
  });
});

test('[R29 S5.8] every bad field is named at once, empty ones are fine', () => {
  expect(draftFaults(toDraft({ ...user, username: null, telegramLink: null }))).toEqual({});
  const faults = draftFaults({
    username: 'a b',
    twitterLink: 'javascript:alert(1)',
    telegramLink: 'https://evil.example',
    avatarUrl: null,
  });
  expect(faults).toEqual({
    username: 'Only letters, digits and _ are allowed',
    twitterLink: 'Use a link that starts with https://x.com/ or https://twitter.com/',
    telegramLink: 'Use a link that starts with https://t.me/',
  });
});
