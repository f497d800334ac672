import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { OwnershipProof } from '#shared/contract/ownership.ts';
import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import { toDayCsv } from '#shared/figures/day-rows.ts';
import { cosign } from '../log/cosignature.ts';
import { createSigner, formatVerifier } from '../log/note.ts';
import { NEXT_CURSOR_HEADER } from '#shared/site/pages.ts';
import type { Sort } from '#shared/listings/sort-names.ts';
import { listedCheckpoints, MadeRecord, madeSecret } from '../testing/record.ts';
import {
  fittingSite,
  FIRST,
  madeLookup,
  madeShare,
  ORIGIN,
  record,
  SECOND,
  SUPPLY,
  REACH,
  TRUST,
  versionsOf,
} from '../testing/fitting-site.ts';
import {
  MADE_TIME,
  madeProject,
  madeConfig,
  madeDay,
  madeList,
  madePage,
  madeRow,
  madeVoter,
} from '#shared/testing/site.ts';
import { BELIEVED } from './believed.ts';
import { checkAge } from './checkpoints.ts';
import { sampleOf } from './doors.ts';
import type { Memory } from './memory.ts';
import { isGood, table } from './report.ts';
import { LINES } from './shown.ts';
import { type VerifyOptions, verifySite } from './verify.ts';
import { checkWitnesses, parseWitness } from './witnesses.ts';

const checkpoints = listedCheckpoints(record);

/** Anchors as listed by a server that has sent them. */
const sent = checkpoints.toReversed().map((one) => ({ ...one, anchorDigest: 'x', anchorState: 'anchored' }));

const CONFIG = madeConfig({ origin: ORIGIN });
const SUMMARY: RecordSummary = {
  isPublished: true,
  origin: 'snapswipe.test/log',
  verifierKey: record.verifierKey,
  anchorSender: null,
  witnesses: [],
  restores: [],
  checkpoints: checkpoints.toReversed(),
};
const day = ({ bullishCount: bullish, bearishCount: bearish, verified }: LeaderboardRow) => {
  const quiet = { votes: 10, turnedBullish: 0, turnedBearish: 0 };
  return { bullish, bearish, ...quiet, verifiedBullish: verified.bullish, verifiedBearish: verified.bearish };
};
const made = fittingSite();
const fileOf = (url: URL) => made.dayFile(url.searchParams.get('day') ?? '2026-11-22');

const hidden = { wallet: null, objectType: null, objectId: null, objectVersion: null, checkpoint: null, salt: null };
const PROOF: OwnershipProof = {
  ...hidden,
  state: 'lost',
  subject: '0x2',
  reason: null,
  hash: '',
  since: MADE_TIME,
  checkedAt: MADE_TIME,
};

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent instead of a JSON body. */
  text?: string;
  send?: (response: ServerResponse) => void;
}
type Respond = (url: URL) => Reply;

const listOf =
  (rows: LeaderboardRow[]): Respond =>
  (url) => ({ body: madeList(rows, url.searchParams.get('sort') as Sort) });

const trends = [
  { days: [{ day: '2026-11-20', ...day(FIRST) }], figuresOn: '2026-11-21' },
  { days: [{ day: '2026-11-21', ...day(SECOND) }], figuresOn: '2026-11-21' },
] as const;

/** A project where the site shows it apart from lists. */
function pagesOf(page: ProjectPage, trend: object): Record<string, Respond> {
  const { id, slug, name, coinType } = page;
  const share = madeShare(page);
  const html = `<meta property="og:title" content="${name}: ${share}, none verified"><div id="root" data-numbers=""><data itemProp="share" value="${share}">`;
  return {
    ...(coinType === null ? {} : { '/api/v1/lookup': () => ({ body: madeLookup(page) }) }),
    [`/api/v1/projects/${id}/versions`]: () => ({ body: versionsOf(page) }),
    [`/api/v1/projects/${id}/ownership`]: () => ({ body: { proof: null } }),
    [`/api/v1/projects/${id}`]: () => ({ body: page }),
    [`/api/v1/projects/${slug}`]: () => ({ body: page }),
    [`/api/projects/${id}`]: () => ({ body: page }),
    [`/api/v1/projects/${id}/trend`]: () => ({ body: trend }),
    [`/badge/${slug}.svg`]: () => ({ text: `<svg data-share="${share}">` }),
    [`/embed/${slug}`]: () => ({ text: `<a data-share="${share}">` }),
    [`/projects/${slug}`]: () => ({ text: html }),
  };
}

