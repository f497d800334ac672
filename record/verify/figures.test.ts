import { expect, test } from 'vitest';
import type { ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import type { OwnershipProof } from '#shared/contract/ownership.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { toDayCsv } from '#shared/figures/day-rows.ts';
import { type Sort, SORTS } from '#shared/listings/sort-names.ts';
import { MADE_TIME, madeList, madeListed, madePage, madeRow, madeVoter } from '#shared/testing/site.ts';
import { toBase64Url } from '../entries/base64url.ts';
import { digestText } from '../entries/digest.ts';
import { ownerHash } from '../entries/sealed.ts';
import type { OpinionEntry } from '../entries/entries.ts';
import {
  fittingSite,
  FIRST,
  madeDoors,
  madeShare,
  REACH,
  record,
  sealedVersion,
  SECOND,
  SUPPLY,
  TRUST,
  versionsOf,
} from '../testing/fitting-site.ts';
import { BELIEVED } from './believed.ts';
import { shareIn } from './doors.ts';
import { verifyMade } from '../testing/record.ts';
import { between, compare } from './compare.ts';
import { TRENDS } from './day-figures.ts';
import { History } from './history.ts';
import type { ListingFacts } from './listing-facts.ts';
import { Differences } from './report.ts';
import { type Door, endsOf, type Known, type Line, LINES, type Shown } from './shown.ts';
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
  verifierKey: record.verifierKey,
  recounted,
  days,
  ends: endsOf(found),
  projects: reader.projects,
  counts: new Map(
    recounted.projects.map(({ projectId, bullish, bearish }) => {
      return [projectId, { bullish: exactly(bullish), bearish: exactly(bearish) }];
    }),
  ),
  cachedCounts: new Map(),
  newer: 0,
  asOf: '2026-11-22T12:00:00Z',
  claim: null,
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
  proofs: new Map<number, OwnershipProof>(),
  days: ['2026-11-21', '2026-11-20'].map((day) => ({ file: made.dayFile(day), csv: null as string | null })),
  trust: TRUST,
  supply: SUPPLY,
  reach: REACH,
  /** Those of the pages. */
  doors: null as Door[] | null,
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
    proofs: () => new Map(pages.map(({ id }) => [id, site.proofs.get(id) ?? null])),
    days: () => site.days.map(({ file, csv }) => ({ file, csv: csv ?? toDayCsv(file) })),
    trust: () => site.trust,
    supply: () => [['/supply', site.supply]],
    reach: () => site.reach,
    doors: () => site.doors ?? pages.flatMap(madeDoors),
    openRecord: () => ({ verifierKey: record.verifierKey }) as RecordSummary,
  };
};
function check(site: Partial<SiteData>, known: Partial<Known> = {}, lines: readonly Line[] = LINES) {
  const data = { ...SITE, ...site };
  const { counts = KNOWN.counts } = known;
  const all = { ...KNOWN, cachedCounts: counts, ...known };
  const checks = lines.map((line) => checkLine(line, shownOf(data), all));
  return {
    failed: checks.filter(({ state }) => state !== 'ok').map(({ name }) => name),
    differences: checks.flatMap(({ differences }) => differences).join('\n'),
    details: checks.map(({ detail }) => detail).join('\n'),
  };
}

test('a site that shows what its record says has no difference, and hidden projects are counted [R43]', () => {
  const { failed, details, differences } = check({});
  expect([failed, differences]).toEqual([[], '']);
  expect(details).toContain('2 projects on leaderboard, lists and pages; 0 votes newer than the record; 1 project not');
  expect(details).toContain('210 Snaps owed at the end of 2026-11-21, for 21 votes');
});

test('the reach shown to owners before they pay follows from the record [R62 R92]', () => {
  const pages = [madePage(FIRST, null), madePage(SECOND, FIRST)].map((page) => ({
    ...page,
    createdAt: '2026-11-15T08:00:00.000Z',
  }));
  const readings = [{ kind: 'standing' as const, day: '2026-11-21', found: { read: 3, standing: 3 } }];
  const trust = { ...TRUST, readings: [], readingsDone: 1 };
  const checkReach = (reach: Partial<SiteData['reach']>) => {
    const site = { pages, trust, reach: { ...SITE.reach, voters: 13, listings: 2, firstWeekVotes: 10, ...reach } };
    const { differences } = check(site, { record: { ...found, readings } }, ['Trust']);
    return differences.split('\n').filter((line) => line.includes('/reach'));
  };
  expect(checkReach({})).toEqual([]);
  expect(checkReach({ firstWeekVotes: 11 }).join()).toMatch(/firstWeekVotes 11, by the record firstWeekVotes 10/);
  // One of the listings is hidden by now.
  expect(checkReach({ listings: 3, firstWeekVotes: 11 })).toEqual([]);
  expect(checkReach({ listings: 4 }).join()).toMatch(/listings 4, by the record listings 2 to 3/);
  expect(checkReach({ listings: 1 }).join()).toMatch(/listings 1, by the record listings 2/);
  // The newest reading read three, and ten votes are of its day.
  expect(checkReach({ voters: 14 }).join()).toMatch(/voters 14, by the record voters 0 to 13/);
});

