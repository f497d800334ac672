import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { LeaderboardDay } from '#shared/contract/open.ts';
import type { Recount, RecordSummary } from '#shared/contract/record.ts';
import type { SiteConfig } from '#shared/contract/site.ts';
import type { getTrust } from '#shared/contract/standing.ts';
import type { Supply } from '#shared/contract/supply.ts';
import type { ProjectTrend } from '#shared/contract/trends.ts';
import { toDayCsv } from '#shared/day-rows.ts';
import type { VoteCounts } from '#shared/interval.ts';
import { cosign } from '../log/cosignature.ts';
import { createSigner, formatVerifier } from '../log/note.ts';
import { NEXT_CURSOR_HEADER } from '#shared/pages.ts';
import { listedCheckpoints, MadeRecord, madeSecret } from '../testing/record.ts';
import { digestText, opinionDigest } from '../entries/digest.ts';
import { MADE_TIME, madeDay, madeHtml, madeListed, madePage, madeRow, madeVoter } from '#shared/testing/site.ts';
import { isGood } from './report.ts';
import { type VerifyOptions, verifySite } from './verify.ts';

/** Two days, three projects; a moderator has hidden the last one. */
const record = new MadeRecord();
const voters = Array.from({ length: 10 }, (_, voter) => voter);
record.publish({
  day: '2026-11-20',
  votes: [...voters.map((voter) => ({ voter, projectId: 1 })), { voter: 0, projectId: 3 }],
  balances: { 1: 110 },
});
record.publish({
  day: '2026-11-21',
  votes: voters.map((voter) => ({ voter, projectId: 2, bullish: voter % 2 === 0 })),
  balances: { 1: 210 },
});
const checkpoints = listedCheckpoints(record);

/** Anchors as listed by a server that has sent them. */
const sent = checkpoints.toReversed().map((one) => ({ ...one, anchorDigest: 'x', anchorState: 'anchored' }));

const CONFIG: SiteConfig = {
  origin: 'http://127.0.0.1:1',
  network: 'localnet',
  chainId: null,
  rpcUrl: 'http://127.0.0.1:9',
  faucetUrl: null,
  adminWallet: '0x0',
  autoConnect: false,
  chatUrl: null,
  socialUrl: null,
  minAge: null,
  excludedRegions: [],
  dataLicense: null,
  explorerUrl: null,
  snapsCoinType: null,
};
const SUMMARY: RecordSummary = {
  isPublished: true,
  origin: 'snapswipe.test/log',
  verifierKey: record.verifierKey,
  anchorSender: null,
  witnesses: [],
  witnessKey: null,
  checkpoints: checkpoints.toReversed(),
};
const SUPPLY: Supply = {
  issued: 210,
  granted: 0,
  burned: 0,
  held: 0,
  paid: 0,
  circulating: 210,
  balances: 210,
  differing: 0,
  checkedAt: null,
  liabilities: 210,
  holders: 10,
  entries: 21,
  asOf: '2026-11-22T12:00:00Z',
};
const first = madeRow(1, 1, 10, 0);
const second = madeRow(2, 2, 5, 5);
const NONE = { bullish: 0, bearish: 0 };
const digestOf = (projectId: number): string =>
  digestText(
    record.entries.reduce((sum, one) => {
      return one.kind === 'vote' && one.projectId === projectId ? sum + opinionDigest(one) : sum;
    }, 0n),
  );
const counted = (projectId: number, bullish: number, bearish: number) => {
  return { projectId, period: 1, recorded: { bullish, bearish }, since: NONE, digest: digestOf(projectId) };
};
const PROJECTS: Recount['projects'] = [counted(1, 10, 0), counted(2, 5, 5), counted(3, 1, 0)];

