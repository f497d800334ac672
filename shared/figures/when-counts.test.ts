import { expect, test } from 'vitest';
import { firstMonday, whenCounts } from './when-counts.ts';

const VOTE = {
  state: 'waiting',
  saidAt: '2026-11-25T10:00:00Z',
  daysRead: 0,
  daysHeld: 0,
  isChangeable: true,
} as const;
const VOTER = {
  state: 'waiting',
  oldEnoughAt: '2026-11-20T00:00:00Z',
  daysRead: 7,
  minMist: '1000000000',
} as const;
const AGAIN = 'Say it again to make it count';
const HOLD = 'Counts once you hold 1 SUI for a week, then say it again';

test.each<[string, object, object, string | null]>([
  [
    'of today by a voter with standing',
    { state: 'verified', saidAt: '2026-11-27T00:00:00Z' },
    {},
    'Your vote counts as verified from tomorrow on',
  ],
  ['that is verified', { state: 'verified' }, {}, null],
  ['of a new voter', {}, {}, 'Counts on Monday 30 Nov, if you hold 1 SUI'],
  [
    'of a new voter with another minimum',
    {},
    { minMist: '2500000000' },
    'Counts on Monday 30 Nov, if you hold 2.5 SUI',
  ],
  ['of a new voter who held nothing at the first two readings', { daysRead: 2 }, {}, HOLD],
  ['that was lost, by a voter with standing', {}, { state: 'standing' }, AGAIN],
  ['that was excluded, by a voter with standing', { state: 'no_standing' }, { state: 'standing' }, AGAIN],
  ['of a voter without standing', {}, { state: 'no_standing' }, HOLD],
  ['that cannot be said again', { isChangeable: false }, { state: 'standing' }, null],
  ['that a moderator excluded', { state: 'moderator' }, {}, null],
  ['that a newer one replaced', { state: 'replaced' }, {}, null],
])('a vote %s says when it counts [R38]', (_which, vote, voter, text) => {
  expect(whenCounts({ ...VOTE, ...vote }, { ...VOTER, ...voter }, Date.parse('2026-11-27T09:00:00Z'))).toBe(text);
});

test.each([
  // 29 Nov 2026 is a Sunday.
  ['2026-11-23T00:05:00Z', '2026-11-30T00:05:00Z', 0, '7 Dec'],
  ['2026-11-23T00:05:00Z', '2026-11-30T00:00:00Z', 0, '30 Nov'],
  ['2026-11-24T12:00:00Z', '2026-12-01T11:00:00Z', 0, '7 Dec'],
  ['2026-11-29T12:00:00Z', '2026-12-06T11:00:00Z', 0, '7 Dec'],
  ['2026-11-29T23:55:00Z', '2026-11-20T11:00:00Z', 6, '30 Nov'],
  ['2026-11-29T23:55:00Z', '2026-11-20T11:00:00Z', 5, '7 Dec'],
  ['2026-11-28T23:55:00Z', '2026-11-20T11:00:00Z', 5, '30 Nov'],
  ['2026-08-31T12:00:00Z', '2026-09-07T11:00:00Z', 1, '14 Sept'],
])(
  'at %s an account that is old enough at %s, read on %d days, counts on %s [R38]',
  (now, oldEnoughAt, daysRead, day) => {
    expect(firstMonday({ oldEnoughAt, daysRead }, Date.parse(now))).toBe(day);
  },
);