test('verified votes equal the record in every place, and never exceed the live votes of their side [R13 R62 R94]', () => {
  const withVerified = (bullish: number, bullishCount: number, excludedSince = 0) => {
    const shown = { verified: { bullish, bearish: 0 }, bullishCount, totalVotes: bullishCount, excludedSince };
    const pages = SITE.pages.map((one, at) => (at === 0 ? { ...one, ...shown } : one));
    const { differences } = check({ pages }, { newer: 99 }, ['Site']);
    return differences.split('\n').filter((line) => line.includes('verified votes'));
  };
  expect([withVerified(5, 10), withVerified(3, 3)]).toEqual([[], []]);
  expect(withVerified(6, 10).join()).toMatch(/page: verified votes bullish 6, by the record bullish 5/);
  expect(withVerified(4, 10).join()).toMatch(/page: verified votes bullish 4, by the record bullish 5/);
  // Fewer only by as many as it says were excluded since.
  expect(withVerified(4, 10, 1)).toEqual([]);
  expect(withVerified(3, 10, 1).join()).toMatch(/page: verified votes bullish 3, by the record bullish 4/);
});

/** Paths of all numbers in the data of a site. */
const numbersIn = (value: unknown, path: string[] = []): string[][] => {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => numbersIn(part, [...path, key]));
};
/** A copy with another value at a path. */
function changed(data: Partial<SiteData>, path: readonly string[], change: (value: unknown) => unknown): SiteData {
  const copy = structuredClone(data) as SiteData;
  let parent = copy as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  parent[last] = change(parent[last]);
  return copy;
}

test('finds any number that is one too high, except those listed as believed [R13 R43 R62]', () => {
  const data = { ...SITE, doors: SITE.pages.flatMap(madeDoors) };
  const isFound = (path: readonly string[]): boolean =>
    check(changed(data, path, (value) => Number(value) + 1)).failed.length > 0;
  const names = numbersIn(data).flatMap((path) => (isFound(path) ? [] : path.join('.').replaceAll(/\.\d+/g, '.*')));
  // Rules that the operator sets, which are the same everywhere; numbers that only the made-up data have.
  const missed = new Set(names.filter((name) => !/^trust\.rules|^doors\.\*\.id$|^pages.*\.rank$/.test(name)));
  expect([...missed].sort()).toEqual(BELIEVED.flatMap(({ numbers = [] }) => numbers).sort());
});

/** Only pages show the projects. */
const NO_LISTS = { leaderboard: [], newest: [], open: [] };
const FACTS_OF_1 = found.listings.get(1) ?? {
  versions: [],
  same: new Map(),
  blanked: new Map(),
  owner: null,
  reasons: new Map(),
};
const ownerEntry = ({ state, hash }: OwnershipProof): ListingFacts['owner'] => ({
  kind: 'owner',
  day: '2026-11-20',
  projectId: 1,
  state: state as 'proven' | 'lost',
  hash,
  batch: 0,
});

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
const owed = (liabilities: number) => ({ circulating: liabilities, balances: liabilities, liabilities });
const owing = (liabilities: number) => ({
  supply: { ...SUPPLY, issued: liabilities, ...owed(liabilities) },
});

const figures = { bullish: 10, bearish: 0, verified: { bullish: 5, bearish: 0 }, now: { bullish: 10, bearish: 0 } };
const shows = (change: Partial<typeof figures> | null): Partial<SiteData> => ({
  doors: [{ where: 'look-up of frog', id: 1, figures: change && { ...figures, ...change } }],
});
const states = (line: string): Partial<SiteData> => ({
  doors: [{ where: 'badge of project 1', id: 1, share: shareIn(line) }],
});
const sold = (row: typeof FIRST) => ({ ...row, listing: { ...row.listing, source: 'paid' as const } });