const COUNTED = { verified: 0, noStanding: 0, rhythm: 0, moderator: 0, replaced: 0 };
const TRUST: z.output<typeof getTrust.response> = {
  votes: 21,
  waiting: 21,
  ...COUNTED,
  days: [
    { day: '2026-11-20', votes: 11, waiting: 11, ...COUNTED },
    { day: '2026-11-21', votes: 10, waiting: 10, ...COUNTED },
  ],
  readings: [{ day: '2026-11-20', skipped: 'the node was away', wallets: 0, standing: 0, unread: 0 }],
  readingsDone: 0,
  readingsSkipped: 1,
  rules: {
    minMist: '1',
    minDays: 7,
    neededDays: 3,
    windowDays: 7,
    excusedDays: 1,
    voterDays: 35,
    decisionMinDays: 10,
    rhythm: { minVotes: 5, orderShare: 1, minAlike: 1, maxChance: 1, leadShare: 1, minPacedVotes: 5, maxPaceSpread: 1 },
  },
  countedAt: '2026-11-22T01:00:00.000Z',
};
const day = (bullish: number, bearish: number, votes: number) => {
  return { bullish, bearish, votes, turnedBullish: 0, turnedBearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
};
const trends: Record<number, ProjectTrend> = {
  1: { days: [{ day: '2026-11-20', ...day(10, 0, 10) }] },
  2: { days: [{ day: '2026-11-21', ...day(5, 5, 10) }] },
};
/** The leaderboard at the end of a day. */
const dayFile = (of: string) => {
  const [none, one] = [madeRow(2, 2, 0, 0), madeRow(1, 1, 0, 0)];
  if (of < '2026-11-20') return madeDay(of, [one, none]);
  return madeDay(of, of < '2026-11-21' ? [first, none] : [first, second]);
};
/** A file of a day with other votes of the last 30 days. */
const withNow = ({ day, projects }: LeaderboardDay, id: number, { bullish, bearish }: VoteCounts): LeaderboardDay => ({
  day,
  projects: projects.map((row) => (row.id === id ? { ...row, now: { ...row, bullish, bearish } } : row)),
});
const fileOf = (url: URL) => dayFile(url.searchParams.get('day') ?? '');
const withoutRanks = ({ day, projects }: LeaderboardDay): LeaderboardDay => ({
  day,
  projects: projects.map((row) => ({ ...row, rank: null })),
});
const withRankVotes = ({ day, projects }: LeaderboardDay, rankVotes: number): LeaderboardDay => ({
  day,
  projects: projects.map((row) => ({ ...row, rankVotes })),
});

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent instead of a JSON body. */
  text?: string;
}
type Respond = (url: URL) => Reply;

let recounts = 0;
/** A recount as of now, newer each time. */
const recountOf = (projects: Recount['projects'], size: number | null = record.size): Recount => {
  recounts += 1;
  const asOf = new Date(Date.parse(SUPPLY.asOf) + recounts).toISOString();
  const votesSince = projects.reduce((sum, { since }) => sum + since.bullish + since.bearish, 0);
  return { size, until: MADE_TIME, asOf, votesSince, projects };
};

