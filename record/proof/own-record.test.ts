import { describe, expect, test } from 'vitest';
import { toBase64 } from '@mysten/sui/utils';
import { cosign } from '../log/cosignature.ts';
import { createSigner, formatVerifier, parseVerifier } from '../log/note.ts';
import { parseProofFile, verifyProofFile } from '../log/proof-file.ts';
import { toBase64Url } from '../entries/base64url.ts';
import type { OtherEntry, RecordEntry } from '../entries/entries.ts';
import { flip, MadeRecord, madeSecret, type MadeVote } from '../testing/record.ts';
import { ownBalance } from './own-balance.ts';
import { checkOwnRecord, type OwnRecordTask } from './own-record.ts';
import type { OwnProgress, OwnVote } from './own-votes.ts';

const OWN = 7;
const DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'] as const;
const UNTIL_MS = Date.parse('2026-11-22T00:00:00Z');
const at = (day: string, hours = 12): number => Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000;

/**
 * Three days of 300 voters on five projects. The voter who checks is one of them and votes on the first two of each
 * day.
 */
function makeRecord(change: (record: MadeRecord) => void = () => undefined): MadeRecord {
  const record = new MadeRecord();
  change(record);
  for (const [n, day] of DAYS.entries()) {
    const crowd = Array.from({ length: 300 }, (_, i): MadeVote => ({
      voter: 100 + i,
      projectId: 1 + ((i + n) % 5) + n * 10,
    }));
    const own = [1, 2].map((at): MadeVote => ({ voter: OWN, projectId: at + n * 10, bullish: at === 1 }));
    const states = n === 2 ? [{ voter: OWN, projectId: 1, state: 'verified' as const }] : [];
    record.publish({ day, votes: [...crowd, ...own], states });
  }
  return record;
}

const ownVote = (projectId: number, day: string, { bullish = true, period = 1, identity = 1 } = {}): OwnVote => ({
  projectId,
  period,
  opinions: [{ bullish, atMs: at(day), identity }],
});
const VOTES = DAYS.flatMap((day, n) => [ownVote(1 + n * 10, day), ownVote(2 + n * 10, day, { bullish: false })]);

const taskOf = (record: MadeRecord, changes: Partial<OwnRecordTask> = {}): OwnRecordTask => ({
  baseUrl: '',
  verifierKey: record.verifierKey,
  secret: toBase64Url(madeSecret(OWN)),
  votes: VOTES,
  untilMs: UNTIL_MS,
  nowMs: UNTIL_MS + 3_600_000,
  seenNote: null,
  witnesses: [],
  ...changes,
});

const check = (record: MadeRecord, changes: Partial<OwnRecordTask> = {}) =>
  checkOwnRecord(taskOf(record, changes), undefined, record.read);

const honest = makeRecord();

describe('a true record', () => {
  test('finds each vote of the user in the batch of its day, with its newest state [R42]', async () => {
    const { votes, size, day } = await check(honest);
    expect([size, day]).toEqual([honest.size, DAYS[2]]);
    expect(votes.map((vote) => (vote.kind === 'recorded' ? [vote.day, vote.state] : [vote.kind]))).toEqual([
      [DAYS[0], 'verified'],
      [DAYS[0], 'waiting'],
      [DAYS[1], 'waiting'],
      [DAYS[1], 'waiting'],
      [DAYS[2], 'waiting'],
      [DAYS[2], 'waiting'],
    ]);
  });

  test('the proof of a vote can be stored, and is verified with only the key [R42]', async () => {
    const [vote] = (await check(honest)).votes;
    if (vote?.kind !== 'recorded') throw new Error('the vote is in the record');
    const { extra = new Uint8Array() } = parseProofFile(vote.proofFile);
    expect(new TextDecoder().decode(extra)).toMatch(/^vote 2026-11-19 1 1 bullish \S{22} waiting$/);
    expect(verifyProofFile(vote.proofFile, extra, parseVerifier(honest.verifierKey)).size).toBe(honest.size);
  });

  test('the addresses to look up on a node are the roots of the newest states [R41 R42]', async () => {
    const { anchors } = await check(honest);
    expect(anchors.map(({ address }) => address)).toEqual(
      honest.checkpoints.toReversed().map(({ address }) => address),
    );
  });

  test('a vote since the last batch waits; one that waits for days is late [R42]', async () => {
    const recent = ownVote(30, '2026-11-22');
    expect((await check(honest, { votes: [recent] })).votes).toEqual([{ kind: 'waiting' }]);
    const nowMs = UNTIL_MS + 72 * 3_600_000;
    expect((await check(honest, { votes: [recent], nowMs })).votes).toEqual([{ kind: 'late' }]);
  });

  test('the record still begins with the part that was seen before [R42]', async () => {
    for (const { note } of honest.checkpoints) {
      expect((await check(honest, { seenNote: note })).size).toBe(honest.size);
    }
  });
});