test('reads the share from its line in a drawing, in any number format [R62]', () => {
  expect(shareIn(`${madeShare(firstPage)}, likely 72–100%`)).toEqual({ percentage: 100, votes: 10, isVerified: false });
  expect(shareIn('7% bullish of 1,234 verified votes')).toEqual({ percentage: 7, votes: 1234, isVerified: true });
  expect(shareIn('0% bullish of 1 vote')).toEqual({ percentage: 0, votes: 1, isVerified: false });
  for (const line of ['No votes yet', '', undefined, 'Frog: 99% bullish of 5 votes']) expect(shareIn(line)).toBeNull();
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
    'other votes, as many as recorded',
    withRecount((all) => all.map((one) => ({ ...one, digest: digestText(7n) }))),
    ['Database'],
    /project 1 in period 1: recorded votes digest 0{15}7, by the record digest \w{16}/,
  ],
  [
    'an unlisted page',
    { pages: [firstPage, secondPage, madePage(madeRow(3, 3, 4, 0), FIRST)] },
    ['Site', 'Orders', 'Copies'],
    /project 3 on its page: votes bullish 4, by the record bullish 1\n[^]*\nproject 3 on the leaderboard: is listed false/,
  ],
  [
    'no recent votes',
    { leaderboard: [FIRST, { ...SECOND, now: null }] },
    ['Now'],
    /project 2 on the leaderboard: .* none/,
  ],
  ['a CSV file', onDay((rows) => rows, ''), ['Day files'], /2026-11-21: CSV is the JSON false, by the record true/],
  [
    'a withheld rank',
    onDay((rows) => rows.map((row) => ({ ...row, rank: null }))),
    ['Day files'],
    /rank none, by the record rank 1/,
  ],
  ['a project left out', onDay(([, ...rest]) => rest), ['Day files'], /2026-11-21, project 1: is listed false/],
  ['a day in another order', onDay((rows) => rows.toReversed()), ['Day files'], /figures .*isInOrder false/],
  [
    'readings',
    { trust: { ...TRUST, readings: [reading] } },
    ['Trust'],
    /readings of 2026-11-20: wallets read 9, standing 9,/,
  ],
  ['a reach of another day', { reach: { ...SITE.reach, day: '2026-11-20' } }, ['Trust'], /reach: .* day 2026-11-20/],
  ['fewer Snaps owed', owing(200), ['Supply'], /\/supply: Snaps issued 200, .*, by the record issued 210, /],
  ['more Snaps owed', owing(220), ['Supply'], /\/supply: Snaps issued 220, /],
  ['a supply of another day', { supply: { ...SUPPLY, day: '2026-11-22' } }, ['Supply'], /Snaps day 2026-11-22, by/],
  ['more votes', shows({ bullish: 510 }), ['Copies'], /look-up of frog: figures bullish 510, by the record bullish 10/],
  [
    'recent votes withheld',
    shows({ now: null as never }),
    ['Copies'],
    /figures now none, by the record now bullish 10/,
  ],
  ['nothing', shows(null), ['Copies'], /look-up of frog: figures none/],
  ['all votes as verified ones', states('100% bullish of 10 verified votes'), ['Copies'], /share isVerified true/],
  ['a withheld badge', states(''), ['Copies'], /badge of project 1: share none/],
  [
    'another source of a listing',
    { leaderboard: [sold(FIRST), SECOND] },
    ['Site'],
    /project 1 on the leaderboard: facts listing source paid, by the record listing source free/,
  ],
  [
    'another end of a listing',
    { newest: [SECOND, { ...FIRST, expiresAt: '2027-01-01T00:00:00.000Z' }] },
    ['Site'],
    /project 1 in the public list: facts expiresAt 2027/,
  ],
  [
    'withheld recent votes',
    { newest: [SECOND, { ...FIRST, now: undefined } as never] },
    ['Now'],
    /project 1 in the public list: votes of the last 30 days none/,
  ],
  [
    'withheld votes of a day',
    { trust: { ...TRUST, days: TRUST.days.slice(1) } },
    ['Trust'],
    /\/trust of 2026-11-20: votes none, by the record votes 11/,
  ],
  [
    'withheld readings',
    { trust: { ...TRUST, readings: TRUST.readings.slice(1) } },
    ['Trust'],
    /readings of 2026-11-21: wallets none, by the record skipped/,
  ],
  [
    'a higher threshold of SUI',
    { trust: { ...TRUST, rules: { ...TRUST.rules, minMist: '5' } } },
    ['Trust'],
    /project 1 on its page: rules minMist 1, by the record minMist 5/,
  ],
  [
    'other rules',
    { trust: { ...TRUST, rules: { ...TRUST.rules, neededDays: 5 } } },
    ['Trust'],
    /rules neededDays 5, by the record neededDays 6/,
  ],
  [
    'fewer Snaps issued and burned',
    { supply: { ...SUPPLY, issued: 200, burned: -10 } },
    ['Supply'],
    /Snaps burned -10, issued 200, by the record burned 0, issued 210/,
  ],
  [
    'Snaps burned that nobody is owed',
    { supply: { ...SUPPLY, burned: 100, ...owed(110) } },
    ['Supply'],
    /Snaps burned 100, liabilities 110, circulating 110, balances 110, by the record burned 0, /,
  ],
  [
    'Snaps of lost votes that the record does not name',
    { supply: { ...SUPPLY, issued: 200, lost: 10, ...owed(200) } },
    ['Supply'],
    /Snaps lost 10, issued 200, .*by the record lost 0, issued 210/,
  ],
  [
    'figures of a day withheld',
    onDay((rows) => rows.map((row) => ({ ...row, verified: null, now: null, rankVotes: null }))),
    ['Day files'],
    /2026-11-21, project 1: figures .*verified none.*now none/,
  ],
])('the check of a site finds %s [R43 R44 R62]', (_what, site, failed, difference) => {
  const { differences, ...rest } = check(site);
  expect(differences).toMatch(difference);
  expect(rest.failed).toEqual(failed);
});

