// @vitest-environment happy-dom
import { toBase64 } from '@mysten/sui/utils';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getRecord, getVoterSecret, type RecordCheckpoint } from '#shared/contract/record.ts';
import {
  type Activity,
  getStats,
  getUser,
  listActivity,
  listVotes,
  type VoteHistoryItem,
} from '#shared/contract/users.ts';
import { listWithdrawals, type Withdrawal } from '#shared/contract/withdrawals.ts';
import { cosign } from '#record/log/cosignature.ts';
import { createSigner, formatVerifier } from '#record/log/note.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import { dayEndMs } from '#record/entries/days.ts';
import { MadeRecord, madeSecret } from '#record/testing/record.ts';
import { activityOf, historyVoteOf, STATS, USER, withdrawalOf } from '../../../testing/made-up.ts';
import { draw, pressToLoad, useTestPage } from '../../../testing/screen.tsx';
import { announcement } from '../../../lib/announce.ts';
import { CheckMyVotes } from '../check-my-votes.tsx';
import { findAnchor } from './check-own-record.ts';
import { anchorText, findingText, progressText } from './words.ts';

const server = useTestPage();
const OWN = 7;
const DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const DAY = '2026-11-21';

const AT = `${DAY}T12:00:00.000Z`;
const vote = (id: number, changes: Partial<VoteHistoryItem> = {}): VoteHistoryItem =>
  historyVoteOf(id, { createdAt: AT, since: AT, saidAt: AT, state: 'waiting', ...changes });

const checkpointOf = (record: MadeRecord): RecordCheckpoint => {
  const { size, day, root, note, address } = record.checkpoints.at(-1) ?? {
    size: 0,
    day: '',
    root: new Uint8Array(),
    note: '',
    address: '',
  };
  const until = new Date(dayEndMs(day)).toISOString();
  const anchor = { anchorState: 'none', anchorDigest: null, anchorAddress: address } as const;
  return { size, day, until, root: toBase64(root), note, createdAt: until, ...anchor };
};

/** The server's fetch with the files of the record beside it. */
function serveFiles(record: MadeRecord): void {
  const api = fetch;
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const [, path] = /\/log\/(.+)$/.exec(address) ?? [];
    if (path === undefined) return api(address, init);
    const bytes = record.files.get(path);
    return bytes ? new Response(bytes.slice()) : new Response('', { status: 404 });
  });
}

/** A record of one day with the votes of ten voters on projects 1 to 3, the user's among them. */
function makeRecord(change: (record: MadeRecord) => void = () => undefined): MadeRecord {
  const record = new MadeRecord();
  change(record);
  const voters = [OWN, 11, 12, 13, 14, 15, 16, 17, 18, 19];
  const votes = voters.flatMap((voter) => [1, 2, 3].map((projectId) => ({ voter, projectId })));
  record.publish({ day: DAY, votes });
  return record;
}

const burned = (tokens: number): Activity => activityOf(1, { tokens: -tokens, createdAt: '2026-11-20T12:00:00.000Z' });

const withdrawal = (tokenAmount: number, changes: Partial<Withdrawal> = {}): Withdrawal =>
  withdrawalOf(tokenAmount, { tokenAmount, state: 'paid', digest: DIGEST, createdAt: AT, updatedAt: AT, ...changes });

/** The site's word about the user's Snaps. */
function serveSnaps(
  tokenBalance: number,
  { activity = [], withdrawals = [] }: { activity?: Activity[]; withdrawals?: Withdrawal[] } = {},
): void {
  server().respond(getStats, { ...STATS, tokenBalance });
  server().respond(listActivity, activity, { total: activity.length });
  server().respond(listWithdrawals, { paused: false, prepaid: null, withdrawals }, { total: withdrawals.length });
}

function serve(record: MadeRecord, votes = [vote(1), vote(2), vote(3)], witnesses: string[] = []): void {
  const published = {
    isPublished: true,
    origin: 'snapswipe.test/log',
    verifierKey: record.verifierKey,
    anchorSender: null,
    restores: [],
    witnesses,
  };
  server().respond(getRecord, { ...published, checkpoints: [checkpointOf(record)] });
  server().respond(getVoterSecret, { secret: toBase64Url(madeSecret(OWN)) });
  server().respond(listVotes, votes, { total: votes.length });
  server().respond(getUser, USER);
  serveSnaps(10 * votes.length);
  serveFiles(record);
}