/** The site's responses, by path. */
const fitting: Record<string, Respond> = {
  '/api/config': () => ({ body: CONFIG }),
  '/api/record': () => ({ body: SUMMARY }),
  '/api/record/checkpoints': () => ({ body: checkpoints.toReversed() }),
  '/api/record/recount': () => ({ body: recountOf(PROJECTS) }),
  '/api/projects/leaderboard/all': () => ({ body: [first, second] }),
  '/api/projects': () => ({ body: [second, first] }),
  '/api/projects/1': () => ({ body: madePage(first, null) }),
  '/api/projects/2': () => ({ body: madePage(second, first) }),
  '/api/projects/1/trend': () => ({ body: trends[1] }),
  '/api/projects/2/trend': () => ({ body: trends[2] }),
  '/api/leaderboard': () => ({ body: { topVoters: [madeVoter(1, 3)], currentUserRank: null } }),
  '/api/supply': () => ({ body: SUPPLY }),
  '/api/trust': () => ({ body: TRUST }),
  '/api/v1/projects': () => ({ body: [first, second].map(madeListed) }),
  '/api/v1/projects/1': () => ({ body: madePage(first, null) }),
  '/api/v1/projects/2': () => ({ body: madePage(second, first) }),
  '/api/v1/supply': () => ({ body: SUPPLY }),
  '/api/v1/trust': () => ({ body: TRUST }),
  '/api/v1/leaderboard.json': (url) => ({ body: fileOf(url) }),
  '/api/v1/leaderboard.csv': (url) => ({ text: toDayCsv(fileOf(url)) }),
  '/projects/project-1': () => ({ text: madeHtml(first) }),
  '/projects/project-2': () => ({ text: madeHtml(second) }),
};
/** Some hours after the record's end. */
const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
let site = fitting;
beforeEach(() => {
  site = fitting;
});

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://site');
  const file = url.pathname.startsWith('/log/') ? record.files.get(url.pathname.slice('/log/'.length)) : undefined;
  if (file) return void response.end(file);
  const { status = 200, headers, body, text } = site[url.pathname]?.(url) ?? { status: 404, body: {} };
  response.writeHead(status, headers).end(text ?? JSON.stringify(body));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function verify(options: Partial<VerifyOptions> = {}) {
  const { checks } = await verifySite({ origin, wait: () => Promise.resolve(), now: () => NOW_MS, ...options });
  const failed = checks.filter((check) => !isGood([check]));
  return {
    differing: failed.filter(({ state }) => state === 'differs').map(({ name }) => name),
    unchecked: failed.filter(({ state }) => state === 'unchecked').map(({ name }) => name),
    text: checks.map(({ detail, differences }) => [detail, ...differences].join('\n')).join('\n'),
  };
}
const respondWith = (changes: Record<string, Respond>): void => {
  site = { ...fitting, ...changes };
};

test('a site that shows what its record says fits; a hidden project is named, and no difference [R43]', async () => {
  const { differing, unchecked, text } = await verify();
  expect([differing, unchecked]).toEqual([[], []]);
  expect(text).toContain(
    '2 projects on leaderboard, lists, pages and drawn pages; 0 votes newer than the record; 1 project not shown',
  );
  expect(text).toContain('210 Snaps owed, the same as on 2026-11-21');
});