test('votes that a site showed as newer than the record must be in a later batch, and be shown until then [R62]', () => {
  const arrived = (opinions: number, size = record.size - 1, asOf = '2026-11-21T12:00:00Z') =>
    check(
      withRecount((all) => all.map((one) => ({ ...one, votes: 7 }))),
      { claim: { size, asOf, restores: [], opinions: { 2: opinions } } },
      ['Site'],
    ).differences;
  // Ten are recorded; five of a moment may have been undone.
  expect(arrived(15)).toBe('');
  expect(arrived(16)).toMatch(/^project 2: votes after those of the last check 10, by the record 11 or more$/);
  // No batch has ended since: the seven that are newer now count.
  for (const before of [arrived(22, record.size), arrived(22, record.size - 1, '2026-11-22T00:00:00Z')])
    expect(before).toBe('');
  expect(arrived(23, record.size)).toMatch(/^project 2: votes after those of the last check 17, /);
});

test('live counts differ from the record by no more than the newer votes of their project [R62]', () => {
  const differing = (bullish: number) =>
    check(
      withRecount((all) =>
        all.map((one) =>
          one.projectId === 2 ? { ...one, votes: 3, since: { bullish, bearish: -3 } } : { ...one, votes: 900 },
        ),
      ),
      {},
      ['Site'],
    ).differences;
  expect(differing(3)).toBe('');
  expect(differing(4)).toBe('bullish of project 2: difference by newer votes 4, by the record -3 to 3');
});

test('equal counts are unchecked as long as their digests are not computed [R62 R63]', () => {
  const { failed, differences, details } = check(withRecount((all) => all.map((one) => ({ ...one, digest: null }))));
  expect([failed, differences]).toEqual([['Database'], '']);
  expect(details).toContain('are as many as in the record; their digests are not computed yet');
});

test('accepts counters that votes since the record explain, and no others [R43 R62]', () => {
  const row = { ...madeRow(2, 2, 7, 5), verified: SECOND.verified, now: SECOND.now };
  const site = {
    leaderboard: [FIRST, row],
    newest: [row, FIRST],
    open: [FIRST, row].map(madeListed),
    pages: [firstPage, madePage(row, FIRST)],
  };
  const counts = (least: number, most: number) =>
    new Map([...KNOWN.counts, [2, { bullish: between(least, most), bearish: exactly(5) }]]);
  const { failed, differences } = check(site, { counts: counts(6, 8), newer: 3 });
  expect([failed, differences]).toEqual([[], '']);
  expect(check(site, { counts: counts(5, 6), newer: 1 }).failed.join()).toBe('Site,Copies');
});

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
  ['the public list', { newest: [FIRST, SECOND] }, /place 1 of the public list: project 1, by the record 2/],
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

