import { describe, expect, test } from 'vitest';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { encodeBundle } from '#shared/log/bundles.ts';
import { bundlePath, tilePath } from '#shared/log/tiles.ts';
import { encodeEntry, type ProjectEntry, type RecordEntry, type VoteEntry } from '#shared/record/entries.ts';
import { listedCheckpoints, MadeRecord, madeSecret, type MadeVote } from '#shared/testing/record.ts';
import { pseudonymOf } from '#shared/record/secrets.ts';
import { verifyRecord } from './record.ts';
import { isGood } from './report.ts';

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'] as const;
const VOTERS = 120;

/** Three days, 120 voters on six projects, whose votes become verified on the last day. */
function makeRecord(change: (record: MadeRecord) => void = () => undefined): MadeRecord {
  const record = new MadeRecord();
  change(record);
  for (const [n, day] of DAYS.entries()) {
    const votes = Array.from({ length: VOTERS }, (_, voter): MadeVote => {
      return {
        voter,
        projectId: 1 + ((voter + n) % 3) + (n % 2) * 10,
        period: n === 2 ? 2 : 1,
        bullish: voter % 4 > 0,
      };
    });
    const states = n === 2 ? [0, 3, 6, 9].map((voter) => ({ voter, projectId: 1, state: 'verified' as const })) : [];
    record.publish({ day, votes, states, balances: { 1: 10, 2: 20 + n } });
  }
  return record;
}

interface Found {
  failed: string[];
  differences: string;
}

async function verify(record: MadeRecord, checkpoints = listedCheckpoints(record)): Promise<Found> {
  const { checks } = await verifyRecord({
    files: record.read,
    verifierKey: record.verifierKey,
    loadCheckpoints: () => Promise.resolve(checkpoints),
    onProgress: () => undefined,
  });
  return {
    failed: checks.filter((check) => !isGood([check])).map(({ name }) => name),
    differences: checks.flatMap(({ differences }) => differences).join('\n'),
  };
}

test('a record that fits has nothing to say [R43]', async () => {
  expect(await verify(makeRecord())).toEqual({ failed: [], differences: '' });
});

test('the totals of the whole record are those of its votes [R43]', async () => {
  const record = makeRecord();
  const { recounted, liabilities, checkpoint } = await verifyRecord({
    files: record.read,
    verifierKey: record.verifierKey,
    loadCheckpoints: () => Promise.resolve(listedCheckpoints(record)),
    onProgress: () => undefined,
  });
  expect(recounted?.votes).toBe(3 * VOTERS);
  expect(recounted?.projects[0]).toEqual({
    projectId: 1,
    period: 1,
    bullish: 30,
    bearish: 10,
    verifiedBullish: 3,
    verifiedBearish: 1,
  });
  expect([liabilities?.total, checkpoint.size]).toEqual([32n, record.size]);
});

/** Changes the n-th entry of a kind in the batch of a day before it is signed: the log itself lies. */
const lie =
  (day: string, kind: RecordEntry['kind'], work: (entry: RecordEntry, entries: RecordEntry[]) => RecordEntry[]) =>
  (record: MadeRecord): void => {
    record.tamper = (entries) => {
      const entry = entries.find((one) => one.kind === kind && one.day === day);
      return entry ? work(entry, entries) : entries;
    };
  };
const replace = (change: (entry: RecordEntry) => RecordEntry) => (entry: RecordEntry, entries: RecordEntry[]) =>
  entries.map((one) => (one === entry ? change(entry) : one));
/** The batch's own counts follow. */
const recountBatch = (entries: RecordEntry[]): RecordEntry[] => {
  const count = (...kinds: Array<RecordEntry['kind']>) => entries.filter(({ kind }) => kinds.includes(kind)).length;
  const counts = {
    votes: count('vote'),
    states: count('state'),
    projects: count('project'),
    others: count('standing', 'liabilities'),
  };
  return entries.map((one) => (one.kind === 'batch' ? { ...one, ...counts } : one));
};
const other = (entry: RecordEntry): RecordEntry =>
  entry.kind === 'vote' ? { ...entry, bullish: !entry.bullish } : entry;