describe('a site that shows something else is found out', () => {
  test.each<[what: string, path: string, respond: Respond, differing: string[], difference: RegExp]>([
    [
      'on one page',
      '/api/projects/2',
      () => ({ body: { ...madePage(second, first), bullishCount: 6 } }),
      ['Site'],
      /project 2: its page shows 6 bullish and 5 bearish, its votes are 5 bullish and 5 bearish/,
    ],
    [
      'on the page of a project that the leaderboard leaves out',
      '/api/projects/3',
      () => ({ body: madePage(madeRow(3, 3, 4, 0), first) }),
      ['Site', 'Orders'],
      /project 3: its page shows 4 bullish and 0 bearish, its votes are 1 bullish and 0 bearish/,
    ],
    [
      'on the leaderboard',
      '/api/projects/leaderboard/all',
      () => ({ body: [first, { ...madeRow(2, 2, 5, 4), now: second.now }] }),
      ['Site'],
      /project 2: the leaderboard shows 5 bullish and 4 bearish/,
    ],
    [
      'in the public list',
      '/api/projects',
      () => ({ body: [{ ...madeRow(2, 2, 6, 4), now: second.now }, first] }),
      ['Site'],
      /project 2: the public list shows 6 bullish and 4 bearish, its votes are 5 bullish and 5 bearish/,
    ],
    [
      'no page of a project on the leaderboard',
      '/api/projects/2',
      () => ({ status: 404, body: {} }),
      ['Orders'],
      /project 2 has no page/,
    ],
    [
      'a public list in another order',
      '/api/projects',
      () => ({ body: [first, second] }),
      ['Orders'],
      /project 1 stands before project 2 in the public list/,
    ],
    [
      'top voters in another order',
      '/api/leaderboard',
      () => ({ body: { topVoters: [madeVoter(1, 3), madeVoter(2, 4)], currentUserRank: null } }),
      ['Orders'],
      /the top voter at place 2 has another rank/,
    ],
    [
      'votes that the record does not have',
      '/api/record/recount',
      () => ({
        body: recountOf([
          ...PROJECTS,
          { projectId: 9, period: 1, recorded: { bullish: 1, bearish: 0 }, since: NONE, digest: digestText(0n) },
        ]),
      }),
      ['Database'],
      /project 9: the server holds 1 bullish and 0 bearish, the record none/,
    ],
    [
      'a supply below what the record says is owed',
      '/api/supply',
      () => ({ body: { ...SUPPLY, issued: 59, circulating: 59, balances: 59, liabilities: 59 } }),
      ['Supply'],
      /the record says that 210 Snaps were owed; what is owed, burned and paid since is 59 at most/,
    ],
    [
      'on the page of another project',
      '/api/projects/2',
      () => ({ body: madePage(first, null) }),
      ['Site', 'Orders'],
      /The page of project 2 is that of project 1/,
    ],
    [
      'in the list of the open API',
      '/api/v1/projects',
      () => ({ body: [madeListed({ ...madeRow(1, 1, 15, 0), now: first.now }), madeListed(second)] }),
      ['Site'],
      /project 1: the list of \/api\/v1 shows 15 bullish and 0 bearish, its votes are 10 bullish/,
    ],
    [
      'on a page as it is drawn',
      '/projects/project-2',
      () => ({ text: madeHtml(madeRow(2, 2, 105, 5)) }),
      ['Site'],
      /project 2: its drawn page shows 105 bullish and 5 bearish/,
    ],
    [
      'in the text of a drawn page alone',
      '/projects/project-2',
      () => ({ text: madeHtml(second).replace('>5</data>', '>105</data>') }),
      ['Site'],
      /project 2: the drawn page says 105 where it means 5/,
    ],
    [
      'in the data of a drawn page alone',
      '/projects/project-2',
      () => ({ text: madeHtml(second).replace('"bullishCount":5', '"bullishCount":105') }),
      ['Site'],
      /project 2: the data of its drawn page shows 105 bullish and 5 bearish/,
    ],
    [
      'in a shared link',
      '/projects/project-2',
      () => ({ text: madeHtml(second).replace('50% bullish, 10', '90% bullish, 100') }),
      ['Site'],
      /project 2: shared links say 90% of 100 votes, the page 50% of 10/,
    ],
    [
      'in the file of a day',
      '/api/v1/leaderboard.json',
      (url) => ({ body: madeDay(fileOf(url).day, [madeRow(1, 1, 17, 0), second]) }),
      ['Day files'],
      /2026-11-21: project 1 has bullish 17, by the record 10\n/,
    ],
    [
      'as a rank that the file of a day withholds',
      '/api/v1/leaderboard.json',
      (url) => ({ body: withoutRanks(fileOf(url)) }),
      ['Day files'],
      /2026-11-21: project 1 has rank null, by the record 1\n/,
    ],
    [
      'as votes for a rank that the file of a day invents',
      '/api/v1/leaderboard.json',
      (url) => ({ body: withRankVotes(fileOf(url), 10) }),
      ['Day files'],
      /2026-11-21: project 1 has rankVotes 10, by the record 0\n/,
    ],
    [
      'in the CSV file of a day alone',
      '/api/v1/leaderboard.csv',
      (url) => ({ text: toDayCsv(fileOf(url)).replace(',10,0,', ',17,0,') }),
      ['Day files'],
      /2026-11-21: the CSV file differs from the JSON file\n2026-11-20: the CSV/,
    ],
    [
      'in a trend',
      '/api/projects/2/trend',
      () => ({ body: { days: [{ day: '2026-11-21', ...day(94, 5, 10) }] } }),
      ['Trends'],
      /project 2: its trend shows 94 bullish and 5 bearish at the end of 2026-11-21, 10 votes of that day/,
    ],
    [
      'as votes that turned in a trend',
      '/api/projects/2/trend',
      () => ({ body: { days: [{ day: '2026-11-21', ...day(5, 5, 10), turnedBearish: 3 }] } }),
      ['Trends'],
      /project 2: its trend shows 0 that turned bullish on 2026-11-21 and 3 bearish; the record has 0 and 0/,
    ],
    [
      'as votes of the last 30 days',
      '/api/projects/2',
      () => ({ body: { ...madePage(second, first), now: { bullish: 6, bearish: 4 } } }),
      ['Now'],
      /project 2 shows 6 bullish and 4 bearish as the votes of the last 30 days, the record has 5 bullish and 5 bearish/,
    ],
    [
      'as votes of the last 30 days on the leaderboard',
      '/api/projects/leaderboard/all',
      () => ({ body: [first, { ...second, now: null }] }),
      ['Now'],
      /project 2 shows none as the votes of the last 30 days, the record has 5 bullish and 5 bearish/,
    ],
    [
      'as no votes of the last 30 days in the open API',
      '/api/v1/projects/1',
      () => ({ body: { ...madePage(first, null), now: null } }),
      ['Now'],
      /project 1 shows none as the votes of the last 30 days, the record has 10 bullish and 0 bearish/,
    ],
    [
      'as votes of the last 30 days in the file of a day',
      '/api/v1/leaderboard.json',
      (url) => ({ body: withNow(fileOf(url), 1, { bullish: 10, bearish: 1 }) }),
      ['Day files'],
      /2026-11-21: project 1 has now \{"bullish":10,"bearish":1,.*\}, by the record \{"bullish":10,"bearish":0,/,
    ],
    [
      'on /trust',
      '/api/trust',
      () => ({ body: { ...TRUST, votes: 121, verified: 100 } }),
      ['Trust'],
      /\/trust shows 121 votes; the record has 21, and 0 are newer/,
    ],
    [
      'on /trust, as readings',
      '/api/trust',
      () => ({
        body: { ...TRUST, readings: [{ day: '2026-11-20', skipped: null, wallets: 9, standing: 9, unread: 0 }] },
      }),
      ['Trust'],
      /\/trust says of the readings of 2026-11-20: 9 of 9; the record says skipped/,
    ],
    [
      'as a supply that no votes explain',
      '/api/supply',
      () => ({ body: { ...SUPPLY, issued: 420, circulating: 420, balances: 420, liabilities: 420 } }),
      ['Supply'],
      /the record says that 210 Snaps were owed; 420 are owed now, and 0 votes since explain 0/,
    ],
    [
      'votes of other people, as many as recorded',
      '/api/record/recount',
      () => ({ body: recountOf(PROJECTS.map((one) => ({ ...one, digest: digestText(7n) }))) }),
      ['Database'],
      /project 1: the server holds other votes than the record, though as many/,
    ],
    ['another form', '/api/supply', () => ({ body: { issued: 210 } }), ['Supply'], /\/api\/supply: /],
  ])('%s [R43]', async (_what, path, respond, differing, difference) => {
    respondWith({ [path]: respond });
    const found = await verify();
    expect(found.text).toMatch(difference);
    expect([found.differing, found.unchecked]).toEqual([differing, []]);
  });
});

describe('unreadable data is not called checked', () => {
  const ALL = ['Database', 'Site', 'Orders', 'Versions', 'Now', 'Trends', 'Day files', 'Trust', 'Supply'];
  const busy: Respond = () => ({ status: 503, body: {} });

  test.each<[what: string, changes: Record<string, Respond>, unchecked: string[], words: RegExp]>([
    ['the supply', { '/api/supply': busy }, ['Supply'], /too busy for api\/supply/],
    ['the top voters', { '/api/leaderboard': busy }, ['Orders'], /too busy for api\/leaderboard/],
    ['the counts of votes', { '/api/record/recount': busy }, ALL, /too busy for api\/record\/recount/],
    ['a page', { '/api/projects/2': busy }, ALL, /too busy for api\/projects\/2/],
    [
      'counts of a longer record',
      { '/api/record/recount': () => ({ body: recountOf(PROJECTS, record.size + 1) }) },
      ALL,
      /The record has \d+ entries by now, not \d+; run this once more/,
    ],
    [
      'a list that is no list',
      { '/api/leaderboard': () => ({ body: undefined }) },
      ['Orders'],
      /something else than JSON/,
    ],
    [
      'anchors, by the node that the site names',
      {
        '/api/record/checkpoints': () => ({ body: sent }),
        '/api/record': () => ({ body: { ...SUMMARY, anchorSender: '0x0' } }),
      },
      ['Anchors'],
      /The Sui node at http:\/\/127\.0\.0\.1:9 does not respond/,
    ],
  ])('%s [R43]', async (_what, changes, unchecked, words) => {
    respondWith(changes);
    const found = await verify();
    expect(found.text).toMatch(words);
    expect([found.differing, found.unchecked]).toEqual([[], unchecked]);
  });

  test('a record that is not published, or has not begun [R43]', async () => {
    respondWith({ '/api/record': () => ({ body: { ...SUMMARY, isPublished: false } }) });
    await expect(verify()).rejects.toThrow('keeps no record');
    respondWith({ '/api/record': () => ({ body: { ...SUMMARY, checkpoints: [] } }) });
    await expect(verify()).rejects.toThrow('has not begun yet');
  });
});

describe('a site that is in use fits, too', () => {
  const withVotes = (since: number): Recount['projects'] =>
    PROJECTS.map((one) => (one.projectId === 2 ? { ...one, since: { bullish: since, bearish: 0 } } : one));
  /** Returned one after the other; the last one is repeated. */
  const inTurn = (...turns: Respond[]): Respond => {
    let at = -1;
    return (url) => {
      at = Math.min(at + 1, turns.length - 1);
      return turns[at]?.(url) ?? { body: null };
    };
  };
  const recounted =
    (since: number, size?: number): Respond =>
    () => ({ body: recountOf(withVotes(since), size) });
  const showing = (bullish: number): Record<string, Respond> => {
    const row = madeRow(2, 2, bullish, 5);
    return {
      '/api/projects/leaderboard/all': () => ({ body: [first, row] }),
      '/api/projects': () => ({ body: [row, first] }),
      '/api/projects/2': () => ({ body: madePage(row, first) }),
      '/api/v1/projects': () => ({ body: [first, row].map(madeListed) }),
      '/api/v1/projects/2': () => ({ body: madePage(row, first) }),
      '/projects/project-2': () => ({ text: madeHtml(row) }),
    };
  };

  test('whose supply is older than the record: a newer one is waited for, or nothing is said of it [R43]', async () => {
    const old = (): Reply => ({ body: { ...SUPPLY, liabilities: 300, asOf: '2026-11-21T23:59:59Z' } });
    respondWith({ '/api/supply': inTurn(old, old, () => ({ body: SUPPLY })) });
    expect(await verify()).toMatchObject({ differing: [], unchecked: [] });
    respondWith({ '/api/supply': old });
    const { differing, unchecked, text } = await verify();
    expect([differing, unchecked]).toEqual([[], ['Supply']]);
    expect(text).toMatch(/the supply is as of 2026-11-21T23:59:59Z, before the record ends/);
  });

  test('while votes arrive, the shown figures are between two counts [R43]', async () => {
    respondWith({ ...showing(7), '/api/record/recount': inTurn(recounted(1), recounted(3)) });
    const { differing, unchecked, text } = await verify();
    expect([differing, unchecked]).toEqual([[], []]);
    expect(text).toContain('1 vote newer than the record');
    respondWith({ ...showing(9), '/api/record/recount': inTurn(recounted(1), recounted(3)) });
    expect((await verify()).differing).toEqual(['Site', 'Now']);
  });

  test('while its counts are those of the batch before [R43]', async () => {
    respondWith({ '/api/record/recount': inTurn(recounted(0, 3), recounted(0, 3), recounted(0)) });
    const { differing, unchecked } = await verify();
    expect([differing, unchecked]).toEqual([[], []]);
  });

  test('with more checkpoints than a page holds [R43]', async () => {
    const page: Respond = ({ searchParams }) =>
      searchParams.get('cursor') === 'a/b'
        ? { body: checkpoints.slice(0, 1) }
        : { body: checkpoints.slice(1), headers: { [NEXT_CURSOR_HEADER]: 'a/b' } };
    respondWith({ '/api/record/checkpoints': page });
    const { differing, unchecked } = await verify();
    expect([differing, unchecked]).toEqual([[], []]);
  });
});

const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-verify-test-'));
afterAll(() => rm(folder, { recursive: true }));

describe('npm run verify', () => {
  const call = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      'scripts/verify.ts',
      '--state',
      path.join(folder, 'verify.json'),
      ...args,
    ]).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
    );

  test('ends with 1 where anything differs or could not be checked, by the node and the key that it is given [R43]', async () => {
    respondWith({
      '/api/record/checkpoints': () => ({ body: sent }),
      '/api/record': () => ({ body: { ...SUMMARY, anchorSender: '0x0' } }),
      '/api/supply': () => ({ body: { ...SUPPLY, differing: 1 } }),
    });
    const other = formatVerifier(createSigner('snapswipe.test/log', new Uint8Array(32).fill(1)));
    const [found, foreign] = await Promise.all([
      call(origin, '--rpc', 'http://127.0.0.1:10', '--key', record.verifierKey),
      call(origin, '--key', other),
    ]);
    expect(found.said).toMatch(
      /✓ Signatures [\s\S]+\? Anchors +The Sui node at http:\/\/127\.0\.0\.1:10 does not respond/,
    );
    expect(found.said).toMatch(
      /✗ Supply [\s\S]+1 voter with another balance\n\nNot everything fits, or could be checked\.\n/,
    );
    expect(found.code).toBe(1);
    expect(foreign).toMatchObject({ code: 1, said: expect.stringContaining('No known key has signed') as string });
  });
});