const trending = (rows: ListedProject[]) => ({ sorted: new Map([['trending' as const, rows]]) });
const withTrend = (row: typeof FIRST, bullish: number, weight: number): ListedProject => ({
  ...madeListed({ ...row, rank: null }),
  trend: { bullish, bearish: 0, weight },
});
const [third, second] = [withTrend(FIRST, 5, 30), { ...madeListed(SECOND), rank: null }];

test.each<[what: string, rows: ListedProject[], failed: Line[], difference: RegExp]>([
  ['nothing in the right order', [third, second], [], /^$/],
  [
    'two projects swapped',
    [second, third],
    ['Orders'],
    /^place 1 of the list by 'trending': project id 2, by the record id 1/,
  ],
  ['a project left out', [second], ['Orders'], /^project 1 in the list by 'trending': is listed false/],
  ['a rank', [{ ...third, rank: 1 }, second], ['Orders'], /project rank 1, by the record rank none/],
  [
    'more votes than the record has',
    [withTrend(SECOND, 500, 3_000), third],
    ['Trending'],
    /^project 2 in the list by 'trending': votes of the last 7 days bullish 500, .*by the record bullish 2/,
  ],
])("the check of 'Trending' finds %s [R43 R62]", (_what, rows, failed, difference) => {
  const { differences, ...rest } = check(trending(rows), {}, ['Orders', 'Trending']);
  expect(differences).toMatch(difference);
  expect(rest.failed).toEqual(failed);
});

test.each<[sort: Sort, difference: RegExp]>([
  ['new', /place 1 of the list by 'new': project id 1, by the record id 2/],
  ['verified', /place 1 of the list by 'verified': project id 2, rank 2, by the record id 1, rank 1/],
])("the check of orders finds two projects swapped in '%s' [R62]", (sort, difference) => {
  const rows = madeList([FIRST, SECOND], sort).toReversed();
  expect(check({ sorted: new Map([[sort, rows]]) }, {}, ['Orders']).differences).toMatch(difference);
});

/** After the end of the record. */
const LATER = '2026-11-22T09:00:00.000Z';
const FROG = { ...FIRST, imageUrl: `/images/${'ab'.repeat(16)}.webp` };
/** The versions of project 1, which was renamed. */
const version = (number: number, part: Partial<ListingVersion> = {}): ListingVersion =>
  sealedVersion({ ...FROG, name: `Frog ${number}` }, { number, identity: number, ...part });
const [v1, v2, v3] = [version(1), version(2), version(3)];
const same2 = version(2, { isSameProject: true, sameAt: LATER });
const recorded2 = version(2, { isSameProject: true, sameAt: MADE_TIME });
const BLANK = { name: null, imageUrl: null, twitterHandle: null, website: null, category: null, description: null };
const blanked = (number: number, blankedAt: string | null) =>
  version(number, { ...BLANK, salt: null, isBlanked: true, blankedAt });
const CHANGED = { at: MADE_TIME, what: ['name' as const], name: 'Frog 1', votes: 8 };
const QUIET = { changed: undefined, verifiedSince: undefined, rankVotes: undefined };
interface ListingCase {
  shown?: ListingVersion[];
  page?: Partial<ProjectPage>;
  /** Identities that the record calls the same project. */
  same?: number[];
  /** Versions that the record calls blanked. */
  blank?: number[];
  /** The record has a third identity, without votes. */
  isChangedTwice?: boolean;
}