const [, second, third] = DAYS;
/** With the first two of a kind in each other's place. */
function exchange(entries: RecordEntry[], kind: RecordEntry['kind']): RecordEntry[] {
  const at = entries.findIndex((one) => one.kind === kind);
  return entries.toSpliced(at, 2, ...entries.slice(at, at + 2).toReversed());
}
const totals: ProjectEntry = {
  kind: 'project',
  day: third,
  projectId: 1,
  period: 1,
  bullish: 7,
  bearish: 0,
  verifiedBullish: 0,
  verifiedBearish: 0,
};

describe('a log that lies', () => {
  test.each<[what: string, change: (record: MadeRecord) => void, failed: string[], difference: RegExp]>([
    [
      'a vote turned around',
      lie(second, 'vote', replace(other)),
      ['Counters'],
      /project 11 after 2026-11-20: the record says 30 bullish and 10 bearish.*its votes are (29|31)/,
    ],
    [
      'a vote left out',
      lie(second, 'vote', (vote, all) => recountBatch(all.filter((one) => one !== vote))),
      ['Counters'],
      /project 11 after 2026-11-20/,
    ],
    [
      'a vote that counts twice',
      lie(second, 'vote', (vote, all) => recountBatch(all.flatMap((one) => (one === vote ? [one, one] : [one])))),
      ['Entries', 'Uniqueness', 'Counters'],
      /votes twice on project 11/,
    ],
    [
      'a total that is one too high',
      lie(
        third,
        'project',
        replace((one) => (one.kind === 'project' ? { ...one, bullish: one.bullish + 1 } : one)),
      ),
      ['Counters'],
      /after 2026-11-21: the record says/,
    ],
    [
      'a verified total that is one too low',
      lie(
        third,
        'project',
        replace((one) => (one.kind === 'project' ? { ...one, verifiedBullish: one.verifiedBullish - 1 } : one)),
      ),
      ['Counters'],
      /after 2026-11-21: the record says/,
    ],
    [
      'totals left out',
      lie(second, 'project', (total, all) => recountBatch(all.filter((one) => one !== total))),
      ['Counters'],
      /project 11 after 2026-11-20: the record says nothing/,
    ],
    [
      'a state of a vote that nobody cast',
      lie(
        third,
        'state',
        replace((one) => (one.kind === 'state' ? { ...one, projectId: 0 } : one)),
      ),
      ['States', 'Counters'],
      /changes state on project 0 on 2026-11-21 without an earlier vote/,
    ],
    [
      'a change of state that is none',
      lie(
        third,
        'state',
        replace((one) => (one.kind === 'state' ? { ...one, state: 'waiting' } : one)),
      ),
      ['States', 'Counters'],
      /project 1 on 2026-11-21: names the state that the vote had before/,
    ],
    [
      'votes out of order',
      lie(second, 'vote', (vote, all) => [all[1] as RecordEntry, vote, ...all.slice(2)]),
      ['Entries'],
      /is not in order/,
    ],
    [
      'a vote of an earlier day',
      lie(
        third,
        'vote',
        replace((one) => ({ ...one, day: '2026-11-18' })),
      ),
      ['Entries'],
      /of 2026-11-18 stands in a later batch/,
    ],
    [
      'a vote of a day to come',
      lie(
        second,
        'vote',
        replace((one) => ({ ...one, day: '2026-12-01' })),
      ),
      ['Entries'],
      /The batch of 2026-11-20 has entries of 2026-12-01/,
    ],
    [
      'states out of order',
      lie(third, 'state', (_state, all) => exchange(all, 'state')),
      ['Entries', 'States', 'Counters'],
      /is not in order/,
    ],
    [
      'a state twice in a batch',
      lie(third, 'state', (state, all) => recountBatch(all.flatMap((one) => (one === state ? [one, one] : [one])))),
      ['Entries', 'States'],
      /is not in order/,
    ],
    [
      'totals out of order',
      lie(third, 'project', (_total, all) => exchange(all, 'project')),
      ['Entries', 'Counters'],
      /is not in order/,
    ],
    [
      'totals of a project that nobody has voted on',
      lie(third, 'standing', (standing, all) =>
        recountBatch(all.flatMap((one) => (one === standing ? [{ ...totals, projectId: 99 }, one] : [one]))),
      ),
      ['Counters'],
      /project 99 after 2026-11-21: the record says 7 bullish and 0 bearish.*its votes are 0 bullish and 0 bearish/,
    ],
    [
      'readings of the same day again',
      lie(
        third,
        'standing',
        replace((one) => ({ ...one, day: second })),
      ),
      ['Entries'],
      /the readings of 2026-11-20 do not come in order, once/,
    ],
    [
      'two proofs of liabilities',
      lie(third, 'liabilities', (one, all) => recountBatch(all.toSpliced(all.indexOf(one), 0, one))),
      ['Entries'],
      /is a liabilities, which does not stand behind the batch's proof of liabilities/,
    ],
    [
      'readings behind the proof of liabilities',
      lie(third, 'standing', (_standing, all) => exchange(all, 'standing')),
      ['Entries'],
      /is a standing, which does not stand behind the batch's proof of liabilities/,
    ],
    [
      'no proof of liabilities',
      lie(third, 'liabilities', (one, all) => recountBatch(all.filter((other) => other !== one))),
      ['Entries'],
      /The batch of 2026-11-21 has no proof of liabilities/,
    ],
    [
      'a batch that counts its last group wrongly',
      lie(
        third,
        'batch',
        replace((one) => (one.kind === 'batch' ? { ...one, others: one.others + 1 } : one)),
      ),
      ['Entries', 'Tree', 'History', 'Uniqueness', 'States', 'Counters'],
      /says 3 others, and has 2/,
    ],
    [
      'a batch that counts wrongly',
      lie(
        second,
        'batch',
        replace((one) => (one.kind === 'batch' ? { ...one, votes: one.votes + 1 } : one)),
      ),
      ['Entries', 'Tree', 'History', 'Uniqueness', 'States', 'Counters'],
      /says 121 votes, and has 120/,
    ],
    [
      'a state among the votes',
      lie(third, 'state', (state, all) => [state, ...all.filter((one) => one !== state)]),
      ['Entries', 'Tree', 'History', 'Uniqueness', 'States', 'Counters'],
      /is a vote, which does not stand behind a state/,
    ],
    [
      'no end',
      lie(third, 'batch', (batch, all) => all.filter((one) => one !== batch)),
      ['Entries', 'Tree', 'History', 'Uniqueness', 'States', 'Counters'],
      /does not end with the end of a batch/,
    ],
  ])('is found out: %s [R43]', async (_what, change, failed, difference) => {
    const found = await verify(makeRecord(change));
    expect(found.differences).toMatch(difference);
    expect(found.failed).toEqual(failed);
  });

  test('is found out: a vote again on a later day [R43]', async () => {
    const record = makeRecord();
    record.publish({ day: '2026-11-22', votes: [{ voter: 0, projectId: 1 }], balances: {} });
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness']);
    expect(found.differences).toMatch(/votes again on project 1 in the batch of 2026-11-22/);
  });
});

