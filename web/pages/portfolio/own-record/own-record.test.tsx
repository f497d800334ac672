// @vitest-environment happy-dom
/** The own votes in the public record: what is found, what is not, and what is said of it. */
import { toBase64 } from '@mysten/sui/utils';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getOwnLiability, getRecord, getVoterSecret, type RecordCheckpoint } from '#shared/contract/record.ts';
import { listVotes, type VoteHistoryItem } from '#shared/contract/users.ts';
import { toBase64Url } from '#shared/record/base64url.ts';
import { madeLiability, MadeRecord, madeSecret } from '#shared/testing/record.ts';
import { draw, pressToLoad, useTestPage } from '../../../testing/screen.tsx';
import { announcement } from '../../../lib/announce.ts';
import { CheckMyVotes } from '../check-my-votes.tsx';
import { findAnchor } from './check-own-record.ts';
import { anchorText, findingText } from './words.ts';
// Loaded on demand; named for `npm run mutants`, which asks a test about what it imports.
import './own-record-panel.tsx';

const server = useTestPage();
const OWN = 7;
const DAY = '2026-11-21';
const BALANCES = { [OWN]: 120, 8: 80 };

const vote = (id: number, changes: Partial<VoteHistoryItem> = {}): VoteHistoryItem => ({
  id: `${OWN}-${id}`,
  voteType: 'bullish',
  tokensEarned: 10,
  createdAt: `${DAY}T12:00:00.000Z`,
  period: 1,
  counts: true,
  state: 'waiting',
  evidence: { isDecided: false, daysRead: 0, daysHeld: 0 },
  detail: null,
  project: { id, slug: `project-${id}`, name: `Project ${id}`, category: 'DeFi' },
  ...changes,
});

const checkpointOf = (record: MadeRecord): RecordCheckpoint => {
  const { size, day, root, note, address } = record.checkpoints.at(-1) ?? {
    size: 0,
    day: '',
    root: new Uint8Array(),
    note: '',
    address: '',
  };
  const until = '2026-11-22T00:00:00.000Z';
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

/** A record of one day with the votes of ten voters on projects 1 to 3, the own ones among them. */
function makeRecord(change: (record: MadeRecord) => void = () => undefined): MadeRecord {
  const record = new MadeRecord();
  change(record);
  const voters = [OWN, 11, 12, 13, 14, 15, 16, 17, 18, 19];
  const votes = voters.flatMap((voter) => [1, 2, 3].map((projectId) => ({ voter, projectId })));
  record.publish({ day: DAY, votes, balances: BALANCES });
  return record;
}

function serve(record: MadeRecord, votes = [vote(1), vote(2), vote(3)]): void {
  const published = {
    isPublished: true,
    origin: 'snapswipe.test/log',
    verifierKey: record.verifierKey,
    anchorSender: null,
  };
  server().respond(getRecord, { ...published, checkpoints: [checkpointOf(record)] });
  server().respond(getVoterSecret, { secret: toBase64Url(madeSecret(OWN)) });
  server().respond(getOwnLiability, {
    liability: {
      ...madeLiability(DAY, BALANCES, OWN),
      size: record.size,
      entryIndex: 0,
      root: '',
      total: 200,
      accounts: 2,
    },
  });
  server().respond(listVotes, votes, { total: votes.length });
  serveFiles(record);
}

const check = async (): Promise<void> => {
  draw(<CheckMyVotes userId={OWN} />);
  await pressToLoad(screen.getByRole('button', { name: 'Check my votes' }));
};
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Your votes in the record' })).getAllByRole('listitem');

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T10:00:00Z') }));

test('nothing is read before it is asked for [R42]', () => {
  draw(<CheckMyVotes userId={OWN} />);
  expect(server().calls(getRecord)).toEqual([]);
  expect(screen.getByText(/you do not have to take our word for it/)).toBeVisible();
});

describe('a record that fits', () => {
  test('says of each vote that it is in the record, and of the balance that it is owed [R42]', async () => {
    serve(makeRecord());
    await check();
    const texts = (await rows()).map(({ textContent }) => textContent);
    expect(texts).toEqual([1, 2, 3].map((id) => `Project ${id} · BullishIn the record of November 21, signed`));
    expect(screen.getByText('3 votes are in the record, exactly as cast.')).toBeVisible();
    expect(screen.getByText(/^Your balance of 120 Snaps on November 21 is part of the 200 Snaps/)).toBeVisible();
    expect(screen.getByText('This site signs its record and does not anchor it on Sui.')).toBeVisible();
    expect(announcement.get()).toContain('everything fits');
  });

  test('tells newer votes apart, and does not call them missing [R42]', async () => {
    serve(makeRecord(), [vote(4, { createdAt: '2026-11-22T09:00:00.000Z' }), vote(1)]);
    await check();
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      'Project 4 · BullishNewer than the record; it will be in the next one',
      'Project 1 · BullishIn the record of November 21, signed',
    ]);
    expect(screen.getByText('1 vote is newer than the record, which grows once a day.')).toBeVisible();
  });

  test('hands a proof out as a file [R42]', async () => {
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (files.push(blob as Blob), 'blob:proof'));
    serve(makeRecord());
    await check();
    await userEvent.click(await screen.findByRole('button', { name: 'Download proof of your vote on Project 2' }));
    expect(await files[0]?.text()).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra \S+\nindex \d+\n/);
  });

  test('is checked again on demand, and still begins with what was seen [R42]', async () => {
    serve(makeRecord());
    await check();
    await userEvent.click(await screen.findByRole('button', { name: 'Check again' }));
    expect(await rows()).toHaveLength(3);
    expect(server().calls(getRecord)).toHaveLength(2);
  });

  test('shows five votes, then the others', async () => {
    const record = new MadeRecord();
    const ids = [1, 2, 3, 4, 5, 6, 7];
    record.publish({ day: DAY, votes: ids.map((projectId) => ({ voter: OWN, projectId })), balances: BALANCES });
    serve(
      record,
      ids.map((id) => vote(id)),
    );
    await check();
    expect(await rows()).toHaveLength(5);
    await userEvent.click(screen.getByRole('button', { name: 'Show 2 more of 7' }));
    expect(await rows()).toHaveLength(7);
  });
});