test.each<[what: string, listing: ListingCase, difference: RegExp]>([
  ['nothing in recorded versions', {}, /^$/],
  [
    'nothing in newer versions',
    {
      shown: [
        sealedVersion({ ...FROG, name: 'Frog 2', description: 'New' }, { number: 3, identity: 2, createdAt: LATER }),
        v2,
        v1,
      ],
      page: { changes: 2, description: 'New' },
    },
    /^$/,
  ],
  ['nothing in blanked ones', { shown: [v2, blanked(1, MADE_TIME)], blank: [1] }, /^$/],
  ['nothing in ones blanked since', { shown: [v2, blanked(1, LATER)] }, /^$/],
  ['nothing in confirmed ones', { shown: [recorded2, v1], same: [2], page: QUIET }, /^$/],
  ['nothing in ones confirmed since', { shown: [same2, v1], page: QUIET }, /^$/],
  ['nothing in ones taken back since', { shown: [version(2, { apartAt: LATER }), v1], same: [2] }, /^$/],
  ['a missing version', { shown: [v2] }, /^version 1 of project 1: version number 2, hash/],
  ['another name', { shown: [version(2, { name: 'Toad' }), v1] }, /^version 2 of project 1: version isSealed false/],
  ['another picture', { shown: [version(2, { imageUrl: '/images/00.webp' }), v1] }, /version isSealed false/],
  ['another hash', { shown: [v2, version(1, { hash: 'x' })] }, /^version 1 of project 1: version hash x/],
  ['another identity', { shown: [version(2, { identity: 1 }), v1] }, /version identity 1, by the record identity 2/],
  [
    'an identity that nothing changed',
    {
      shown: [
        sealedVersion({ ...FROG, name: 'Frog 2' }, { number: 2, identity: 2 }),
        sealedVersion({ ...FROG, name: 'Frog 2' }),
      ],
    },
    /version 2 of project 1: version isNewIdentity true, by the record isNewIdentity false/,
  ],
  [
    'a later date',
    { shown: [version(2, { createdAt: '2026-11-21T12:00:00.000Z' }), v1] },
    /^version 2 of project 1: version createdAt 2026-11-21T12:.*, by the record createdAt 2026-11-21T00:00:00.000Z or earlier/,
  ],
  [
    'a version that the record lacks',
    { shown: [version(3, { identity: 2, name: 'Frog 2' }), v2, v1], page: { changes: 2 } },
    /^version 3 of project 1: version createdAt 2026-01-01.*, by the record createdAt 2026-11-22T00:00:00.000Z or later/,
  ],
  [
    'an old version that is blanked without an entry',
    { shown: [v2, blanked(1, MADE_TIME)] },
    /^version 1 of project 1: version isBlanked true, by the record isBlanked false/,
  ],
  [
    'the present version blanked without a date',
    { shown: [blanked(2, null), v1] },
    /^version 2 of project 1: version isBlanked true, by the record isBlanked false/,
  ],
  ['content that was blanked', { blank: [1] }, /^version 1 of project 1: version isBlanked false/],
  ['content left in a blanked one', { shown: [v2, { ...v1, isBlanked: true, blankedAt: LATER }] }, /isSealed false/],
  [
    'another date of blanking',
    { shown: [v2, blanked(1, LATER)], blank: [1] },
    /blankedAt 2026-11-22T09.*, by the record blankedAt 2026-11-21T00:00:00.000Z or earlier/,
  ],
  [
    'a confirmation without an entry',
    { shown: [recorded2, v1], page: QUIET },
    /^version 2 of project 1: version isSameProject true, by the record isSameProject false/,
  ],
  ['an unmentioned confirmation', { same: [2] }, /version isSameProject false, by the record isSameProject true/],
  [
    'another number of changes',
    { page: { changes: 0 } },
    /^project 1 on its page: listing changes 0, by the record changes 1/,
  ],
  [
    'another listing than its newest version',
    { page: { name: 'Toad' } },
    /listing name Toad, by the record name Frog 2/,
  ],
  ['another identity on the page', { page: { identity: 1 } }, /listing identity 1, by the record identity 2/],
  [
    'a former name that it never had',
    { page: { changed: { ...CHANGED, name: 'Toad' } } },
    /^project 1 on its page: since its change of identity changed name Toad, by the record changed name Frog 1$/,
  ],
  ['a former name that is left out', { page: { changed: { ...CHANGED, name: null } } }, /changed name none, by the/],
  ['another day of the change', { page: { changed: { ...CHANGED, at: LATER } } }, /changed at 2026-11-22T09/],
  [
    'other votes before it',
    { page: { changed: { ...CHANGED, votes: 5 } } },
    /changed votes 5, by the record changed votes 8/,
  ],
  [
    'a change that was confirmed',
    { shown: [recorded2, v1], same: [2], page: { ...QUIET, changed: CHANGED } },
    /, by the record changed none/,
  ],
  ['an unmentioned change', { page: { changed: undefined } }, /changed none, by the record changed at/],
  [
    'an order by votes before a change',
    { page: { verifiedSince: undefined } },
    /verifiedSince none, by the record verifiedSince bullish 1/,
  ],
  [
    'an order by too many votes',
    { page: { verifiedSince: { bullish: 4, bearish: 0 } } },
    /verifiedSince bullish 4, by the record verifiedSince bullish 1/,
  ],
  ['a rank by votes before a change', { page: { rankVotes: undefined } }, /rankVotes none, by the record rankVotes 1/],
  [
    'votes that an unchanged project lacks for its rank',
    { shown: [recorded2, v1], same: [2], page: { ...QUIET, rankVotes: 3 } },
    /rankVotes 3, by the record rankVotes none/,
  ],
  [
    'a rank by votes before the last of several changes',
    {
      isChangedTwice: true,
      shown: [v3, v2, v1],
      page: { rankVotes: 3, verifiedSince: { bullish: 0, bearish: 0 }, changed: undefined },
    },
    /rankVotes 3, by the record .*rankVotes 0/,
  ],
])(
  'the check of versions finds %s [R27 R60 R62]',
  (_what, { shown = [v2, v1], page = {}, same = [], blank = [], isChangedTwice = false }, difference) => {
    const row = {
      ...FROG,
      name: `Frog ${isChangedTwice ? 3 : 2}`,
      identity: isChangedTwice ? 3 : 2,
      verified: { bullish: 5, bearish: 0 },
      verifiedSince: { bullish: 1, bearish: 0 },
      rankVotes: 1,
      changed: CHANGED,
    };
    const inFirst = (all: readonly number[]) => new Map(all.map((one) => [one, { batch: 0 }]));
    const facts: ListingFacts = {
      versions: [v1, v2, ...(isChangedTwice ? [v3] : [])].map(({ identity, hash }) => ({ identity, hash, batch: 0 })),
      same: inFirst(same),
      blanked: inFirst(blank),
      owner: null,
      reasons: new Map(),
    };
    const trend = { bullish: 0, bearish: 0, weight: 0 };
    const sides = [
      { identity: 1, votes: 8, verified: { bullish: 4, bearish: 0 }, trend },
      { identity: 2, votes: 2, verified: { bullish: 1, bearish: 0 }, trend },
    ];
    const counted = KNOWN.projects.get(1);
    const known = {
      record: { ...found, listings: new Map([[1, facts]]) },
      projects: new Map(counted ? [[1, { ...counted, sides }]] : []),
    };
    const pages = [{ ...madePage(row, null), changes: isChangedTwice ? 2 : 1, ...page }];
    const site = { ...NO_LISTS, pages, versions: new Map([[1, shown]]) };
    expect(check(site, known, ['Versions']).differences).toMatch(difference);
  },
);

