import { expect, test } from 'vitest';
import type { ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { OwnershipProof } from '#shared/contract/ownership.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { toDayCsv } from '#shared/day-rows.ts';
import { type Sort, SORTS } from '#shared/sort-names.ts';
import { MADE_TIME, madeList, madeListed, madePage, madeRow, madeVoter } from '#shared/testing/site.ts';
import { digestText } from '../entries/digest.ts';
import type { OpinionEntry } from '../entries/entries.ts';
import {
  fittingSite,
  FIRST,
  record,
  sealedVersion,
  SECOND,
  SUPPLY,
  TRUST,
  versionsOf,
} from '../testing/fitting-site.ts';
import { verifyMade } from '../testing/record.ts';
import { between, compare } from './compare.ts';
import { TRENDS } from './day-figures.ts';
import { History } from './history.ts';
import { Differences } from './report.ts';
import { endsOf, type Known, type Line, LINES, type Shown } from './shown.ts';
import { checkLine, readProjects } from './site-checks.ts';

const days = { first: '2026-11-20', last: '2026-11-21' };
const newReader = () => readProjects({ trend: () => Promise.resolve(null) }, days);
const reader = newReader();
const found = await verifyMade(record, { onProject: reader.add });
if (!found.recounted) throw new Error('the record can be read');
const { recounted } = found;
const exactly = (count: number) => between(count, count);
const KNOWN: Known = {
  record: found,
  recounted,
  days,
  untilMs: Date.parse('2026-11-22T00:00:00Z'),
  ends: endsOf(found),
  projects: reader.projects,
  counts: new Map(
    recounted.projects.map(({ projectId, bullish, bearish }) => {
      return [projectId, { bullish: exactly(bullish), bearish: exactly(bearish) }];
    }),
  ),
  newer: 0,
  asOf: '2026-11-22T12:00:00Z',
};

const made = fittingSite();
/** A site that shows what its record says, as data that can be changed. Project 3 is hidden. */
const SITE = {
  recount: made.recount(),
  leaderboard: [FIRST, SECOND],
  newest: [SECOND, FIRST],
  open: [FIRST, SECOND].map(madeListed),
  /** The list by 'bullish' in the other orders. */
  sorted: null as ReadonlyMap<Sort, ListedProject[]> | null,
  pages: [madePage(FIRST, null), madePage(SECOND, FIRST)],
  voters: [madeVoter(1, 9), madeVoter(1, 9), madeVoter(3, 2)],
  /** Those of pages that have not changed, by default. */
  versions: null as ReadonlyMap<number, ListingVersion[]> | null,
  openVersions: null as ReadonlyMap<number, ListingVersion[]> | null,
  proofs: new Map<number, OwnershipProof>(),
  days: ['2026-11-21', '2026-11-20'].map((day) => ({ file: made.dayFile(day), csv: null as string | null })),
  trust: TRUST,
  supply: SUPPLY,
};
type SiteData = typeof SITE;

const shownOf = ({ recount, pages, ...site }: SiteData): Shown => {
  const unchanged = new Map(pages.map((page) => [page.id, versionsOf(page)]));
  return {
    recount,
    pages: () => new Map([...pages.map((page, at) => [site.open[at]?.id ?? page.id, page] as const), [99, null]]),
    leaderboard: () => site.leaderboard,
    newest: () => site.newest,
    open: () => site.open,
    sorted: () => site.sorted ?? new Map(SORTS.slice(1).map((sort) => [sort, madeList(site.open, sort)])),
    voters: () => site.voters,
    versions: () => site.versions ?? unchanged,
    openVersions: () => site.openVersions ?? site.versions ?? unchanged,
    proofs: () => new Map(pages.map(({ id }) => [id, site.proofs.get(id) ?? null])),
    days: () => site.days.map(({ file, csv }) => ({ file, csv: csv ?? toDayCsv(file) })),
    trust: () => site.trust,
    supply: () => site.supply,
  };
};
function check(site: Partial<SiteData>, known: Partial<Known> = {}, lines: readonly Line[] = LINES) {
  const checks = lines.map((line) => checkLine(line, shownOf({ ...SITE, ...site }), { ...KNOWN, ...known }));
  return {
    failed: checks.filter(({ state }) => state !== 'ok').map(({ name }) => name),
    differences: checks.flatMap(({ differences }) => differences).join('\n'),
    details: checks.map(({ detail }) => detail).join('\n'),
  };
}

test('a site that shows what its record says has no difference, and hidden projects are counted [R43]', () => {
  const { failed, details } = check({});
  expect(failed).toEqual([]);
  expect(details).toContain('2 projects on leaderboard, lists and pages; 0 votes newer than the record; 1 project not');
  expect(details).toContain('210 Snaps owed, the same as on 2026-11-21');
});

/** Paths of all numbers in the data of a site. */
const numbersIn = (value: unknown, path: string[] = []): string[][] => {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => numbersIn(part, [...path, key]));
};
/** A copy with another value at a path. */
function changed(data: SiteData, path: readonly string[], change: (value: unknown) => unknown): SiteData {
  const copy = structuredClone(data);
  let parent = copy as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  parent[last] = change(parent[last]);
  return copy;
}