/** The record has one day more. */
const LATER = { untilMs: UNTIL_MS + 86_400_000 };

/** Planted in the record before it is signed: the log itself is false. */
const onOwn = (
  record: MadeRecord,
  projectId: number,
  work: (own: RecordEntry, entries: RecordEntry[]) => RecordEntry[],
) => {
  const key = new MadeRecord();
  key.publish({ day: DAYS[0], votes: [{ voter: OWN, projectId }] });
  const [own] = key.entries;
  record.tamper = (entries) => {
    const mine = entries.find(
      (entry) => entry.kind === 'vote' && own?.kind === 'vote' && entry.pseudonym === own.pseudonym,
    );
    return mine ? work(mine, entries) : entries;
  };
};
const recount = (entries: RecordEntry[]): RecordEntry[] =>
  entries.map((entry) =>
    entry.kind === 'batch' ? { ...entry, votes: entries.filter(({ kind }) => kind === 'vote').length } : entry,
  );

describe('a false record of a vote', () => {
  test('reports an omitted vote as missing [R42]', async () => {
    const record = makeRecord((made) =>
      onOwn(made, 12, (own, entries) => recount(entries.filter((one) => one !== own))),
    );
    expect((await check(record)).votes[3]).toEqual({ kind: 'missing', day: DAYS[1] });
  });

  test('reports a vote with the other direction as turned [R42]', async () => {
    const turn = (entry: RecordEntry): RecordEntry =>
      entry.kind === 'vote' ? { ...entry, bullish: !entry.bullish } : entry;
    const record = makeRecord((made) =>
      onOwn(made, 12, (own, entries) => entries.map((one) => (one === own ? turn(one) : one))),
    );
    expect((await check(record)).votes[3]).toMatchObject({ kind: 'turned', day: DAYS[1], bullish: true });
  });

  test('reports a vote that counts twice [R42]', async () => {
    const record = makeRecord((made) =>
      onOwn(made, 12, (own, entries) => recount(entries.flatMap((one) => (one === own ? [one, one] : [one])))),
    );
    expect((await check(record)).votes[3]).toEqual({ kind: 'twice', day: DAYS[1] });
  });

  test('finds a vote in the batch of another day before it reports the vote as missing [R42]', async () => {
    const record = makeRecord();
    record.publish({ day: '2026-11-22', votes: [{ voter: OWN, projectId: 40, day: DAYS[0] }] });
    const { votes } = await check(record, { ...LATER, votes: [ownVote(40, DAYS[0])] });
    expect(votes).toMatchObject([{ kind: 'recorded', day: DAYS[0] }]);
  });

  test('reports a vote recorded for a day other than the one on which it was cast [R42 R64]', async () => {
    const votes = [ownVote(12, DAYS[0], { bullish: false })];
    expect((await check(honest, { votes })).votes).toMatchObject([{ kind: 'redated', day: DAYS[1], saidOn: DAYS[0] }]);
  });

  test('reports a vote that is recorded for another identity of the project [R60 R64]', async () => {
    const record = makeRecord((made) =>
      onOwn(made, 12, (own, entries) => entries.map((one) => (one === own ? { ...own, identity: 2 } : one))),
    );
    const day = DAYS[1];
    expect((await check(record)).votes[3]).toMatchObject({ kind: 'misattributed', day, identity: 2, ownIdentity: 1 });
    const votes = VOTES.with(3, ownVote(12, day, { bullish: false, identity: 2 }));
    expect((await check(record, { votes })).votes[3]).toMatchObject({ kind: 'recorded', day });
    expect((await check(honest, { votes })).votes[3]).toMatchObject({ kind: 'misattributed', identity: 1 });
  });
});