/** The site's responses, by path. */
const fitting: Record<string, Respond> = {
  ...pagesOf(madePage(FIRST, null), trends[0]),
  ...pagesOf(madePage(SECOND, FIRST), trends[1]),
  '/api/supply': () => ({ body: SUPPLY }),
  '/api/trust/reach': () => ({ body: REACH }),
  '/api/config': () => ({ body: CONFIG }),
  '/api/record': () => ({ body: SUMMARY }),
  '/api/v1/record': () => ({ body: SUMMARY }),
  '/api/guest-cards': () => ({ body: { cards: [madeProject(1, 10, 0)] } }),
  '/api/record/checkpoints': () => ({ body: checkpoints.toReversed() }),
  '/api/record/recount': () => ({ body: made.recount() }),
  '/api/projects/leaderboard/all': () => ({ body: [FIRST, SECOND] }),
  '/api/projects': () => ({ body: [SECOND, FIRST] }),
  '/api/leaderboard': () => ({
    body: { topVoters: [madeVoter(1, 3)], currentUserRank: null, asOf: null, isInSteps: false },
  }),
  '/api/v1/projects': listOf([FIRST, SECOND]),
  '/api/v1/supply': () => ({ body: SUPPLY }),
  '/api/v1/trust': () => ({ body: TRUST }),
  '/api/v1/leaderboard.json': (url) => ({ body: fileOf(url) }),
  '/api/v1/leaderboard.csv': (url) => ({ text: toDayCsv(fileOf(url)) }),
};
/** Some hours after the record's end. */
const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
let site = fitting;
beforeEach(() => {
  site = fitting;
});