test('a trend counts only the votes since a change of identity while most verified votes are older [R60 R62]', () => {
  const trend = { bullish: 0, bearish: 0, weight: 0 };
  const side = (identity: number, bullish: number) => {
    return {
      identity,
      votes: bullish,
      verified: { bullish, bearish: 0 },
      trend: { ...trend, bullish, weight: 7 * bullish },
    };
  };
  const shownWith = (bullish: number, weight: number) => {
    const counted = KNOWN.projects.get(1);
    const known = { projects: new Map(counted ? [[1, { ...counted, sides: [side(1, 4), side(2, 1)] }]] : []) };
    const row = { ...madeListed(FROG), identity: 2, trend: { bullish, bearish: 0, weight } };
    const site = {
      ...NO_LISTS,
      open: [row],
      sorted: new Map(),
      pages: [madePage(FROG, null)],
      versions: new Map([[1, [v2, v1]]]),
    };
    return check(site, known, ['Trending']).differences;
  };
  expect(shownWith(1, 7)).toBe('');
  expect(shownWith(5, 35)).toMatch(/votes of the last 7 days bullish 5, weight 35, by the record bullish 1, weight 7$/);
});

const OWNER_SALT = new Uint8Array(16).fill(9);
const HELD = {
  wallet: `0x${'0a'.repeat(32)}`,
  subject: `0x${'0b'.repeat(32)}::coin::COIN`,
  objectType: `0x2::coin::TreasuryCap<0x${'0b'.repeat(32)}::coin::COIN>`,
  objectId: `0x${'0c'.repeat(32)}`,
  objectVersion: '42',
  checkpoint: '1000',
};
const PROOF: OwnershipProof = {
  ...HELD,
  state: 'proven',
  reason: null,
  salt: toBase64Url(OWNER_SALT),
  hash: ownerHash(HELD, OWNER_SALT),
  since: MADE_TIME,
  checkedAt: MADE_TIME,
};
const provenBy = ({ state, subject, since }: OwnershipProof): ProjectPage['listing'] => ({
  ...FIRST.listing,
  ownership: state,
  subject,
  ownershipSince: since,
});
const ERASED = { wallet: null, salt: null, objectType: null, objectId: null, objectVersion: null, checkpoint: null };
interface OwnerCase {
  recorded?: OwnershipProof | null;
  proof?: OwnershipProof | null;
  listing?: Partial<ProjectPage['listing']>;
}
const newer = { ...PROOF, since: LATER };
const forged = { ...HELD, wallet: `0x${'0d'.repeat(32)}` };

