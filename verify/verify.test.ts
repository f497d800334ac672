import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Recount, RecordSummary } from '#shared/contract/record.ts';
import type { SiteConfig } from '#shared/contract/site.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { createSigner, formatVerifier } from '#shared/log/note.ts';
import { NEXT_CURSOR_HEADER } from '#shared/pages.ts';
import { listedCheckpoints, MadeRecord } from '#shared/testing/record.ts';
import { MADE_TIME, madePage, madeRow, madeVoter } from '#shared/testing/site.ts';
import { isGood } from './report.ts';
import { type VerifyOptions, verifySite } from './verify.ts';

/** Two days, three projects; a moderator has hidden the last one. */
const record = new MadeRecord();
const voters = Array.from({ length: 10 }, (_, voter) => voter);
record.publish({
  day: '2026-11-20',
  votes: [...voters.map((voter) => ({ voter, projectId: 1 })), { voter: 0, projectId: 3 }],
  balances: { 1: 50 },
});
record.publish({
  day: '2026-11-21',
  votes: voters.map((voter) => ({ voter, projectId: 2, bullish: voter % 2 === 0 })),
  balances: { 1: 60 },
});
const checkpoints = listedCheckpoints(record);

const CONFIG: SiteConfig = {
  network: 'localnet',
  chainId: null,
  rpcUrl: 'http://127.0.0.1:9',
  faucetUrl: null,
  adminWallet: '0x0',
  autoConnect: false,
  chatUrl: null,
  socialUrl: null,
  explorerUrl: null,
  snapsCoinType: null,
};
const SUMMARY: RecordSummary = {
  isPublished: true,
  origin: 'snapswipe.test/log',
  verifierKey: record.verifierKey,
  anchorSender: null,
  checkpoints: checkpoints.toReversed(),
};
const SUPPLY: Supply = {
  issued: 210,
  burned: 0,
  held: 0,
  paid: 0,
  circulating: 210,
  balances: 210,
  differing: 0,
  liabilities: 210,
  holders: 10,
  entries: 21,
  asOf: MADE_TIME,
};
const first = madeRow(1, 1, 10, 0);
const second = madeRow(2, 2, 5, 5);
const NONE = { bullish: 0, bearish: 0 };
const PROJECTS: Recount['projects'] = [
  { projectId: 1, period: 1, recorded: { bullish: 10, bearish: 0 }, since: NONE },
  { projectId: 2, period: 1, recorded: { bullish: 5, bearish: 5 }, since: NONE },
  { projectId: 3, period: 1, recorded: { bullish: 1, bearish: 0 }, since: NONE },
];

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}
type Respond = (url: URL) => Reply;

let recounts = 0;
/** A recount as of now: each is newer than the one before. */
const recountOf = (projects: Recount['projects'], size: number | null = record.size): Recount => {
  recounts += 1;
  return { size, until: MADE_TIME, asOf: new Date(Date.parse(MADE_TIME) + recounts).toISOString(), projects };
};