/** The tool for a project answers with its page. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = (await json(request)) as { params: { name: string; arguments: { id: string } } };
  const url = new URL(`http://site/api/v1/projects/${params.arguments.id}`);
  const page = (site['/mcp'] ?? fitting[url.pathname])?.(url).body;
  const text = JSON.stringify({ textsOfUsers: {}, data: params.name === 'project' ? page : null });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } }));
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://site');
  const file = url.pathname.startsWith('/log/') ? record.files.get(url.pathname.slice('/log/'.length)) : undefined;
  if (file) return void response.end(file);
  if (url.pathname === '/mcp') return void answer(request, response);
  const { status = 200, headers, body, text, send } = site[url.pathname]?.(url) ?? { status: 404, body: {} };
  if (send) return send(response);
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

const busy: Respond = () => ({ status: 503, body: {} });
const otherRow = madeRow(2, 2, 6, 5);

test('reads a site that shows what its record says, and finds no difference [R43]', async () => {
  const { differing, unchecked, text } = await verify();
  expect([differing, unchecked]).toEqual([[], []]);
  expect(text).toContain('1 project not shown');
});

test.each<[path: string, respond: Respond, differing: string[]]>([
  ['/api/record/recount', () => ({ body: { ...made.recount(), projects: [] } }), ['Database', 'Site', 'Copies']],
  ['/api/projects/leaderboard/all', () => ({ body: [FIRST, otherRow] }), ['Site', 'Now']],
  ['/api/projects', () => ({ body: [otherRow, FIRST] }), ['Site', 'Now']],
  ['/api/v1/projects', listOf([FIRST, otherRow]), ['Site', 'Trending', 'Now', 'Trust']],
  ['/api/v1/projects/2', () => ({ body: madePage(otherRow, FIRST) }), ['Site', 'Now']],
  ['/api/v1/projects/2', () => ({ status: 404, body: {} }), ['Orders']],
  [
    '/api/leaderboard',
    () => ({ body: { topVoters: [madeVoter(2, 3)], currentUserRank: null, asOf: null, isInSteps: false } }),
    ['Orders'],
  ],
  [
    '/api/v1/projects/2/trend',
    () => ({ body: { days: [{ day: '2026-11-21', ...day(SECOND), bullish: 94 }], figuresOn: '2026-11-21' } }),
    ['Trends'],
  ],
  ['/api/v1/leaderboard.json', (url) => ({ body: madeDay(fileOf(url).day, [otherRow]) }), ['Day files']],
  ['/api/v1/leaderboard.csv', () => ({ text: '' }), ['Day files']],
  [
    '/api/v1/leaderboard.json',
    (url) => ({ body: url.search === '' ? madeDay('2026-11-22', [madeRow(1, 1, 510, 0)]) : fileOf(url) }),
    ['Day files'],
  ],
  ['/api/v1/trust', () => ({ body: { ...TRUST, votes: 121 } }), ['Trust']],
  ['/api/trust/reach', () => ({ body: { ...REACH, voters: 22 } }), ['Trust']],
  ['/api/v1/projects/1/versions', () => ({ body: [] }), ['Versions']],
  ['/api/v1/projects/project-2', () => ({ body: madePage(otherRow, FIRST) }), ['Copies']],
  [
    '/api/v1/lookup',
    () => ({ body: { ...madeLookup(madePage(SECOND, FIRST)), line: 'Project 2: 99% bullish of 10 votes' } }),
    ['Copies'],
  ],
  ['/badge/project-1.svg', () => ({ text: '<svg data-share="99% bullish of 10 votes">' }), ['Copies']],
  ['/embed/project-1', () => ({ text: '<a>' }), ['Copies']],
  [
    '/projects/project-1',
    () => ({ text: '<meta property="og:title" content="Project 1"><div id="root"></div>' }),
    ['Copies'],
  ],
  ['/projects/project-1', () => ({ text: '<div id="root" data-numbers=""></div>' }), ['Copies']],
  ['/api/guest-cards', () => ({ body: { cards: [madeProject(1, 510, 0)] } }), ['Copies']],
  ['/api/v1/record', () => ({ body: { ...SUMMARY, verifierKey: 'snapswipe.test/log+0a0b0c0d+x' } }), ['Copies']],
  ['/mcp', () => ({ body: madePage(madeRow(1, 1, 510, 0), null) }), ['Copies']],
  ['/api/v1/projects/2/ownership', () => ({ body: { proof: PROOF } }), ['Ownership']],
  ['/api/v1/supply', () => ({ body: { ...SUPPLY, differing: 1 } }), ['Supply']],
  ['/api/v1/supply', () => ({ body: { issued: 210 } }), ['Supply', 'Reserves']],
])('verify finds a difference in what %s returns [R43]', async (path, respond, differing) => {
  respondWith({ [path]: respond });
  expect(await verify()).toMatchObject({ differing, unchecked: [] });
});

test.each<[what: string, changes: Record<string, Respond>, unchecked: string[], words: RegExp]>([
  ['the supply', { '/api/v1/supply': busy }, ['Supply', 'Reserves'], /too busy for api\/v1\/supply/],
  [
    'a page',
    { '/api/v1/projects/2': busy },
    ['Site', 'Orders', 'Trending', 'Versions', 'Ownership', 'Reasons', 'Now', 'Trust', 'Copies'],
    /too busy for api\/v1\/projects\/2/,
  ],
  ['a list that is not a list', { '/api/leaderboard': () => ({}) }, ['Orders'], /something else than JSON/],
  ['a trend', { '/api/v1/projects/2/trend': busy }, ['Trends'], /too busy for api\/v1\/projects\/2\/trend/],
  [
    'counts of a longer record',
    { '/api/record/recount': () => ({ body: made.recount(0, record.size + 1) }) },
    [...LINES, 'Trends'],
    /The record has \d+ entries by now, not \d+; run this once more/,
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
])('verify does not call unreadable data checked: %s [R43]', async (_what, changes, unchecked, words) => {
  respondWith(changes);
  const found = await verify();
  expect(found.text).toMatch(words);
  expect([found.differing, found.unchecked]).toEqual([[], unchecked]);
});

test('verify stops when the record is not published, or has not begun [R43]', async () => {
  respondWith({ '/api/record': () => ({ body: { ...SUMMARY, isPublished: false } }) });
  await expect(verify()).rejects.toThrow('keeps no record');
  respondWith({ '/api/record': () => ({ body: { ...SUMMARY, checkpoints: [] } }) });
  await expect(verify()).rejects.toThrow('has not begun yet');
});

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
  () => ({ body: made.recount(since, size) });

test('verify waits for the supply of the newest day, and calls an older one unchecked [R43]', async () => {
  const old = (): Reply => ({ body: { ...SUPPLY, liabilities: 300, day: '2026-11-20' } });
  respondWith({ '/api/v1/supply': inTurn(old, old, () => ({ body: SUPPLY })) });
  expect(await verify()).toMatchObject({ differing: [], unchecked: [] });
  respondWith({ '/api/v1/supply': old });
  const { differing, unchecked, text } = await verify();
  expect([differing, unchecked]).toEqual([[], ['Supply']]);
  expect(text).toMatch(/the supply is of 2026-11-20, before the record ends/);
});

test('verify accepts figures between two counts while votes arrive, and no others [R43]', async () => {
  const showing = (bullish: number): Record<string, Respond> => {
    const { coinType, verified, now } = SECOND;
    const row = { ...madeRow(2, 2, bullish, 5), coinType, verified, now };
    return {
      ...pagesOf(madePage(row, FIRST), trends[1]),
      '/api/record/recount': inTurn(recounted(1), recounted(3)),
      '/api/projects/leaderboard/all': () => ({ body: [FIRST, row] }),
      '/api/projects': () => ({ body: [row, FIRST] }),
      '/api/v1/projects': listOf([FIRST, row]),
    };
  };
  respondWith(showing(7));
  const { differing, unchecked, text } = await verify();
  expect([differing, unchecked]).toEqual([[], []]);
  expect(text).toContain('3 votes newer than the record');
  respondWith(showing(9));
  expect((await verify()).differing).toEqual(['Site', 'Copies']);
});

test('verify waits while the counts are those of the batch before [R43]', async () => {
  respondWith({ '/api/record/recount': inTurn(recounted(0, 3), recounted(0, 3), recounted(0)) });
  expect(await verify()).toMatchObject({ differing: [], unchecked: [] });
});

test('verify calls nothing false where a day is closed during the check [R63 R94]', async () => {
  respondWith({ '/api/record/recount': inTurn(recounted(0), recounted(0, record.size + 1)) });
  const { differing, unchecked, text } = await verify();
  expect([differing, unchecked]).toEqual([[], [...LINES, 'Trends']]);
  expect(text).toMatch(/entries by now, not \d+; run this once more/);
});

test('verify reads lists in pages, and stops at a list without an end [R43 R62]', async () => {
  const page: Respond = ({ searchParams }) =>
    searchParams.get('cursor') === 'a/b'
      ? { body: checkpoints.slice(0, 1) }
      : { body: checkpoints.slice(1), headers: { [NEXT_CURSOR_HEADER]: 'a/b' } };
  respondWith({ '/api/record/checkpoints': page });
  expect(await verify()).toMatchObject({ differing: [], unchecked: [] });
  const endless = (body: unknown): Respond => {
    let at = 0;
    return () => ({ body, headers: { [NEXT_CURSOR_HEADER]: String((at += 1)) } });
  };
  for (const body of [[], checkpoints.toReversed()]) {
    respondWith({ '/api/record/checkpoints': endless(body) });
    await expect(verify()).rejects.toThrow('/api/record/checkpoints?limit=1000 does not come to an end');
  }
  respondWith({ '/api/v1/projects': endless(madeList([FIRST], 'bullish')) });
  expect((await verify()).text).toMatch(/\/api\/v1\/projects\?sort=bullish&limit=100 does not come to an end/);
});

/** Bodies that a hostile site may send instead of a response. */
const HOSTILE: Record<string, (response: ServerResponse) => void> = {
  endless(response) {
    const chunk = Buffer.alloc(1024 * 1024, 32);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  slow: (response) => void response.write(' '),
  compressed(response) {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(BOMB);
  },
};
const BOMB = gzipSync(Buffer.alloc(65 * 1024 * 1024, 32));

test.each(['/api/record/recount', '/api/v1/projects/2', '/api/v1/leaderboard.csv', '/badge/project-2.svg'])(
  'verify ends with a clear line when %s sends a body that is endless, slow, or unpacks without end [R62]',
  async (path) => {
    for (const [kind, send] of Object.entries(HOSTILE)) {
      respondWith({ [path]: () => ({ send }) });
      const { differing, unchecked, text } = await verify(kind === 'slow' ? { timeoutMs: 300 } : {});
      expect([kind, differing.length + unchecked.length]).not.toEqual([kind, 0]);
      expect(text).toMatch(
        kind === 'slow' ? /The server is too slow: \S+ did not arrive in time/ : /has more than \d+ bytes/,
      );
    }
  },
);

test('verify stops reading after its time limit, and says what was not read [R62]', async () => {
  const many = Array.from({ length: 2_000 }, (_, n) => madeRow(n + 3, null, 0, 0));
  const pages = Object.fromEntries(
    many.map((row) => [`/api/v1/projects/${row.id}`, (): Reply => ({ body: madePage(row, null) })]),
  );
  respondWith({ ...pages, '/api/projects/leaderboard/all': () => ({ body: [FIRST, SECOND, ...many] }) });
  const startedMs = performance.now();
  const { unchecked, text } = await verify({ minutes: 0.02 });
  expect(unchecked).toContain('Site');
  expect(text).toMatch(/\S+ was not read: this run has taken 0.02 minutes \(--minutes allows more\)/);
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});

test('verify names a project with an invalid address, and reads nothing there [R62]', async () => {
  const page = { ...madePage(SECOND, FIRST), slug: '../../admin' };
  respondWith({ '/api/v1/projects/2': () => ({ body: page }) });
  const asked: string[] = [];
  server.on('request', ({ url = '' }) => asked.push(url));
  const { text } = await verify();
  expect(text).toContain('project 2 has the address ../../admin');
  expect(asked.filter((url) => url.includes('admin'))).toEqual([]);
});

test('verify reads up to 20 random projects at their other addresses [R62]', () => {
  const pages = Array.from({ length: 1_000 }, (_, n) => madePage(madeRow(n + 1, null, 0, 0), null));
  expect(sampleOf(pages.slice(0, 7))).toHaveLength(7);
  const sample = sampleOf(pages).map(({ id }) => id);
  expect(new Set(sample).size).toBe(20);
  expect(sampleOf(pages).map(({ id }) => id)).not.toEqual(sample);
});

test('text of a site cannot control the terminal [R62]', () => {
  const evil = '\u001b[2J\u001b]0;x\u0007\r\n✓ Everything fits.\u202egnp\u009b1m';
  const differences = [evil, 'x'.repeat(100_000)];
  const text = table([{ name: 'Site', state: 'differs', detail: evil, differences }], { colors: false });
  // oxlint-disable-next-line no-control-regex -- these are looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(text.split('\n')).toHaveLength(3);
  expect(text.length).toBeLessThan(2_000);
});

const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-verify-test-'));
afterAll(() => rm(folder, { recursive: true }));

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

test('npm run verify exits with 1 when anything differs or is unchecked, and uses the node and the key of its options [R43]', async () => {
  respondWith({
    '/api/record/checkpoints': () => ({ body: sent }),
    '/api/record': () => ({ body: { ...SUMMARY, anchorSender: '0x0' } }),
    '/api/v1/supply': () => ({ body: { ...SUPPLY, differing: 1 } }),
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
    /✗ Supply [\s\S]+Snaps differing 1, by the record differing 0\n[\s\S]+Not everything fits, or could be checked\.\n/,
  );
  expect(found.said).toContain(`Believed, not compared:\n- ${BELIEVED[0]?.what}`);
  expect(found.code).toBe(1);
  expect(foreign).toMatchObject({ code: 1, said: expect.stringContaining('No known key has signed') as string });
});

test.each<[args: string[], words: RegExp]>([
  [['https://127.0.0.1:1', '--key', 'x'], /^✗ --key x: Not a verifier key/],
  [
    ['ftp://snapswipe.example'],
    /^✗ ftp:\/\/snapswipe.example: ftp is not supported; sites are read over https or http\n/,
  ],
  [['https://127.0.0.1:1', '--minutes', 'x'], /^✗ --minutes x: a number of minutes/],
])('npm run verify names the option that is wrong: %j [R62]', async (args, words) => {
  expect(await call(...args)).toMatchObject({ code: 1, said: expect.stringMatching(words) as string });
});

test('npm run verify and its document list the same as believed [R62]', async () => {
  const document = await readFile('docs/use/verify.md', 'utf8');
  const section = document.split('## Believed, not compared\n')[1]?.split('\n## ')[0] ?? '';
  const listed = [...section.matchAll(/^- (.+)$/gm)].map(([, what]) => what);
  expect(listed).toEqual(BELIEVED.map(({ what }) => what));
});

test('verify keeps key and checkpoint of a site, and compares them at the next check [R62]', async () => {
  const stateFile = path.join(folder, 'kept.json');
  expect((await verify({ stateFile })).text).toContain('checked for the first time');
  expect(JSON.parse(await readFile(stateFile, 'utf8'))).toMatchObject({
    version: 1,
    logs: { [record.verifierKey]: { note: record.checkpoints.at(-1)?.note } },
    sites: { [origin]: record.verifierKey },
  });
  for (const address of [origin, origin.replace('127.0.0.1', 'localhost')]) {
    const again = await verify({ stateFile, origin: address });
    expect(again.text).toContain(`begins with the ${record.size} entries of 2026-11-22`);
    expect(again.differing).toEqual([]);
  }
});

test('verify demands votes that were shown as newer, until they are in the record [R62]', async () => {
  const stateFile = path.join(folder, 'newer.json');
  const claimed = async () => {
    const { logs } = JSON.parse(await readFile(stateFile, 'utf8')) as Memory;
    return logs[record.verifierKey]?.claim?.opinions;
  };
  const row = { ...madeRow(2, 2, 14, 5), coinType: SECOND.coinType, verified: SECOND.verified, now: SECOND.now };
  respondWith({
    ...pagesOf(madePage(row, FIRST), trends[1]),
    '/api/record/recount': inTurn(recounted(0), recounted(9)),
    '/api/projects/leaderboard/all': () => ({ body: [FIRST, row] }),
    '/api/projects': () => ({ body: [row, FIRST] }),
    '/api/v1/projects': listOf([FIRST, row]),
  });
  expect((await verify({ stateFile })).differing).toEqual([]);
  expect(await claimed()).toEqual({ 2: 19 });
  respondWith({});
  const { differing, text } = await verify({ stateFile });
  expect(differing).toEqual(['Site']);
  expect(text).toContain('project 2: votes after those of the last check 10, by the record 14 or more');
  expect(await claimed()).toEqual({ 2: 19 });
  // Votes that a restore has lost are not demanded.
  respondWith({ '/api/record': () => ({ body: { ...SUMMARY, restores: [MADE_TIME] } }) });
  expect((await verify({ stateFile })).differing).toEqual([]);
});

test('verify leaves its memory unchanged when the record no longer fits it [R62]', async () => {
  const stateFile = path.join(folder, 'rewritten.json');
  const other = new MadeRecord();
  other.publish({ day: '2026-11-20', votes: [{ voter: 9, projectId: 1 }] });
  const note = other.checkpoints[0]?.note ?? '';
  const logs = { [record.verifierKey]: { note, checkedAt: '2026-11-20T12:00:00.000Z' } };
  const memory = { version: 1, logs, sites: { [origin]: record.verifierKey } };
  await writeFile(stateFile, JSON.stringify(memory));
  expect((await verify({ stateFile })).differing).toEqual(['Memory']);
  expect(JSON.parse(await readFile(stateFile, 'utf8'))).toEqual(memory);
});

test('verify stops at a memory that is corrupt, and reports one that cannot be written [R62]', async () => {
  const stateFile = path.join(folder, 'corrupt.json');
  await writeFile(stateFile, '{');
  await expect(verify({ stateFile })).rejects.toThrow(`${stateFile} is corrupt: move it away to start over`);
  await expect(verify({ stateFile: path.join(stateFile, 'verify.json') })).rejects.toThrow(/cannot be read/);
  // A file without permission to write would not stop root.
  const found = await verify({ stateFile: `/proc/snapswipe/${process.pid}.json` });
  expect(found.unchecked).toEqual(['Memory']);
  expect(found.text).toMatch(/cannot be written: /);
});

test('verify lists every vote of a secret on all projects [R64]', async () => {
  const { ownVotes } = await verifySite({
    origin,
    wait: () => Promise.resolve(),
    now: () => NOW_MS,
    secret: madeSecret(0),
  });
  expect(ownVotes).toEqual([
    '  project 1: bullish on 2026-11-20, verified',
    '  project 2: bullish on 2026-11-21, verified',
    '  project 3: bullish on 2026-11-20, waiting',
  ]);
});

test.each<[now: string, chain: string | null, differences: RegExp]>([
  ['2026-11-23T23:59:00Z', null, /^$/],
  [
    '2026-11-24T00:01:00Z',
    null,
    /The newest day is 2026-11-21, 2 days ago \(this machine's clock says 2026-11-24 00:01\)/,
  ],
  ['2026-11-22T12:00:00Z', '2026-11-24T00:01:00Z', /2 days ago .*the chain's 2026-11-24 00:01/],
  ['2026-11-19T12:00:00Z', null, /The newest day is 2026-11-21, which has not begun/],
])(
  'the newest day ended at most two days ago by both clocks: at %s, the chain at %s [R62]',
  (now, chain, differences) => {
    const check = checkAge('2026-11-21', Date.parse(now), chain === null ? null : Date.parse(chain));
    expect(check.differences.join('\n')).toMatch(differences);
  },
);

test('the newest checkpoint has as many valid cosignatures as the caller demands [R65]', () => {
  const [one, two] = [1, 2].map((n) => createSigner(`w${n}.test/witness`, new Uint8Array(32).fill(n), 'cosignature'));
  if (!one || !two) throw new Error('there are two');
  const newest = record.checkpoints.at(-1)?.note ?? '';
  const text = newest.slice(0, newest.indexOf('\n\n') + 1);
  const note = newest + cosign(text, one, 1_700_000_000);
  const task = { note, witnesses: [one, two], named: [], nowMs: NOW_MS };
  expect(checkWitnesses({ ...task, quorum: 1 }).state).toBe('ok');
  expect(checkWitnesses({ ...task, quorum: 2 }).differences).toEqual([
    '1 of 2 witnesses cosigned the newest checkpoint, 2 are demanded; missing: w2.test/witness',
  ]);
  const foreign = newest + cosign(text.replace(`\n${record.size}\n`, `\n${record.size - 1}\n`), one, 1_700_000_000);
  expect(checkWitnesses({ ...task, note: foreign, quorum: 1 }).differences).toContain(
    'The cosignature of w1.test/witness does not fit the note',
  );
  const named = { witnesses: [], quorum: 0, named: [formatVerifier(one)], nowMs: NOW_MS };
  expect(checkWitnesses({ ...named, note: newest }).state).toBe('unchecked');
  expect(checkWitnesses({ ...named, note }).detail).toContain(
    '1 of 1 witness cosigned the newest checkpoint; w1.test/witness on 2023-11-14 22:13; the site names',
  );
});

test('a cosignature from the future does not count [R65]', () => {
  const witness = createSigner('w.test/witness', new Uint8Array(32).fill(1), 'cosignature');
  const newest = record.checkpoints.at(-1)?.note ?? '';
  const text = newest.slice(0, newest.indexOf('\n\n') + 1);
  const at = (timeS: number) =>
    checkWitnesses({
      note: newest + cosign(text, witness, timeS),
      witnesses: [witness],
      quorum: 1,
      named: [],
      nowMs: NOW_MS,
    });
  expect(at(NOW_MS / 1000 + 300).state).toBe('ok');
  expect(at(Date.parse('2099-01-01T00:00:00Z') / 1000).differences).toEqual([
    'The cosignature of w.test/witness says 2099-01-01 00:00, which has not come yet',
    '0 of 1 witness cosigned the newest checkpoint, 1 are demanded; missing: w.test/witness',
  ]);
  expect(at(Number.MAX_SAFE_INTEGER).state).toBe('differs');
  expect(at(0).state).toBe('differs');
});

test('a witness with another kind of key is named, and the others count [R65]', () => {
  const one = createSigner('w1.test/witness', new Uint8Array(32).fill(1), 'cosignature');
  const newest = record.checkpoints.at(-1)?.note ?? '';
  const note = newest + cosign(newest.slice(0, newest.indexOf('\n\n') + 1), one, 1_700_000_000);
  const key = `w2.test/witness+0a0b0c0d+${Buffer.concat([Buffer.of(6), Buffer.alloc(1312, 7)]).toString('base64')}`;
  const witnesses = [one, parseWitness(key)];
  const task = { note, witnesses, named: [], nowMs: NOW_MS };
  const kind = 'w2.test/witness has an unknown kind of key (type 6)';
  expect(checkWitnesses({ ...task, quorum: 1 })).toMatchObject({
    state: 'ok',
    detail: `1 of 2 witnesses cosigned the newest checkpoint; w1.test/witness on 2023-11-14 22:13; ${kind}`,
  });
  expect(checkWitnesses({ ...task, quorum: 2 })).toMatchObject({
    state: 'unchecked',
    detail: `1 of 2 witnesses cosigned the newest checkpoint, 2 are demanded; missing: ${kind}`,
  });
  expect(checkWitnesses({ ...task, quorum: 2, note: newest }).state).toBe('differs');
  expect(checkWitnesses({ ...task, witnesses: [], quorum: 0, named: [key] }).state).toBe('unchecked');
  expect(() => parseWitness(record.verifierKey)).toThrow('Not an Ed25519 cosignature key');
});