test.each<[what: string, owner: OwnerCase, difference: RegExp]>([
  ['nothing in a recorded proof', {}, /^$/],
  ['nothing in a lost one', { recorded: { ...PROOF, state: 'lost' }, proof: { ...PROOF, state: 'lost' } }, /^$/],
  ['nothing in a proof that is newer than the record', { recorded: null, proof: newer }, /^$/],
  ['nothing in a proof lost since', { proof: { ...newer, state: 'lost' } }, /^$/],
  [
    'nothing in one of a deleted account',
    { recorded: { ...PROOF, state: 'lost' }, proof: { ...PROOF, ...ERASED, state: 'lost' } },
    /^$/,
  ],
  ['a proof without an entry', { recorded: null }, /^project 1: proof since 2026-01-01.*or later/],
  ['a proof that is withheld', { proof: null }, /^project 1: proof none, by the record state proven/],
  [
    'a lost proof that still proves',
    { recorded: { ...PROOF, state: 'lost' } },
    /state proven, by the record state lost/,
  ],
  ['another wallet', { proof: { ...PROOF, wallet: forged.wallet } }, /^project 1: proof isSealed false/],
  [
    'another wallet, sealed again',
    { proof: { ...PROOF, ...forged, hash: ownerHash(forged, OWNER_SALT) } },
    /^project 1: proof hash .*, by the record hash/,
  ],
  ['another subject', { proof: { ...PROOF, subject: '0x2::sui::SUI' } }, /^project 1: proof isSealed false/],
  ['a withheld wallet', { proof: { ...PROOF, ...ERASED } }, /^project 1: proof isSealed false/],
  [
    'another date',
    { proof: { ...PROOF, since: '2026-11-21T12:00:00.000Z' } },
    /proof since 2026-11-21T12:00:00.000Z, by/,
  ],
  [
    "a page that says 'proven'",
    { recorded: null, proof: null, listing: { ownership: 'proven' } },
    /^project 1 on its page: listing ownership proven, by the record ownership none/,
  ],
  [
    'a page that withholds it',
    { listing: { ownership: 'none' } },
    /listing ownership none, by the record ownership proven/,
  ],
  [
    'an unclaimed one without a catalogue',
    { recorded: null, proof: null, listing: { ownership: 'unclaimed' } },
    /by the record ownership none/,
  ],
  ['another coin on the page', { listing: { subject: '0x2::sui::SUI' } }, /listing subject 0x2::sui::SUI/],
  ['another date on the page', { listing: { ownershipSince: LATER } }, /listing ownershipSince/],
  [
    'a listing that is younger than its first version',
    { listing: { since: '2026-11-21T12:00:00.000Z' } },
    /listed since 2026-11-21T12:00:00.000Z, by the record since 2026-11-21T00:00:00.000Z or earlier/,
  ],
])(
  'the check of ownership finds %s [R62 R70 R71]',
  (_what, { recorded = PROOF, proof = PROOF, listing = {} }, difference) => {
    const first = { ...FACTS_OF_1, owner: recorded && ownerEntry(recorded) };
    const shown = proof ? provenBy(proof) : FIRST.listing;
    const site = {
      ...NO_LISTS,
      pages: [{ ...firstPage, listing: { ...shown, ...listing } }],
      proofs: new Map(proof ? [[1, proof]] : []),
    };
    const record = { ...found, listings: new Map([[1, first]]) };
    expect(check(site, { record }, ['Ownership']).differences).toMatch(difference);
  },
);

test.each<[what: string, last: object | null, difference: RegExp, quiet?: number]>([
  ['nothing where they fit', {}, /^$/],
  [
    'withheld verified votes',
    { verifiedBullish: null, verifiedBearish: null },
    /verifiedBullish none, .* by the record/,
  ],
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
    figuresOn: '2026-11-21',
  };
  const differences = new Differences();
  compare(TRENDS, { history: history.finish([]), trend }, days, differences);
  expect(differences.check('Trends', '').differences.join('\n')).toMatch(difference);
});