describe('votes on one project in several listing periods', () => {
  const again = { voter: OWN, projectId: 1, period: 3, bullish: false };
  const votes = [...VOTES, ownVote(1, '2026-11-22', { period: 3, bullish: false })];
  const changes = { ...LATER, votes };
  function withAgain(states: NonNullable<Parameters<MadeRecord['publish']>[0]['states']>): MadeRecord {
    const record = makeRecord();
    record.publish({ day: '2026-11-22', votes: [again], states });
    return record;
  }

  test('the newest vote on a project counts, the earlier one is replaced [R42 R45]', async () => {
    const found = (await check(withAgain([{ voter: OWN, projectId: 1, state: 'replaced' }]), changes)).votes;
    expect([0, 1, 6].map((n) => found[n])).toMatchObject([
      { kind: 'recorded', state: 'replaced' },
      { kind: 'recorded', state: 'waiting' },
      { kind: 'recorded', state: 'waiting' },
    ]);
  });

  test('reports an earlier vote that still counts, or a vote that is replaced without a newer one [R42 R45]', async () => {
    expect((await check(withAgain([]), changes)).votes[0]).toMatchObject({ kind: 'misplaced', day: DAYS[0] });
    const made = withAgain([
      { voter: OWN, projectId: 1, state: 'replaced' },
      { voter: OWN, projectId: 2, state: 'replaced' },
    ]);
    expect((await check(made, changes)).votes.map(({ kind }) => kind).indexOf('misplaced')).toBe(1);
  });
});

describe('a vote that was changed later', () => {
  const day = '2026-11-22';
  /** The second vote, with later opinions of these days. */
  const listed = (...later: Array<[day: string, bullish: boolean]>): OwnVote[] =>
    VOTES.with(1, {
      ...ownVote(2, DAYS[0], { bullish: false }),
      opinions: [
        { bullish: false, atMs: at(DAYS[0]), identity: 1 },
        ...later.map(([saidOn, bullish]) => ({ bullish, atMs: at(saidOn), identity: 1 })),
      ],
    });
  const recorded = (...changes: MadeVote[]): MadeRecord => {
    const record = makeRecord();
    record.publish({ day, changes });
    return record;
  };
  const own = { voter: OWN, projectId: 2 };
  const changed = recorded({ ...own, bullish: true });
  const unchanged = recorded();

  test('finds a changed vote with its newest opinion [R42 R57]', async () => {
    const { votes } = await check(changed, { ...LATER, votes: listed([day, true]) });
    expect(votes[1]).toMatchObject({ kind: 'recorded', day: DAYS[0], state: 'waiting' });
  });

  test('accepts a change that the next batch will record [R42 R57]', async () => {
    const { votes } = await check(honest, { votes: listed([day, true]) });
    expect(votes[1]).toMatchObject({ kind: 'recorded', day: DAYS[0] });
  });

  test('a change that the record lacks for days is late [R42 R57]', async () => {
    const nowMs = UNTIL_MS + 72 * 3_600_000;
    expect((await check(honest, { votes: listed([day, true]), nowMs })).votes[1]).toEqual({ kind: 'late' });
  });

  test.each<[what: string, record: MadeRecord, votes: OwnVote[], finding: object]>([
    ['without its change', unchanged, listed([day, true]), { kind: 'missing', day }],
    ['without its confirmation', unchanged, listed([day, false]), { kind: 'missing', day }],
    ['with a confirmation turned', changed, listed([day, false]), { kind: 'turned', day, bullish: true }],
    ['with an invented change', changed, listed(), { kind: 'invented', day, bullish: true }],
    [
      'with an invented confirmation',
      recorded({ ...own, bullish: false }),
      listed(),
      { kind: 'invented', day, bullish: false },
    ],
    [
      'with an invented confirmation before a true change',
      recorded({ ...own, bullish: false, day: DAYS[2] }, { ...own, bullish: true }),
      listed([day, true]),
      { kind: 'invented', day: DAYS[2], bullish: false },
    ],
    [
      'with a confirmation of another day',
      recorded({ ...own, bullish: false, day: DAYS[2] }),
      listed([DAYS[1], false]),
      { kind: 'redated', day: DAYS[2], saidOn: DAYS[1] },
    ],
    [
      'with a change of another identity',
      recorded({ ...own, bullish: true, identity: 2 }),
      listed([day, true]),
      { kind: 'misattributed', day, identity: 2, ownIdentity: 1 },
    ],
  ])('reports a vote %s [R57 R64]', async (_what, record, votes, finding) => {
    const found = await check(record, { ...LATER, votes });
    expect(found.votes[1]).toMatchObject(finding);
    expect(found.unknown).toEqual([]);
  });

  test('reports a change that the record has before the vote [R57 R64]', async () => {
    const record = new MadeRecord();
    record.publish({ day: DAYS[0], changes: [own] });
    record.publish({ day: DAYS[1], votes: [own] });
    const { votes, unknown } = await check(record, { votes: [ownVote(2, DAYS[1])] });
    expect(votes).toMatchObject([{ kind: 'recorded' }]);
    expect(unknown).toMatchObject([{ projectId: 2, day: DAYS[0] }]);
  });
});