describe('a vote in a later listing period', () => {
  const again = { votes: [{ voter: 0, projectId: 1, period: 2 }], day: '2026-11-22', balances: {} };
  const replaced = { voter: 0, projectId: 1, state: 'replaced' as const };

  test('replaces the earlier one, which is a change of its state [R43 R45]', async () => {
    const record = makeRecord();
    record.publish({ ...again, states: [replaced] });
    record.publish({
      day: '2026-11-23',
      votes: [{ voter: 0, projectId: 1, period: 4, bullish: false }],
      states: [{ ...replaced, period: 2 }],
      balances: {},
    });
    // Both in the same batch.
    record.publish({
      day: '2026-11-24',
      votes: [
        { voter: 500, projectId: 1, state: 'replaced' },
        { voter: 500, projectId: 1, period: 2 },
      ],
      balances: {},
    });
    expect((await verify(record)).failed).toEqual([]);
  });

  test('is found out where it counts beside the earlier one [R43 R45]', async () => {
    const record = makeRecord();
    record.publish(again);
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness']);
    expect(found.differences).toMatch(/^\S{22} on project 1 still counts beside a newer vote$/);
  });

  test('is found out where there is none that replaces the vote [R43 R45]', async () => {
    const record = makeRecord();
    record.publish({ day: '2026-11-22', states: [replaced], balances: {} });
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness']);
    expect(found.differences).toMatch(/^\S{22} on project 1 is replaced by no newer vote$/);
  });

  test('is found out where the earlier one counts again [R43 R45]', async () => {
    const record = makeRecord();
    record.publish({ ...again, states: [replaced] });
    record.publish({ day: '2026-11-23', states: [{ ...replaced, state: 'verified' }], balances: {} });
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness', 'States']);
    expect(found.differences).toMatch(/counts again after it was replaced/);
  });
});