const LISTS = ['leaderboard', 'newest', 'open', 'pages'];
const of = (parts: readonly string[], ...names: string[]) =>
  parts.flatMap((part) => names.map((name) => `${part}.${name}`));
/** Numbers that no record fixes: the site's word. */
const BELIEVED = [
  ...of(LISTS, '*.identity', '*.period', '*.verified.bullish', '*.verified.bearish'),
  ...of(['pages'], '*.changes', '*.nextAbove.verified.bullish', '*.rank'),
  ...of(['recount'], 'size', 'votesSince', 'projects.*.since.bullish', 'projects.*.since.bearish'),
  ...of(['supply'], 'entries', 'granted', 'holders'),
  ...of(['trust'], 'freeWallets.bullish', 'freeWallets.verified'),
  ...of(['trust'], 'readings.*.unread', 'readings.*.standing', 'readings.*.wallets', 'readingsDone', 'readingsSkipped'),
  ...of(['voters'], '*.totalVotes', '*.stats.totalVotes', '*.user.id'),
];

test('the check of a site finds each number that is one higher, except those that no record fixes [R13 R43 R58]', () => {
  const missed = numbersIn(SITE).filter(
    (path) => check(changed(SITE, path, (value) => Number(value) + 1)).failed.length === 0,
  );
  const names = new Set(missed.map((path) => path.join('.').replaceAll(/\.\d+/g, '.*')));
  expect([...names].filter((name) => !name.startsWith('trust.rules')).sort()).toEqual(BELIEVED.sort());
});

const FEW = { projectId: 9, period: 1, recorded: { bullish: 1, bearish: 0 }, since: { bullish: 0, bearish: 0 } };
const withRecount = (change: (projects: SiteData['recount']['projects']) => SiteData['recount']['projects']) => ({
  recount: { ...SITE.recount, projects: change(SITE.recount.projects) },
});
const onDay = (change: (projects: SiteData['days'][0]['file']['projects']) => object[], csv: string | null = null) => {
  const file = {
    day: '2026-11-21',
    projects: change(made.dayFile('2026-11-21').projects),
  } as SiteData['days'][0]['file'];
  return { days: [{ file, csv }] };
};
const [firstPage, secondPage] = [madePage(FIRST, null), madePage(SECOND, FIRST)];
const reading = { day: '2026-11-20', skipped: null, wallets: 9, standing: 9, unread: 0 };
const owing = (liabilities: number) => ({
  supply: { ...SUPPLY, issued: liabilities, circulating: liabilities, balances: liabilities, liabilities },
});