test('counts cosignatures of witnesses with a known kind of key and a possible time [R65]', async () => {
  const [one, two] = [1, 2].map((n) => createSigner(`w${n}.test/witness`, new Uint8Array(32).fill(n), 'cosignature'));
  if (!one || !two) throw new Error('there are two');
  const record = makeRecord();
  const note = record.checkpoints.at(-1)?.note ?? '';
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const lines = [cosign(text, one, UNTIL_MS / 1000), cosign(text, two, Date.parse('2099-01-01') / 1000)];
  record.files.set('checkpoint', new TextEncoder().encode(note + lines.join('')));
  const other = `w3.test/witness+0a0b0c0d+${toBase64(Uint8Array.of(6, ...new Uint8Array(1312)))}`;
  const { cosigned } = await check(record, { witnesses: [formatVerifier(one), formatVerifier(two), other] });
  expect(cosigned).toEqual(['w1.test/witness']);
});

test('reports progress until everything is read [R64]', async () => {
  const steps: OwnProgress[] = [];
  await checkOwnRecord(taskOf(honest), (progress) => void steps.push(progress), honest.read);
  expect(steps.findLast(({ step }) => step === 'votes')).toEqual({ step: 'votes', done: 6, all: 6 });
  const searched = steps.filter(({ step }) => step === 'search');
  expect([searched.at(0), searched.at(-1)]).toMatchObject([{ done: 0 }, { done: 906, all: 906 }]);
  expect([...new Set(steps.map(({ step }) => step))]).toEqual(['votes', 'search', 'checkpoints', 'payouts']);
});

describe('false entries about a voter', () => {
  test("detects a vote on a project that the user's own list does not have [R64]", async () => {
    const votes = VOTES.filter(({ projectId }) => projectId !== 12);
    const { unknown, searchedFrom } = await check(honest, { votes });
    expect(unknown).toMatchObject([{ projectId: 12, day: DAYS[1], bullish: false }]);
    expect(searchedFrom).toBeNull();
    expect((await check(honest)).unknown).toEqual([]);
  });

  test('detects a state that was changed in an unsigned bundle [R64]', async () => {
    const record = makeRecord();
    const path = lastPath('tile/entries/');
    const bytes = record.files.get(path) ?? new Uint8Array();
    const text = new TextDecoder('latin1').decode(bytes);
    // The same length, so that nothing else moves.
    const changed = text.replace(/(state \S+ 1 1) verified/, '$1 replaced');
    expect(changed).not.toBe(text);
    record.files.set(
      path,
      Uint8Array.from(changed, (char) => char.charCodeAt(0)),
    );
    await expect(check(record)).rejects.toThrow(/is not in the signed record: its hash tile has another hash/);
  });
});

/** A copy whose files can be changed. */
function forged(path: string, change: (bytes: Uint8Array) => Uint8Array): MadeRecord {
  const record = makeRecord();
  const bytes = record.files.get(path);
  if (!bytes) throw new Error(`there is no ${path}`);
  record.files.set(path, change(bytes.slice()));
  return record;
}
const lastPath = (start: string): string => {
  const width = honest.size % 256;
  const paths = [...honest.files.keys()].filter((path) => path.startsWith(start) && path.endsWith(`.p/${width}`));
  return paths.at(-1) ?? '';
};