describe('memory of a site', () => {
  const fileOfTest = (name: string): string => path.join(folder, name);

  test('is kept, and compared at the next check [R62]', async () => {
    const stateFile = fileOfTest('kept.json');
    expect((await verify({ stateFile })).text).toContain('checked for the first time');
    expect(JSON.parse(await readFile(stateFile, 'utf8'))).toMatchObject({
      version: 1,
      sites: { [origin]: { key: record.verifierKey, note: record.checkpoints.at(-1)?.note } },
    });
    const again = await verify({ stateFile });
    expect(again.text).toContain(`begins with the ${record.size} entries of 2026-11-22`);
    expect(again.differing).toEqual([]);
  });

  test('stays as it was where the record no longer fits it [R62]', async () => {
    const stateFile = fileOfTest('rewritten.json');
    const other = new MadeRecord();
    other.publish({ day: '2026-11-20', votes: [{ voter: 9, projectId: 1 }], balances: {} });
    const note = other.checkpoints[0]?.note ?? '';
    const seen = { key: record.verifierKey, note, checkedAt: '2026-11-20T12:00:00.000Z' };
    await writeFile(stateFile, JSON.stringify({ version: 1, sites: { [origin]: seen } }));
    expect((await verify({ stateFile })).differing).toEqual(['Memory']);
    expect(JSON.parse(await readFile(stateFile, 'utf8'))).toMatchObject({ sites: { [origin]: seen } });
  });

  test('is never taken for right where its file is corrupt [R62]', async () => {
    const stateFile = fileOfTest('corrupt.json');
    for (const text of ['{', '{"version":2,"sites":{}}', 'null']) {
      await writeFile(stateFile, text);
      await expect(verify({ stateFile })).rejects.toThrow(`${stateFile} is corrupt: move it away to start over`);
    }
  });

  test('is said to be lost where its file cannot be written [R62]', async () => {
    // A folder cannot be created where a file exists. A file without permission to write would not stop root.
    await writeFile(fileOfTest('file'), '');
    const stateFile = path.join(fileOfTest('file'), 'verify.json');
    await expect(verify({ stateFile })).rejects.toThrow(/cannot be read/);
    const found = await verify({ stateFile: `/proc/snapswipe/${process.pid}.json` });
    expect(found.unchecked).toEqual(['Memory']);
    expect(found.text).toMatch(/cannot be written: /);
  });
});