test.each<[what: string, site: Partial<SiteData>, failed: Line[], difference: RegExp]>([
  [
    'other periods',
    withRecount((all) => all.map((one) => ({ ...one, period: 2 }))),
    ['Database'],
    /project 1 in period 2/,
  ],
  [
    'votes that are gone',
    withRecount(([, ...rest]) => rest),
    ['Database'],
    /project 1 in period 1: recorded votes bullish 0/,
  ],
  [
    'more votes',
    withRecount((all) => [...all, { ...FEW, digest: '' }]),
    ['Database'],
    /project 9 in period 1: .* bullish 1,/,
  ],
  ['votes counted twice', withRecount((all) => [...all, ...all]), ['Database'], /project 1 in period 1: counts 2/],
  [
    'other votes, as many as recorded',
    withRecount((all) => all.map((one) => ({ ...one, digest: digestText(7n) }))),
    ['Database'],
    /project 1 in period 1: recorded votes digest 0{15}7, by the record digest \w{16}/,
  ],
  [
    'an unlisted page',
    { pages: [firstPage, secondPage, madePage(madeRow(3, 3, 4, 0), FIRST)] },
    ['Site', 'Orders'],
    /project 3 on its page: votes bullish 4, by the record bullish 1\nproject 3 on the leaderboard: is listed false/,
  ],
  [
    'no recent votes',
    { leaderboard: [FIRST, { ...SECOND, now: null }] },
    ['Now'],
    /project 2 on the leaderboard: .* none/,
  ],
  ['too few recent votes', { newest: [{ ...SECOND, now: { bullish: 5, bearish: 4 } }, FIRST] }, ['Now'], /record none/],
  ['a CSV file', onDay((rows) => rows, ''), ['Day files'], /2026-11-21: CSV is the JSON false, by the record true/],
  [
    'a withheld rank',
    onDay((rows) => rows.map((row) => ({ ...row, rank: null }))),
    ['Day files'],
    /rank none, by the record rank 1/,
  ],
  [
    'verified votes of a day',
    onDay((rows) => rows.map((row) => ({ ...row, verified: row }))),
    ['Day files'],
    /2026-11-21, project 1: figures verified bullish 10, share 1,/,
  ],
  ['a project left out', onDay(([, ...rest]) => rest), ['Day files'], /2026-11-21, project 1: is listed false/],
  ['a day in another order', onDay((rows) => rows.toReversed()), ['Day files'], /figures .*isInOrder false/],
  [
    'readings',
    { trust: { ...TRUST, readings: [reading] } },
    ['Trust'],
    /readings of 2026-11-20: wallets read 9, standing 9,/,
  ],
  [
    'replaced votes',
    { trust: { ...TRUST, waiting: 20, replaced: 1 } },
    ['Trust'],
    /replaced: votes 1, by the record 0/,
  ],
  ['fewer Snaps owed', owing(59), ['Supply'], /\/supply: Snaps owed 59, by the record 210/],
  ['more Snaps owed', owing(420), ['Supply'], /\/supply: Snaps owed 420, by the record 210/],
])('the check of a site finds %s [R43 R62 R63]', (_what, site, failed, difference) => {
  const { differences, ...rest } = check(site);
  expect(differences).toMatch(difference);
  expect(rest.failed).toEqual(failed);
});

test('equal counts are unchecked as long as their digests are not computed [R62 R63]', () => {
  const { failed, differences, details } = check(withRecount((all) => all.map((one) => ({ ...one, digest: null }))));
  expect([failed, differences]).toEqual([['Database'], '']);
  expect(details).toContain('are as many as in the record; their digests are not computed yet');
});

test('counters, recent votes, states and Snaps fit that votes since the record explain, and no others [R43 R58]', () => {
  const row = madeRow(2, 2, 7, 5);
  const site = {
    leaderboard: [FIRST, row],
    newest: [row, FIRST],
    open: [FIRST, row].map(madeListed),
    pages: [firstPage, madePage(row, FIRST)],
    trust: { ...TRUST, votes: 23, waiting: 22, replaced: 1 },
    supply: { ...SUPPLY, issued: 225, burned: 5, paid: 10 },
  };
  const counts = (least: number, most: number) =>
    new Map([...KNOWN.counts, [2, { bullish: between(least, most), bearish: exactly(5) }]]);
  expect(check(site, { counts: counts(6, 8), newer: 3 })).toMatchObject({ failed: [], differences: '' });
  expect(check(site, { counts: counts(5, 6), newer: 1 }).failed).toEqual(['Site', 'Now', 'Trust']);
});

test.each([
  ['2026-11-22T12:00:00Z', [22]],
  ['2026-11-23T00:05:00Z', [12, 22]],
  ['2026-11-23T00:20:00Z', [12]],
])(
  "a site may show yesterday's votes of the last 30 days until today is counted: at %s %j [R58 R62]",
  async (asOf, fitting) => {
    const history = new History(1);
    const vote = (day: string) => history.hold({ kind: 'vote', day, bullish: true } as OpinionEntry, null);
    for (let n = 0; n < 10; n += 1) vote('2026-10-24');
    for (let n = 0; n < 12; n += 1) vote('2026-11-20');
    const { projects, add } = newReader();
    await add(history.finish([]));
    const fits = (bullish: number) => {
      const newest = [{ ...FIRST, now: { bullish, bearish: 0 } }];
      return check({ newest, leaderboard: [], open: [], pages: [] }, { asOf, projects }, ['Now']).failed.length === 0;
    };
    expect([12, 22].filter(fits)).toEqual(fitting);
  },
);

const [best, good, even, none] = [madeRow(1, 1, 40, 4), madeRow(2, 2, 8, 2), madeRow(3, 3, 4, 4), madeRow(4, 4, 0, 0)];
const ordered = (rows: typeof SITE.leaderboard, above: ProjectPage['nextAbove'][] = []) => ({
  leaderboard: rows,
  newest: [],
  open: rows.map(madeListed),
  pages: rows.map((row, at) => {
    const page = madePage(row, rows[at - 1] ?? null);
    return above[at] === undefined ? page : { ...page, nextAbove: above[at] };
  }),
});
/** Half of the votes are verified, and three projects have the ten that a rank needs. */
const RANKED = [madeRow(1, 1, 20, 0), madeRow(2, 2, 20, 4), madeRow(3, 3, 20, 8), madeRow(4, null, 8, 0)] as const;
const [top, middle, low, young] = RANKED;
const lacking = [null, ...RANKED.slice(0, 2).map((row) => ({ ...row, votesToRank: 0 })), { ...low, votesToRank: 6 }];