const flip = (at: number) => (bytes: Uint8Array) => {
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return bytes;
};

describe('a server that publishes other files than it signed', () => {
  const { size } = makeRecord();
  const full = bundlePath({ index: 0, width: 256 });
  const tile = tilePath({ level: 0, index: 0, width: 256 });
  const upper = tilePath({ level: 1, index: 0, width: 1 });
  const UNREAD = ['Tree', 'History', 'Uniqueness', 'States', 'Counters'];

  test.each<
    [what: string, path: string, change: (bytes: Uint8Array) => Uint8Array, failed: string[], difference: RegExp]
  >([
    ['a hash tile', tile, flip(40), ['Hash tiles'], /tile\/0\/000 has other hashes/],
    ['a hash tile above', upper, flip(0), ['Hash tiles'], /tile\/1\/000\.p\/1 has other hashes/],
    ['a hash tile cut short', tile, (bytes) => bytes.subarray(32), ['Hash tiles'], /tile\/0\/000 has other hashes/],
    [
      'a bundle cut short',
      full,
      (bytes) => bytes.subarray(0, -1),
      ['Entries', ...UNREAD],
      /tile\/entries\/000: .* cut off/,
    ],
    [
      'a bundle with a byte more',
      full,
      (bytes) => new Uint8Array([...bytes, 0]),
      ['Entries', ...UNREAD],
      /bytes behind its 256 entries/,
    ],
    [
      'a bundle with a line that is none',
      full,
      flip(2),
      ['Entries', 'Tree', 'Hash tiles', 'History', 'Uniqueness', 'States', 'Counters'],
      /Not an entry of the record/,
    ],
  ])('is found out: %s [R43]', async (_what, path, change, failed, difference) => {
    const record = makeRecord();
    record.files.set(path, change(record.files.get(path)?.slice() ?? new Uint8Array()));
    const found = await verify(record);
    expect(found.failed).toEqual(failed);
    expect(found.differences).toMatch(difference);
  });

  test('is found out: another vote in a bundle, against the root [R43]', async () => {
    const record = makeRecord();
    const entries = record.entries.slice(0, 256).map((entry) => (entry === record.entries[0] ? other(entry) : entry));
    record.files.set(full, encodeBundle(entries.map(encodeEntry)));
    const found = await verify(record);
    expect(found.failed).toEqual(['Tree', 'Hash tiles', 'History', 'Counters']);
    expect(found.differences).toMatch(/The entries have the root/);
  });

  test.each([full, tile, upper])('is found out: %s is missing [R43]', async (path) => {
    const record = makeRecord();
    record.files.delete(path);
    expect((await verify(record)).differences).toContain(`${path} is missing`);
  });

  test('a checkpoint of another size is not signed [R43]', async () => {
    const record = makeRecord();
    const note = new TextDecoder().decode(record.files.get('checkpoint'));
    record.files.set('checkpoint', new TextEncoder().encode(note.replace(`\n${size}\n`, `\n${size - 1}\n`)));
    await expect(verify(record)).rejects.toThrow('does not fit the note');
  });
});