describe('the age of the record', () => {
  const at = (time: string) => verify({ now: () => Date.parse(time) });

  test('may be two days, and no more [R62]', async () => {
    expect((await at('2026-11-23T23:59:00Z')).differing).toEqual([]);
    const late = await at('2026-11-24T00:01:00Z');
    expect(late.differing).toEqual(['Age']);
    expect(late.text).toMatch(
      /The newest day is 2026-11-21, 2 days ago \(this machine's clock says 2026-11-24 00:01\)/,
    );
  });

  test('is wrong by a clock that is two days behind [R62]', async () => {
    const early = await at('2026-11-19T12:00:00Z');
    expect(early.differing).toEqual(['Age']);
    expect(early.text).toMatch(/The newest day is 2026-11-21, which has not begun/);
  });
});

describe('a server that tries to hold the check', () => {
  const endless = (page: () => Reply): Respond => {
    let at = 0;
    return () => {
      at += 1;
      return { ...page(), headers: { [NEXT_CURSOR_HEADER]: String(at) } };
    };
  };

  test('by cursors that never end is left with a clear word [R62]', async () => {
    respondWith({ '/api/record/checkpoints': endless(() => ({ body: [] })) });
    await expect(verify()).rejects.toThrow('/api/record/checkpoints?limit=1000 does not come to an end');
    respondWith({ '/api/record/checkpoints': endless(() => ({ body: checkpoints.toReversed() })) });
    await expect(verify()).rejects.toThrow('does not come to an end');
    respondWith({ '/api/v1/projects': endless(() => ({ body: [madeListed(first)] })) });
    expect((await verify()).text).toMatch(/\/api\/v1\/projects\?limit=100 does not come to an end/);
  });
});

test('lists every vote of a secret, on whichever project [R64]', async () => {
  const { ownVotes } = await verifySite({
    origin,
    wait: () => Promise.resolve(),
    now: () => NOW_MS,
    secret: madeSecret(0),
  });
  expect(ownVotes).toEqual([
    '  project 1: bullish on 2026-11-20, waiting',
    '  project 2: bullish on 2026-11-21, waiting',
    '  project 3: bullish on 2026-11-20, waiting',
  ]);
});

describe('witnesses', () => {
  const [one, two] = [1, 2].map((n) => createSigner(`w${n}.test/witness`, new Uint8Array(32).fill(n), 'cosignature'));
  if (!one || !two) throw new Error('there are two');
  const newest = record.checkpoints.at(-1)?.note ?? '';
  const text = newest.slice(0, newest.indexOf('\n\n') + 1);
  const withNote = async <T>(note: string, work: () => Promise<T>): Promise<T> => {
    const before = record.files.get('checkpoint');
    record.files.set('checkpoint', new TextEncoder().encode(note));
    try {
      return await work();
    } finally {
      if (before) record.files.set('checkpoint', before);
    }
  };

  test('have to have cosigned the newest checkpoint, as many as are demanded [R65]', async () => {
    const note = newest + cosign(text, one, 1_700_000_000);
    const found = (quorum: number) => withNote(note, () => verify({ witnesses: [one, two], quorum }));
    expect((await found(1)).differing).toEqual([]);
    const both = await found(2);
    expect(both.differing).toEqual(['Witnesses']);
    expect(both.text).toMatch(
      /1 of 2 witnesses cosigned the newest checkpoint, 2 are demanded; missing: w2\.test\/witness/,
    );
  });

  test('are found out where their line belongs to another checkpoint [R65]', async () => {
    const note = newest + cosign(text.replace('\n32\n', '\n31\n'), one, 1_700_000_000);
    const found = await withNote(note, () => verify({ witnesses: [one] }));
    expect(found.differing).toEqual(['Witnesses']);
    expect(found.text).toContain('The cosignature of w1.test/witness does not fit the note');
  });

  test('signatures of witnesses that the site names are counted, and none is required [R65]', async () => {
    respondWith({ '/api/record': () => ({ body: { ...SUMMARY, witnesses: [formatVerifier(one)] } }) });
    expect((await verify()).unchecked).toEqual(['Witnesses']);
    const found = await withNote(newest + cosign(text, one, 1_700_000_000), () => verify());
    expect(found.text).toContain('1 of 1 witness cosigned the newest checkpoint; the site names them');
  });
});