test.each<[what: string, site: Partial<SiteData>, difference: RegExp]>([
  ['nothing in the right order', ordered([best, good, even, none]), /^$/],
  ['nothing in the right order of ranks', ordered([...RANKED], lacking), /^$/],
  ['two rows exchanged', ordered([good, best]), /place 1 of the leaderboard: project 2, by the record 1/],
  ['a project without votes first', ordered([none, best]), /place 1 of the leaderboard: project 4/],
  ['fewer votes first', ordered([madeRow(8, 1, 4, 4), madeRow(9, 2, 6, 6)]), /place 1 of the leaderboard: project 8/],
  [
    'the younger first',
    ordered([{ ...even, createdAt: '2026-01-02T12:00:00Z' }, madeRow(9, 2, 4, 4)]),
    /place 1 .* project 3/,
  ],
  ['a project left out', { ...ordered([best]), newest: [good] }, /^project 2 on the leaderboard: is listed false/],
  ['a missing page', { ...ordered([best]), pages: [] }, /^page of project 1: is listed false/],
  [
    'another project above',
    ordered([best, good, even], [null, null]),
    /project 2 on its page: next project in 'Verified' none/,
  ],
  ['the public list', { newest: [good, best] }, /place 1 of the public list: project 2, by the record 1/],
  ['equal ones in the public list', { newest: [even, madeRow(9, 2, 6, 2)] }, /place 1 of the public list: project 3/],
  [
    'top voters',
    { voters: [madeVoter(1, 2), madeVoter(2, 9)] },
    /place 1 of the top voters: voter rank 1, totalVotes 2/,
  ],
  ['equal voters', { voters: [madeVoter(1, 9), madeVoter(2, 9)] }, /voter rank 2, by the record rank 1/],
  [
    'an early rank',
    ordered([top, middle, low, { ...young, rank: 4 }], lacking),
    /project 4 .*: rank 4, by the record none/,
  ],
  ['a withheld rank', ordered([top, middle, { ...low, rank: null }, young], lacking), /rank none, by the record 3/],
  ['an early place', ordered([young, top, middle, low], lacking), /place 1 of the leaderboard: project 4/],
  [
    'votes that lack',
    ordered([...RANKED], lacking.slice(0, 3)),
    /'Verified' votesToRank 0, by the record votesToRank 6/,
  ],
])('the check of orders finds %s [R27 R43 R44]', (_what, site, difference) => {
  expect(check(site, {}, ['Orders']).differences).toMatch(difference);
});

const picture = 'ab'.repeat(16);
/** The versions of project 1, which was renamed. */
const version = (number: number, part: Partial<ListingVersion> = {}): ListingVersion =>
  sealedVersion(
    { ...FIRST, name: `Frog ${number}`, imageUrl: `/images/${picture}.webp` },
    { number, identity: number, ...part },
  );
const [v1, v2, same2] = [version(1), version(2), version(2, { isSameProject: true, sameAt: LATER })];
const BLANK = { name: null, imageUrl: null, twitterHandle: null, website: null, category: null, description: null };
const QUIET = { changed: undefined, verifiedSince: undefined, rankVotes: undefined };
interface ListingCase {
  shown?: ListingVersion[];
  page?: Partial<ProjectPage>;
  /** Identities that the record calls the same project. */
  same?: number[];
  newer?: number;
  /** The record has a third identity, with two votes, and three about the second. */
  isChangedTwice?: boolean;
}