describe('a list of checkpoints that does not fit', () => {
  const record = makeRecord();
  const [first, middle, last] = listedCheckpoints(record) as [RecordCheckpoint, RecordCheckpoint, RecordCheckpoint];
  const fork = listedCheckpoints(makeRecord(lie(second, 'vote', replace(other))))[1] as RecordCheckpoint;

  test.each<[what: string, list: RecordCheckpoint[], failed: string[], difference: RegExp]>([
    ['a day is missing', [first, last], ['History'], /2026-11-20: the checkpoint of \d+ entries is missing/],
    [
      'a day of another history',
      [first, fork, last],
      ['History'],
      /2026-11-20: the first \d+ entries have another root/,
    ],
    [
      'a root that was not signed',
      [first, { ...middle, root: last.root }, last],
      ['Signatures', 'History'],
      /signed for another size or root/,
    ],
    [
      'a note that was not signed',
      [first, { ...middle, note: middle.note.replace(/\n\d+\n/, '\n7\n') }, last],
      ['Signatures'],
      /does not fit the note/,
    ],
    [
      'a size between batches',
      [first, { ...middle, size: middle.size - 1 }, last],
      ['Signatures', 'History'],
      /no batch ends after/,
    ],
    [
      'another history of the same size beside it',
      [first, fork, middle, last],
      ['History'],
      /2026-11-20: there is another checkpoint of \d+ entries/,
    ],
    ['another day', [first, { ...middle, day: '2026-11-12' }, last], ['History'], /says that it is of 2026-11-12/],
    ['the newest is missing', [first, middle], ['Signatures', 'History'], /not the last one of the list/],
  ])('is found out: %s [R43]', async (_what, list, failed, difference) => {
    const found = await verify(record, list);
    expect(found.failed).toEqual(failed);
    expect(found.differences).toMatch(difference);
  });
});

test('a checkpoint that came since is no difference [R43]', async () => {
  const record = makeRecord();
  const longer = makeRecord();
  longer.publish({ day: '2026-11-22', balances: {} });
  expect(await verify(record, listedCheckpoints(longer))).toEqual({ failed: [], differences: '' });
});

describe('a record of many batches', () => {
  const voter = (n: number): MadeVote[] => [1, 2, 3].map((projectId) => ({ voter: n, projectId }));
  function publishDays(): MadeRecord {
    const record = new MadeRecord();
    for (let day = 1; day <= 12; day += 1) {
      const votes = Array.from({ length: 8 }, (_, n) => voter(day * 8 + n)).flat();
      record.publish({ day: `2026-11-${String(day).padStart(2, '0')}`, votes, balances: {} });
    }
    return record;
  }

  test('fits [R43]', async () => {
    expect(await verify(publishDays())).toEqual({ failed: [], differences: '' });
  });

  test('is followed through all of them [R43]', async () => {
    const record = publishDays();
    record.publish({ day: '2026-11-13', votes: [{ voter: 50, projectId: 2 }], balances: {} });
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness']);
    expect(found.differences).toMatch(/^\S{22} votes again on project 2 in the batch of 2026-11-13$/);
  });

  test('shows a vote that counts beside one of two periods before, on its last project [R43 R45]', async () => {
    const record = publishDays();
    record.publish({ day: '2026-11-13', votes: [{ voter: 900, projectId: 3, period: 2 }], balances: {} });
    record.publish({ day: '2026-11-14', votes: [{ voter: 50, projectId: 3, period: 3 }], balances: {} });
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness']);
    expect(found.differences).toMatch(/^\S{22} on project 3 still counts beside a newer vote$/);
  });
});

test('among many votes on a project, the one that counts twice is found [R43 R45]', async () => {
  const record = new MadeRecord();
  const nameOf = (voter: number): string => pseudonymOf(madeSecret(voter), 1);
  const voters = Array.from({ length: 1_100 }, (_, voter) => voter).toSorted((one, other) =>
    Buffer.compare(Buffer.from(nameOf(one), 'base64url'), Buffer.from(nameOf(other), 'base64url')),
  );
  const votes = voters.map((voter): MadeVote => ({ voter, projectId: 1 }));
  record.publish({ day: '2026-11-01', votes, balances: {} });
  const states = votes.slice(0, -1).map((vote) => ({ ...vote, state: 'replaced' as const }));
  record.publish({ day: '2026-11-02', votes: votes.map((vote) => ({ ...vote, period: 2 })), states, balances: {} });
  const found = await verify(record);
  expect(found.failed).toEqual(['Uniqueness']);
  expect(found.differences).toBe(`${nameOf(voters.at(-1) ?? 0)} on project 1 still counts beside a newer vote`);
});

test('pseudonyms differ from project to project [R40]', () => {
  const votes = makeRecord().entries.filter((entry): entry is VoteEntry => entry.kind === 'vote');
  expect(new Set(votes.map(({ projectId, period, pseudonym }) => `${projectId} ${period} ${pseudonym}`)).size).toBe(
    votes.length,
  );
});