describe('damaged files', () => {
  const tile = lastPath('tile/0/');
  const bundle = lastPath('tile/entries/');

  test.each([
    ['a byte of the signature', 'checkpoint', flip(-3), /does not fit the note|malformed|Not base64/],
    ['the size of the checkpoint', 'checkpoint', flip(19), /does not fit the note/],
    ['a hash of a tile', tile, flip(-1), /is not in the signed record: its hash tile has another hash/],
    ['a tile cut short', tile, (bytes: Uint8Array) => bytes.subarray(1), /a tile of \d+ hashes has \d+ bytes/],
    ['a tile with a hash more', tile, (bytes: Uint8Array) => new Uint8Array(bytes.length + 32), /has \d+ bytes, not/],
    ['a bundle cut short', bundle, (bytes: Uint8Array) => bytes.subarray(0, -1), /cut off/],
    ['a bundle with a byte more', bundle, (bytes: Uint8Array) => new Uint8Array([...bytes, 0]), /bytes after/],
    ['the end of the batch', bundle, flip(-1), /before it|not the end of a batch|no vote|not in the signed record/],
  ])('rejects a record with another file: %s [R42]', async (_what, path, change, reason) => {
    await expect(check(forged(path, change))).rejects.toThrow(reason);
  });

  test('reports a missing file by name [R42]', async () => {
    const record = makeRecord();
    record.files.delete(bundle);
    await expect(check(record)).rejects.toThrow(`${bundle} is missing`);
  });

  test.each([
    [
      'another key',
      { verifierKey: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k' },
      /of the log|No known key/,
    ],
    ['an invalid key', { verifierKey: 'key' }, /Not a verifier key/],
    ['an invalid secret', { secret: 'secret' }, /secret is malformed/],
  ])('rejects %s [R42]', async (_what, changes, reason) => {
    await expect(check(honest, changes)).rejects.toThrow(reason);
  });
});

describe('a rewritten record', () => {
  test('detects a rewritten record by the state that the browser saw before [R42]', async () => {
    const other = makeRecord((record) => {
      record.tamper = (entries) =>
        entries.map((entry) => (entry.kind === 'vote' ? { ...entry, state: 'verified' } : entry));
    });
    const [first] = other.checkpoints;
    await expect(check(honest, { seenNote: first?.note ?? '' })).rejects.toThrow('rewritten since this browser');
  });

  test('detects that the record has become shorter [R42]', async () => {
    const longer = makeRecord();
    longer.publish({ day: '2026-11-22' });
    await expect(check(honest, { seenNote: longer.checkpoints.at(-1)?.note ?? '' })).rejects.toThrow('shorter');
  });
});

describe('the balance of the user', () => {
  const BOOK = `0x${'b'.repeat(64)}`;
  const paid = (snaps: number, digest: string, atMs = 0) => ({ snaps, state: 'paid' as const, digest, atMs });
  const LISTS = {
    votes: 30,
    burned: 100,
    withdrawals: [
      paid(50, 'byBook'),
      paid(60, 'byHand'),
      { ...paid(20, ''), state: 'open' as const },
      { ...paid(70, ''), state: 'rejected' as const },
    ],
    shown: [70, 70] as const,
  };
  const KNOWN = { byHand: ['byHand'], byBooks: 50, untilMs: 1_000 };
  const payoutsOf = (changes: Partial<typeof KNOWN> | { byBooks: null }, withdrawals = LISTS.withdrawals) =>
    ownBalance({ ...LISTS, withdrawals }, { ...KNOWN, ...changes }).payouts;

  test('the balance is 10 for each vote, less burns, payouts and held Snaps [R42]', () => {
    const sums = { votes: 30, burned: 100, paid: 110, held: 20, balance: 70 };
    expect(ownBalance(LISTS, KNOWN)).toEqual({ ...sums, more: 0, payouts: { kind: 'even' } });
    expect(ownBalance({ ...LISTS, shown: [60, 60] }, KNOWN).more).toBe(-10);
    expect(ownBalance({ ...LISTS, shown: [90, 100] }, KNOWN).more).toBe(20);
    // A vote came while the lists were read.
    expect(ownBalance({ ...LISTS, shown: [60, 80] }, KNOWN).more).toBe(0);
  });

  test('counts only payouts that the Books or the record contain [R42 R97]', () => {
    expect(payoutsOf({ byBooks: 30 })).toEqual({ kind: 'short', by: 20 });
    expect(payoutsOf({ byHand: [] })).toEqual({ kind: 'short', by: 60 });
    expect(payoutsOf({ byBooks: 90 })).toEqual({ kind: 'ahead', by: 40 });
    expect(payoutsOf({ byBooks: null })).toEqual({ kind: 'away' });
    const recent = [...LISTS.withdrawals, paid(80, 'new', 1_000)];
    expect(payoutsOf({}, recent)).toEqual({ kind: 'waiting', by: 80 });
    expect(payoutsOf({ byBooks: 49 }, recent)).toEqual({ kind: 'short', by: 81 });
  });

  test('computes the balance from each Book and each manual payout of the signed record [R42]', async () => {
    const record = makeRecord();
    const publish = (day: string, ...others: OtherEntry[]) => record.publish({ day, others });
    const [day, later] = ['2026-11-22', '2026-11-23'] as const;
    const book: OtherEntry = { kind: 'book', day, network: 'testnet', packageId: BOOK, bookId: BOOK };
    publish(day, book, { kind: 'payout', day, snaps: 60, digest: DIGEST });
    publish(later, { ...book, day: later }, { kind: 'payout', day: later, snaps: 50, digest: null });
    expect((await check(record)).payouts).toEqual({ books: [BOOK], byHand: [DIGEST] });
  });
});
