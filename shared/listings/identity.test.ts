import { expect, test } from 'vitest';
import { changedText } from './change-text.ts';
import { type IdentityChange, mentionedChange, verifiedSince } from './identity.ts';

const change = (part: Partial<IdentityChange>): IdentityChange => ({
  changedAt: '2026-11-01T00:00:00.000Z',
  what: ['name'],
  oldName: 'Quiet Frog',
  votesBefore: 31,
  bullish: 0,
  bearish: 0,
  ...part,
});
const VOTES = { bullish: 40, bearish: 3 };
const textOf = (changes: IdentityChange[], votes = VOTES): string | undefined => {
  const mentioned = mentionedChange(votes, changes);
  return mentioned && changedText(votes.bullish + votes.bearish, mentioned);
};

test('mentions a change until half of the votes are younger [R60]', () => {
  expect(textOf([change({})])).toBe('31 of 43 votes were cast before it was renamed from Quiet Frog');
  expect(textOf([change({ votesBefore: 22 })])).toContain('22 of 43 votes');
  expect(textOf([change({ votesBefore: 21 })])).toBeUndefined();
  expect(textOf([change({ votesBefore: 1 })], { bullish: 1, bearish: 0 })).toContain('1 of 1 vote was cast');
  expect(textOf([change({ votesBefore: 0 })], { bullish: 0, bearish: 0 })).toBeUndefined();
  expect(textOf([])).toBeUndefined();
});

test('names what changed, and never more votes than there are [R60]', () => {
  const picture = change({ what: ['picture'], oldName: null });
  expect(textOf([picture])).toBe('31 of 43 votes were cast before its picture changed');
  expect(textOf([change({ what: ['handle', 'website'], oldName: null, votesBefore: 44 })])).toBe(
    '43 of 43 votes were cast before its X account and website changed',
  );
  expect(textOf([change({ oldName: null })])).toContain('before its name changed');
});

test('no later change hides an earlier name [R60]', () => {
  const picture = change({ what: ['picture'], oldName: null, votesBefore: 43 });
  expect(textOf([change({}), picture])).toContain('renamed from Quiet Frog');
  expect(textOf([picture, change({})])).toContain('renamed from Quiet Frog');
  expect(textOf([change({}), change({ oldName: 'For a Minute', votesBefore: 43 })])).toContain('from Quiet Frog');
});

test('leaves out a name that no counted voter saw [R60]', () => {
  const [first, back] = [change({ oldName: null, votesBefore: 4 }), change({ oldName: 'Sable Two', votesBefore: 4 })];
  const votes = { bullish: 4, bearish: 0 };
  expect(textOf([first, back], votes)).toBe('4 of 4 votes were cast before its name changed');
  expect(textOf([first, { ...back, votesBefore: 5 }], { bullish: 5, bearish: 0 })).toContain('renamed from Sable Two');
  const unseen = change({ oldName: 'For a Minute', votesBefore: 0 });
  expect(textOf([unseen, change({})])).toContain('renamed from Quiet Frog');
});

test('ranks by the lower bound until as many verified votes exist since as before [R60]', () => {
  const all = { bullish: 30, bearish: 10 };
  expect(verifiedSince(all, [])).toBeUndefined();
  expect(verifiedSince(all, [{ bullish: 0, bearish: 0 }])).toEqual({ bullish: 0, bearish: 0 });
  expect(verifiedSince(all, [{ bullish: 10, bearish: 9 }])).toEqual({ bullish: 10, bearish: 9 });
  expect(verifiedSince(all, [{ bullish: 10, bearish: 10 }])).toBeUndefined();
  expect(verifiedSince(all, [{ bullish: 19, bearish: 0 }])).toBeUndefined();
  expect(verifiedSince({ bullish: 0, bearish: 0 }, [{ bullish: 0, bearish: 0 }])).toBeUndefined();
});

test('a further change gains nothing: the lowest of all bounds ranks [R60]', () => {
  const all = { bullish: 65, bearish: 35 };
  const washed = [
    { bullish: 5, bearish: 30 },
    { bullish: 5, bearish: 0 },
  ];
  expect(verifiedSince(all, washed)).toEqual({ bullish: 5, bearish: 30 });
});