const check = async (): Promise<void> => {
  draw(<CheckMyVotes userId={OWN} />);
  await pressToLoad(screen.getByRole('button', { name: 'Check my votes' }));
};
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Your votes in the record' })).getAllByRole('listitem');

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T10:00:00Z') }));

test('the public record is read on request only [R42]', () => {
  draw(<CheckMyVotes userId={OWN} />);
  expect(server().calls(getRecord)).toEqual([]);
  expect(screen.getByText(/finds your votes in the public record/)).toBeVisible();
});

test('a matching record lists each vote and the balance [R42]', async () => {
  serve(makeRecord());
  await check();
  const texts = (await rows()).map(({ textContent }) => textContent);
  expect(texts).toEqual(
    [1, 2, 3].map((id) => `Project ${id} · BullishIn the record of 21 Nov 2026, signed; not verified yet`),
  );
  expect(screen.getByText('Nobody else voted in your name: we checked every vote of the record.')).toBeVisible();
  expect(screen.getByText('3 votes are in the record, exactly as cast.')).toBeVisible();
  expect(screen.getByText('10 × 3 votes = 30 Snaps, which is your balance.')).toBeVisible();
  expect(screen.getByText('This site signs its record and does not store it on Sui.')).toBeVisible();
  expect(announcement.get()).toContain('everything matches');
});

test('the balance is a sum of own votes, burns, payouts and held Snaps, whose payouts by hand are in the record [R42]', async () => {
  const record = new MadeRecord();
  const others = [{ kind: 'payout', day: DAY, snaps: 60, digest: DIGEST } as const];
  record.publish({ day: DAY, votes: [1, 2, 3].map((projectId) => ({ voter: OWN, projectId })), others });
  serve(record);
  const held = withdrawal(50, { state: 'approved', digest: null });
  serveSnaps(-180, { activity: [burned(100)], withdrawals: [withdrawal(60), held] });
  await check();
  expect(
    await screen.findByText('10 × 3 votes − 100 burned − 60 paid − 50 held = -180 Snaps, which is your balance.'),
  ).toBeVisible();
  expect(screen.getByText('60 Snaps were paid to you, by Sui and the record as by your list.')).toBeVisible();
  expect(announcement.get()).toContain('everything matches');
});

test('Snaps that are missing, and payouts that neither Sui nor the record has, are named [R42]', async () => {
  serve(makeRecord());
  serveSnaps(-40, { withdrawals: [withdrawal(60)] });
  await check();
  expect(
    await screen.findByText('10 × 3 votes − 60 paid = -30 Snaps, and the site shows -40: 10 Snaps are missing.'),
  ).toBeVisible();
  expect(
    screen.getByText('Your list has 60 Snaps as paid; 60 of them are neither in a Book on Sui nor in the record.'),
  ).toBeVisible();
  expect(announcement.get()).toContain('something does not match');
  expect(localStorage.getItem('snapswipe_record_seen')).toBeNull();
});

test('the proof of a vote is downloaded as a file [R42]', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (files.push(blob as Blob), 'blob:proof'));
  serve(makeRecord());
  await check();
  await userEvent.click(await screen.findByRole('button', { name: 'Download proof of your vote on Project 2' }));
  expect(await files[0]?.text()).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra \S+\nindex \d+\n/);
});

test("the result names the site's witnesses that cosigned the record [R65]", async () => {
  const witnesses = [1, 2].map((n) => createSigner(`witness-${n}.example`, new Uint8Array(32).fill(n), 'cosignature'));
  const record = makeRecord();
  const note = record.checkpoints.at(-1)?.note ?? '';
  const [witness] = witnesses;
  if (!witness) throw new Error('no witness');
  const cosigned = note + cosign(note.slice(0, note.indexOf('\n\n') + 1), witness, 1_763_800_000);
  record.files.set('checkpoint', new TextEncoder().encode(cosigned));
  serve(
    record,
    undefined,
    witnesses.map((each) => formatVerifier(each)),
  );
  await check();
  expect(await screen.findByText('1 of 2 witnesses cosigned this record: witness-1.example.')).toBeVisible();
});

test('a turned vote is listed first, in plain words [R42]', async () => {
  serve(makeRecord(), [vote(1), vote(2, { voteType: 'bearish' }), vote(9), vote(3)]);
  await check();
  expect((await rows()).map(({ textContent }) => textContent)).toEqual([
    'Project 2 · BearishDifferent: the record of 21 Nov 2026 says bullish',
    'Project 9 · BullishMissing: the record of 21 Nov 2026 does not have this vote',
    'Project 1 · BullishIn the record of 21 Nov 2026, signed; not verified yet',
    'Project 3 · BullishIn the record of 21 Nov 2026, signed; not verified yet',
  ]);
  expect(screen.getByText('2 votes do not match the record.')).toBeVisible();
  expect(announcement.get()).toContain('2 do not match');
  expect(localStorage.getItem('snapswipe_record_seen')).toBeNull();
});