test.each<[what: string, listing: ListingCase, difference: RegExp]>([
  ['nothing in recorded versions', {}, /^$/],
  ['nothing in newer versions', { shown: [version(3, { identity: 2 }), v2, v1] }, /^$/],
  ['nothing in blanked ones', { shown: [v2, version(1, { ...BLANK, salt: null, isBlanked: true })] }, /^$/],
  ['nothing in confirmed ones', { shown: [same2, v1], same: [2], page: QUIET }, /^$/],
  ['nothing in ones confirmed since', { shown: [same2, v1], page: QUIET }, /^$/],
  ['nothing that newer votes explain', { page: { ...QUIET, rankVotes: 5 }, newer: 3 }, /^$/],
  ['a missing version', { shown: [v2] }, /^version 1 of project 1: version none/],
  ['another name', { shown: [version(2, { name: 'Toad' }), v1] }, /^version 2 of project 1: version isSealed false/],
  ['another picture', { shown: [version(2, { imageUrl: '/images/00.webp' }), v1] }, /version isSealed false/],
  ['another hash', { shown: [v2, version(1, { hash: 'x', isBlanked: true })] }, /version hash x/],
  ['another identity', { shown: [version(2, { identity: 1 }), v1] }, /version identity 1, by the record identity 2/],
  ['an unmentioned confirmation', { same: [2], page: QUIET }, /version isSameProject false/],
  ['an unmentioned change', { page: { changed: undefined } }, /since its change of identity isMentioned false/],
  ['an order by votes before a change', { page: { verifiedSince: undefined } }, /since its change of identity bound/],
  ['an order by too many votes', { page: { verifiedSince: { bullish: 4, bearish: 0 } } }, /of identity bound/],
  [
    'a rank by votes before the last change',
    { isChangedTwice: true, shown: [version(3), v2, v1], page: { rankVotes: 3 } },
    /rankVotes 3, by the record rankVotes 0 to 2/,
  ],
  [
    'a rank by votes before a change',
    { page: { rankVotes: undefined } },
    /rankVotes 8, by the record rankVotes 0 to 2/,
  ],
  [
    'votes that an unchanged project lacks for its rank',
    { shown: [same2, v1], same: [2], page: { ...QUIET, rankVotes: 3 } },
    /rankVotes 3, by the record rankVotes 8/,
  ],
])(
  'the check of versions finds %s [R27 R60 R62]',
  (_what, { shown = [v2, v1], page = {}, same = [], newer = 0, isChangedTwice = false }, difference) => {
    const row = {
      ...FIRST,
      verified: { bullish: 8, bearish: 0 },
      verifiedSince: { bullish: 1, bearish: 0 },
      rankVotes: 1,
      changed: { at: MADE_TIME, what: ['name' as const], name: 'Frog 1', votes: 8 },
      ...page,
    };
    const versions = [v1, v2, ...(isChangedTwice ? [version(3)] : [])].map(({ identity, hash }) => ({
      identity,
      hash,
    }));
    const known = {
      record: { ...found, versions: new Map([[1, { versions, same: new Set(same) }]]) },
      recounted: {
        ...recounted,
        identities: new Map([[1, isChangedTwice ? new Map([[2, 3]]).set(3, 2) : new Map([[2, 2]])]]),
      },
      newer,
    };
    const site = { leaderboard: [], pages: [madePage(row, null)], versions: new Map([[1, shown]]) };
    expect(check(site, known, ['Versions']).differences).toMatch(difference);
  },
);

test.each<[what: string, last: object | null, difference: RegExp, quiet?: number]>([
  ['nothing where they fit', {}, /^$/],
  ['nothing where verified votes are unknown', { verifiedBullish: null, verifiedBearish: null }, /^$/],
  ['counters', { bullish: 9 }, /^trend of project 1 on 2026-11-21: votes bullish 9, by the record bullish 1$/],
  ['votes of a day', { votes: 0 }, /votes votes 0, by the record votes 1/],
  ['votes that turned', { turnedBearish: 1 }, /votes turnedBearish 1, by the record turnedBearish 0/],
  ['verified votes', { verifiedBullish: 1 }, /votes verifiedBullish 1, by the record verifiedBullish 0/],
  ['votes of a quiet day', {}, /on 2026-11-20: votes votes 1, by the record votes 0$/, 1],
  ['a day left out', null, /trend of project 1 on 2026-11-21: votes none, by the record/],
])('the check of trends finds %s [R43]', (_what, last, difference, quiet = 0) => {
  const history = new History(1);
  history.hold({ kind: 'vote', day: '2026-11-19', bullish: false } as OpinionEntry, null);
  history.hold({ kind: 'vote', day: '2026-11-21', bullish: true } as OpinionEntry, null);
  const day = { bearish: 1, votes: 1, turnedBullish: 0, turnedBearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
  const trend = {
    days: [
      { ...day, day: '2026-11-19', bullish: 0 },
      { ...day, day: '2026-11-20', bullish: 0, votes: quiet },
      ...(last ? [{ ...day, day: '2026-11-21', bullish: 1, ...last }] : []),
    ],
  };
  const differences = new Differences();
  compare(TRENDS, { history: history.finish([]), trend }, days, differences);
  expect(differences.check('Trends', '').differences.join('\n')).toMatch(difference);
});