describe('a record that does not fit', () => {
  test('puts a vote that was turned around first, in plain words [R42]', async () => {
    serve(makeRecord(), [vote(1), vote(2, { voteType: 'bearish' }), vote(9)]);
    await check();
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      'Project 2 · BearishDifferent: the record of November 21 says bullish',
      'Project 9 · BullishMissing: the record of November 21 does not have this vote',
      'Project 1 · BullishIn the record of November 21, signed',
    ]);
    expect(screen.getByText('2 votes do not fit the record.')).toBeVisible();
    expect(announcement.get()).toContain('2 do not fit');
    expect(localStorage.getItem('snapswipe_record_seen')).toBeNull();
  });

  test('calls nothing checked when a file was forged [R42]', async () => {
    const record = makeRecord();
    const path = [...record.files.keys()].find((name) => name.startsWith('tile/0/')) ?? '';
    record.files.set(path, new Uint8Array(record.files.get(path)?.length ?? 0));
    serve(record);
    await check();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The record does not fit, so none of your votes counts as checked.');
    expect(alert).toHaveTextContent(/Entry \d+ is not in the signed record: the proof leads to another root\./);
    expect(screen.queryByText(/exactly as cast/)).toBeNull();
  });

  test('notices a record that was rewritten since the last check, and forgets it when told to [R42]', async () => {
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
    await userEvent.click(screen.getByRole('button', { name: 'Forget what this browser saw' }));
    expect(await rows()).toHaveLength(3);
  });
});

describe('nothing to check', () => {
  const summary = { isPublished: true, origin: 'o', verifierKey: 'k', anchorSender: null, checkpoints: [] };
  test.each([
    [
      'a site without a record',
      { ...summary, isPublished: false, origin: null, verifierKey: null },
      'No public record',
    ],
    ['a record that has not begun', summary, 'The record begins soon'],
  ])('%s says so [R42]', async (_what, body, title) => {
    server().respond(getRecord, body);
    await check();
    expect(await screen.findByText(title)).toBeVisible();
  });

  test('a voter without votes is told what comes first [R42]', async () => {
    serve(makeRecord(), []);
    await check();
    expect(await screen.findByText('No votes yet')).toBeVisible();
  });

  test('a server that is away can be tried again [R42]', async () => {
    server().lose(getRecord);
    await check();
    expect(await screen.findByText('The server cannot be reached. Check your connection and try again.')).toBeVisible();
    serve(makeRecord());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(await rows()).toHaveLength(3));
  });
});

describe('the anchor', () => {
  const record = makeRecord();
  const newest = checkpointOf(record);
  const candidates = [2, 1].map((size) => ({ size, day: DAY, address: `0x${size}` }));
  const summary = (anchorState: RecordCheckpoint['anchorState']) => {
    return { anchorSender: '0xa', checkpoints: [{ ...newest, size: 2, anchorState }] };
  };
  const holds = (address: string) => (asked: string) => Promise.resolve(asked === address ? 1n : 0n);

  test.each<[what: string, finding: string, ...rest: Parameters<typeof findAnchor>]>([
    ['on chain', 'anchored', summary('anchored'), candidates, holds('0x2')],
    ['on chain for the day before', 'anchored', summary('sent'), candidates, holds('0x1')],
    ['sent and not shown', 'waiting', summary('sent'), candidates, holds('')],
    ['called anchored and not shown', 'contradicted', summary('anchored'), candidates, holds('0x1')],
    [
      'of a site without a key for it',
      'unsigned',
      { ...summary('none'), anchorSender: null },
      candidates,
      holds('0x2'),
    ],
    ['of a node that is away', 'unknown', summary('anchored'), candidates, () => Promise.reject(new Error('away'))],
  ])('%s is %s [R41 R42]', async (_what, kind, ...rest) => {
    const anchor = await findAnchor(...rest);
    expect(anchor.kind).toBe(kind);
    expect(anchorText(anchor, Date.now())).toMatch(/\.$/);
  });

  test('covers the votes up to its size, and no others [R42]', () => {
    const anchor = { kind: 'anchored', size: 10, day: DAY, address: '0x2' } as const;
    const text = (index: number) =>
      findingText({ kind: 'recorded', day: DAY, index, state: 'waiting', proofFile: '' }, vote(1), anchor, Date.now());
    expect([text(9), text(10)]).toEqual([
      'In the record of November 21, anchored',
      'In the record of November 21, signed',
    ]);
  });
});