/** What the site responds with, by path. */
const fitting: Record<string, Respond> = {
  '/api/config': () => ({ body: CONFIG }),
  '/api/record': () => ({ body: SUMMARY }),
  '/api/record/checkpoints': () => ({ body: checkpoints.toReversed() }),
  '/api/record/recount': () => ({ body: recountOf(PROJECTS) }),
  '/api/projects/leaderboard/all': () => ({ body: [first, second] }),
  '/api/projects': () => ({ body: [second, first] }),
  '/api/projects/1': () => ({ body: madePage(first, null) }),
  '/api/projects/2': () => ({ body: madePage(second, first) }),
  '/api/leaderboard': () => ({ body: { topVoters: [madeVoter(1, 3)], currentUserRank: null } }),
  '/api/supply': () => ({ body: SUPPLY }),
};
let site = fitting;
beforeEach(() => {
  site = fitting;
});

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://site');
  const file = url.pathname.startsWith('/log/') ? record.files.get(url.pathname.slice('/log/'.length)) : undefined;
  if (file) return void response.end(file);
  const { status = 200, headers, body } = site[url.pathname]?.(url) ?? { status: 404, body: {} };
  response.writeHead(status, headers).end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function verify(options: Partial<VerifyOptions> = {}) {
  const { checks } = await verifySite({ origin, wait: () => Promise.resolve(), ...options });
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
    '2 projects on leaderboard, public list and pages; 0 votes newer than the record; 1 project not shown',
  );
  expect(text).toContain('+150 since 2026-11-21');
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
      () => ({ body: [first, madeRow(2, 2, 5, 4)] }),
      ['Site'],
      /project 2: the leaderboard shows 5 bullish and 4 bearish/,
    ],
    [
      'in the public list',
      '/api/projects',
      () => ({ body: [madeRow(2, 2, 6, 4), first] }),
      ['Site'],
      /project 2: the public list shows 6 bullish and 4 bearish, its votes are 5 bullish and 5 bearish/,
    ],
    [
      'in the public list alone',
      '/api/projects',
      () => ({ body: [madeRow(9, 1, 20, 0), second, first] }),
      ['Site', 'Orders'],
      /project 9: the public list shows 20 bullish and 0 bearish, its votes are 0 bullish/,
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
        body: recountOf([...PROJECTS, { projectId: 9, period: 1, recorded: { bullish: 1, bearish: 0 }, since: NONE }]),
      }),
      ['Database'],
      /project 9: the server holds 1 bullish and 0 bearish, the record none/,
    ],
    [
      'a supply below what the record says is owed',
      '/api/supply',
      () => ({ body: { ...SUPPLY, issued: 59, circulating: 59, balances: 59, liabilities: 59 } }),
      ['Supply'],
      /the record says that 60 tokens were owed, and only 59 were ever issued/,
    ],
    ['another form', '/api/supply', () => ({ body: { issued: 210 } }), ['Supply'], /\/api\/supply: /],
  ])('%s [R43]', async (_what, path, respond, differing, difference) => {
    respondWith({ [path]: respond });
    const found = await verify();
    expect(found.text).toMatch(difference);
    expect([found.differing, found.unchecked]).toEqual([differing, []]);
  });
});

describe('what cannot be read is not called checked', () => {
  const ALL = ['Database', 'Site', 'Orders', 'Supply'];
  const busy: Respond = () => ({ status: 503, body: {} });

  test.each<[what: string, changes: Record<string, Respond>, unchecked: string[], words: RegExp]>([
    ['the supply', { '/api/supply': busy }, ['Supply'], /too busy for api\/supply/],
    ['the top voters', { '/api/leaderboard': busy }, ['Orders'], /too busy for api\/leaderboard/],
    ['the counts of votes', { '/api/record/recount': busy }, ALL, /too busy for api\/record\/recount/],
    ['a page', { '/api/projects/2': busy }, ALL, /too busy for api\/projects\/2/],
    [
      'a page that is that of another project',
      { '/api/projects/2': () => ({ body: madePage(first, null) }) },
      ALL,
      /The page of project 2 is that of project 1/,
    ],
    [
      'counts of a longer record',
      { '/api/record/recount': () => ({ body: recountOf(PROJECTS, record.size + 1) }) },
      ALL,
      /The record has \d+ entries by now, not \d+; run this once more/,
    ],
    [
      'counts of a shorter record, however often they are asked for',
      { '/api/record/recount': () => ({ body: recountOf(PROJECTS, record.size - 1) }) },
      ALL,
      /The record has \d+ entries by now, not \d+/,
    ],
    [
      'a list that is no list',
      { '/api/leaderboard': () => ({ body: undefined }) },
      ['Orders'],
      /something else than JSON/,
    ],
    [
      'anchors, by the node that the site names',
      { '/api/record': () => ({ body: { ...SUMMARY, anchorSender: '0x0' } }) },
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
  /** One after the other, the last one from then on. */
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
    };
  };

  test('while votes arrive: what is shown lies between two counts [R43]', async () => {
    respondWith({ ...showing(7), '/api/record/recount': inTurn(recounted(1), recounted(3)) });
    const { differing, unchecked, text } = await verify();
    expect([differing, unchecked]).toEqual([[], []]);
    expect(text).toContain('1 vote newer than the record');
    respondWith({ ...showing(9), '/api/record/recount': inTurn(recounted(1), recounted(3)) });
    expect((await verify()).differing).toEqual(['Site']);
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

describe('npm run verify', () => {
  const call = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['scripts/verify.ts', ...args]).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
    );

  test('ends with 1 where anything differs or could not be checked, by the node and the key that it is given [R43]', async () => {
    respondWith({
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