test('a forged file leaves nothing checked [R42]', async () => {
  const record = makeRecord();
  const path = [...record.files.keys()].find((name) => name.startsWith('tile/0/')) ?? '';
  record.files.set(path, new Uint8Array(record.files.get(path)?.length ?? 0));
  serve(record);
  await check();
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The public record does not match. Please report this.');
  expect(alert).toHaveTextContent(/Entry \d+ is not in the signed record: its hash tile has another hash\./);
  expect(screen.queryByText(/exactly as cast/)).toBeNull();
});

test('a rewritten record is detected by what this browser saw before, until the user starts over [R42]', async () => {
  serve(makeRecord());
  await check();
  await rows();
  serve(
    makeRecord(
      (record) =>
        (record.tamper = (entries) =>
          entries.map((one) => (one.kind === 'vote' ? { ...one, state: 'verified' } : one))),
    ),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The record was rewritten since this browser last saw it.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(await rows()).toHaveLength(3);
});

test("a vote in the user's name on a project that the user's list lacks is reported [R64]", async () => {
  serve(makeRecord(), [vote(1), vote(3)]);
  await check();
  expect(
    await screen.findByText(
      'The record of 21 Nov 2026 has a bullish vote in your name on project 2 that is not in your list.',
    ),
  ).toBeVisible();
  expect(announcement.get()).toBe('Your votes are checked: something does not match.');
  expect(localStorage.getItem('snapswipe_record_seen')).toBeNull();
});

test('a confirmation that the voter never gave, another day and another identity are named [R60 R64]', async () => {
  const record = makeRecord();
  const day = '2026-11-22';
  record.publish({
    day,
    changes: [1, 2].map((projectId) => ({ voter: OWN, projectId })),
    votes: [{ voter: OWN, projectId: 4, identity: 2 }],
  });
  const said = (saidAt: string) => ({ voteType: 'bullish' as const, saidAt, identity: 1 });
  serve(record, [
    vote(1),
    vote(2, { opinions: [said(AT), said('2026-11-20T12:00:00.000Z')] }),
    vote(3, { opinions: [said(AT), said(`${day}T01:00:00.000Z`)] }),
    vote(4, { opinions: [said(`${day}T01:00:00.000Z`)] }),
  ]);
  await check();
  expect((await rows()).map(({ textContent }) => textContent)).toEqual([
    'Project 1 · BullishDifferent: by the record you said bullish again on 22 Nov 2026; your list does not have that',
    'Project 2 · BullishDifferent: the record says 22 Nov 2026 for what you said on 20 Nov 2026',
    'Project 3 · BullishMissing: the record does not have your change or confirmation of 22 Nov 2026',
    'Project 4 · BullishDifferent: by the record of 22 Nov 2026 you voted on identity 2 of this project, by your list on identity 1',
  ]);
  expect(announcement.get()).toBe('Your votes are checked: 4 do not match.');
});

test.each<[progress: Parameters<typeof progressText>[0], text: string]>([
  [{ step: 'lists', done: 0, all: 0 }, 'Reading your votes and balance…'],
  [{ step: 'votes', done: 1_000, all: 1_200 }, 'Checked 1,000 of 1,200 votes…'],
  [
    { step: 'search', done: 5_000, all: 256_000 },
    'Searching the record for other votes in your name: 5,000 of 256,000…',
  ],
  [{ step: 'checkpoints', done: 0, all: 0 }, 'Checking the newest days of the record…'],
  [{ step: 'payouts', done: 0, all: 0 }, 'Looking for payouts in the record…'],
  [{ step: 'anchor', done: 0, all: 0 }, 'Looking for the record on Sui…'],
])('the page says what it reads: %j [R64]', (progress, text) => {
  expect(progressText(progress)).toBe(text);
});

test('the record is checked in the page when the worker fails [R64 R81]', async () => {
  class BrokenWorker {
    private fail = (): void => undefined;
    addEventListener = (type: string, listener: () => void) => void (type === 'error' && (this.fail = listener));
    postMessage = () => queueMicrotask(() => this.fail());
    terminate = () => undefined;
  }
  vi.stubGlobal('Worker', BrokenWorker);
  serve(makeRecord());
  await check();
  expect(await rows()).toHaveLength(3);
});

describe('nothing to check', () => {
  const summary = {
    isPublished: true,
    origin: 'o',
    verifierKey: 'k',
    anchorSender: null,
    restores: [],
    witnesses: [],
    checkpoints: [],
  };
  test.each([
    [
      'a site without a record',
      { ...summary, isPublished: false, origin: null, verifierKey: null },
      'No public record',
    ],
    ['a record that has not begun', summary, 'The record begins soon'],
  ])('the result for %s is shown [R42]', async (_what, body, title) => {
    server().respond(getRecord, body);
    await check();
    expect(await screen.findByText(title)).toBeVisible();
  });
});

describe('the anchor', () => {
  const record = makeRecord();
  const newest = checkpointOf(record);
  const candidates = [2, 1].map((size) => ({ size, day: DAY, address: `0x${size}` }));
  const summary = (...states: Array<RecordCheckpoint['anchorState']>) => {
    const digest = (state: RecordCheckpoint['anchorState'], size: number) =>
      state === 'none' ? null : `digest-${size}`;
    const checkpoints = states.map((anchorState, at) => {
      return { ...newest, size: 2 - at, anchorState, anchorDigest: digest(anchorState, 2 - at) };
    });
    return { anchorSender: '0xa', checkpoints };
  };
  const named = { anchors: candidates, anchorSender: '0xa' };
  /** The chain has these transactions, which pay to the addresses of their size. */
  const paid =
    (sizes: number[], { sender = '0xa', address = (size: number) => `0x${size}` } = {}) =>
    (digest: string) => {
      const size = sizes.find((one) => digest === `digest-${one}`);
      return Promise.resolve(size === undefined ? [] : [{ sender, address: address(size) }]);
    };

  test.each<[what: string, finding: string, ...rest: Parameters<typeof findAnchor>]>([
    ['on chain', 'anchored', summary('anchored'), named, paid([2])],
    ['on chain for the day before', 'anchored', summary('sent', 'anchored'), named, paid([1])],
    ['sent and not shown', 'waiting', summary('sent', 'sent'), named, paid([])],
    ['called anchored and not shown', 'contradicted', summary('anchored', 'anchored'), named, paid([1])],
    ['sent by another wallet', 'contradicted', summary('sent'), named, paid([2], { sender: '0xb' })],
    ['a payment to another address', 'contradicted', summary('anchored'), named, paid([2], { address: () => '0x9' })],
    [
      'of a record that is only signed',
      'unsigned',
      { ...summary('none'), anchorSender: null },
      { ...named, anchorSender: null },
      paid([2]),
    ],
    [
      'of another wallet than the site says',
      'denied',
      summary('anchored'),
      { ...named, anchorSender: '0xb' },
      paid([2]),
    ],
    ['denied by the site', 'denied', { ...summary('none'), anchorSender: null }, named, paid([2])],
    ['of a node that is away', 'unknown', summary('anchored'), named, () => Promise.reject(new Error('away'))],
  ])('an anchor %s is %s [R41 R42]', async (_what, kind, ...rest) => {
    const anchor = await findAnchor(...rest);
    expect(anchor.kind).toBe(kind);
    expect(anchorText(anchor)).toMatch(/\.$/);
  });

  test('the days of a confirmed vote are shown, so that its voter can compare them [R57 R64]', () => {
    const finding = { kind: 'recorded', day: DAY, index: 0, state: 'waiting', proofFile: '' } as const;
    const opinions = [AT, '2026-11-22T00:30:00.000Z'].map((saidAt) => {
      return { voteType: 'bullish' as const, saidAt, identity: 1 };
    });
    expect(findingText(finding, vote(1, { opinions }), { kind: 'unsigned' })).toMatch(
      /; changed or confirmed on 22 Nov 2026$/,
    );
  });

  test('an anchor covers the votes up to its size only [R42]', () => {
    const anchor = { kind: 'anchored', size: 10, day: DAY, address: '0x2' } as const;
    const text = (index: number) =>
      findingText({ kind: 'recorded', day: DAY, index, state: 'waiting', proofFile: '' }, vote(1), anchor);
    expect([text(9), text(10)]).toEqual([
      'In the record of 21 Nov 2026, on Sui; not verified yet',
      'In the record of 21 Nov 2026, signed; not verified yet',
    ]);
  });
});
