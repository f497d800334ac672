import { expect, test } from 'vitest';
import { leadingShare } from './leading-share.ts';

const ALL = { bullish: 18, bearish: 13 };

test('puts the share of the verified votes first from ten of them on, with all votes beside it [R44]', () => {
  expect(leadingShare(ALL, { bullish: 11, bearish: 12 })).toEqual({
    votes: { bullish: 11, bearish: 12 },
    percentage: 48,
    sample: 'of 23 verified votes',
    beside: '58% of all 31 votes',
    brief: '58% of all votes',
  });
  expect(leadingShare(ALL, { bullish: 3, bearish: 7 })).toMatchObject({ percentage: 30 });
});

test('puts the share of all votes first below ten verified votes, with these beside it [R44]', () => {
  expect(leadingShare(ALL, { bullish: 3, bearish: 6 })).toEqual({
    votes: ALL,
    percentage: 58,
    sample: 'of 31 votes',
    beside: '33% of 9 verified votes',
    brief: '9 verified',
  });
  expect(leadingShare({ bullish: 1, bearish: 0 }, { bullish: 0, bearish: 0 })).toMatchObject({
    percentage: 100,
    sample: 'of 1 vote',
    beside: 'none verified',
    brief: 'none verified',
  });
  expect(leadingShare({ bullish: 0, bearish: 0 }, { bullish: 0, bearish: 0 })).toBeNull();
});
