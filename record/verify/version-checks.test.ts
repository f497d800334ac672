import { expect, test } from 'vitest';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { toBase64Url } from '../entries/base64url.ts';
import { versionHash } from '../entries/sealed.ts';
import { VersionChecker } from './version-checks.ts';

const salt = new Uint8Array(16).fill(7);
const picture = 'ab'.repeat(16);

function version(number: number, part: Partial<ListingVersion> = {}): ListingVersion {
  const texts = { name: `Frog ${number}`, website: 'https://frog.example', category: 'Meme', description: 'Croaks' };
  const hash = versionHash({ ...texts, handle: 'frog', picture }, salt);
  return {
    ...texts,
    number,
    identity: number,
    createdAt: '2026-11-01T00:00:00.000Z',
    imageUrl: `/images/${picture}.webp`,
    twitterHandle: 'frog',
    isBlanked: false,
    isSameProject: false,
    salt: toBase64Url(salt),
    hash,
    ...part,
  };
}
const recorded = (same: number[] = []) => ({
  versions: [1, 2].map((number) => ({ identity: number, hash: version(number).hash })),
  same: new Set(same),
});
function differencesOf(shown: ListingVersion[], same: number[] = []): readonly string[] {
  const checker = new VersionChecker();
  checker.compare(9, recorded(same), shown);
  return checker.check().differences;
}

const BLANK = { name: null, imageUrl: null, twitterHandle: null, website: null, category: null, description: null };

test('accepts versions as recorded, blanked ones, and newer ones [R60 R63]', () => {
  expect(differencesOf([version(3), version(2), version(1)])).toEqual([]);
  expect(differencesOf([version(2), version(1, { ...BLANK, salt: null, isBlanked: true })])).toEqual([]);
  expect(differencesOf([version(2, { isSameProject: true }), version(1)], [2])).toEqual([]);
});

test.each<[what: string, shown: ListingVersion[], same: number[], difference: RegExp]>([
  ['a version that is missing', [version(2)], [], /version 1 of project 9 is in the record and not on the site/],
  ['another name', [version(2, { name: 'Toad' }), version(1)], [], /version 2 of project 9 shows other content/],
  ['another picture', [version(2, { imageUrl: '/images/00.webp' }), version(1)], [], /shows other content/],
  ['another hash', [version(2), version(1, { hash: 'x', isBlanked: true })], [], /another hash or identity/],
  ['another identity', [version(2, { identity: 1 }), version(1)], [], /another hash or identity/],
  ['a confirmation that is kept quiet', [version(2), version(1)], [2], /confirmed as the same project/],
])('finds %s [R60 R63]', (_what, shown, same, difference) => {
  expect(differencesOf(shown, same)).toEqual([expect.stringMatching(difference)]);
});

const page = (part: Partial<ProjectPage> = {}) => ({
  id: 9,
  totalVotes: 10,
  verified: { bullish: 8, bearish: 0 },
  verifiedSince: { bullish: 1, bearish: 0 },
  rankVotes: 1,
  changed: { at: '2026-11-01T00:00:00.000Z', what: ['name' as const], name: 'Frog 1', votes: 8 },
  ...part,
});
function figureDifferences(
  part: Partial<ProjectPage>,
  { newer = 0, same = [], shown = [] }: { newer?: number; same?: number[]; shown?: ListingVersion[] } = {},
): readonly string[] {
  const checker = new VersionChecker();
  const votes = { total: 10, byIdentity: new Map([[2, 2]]), newer };
  checker.compareFigures(page(part), recorded(same), shown, votes);
  return checker.check().differences;
}
const QUIET = { changed: undefined, verifiedSince: undefined, rankVotes: undefined };

test('accepts figures that a change of identity lowers, and others where newer votes or a moderator allow them [R60 R62]', () => {
  expect(figureDifferences({})).toEqual([]);
  expect(figureDifferences({ ...QUIET, rankVotes: 5 }, { newer: 3 })).toEqual([]);
  expect(figureDifferences(QUIET, { same: [2] })).toEqual([]);
  expect(figureDifferences(QUIET, { shown: [version(2, { isSameProject: true })] })).toEqual([]);
});

test.each<[what: string, part: Partial<ProjectPage>, difference: RegExp]>([
  ['a change that the page does not mention', { changed: undefined }, /does not mention its change to identity 2/],
  ['a rank by the votes before a change', { verifiedSince: undefined }, /ranks in 'Verified' by more than its votes/],
  ['a rank by more votes than since', { verifiedSince: { bullish: 4, bearish: 0 } }, /ranks in 'Verified' by more/],
  ['a rank by votes before a change', { rankVotes: undefined }, /counts more votes for a rank than it has since/],
])('finds %s [R60 R62]', (_what, part, difference) => {
  expect(figureDifferences(part)).toEqual([expect.stringMatching(difference)]);
});

test('finds a project without a change of identity that is denied a rank [R27 R43]', () => {
  expect(figureDifferences({ ...QUIET, rankVotes: 3 }, { same: [2] })).toEqual([
    'project 9 counts 3 of 8 verified votes for a rank without a change',
  ]);
});
