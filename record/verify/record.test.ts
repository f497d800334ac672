import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { encodeBundle } from '../log/bundles.ts';
import { createSigner, formatVerifier } from '../log/note.ts';
import { bundlePath, tilePath } from '../log/tiles.ts';
import { type EntryOf, encodeEntry, type OtherEntry, type RecordEntry } from '../entries/entries.ts';
import { flip, listedCheckpoints, MadeRecord, madeSecret, type MadeVote, verifyMade } from '../testing/record.ts';
import { pseudonymOf } from '../entries/secrets.ts';
import { VOTES_FILE_HEADER, voteLine, votesPath } from '../entries/votes-file.ts';
import type { VoteState } from '#shared/states/votes.ts';
import type { Seen } from './memory.ts';
import { illegalMove, type Past, pastWith } from './moves.ts';
import type { RecordTask } from './record.ts';
import { isGood } from './report.ts';

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22'] as const;
const VOTERS = 120;
const otherSigner = createSigner('snapswipe.test/log', new Uint8Array(32).fill(1));

/** Three days, 120 voters on six projects; the votes of the first day on project 1 become verified on the last one, a Sunday. */
function makeRecord(change: (record: MadeRecord) => void = () => undefined): MadeRecord {
  const record = new MadeRecord();
  change(record);
  for (const [n, day] of DAYS.entries()) {
    const votes = Array.from({ length: VOTERS }, (_, voter): MadeVote => {
      const projectId = 1 + ((voter + n) % 3) + (n % 2) * 10;
      return { voter, projectId, period: n === 2 ? 2 : 1, bullish: voter % 4 > 0 };
    });
    const crowd = Array.from({ length: n === 2 ? VOTERS / 3 : 0 }, (_, at) => 3 * at);
    const states = crowd.map((voter) => ({ voter, projectId: 1, state: 'verified' as const }));
    record.publish({ day, votes, states, supply: { granted: 100, burned: 50 + n } });
  }
  return record;
}

interface Found {
  failed: string[];
  differences: string;
}

async function verify(
  record: MadeRecord,
  checkpoints = listedCheckpoints(record),
  task: Partial<RecordTask> = {},
): Promise<Found> {
  const { checks } = await verifyMade(record, { loadCheckpoints: () => Promise.resolve(checkpoints), ...task });
  return {
    failed: checks.filter((check) => !isGood([check])).map(({ name }) => name),
    differences: checks.flatMap(({ differences }) => differences).join('\n'),
  };
}

test('verify finds no difference in a consistent record [R43]', async () => {
  expect(await verify(makeRecord())).toEqual({ failed: [], differences: '' });
});

test('verify accepts sums that fall by what a restore lost, and payouts by hand and through Books [R42 R97]', async () => {
  const record = makeRecord();
  const day = '2026-11-23';
  const address = `0x${'a'.repeat(64)}`;
  const payout: OtherEntry = { kind: 'payout', day, snaps: 60, digest: null };
  record.publish({ day, others: [payout], supply: { paid: 60, held: 90 } });
  record.publish({ day: '2026-11-24', supply: { paid: 0, burned: 40, held: 0, lost: 20, ahead: 60 } });
  const book: OtherEntry = { kind: 'book', day: '2026-11-25', network: 'testnet', packageId: address, bookId: address };
  record.publish({ day: '2026-11-25', others: [book], supply: { paid: 500 } });
  expect(await verify(record)).toEqual({ failed: [], differences: '' });
  const { books, paidByHand } = await verifyMade(record);
  expect([books, paidByHand]).toEqual([[book], 60]);
});

test('the totals of the whole record are those of its votes [R43]', async () => {
  const record = makeRecord();
  const { recounted, supply, checkpoint } = await verifyMade(record);
  expect(recounted?.votes).toBe(3 * VOTERS);
  expect(recounted?.projects[0]).toMatchObject({
    projectId: 1,
    period: 1,
    bullish: 30,
    bearish: 10,
    verifiedBullish: 30,
    verifiedBearish: 10,
  });
  expect([supply?.burned, checkpoint.size]).toEqual([52, record.size]);
});

type Tamper = (entry: RecordEntry, entries: RecordEntry[]) => RecordEntry[];
/** Changes the batch of a day before it is signed, with its first entry of a kind: the log itself is false. */
const lie = (day: string, kind: RecordEntry['kind'], work: Tamper) => (record: MadeRecord) => {
  record.tamper = (entries) => {
    const entry = entries.find((one) => one.kind === kind && one.day === day);
    return entry ? work(entry, entries) : entries;
  };
};
/** The batch's own counts change with it. */
const recountBatch = (entries: RecordEntry[]): RecordEntry[] => {
  const count = (...kinds: Array<RecordEntry['kind']>) => entries.filter(({ kind }) => kinds.includes(kind)).length;
  const counts = {
    votes: count('vote'),
    states: count('state'),
    projects: count('project'),
    others: entries.length - count('vote', 'change', 'state', 'project', 'batch'),
  };
  return entries.map((one) => (one.kind === 'batch' ? { ...one, ...counts } : one));
};
/** Other fields of the entry, without one of them, or with others after it. */
const edit = <K extends RecordEntry['kind']>(
  day: string,
  kind: K,
  change: (entry: Extract<RecordEntry, { kind: K }>) => object,
) => lie(day, kind, (entry, all) => all.map((one) => (one === entry ? { ...one, ...change(one as never) } : one)));
const drop = (day: string, kind: RecordEntry['kind']) =>
  lie(day, kind, (entry, all) => recountBatch(all.filter((one) => one !== entry)));
const add = (day: string, kind: RecordEntry['kind'], more: (entry: RecordEntry) => RecordEntry) =>
  lie(day, kind, (entry, all) => recountBatch(all.flatMap((one) => (one === entry ? [more(one), one] : [one]))));
/** Swaps the first two entries of a kind. */
const exchange = (day: string, kind: RecordEntry['kind']) =>
  lie(day, kind, (entry, all) => {
    const at = all.indexOf(entry);
    return all.toSpliced(at, 2, ...all.slice(at, at + 2).toReversed());
  });
const other = (entry: RecordEntry): RecordEntry =>
  entry.kind === 'vote' ? { ...entry, bullish: !entry.bullish } : entry;
const [first, second, third] = DAYS;
const NO_VOTES = { bullish: 0, bearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
const totals: EntryOf<'project'> = { kind: 'project', day: third, projectId: 1, period: 1, ...NO_VOTES, bullish: 7 };
const UNREAD = ['Entries', 'Tree', 'History', 'Uniqueness', 'Changes', 'Counters'];
const COUNTED = ['Counters'];
const PLACED = ['Entries'];

test.each<[what: string, change: (record: MadeRecord) => void, failed: string[], difference: RegExp]>([
  [
    'a vote turned around',
    edit(second, 'vote', (one) => ({ bullish: !one.bullish })),
    COUNTED,
    /project 11 after 2026-11-21: the record says 30 bullish and 10 bearish.*its votes are (29|31)/,
  ],
  ['a vote left out', drop(second, 'vote'), COUNTED, /project 11 after 2026-11-21/],
  [
    'a vote that counts twice',
    add(second, 'vote', (one) => one),
    ['Entries', 'Uniqueness', 'Counters'],
    /votes twice on project 11/,
  ],
  [
    'a total too high',
    edit(third, 'project', (one) => ({ bullish: one.bullish + 1 })),
    COUNTED,
    /after 2026-11-22: the record says/,
  ],
  [
    'a verified total too low',
    edit(third, 'project', (one) => ({ verifiedBullish: one.verifiedBullish - 1 })),
    COUNTED,
    /after 2026-11-22: the record says/,
  ],
  ['totals left out', drop(second, 'project'), COUNTED, /project 11 after 2026-11-21: the record says nothing/],
  [
    'a state without a vote',
    edit(third, 'state', () => ({ projectId: 0 })),
    ['Changes', 'Counters'],
    /changes state on project 0 on 2026-11-22 without an earlier vote/,
  ],
  [
    'a state that has not changed',
    edit(third, 'state', () => ({ state: 'waiting' })),
    ['Entries', 'Changes', 'Counters'],
    /project 1 on 2026-11-22: names the state that the vote had before/,
  ],
  ['votes out of order', exchange(second, 'vote'), PLACED, /is not in order/],
  [
    'a vote of an earlier day',
    edit(third, 'vote', () => ({ day: '2026-11-19' })),
    PLACED,
    /of 2026-11-19 is in a later batch/,
  ],
  ['states out of order', exchange(third, 'state'), ['Entries', 'Changes', 'Counters'], /is not in order/],
  [
    'totals without votes',
    add(third, 'standing', () => ({ ...totals, projectId: 99 })),
    COUNTED,
    /project 99 after 2026-11-22: the record says 7 bullish and 0 bearish.*its votes are 0 bullish and 0 bearish/,
  ],
  [
    'readings of the same day again',
    edit(third, 'standing', () => ({ day: second })),
    PLACED,
    /the readings of 2026-11-21 do not come in order, once/,
  ],
  [
    'a batch that counts wrongly',
    edit(second, 'batch', (one) => ({ votes: one.votes + 1 })),
    UNREAD,
    /says 121 votes, and has 120/,
  ],
  [
    'a state among the votes',
    lie(third, 'state', (state, all) => [state, ...all.filter((one) => one !== state)]),
    UNREAD,
    /is a vote, which comes after a state/,
  ],
  [
    'no end',
    lie(third, 'batch', (batch, all) => all.filter((one) => one !== batch)),
    UNREAD,
    /does not end with the end of a batch/,
  ],
  [
    'totals that have not changed',
    lie(third, 'project', (_total, all) => {
      const last = all.findLastIndex((one) => one.kind === 'project');
      return recountBatch(all.toSpliced(last + 1, 0, { ...totals, projectId: 12, bullish: 30, bearish: 10 }));
    }),
    COUNTED,
    /project 12 after 2026-11-22: the record names totals that have not changed/,
  ],
  [
    'more standing than readings',
    edit(third, 'standing', () => ({ found: { read: 3, standing: 9_999 } })),
    PLACED,
    /9999 of 3 wallets read have standing on 2026-11-22/,
  ],
  ['no newest readings', drop(third, 'standing'), PLACED, /^The readings of 2026-11-22 are missing$/],
  ['no readings of a day', drop(second, 'standing'), PLACED, /^The readings of 2026-11-21 are missing$/m],
  [
    'fewer burned Snaps than before',
    edit(third, 'supply', () => ({ burned: 7 })),
    PLACED,
    /has 7 Snaps burned, before it 51/,
  ],
  [
    'more held than owed',
    edit(third, 'supply', () => ({ held: 9_999 })),
    PLACED,
    /owes 3648 Snaps and holds 9999 of them/,
  ],
  [
    'more lost than earned',
    edit(third, 'supply', () => ({ lost: 3_601 })),
    PLACED,
    /has lost 3601 Snaps of votes that earned 3600/,
  ],
  [
    'Snaps paid by nothing',
    edit(third, 'supply', () => ({ paid: 60 })),
    PLACED,
    /has 60 Snaps paid; by hand were 0, 0 of them/,
  ],
  [
    'a payout of nothing',
    add(third, 'standing', () => ({ kind: 'payout', day: third, snaps: 0, digest: null })),
    PLACED,
    /pays nothing/,
  ],
  ['no supply', drop(third, 'supply'), PLACED, /2026-11-22 has no supply/],
  [
    'a state of another day',
    edit(third, 'project', () => ({ day: second })),
    PLACED,
    /of 2026-11-21 is in the batch of 2026-11-22/,
  ],
  [
    'an unknown format',
    edit(first, 'format', () => ({ version: 2 })),
    UNREAD,
    /has format 2; this verifier reads up to 1: get a newer one/,
  ],
  ['no format', drop(first, 'format'), PLACED, /2026-11-20 is the first one and does not name format and wallet/],
  ['no wallet', drop(first, 'anchor'), PLACED, /2026-11-20 is the first one and does not name format and wallet/],
])('verify finds in a log %s [R43 R62 R63]', async (_what, change, failed, difference) => {
  const found = await verify(makeRecord(change));
  expect(found.differences).toMatch(difference);
  expect(found.failed).toEqual(failed);
});

type Batches = Array<Parameters<MadeRecord['publish']>[0]>;
/** The record with further batches, a day each from 22 November on. */
function continued(...batches: Array<Partial<Batches[0]>>): MadeRecord {
  const record = makeRecord();
  for (const [at, batch] of batches.entries()) record.publish({ day: `2026-11-${23 + at}`, ...batch });
  return record;
}
/** The same on another day. */
const on = <E extends OtherEntry>(day: string, entry: E): E => ({ ...entry, day });
const mine = { voter: 0, projectId: 1 };
const again = { ...mine, period: 2 };
const replaced = { ...mine, state: 'replaced' as const };
const hash = 'A'.repeat(43);
const day = '2026-11-23';
const version = (number: number, identity: number): OtherEntry => {
  return { kind: 'version', day, projectId: 1, number, identity, hash };
};
const same: OtherEntry = { kind: 'same', day, projectId: 1, identity: 2 };
const apart: OtherEntry = { ...same, kind: 'apart' };
const blank = (number: number): OtherEntry => ({ kind: 'blank', day, projectId: 1, number });
const otherHash = 'B'.repeat(42) + 'A';
const owner = (state: EntryOf<'owner'>['state'], of = hash): OtherEntry => {
  return { kind: 'owner', day, projectId: 1, state, hash: of };
};
const given = { voters: 10, team: 0, product: 5, token: 10, risk: 5, community: 0 };
const reasons: EntryOf<'reasons'> = { kind: 'reasons', day, projectId: 1, group: 'verified', bullish: false, ...given };
const file: OtherEntry = { kind: 'file', day, hash };
const reading = (day: string): OtherEntry => ({ kind: 'standing', day, found: null });

test.each<[what: string, batches: Array<Partial<Batches[0]>>]>([
  [
    'votes of later periods, also with the replaced one in the same batch',
    [
      { votes: [again], states: [replaced] },
      { votes: [{ ...mine, period: 4, bullish: false }], states: [{ ...replaced, period: 2 }] },
      {
        votes: [
          { ...replaced, voter: 500 },
          { ...again, voter: 500 },
        ],
      },
    ],
  ],
  [
    'a change in place of its vote, once a day, with its own state',
    [
      { changes: [{ ...mine, bullish: true }] },
      {
        changes: [{ ...mine, bullish: false, state: 'waiting' }],
        states: [{ ...mine, voter: 3, state: 'moderator' }],
      },
      { states: [{ ...mine, state: 'rhythm' }] },
    ],
  ],
  [
    'changes of several days in the batch of their vote',
    [
      {
        votes: [{ ...mine, voter: 900, day: '2026-11-22' }],
        changes: [
          { ...mine, voter: 900, bullish: false, day: '2026-11-22' },
          { ...mine, voter: 900 },
        ],
      },
    ],
  ],
  [
    'versions, identities, owners and reasons of projects',
    [
      {
        others: [version(1, 1), version(2, 2), blank(1), same, owner('proven'), owner('lost'), reasons],
      },
      { others: [on('2026-11-24', apart), on('2026-11-24', owner('controls', otherHash))] },
      { others: [on('2026-11-25', same), on('2026-11-25', owner('proven', otherHash))] },
    ],
  ],
  [
    'opinions on the identity at their time',
    [
      {
        votes: [
          { ...mine, voter: 900, day: '2026-11-22' },
          { ...mine, voter: 901, identity: 2 },
        ],
        changes: [{ ...mine, voter: 900, identity: 2 }],
        others: [version(1, 1), version(2, 2)],
      },
      { votes: [{ ...mine, voter: 902, identity: 2 }] },
    ],
  ],
])('verify accepts %s [R43 R45 R57]', async (_what, batches) => {
  expect(await verify(continued(...batches))).toEqual({ failed: [], differences: '' });
});

test.each<[what: string, batches: Array<Partial<Batches[0]>>, failed: string[], difference: RegExp]>([
  [
    'a missing day',
    [{ day: '2026-11-24', others: [reading(day), reading('2026-11-24')] }],
    PLACED,
    /^The days between 2026-11-22 and 2026-11-24 are missing$/,
  ],
  [
    'missing readings',
    [{ others: [reading('2026-11-24')] }],
    PLACED,
    /The readings between 2026-11-22 and 2026-11-24 are missing/,
  ],
  [
    'a vote again on a later day',
    [{ votes: [mine] }],
    ['Uniqueness'],
    /votes again on project 1 in the batch of 2026-11-23/,
  ],
  [
    'a vote that counts beside an earlier one',
    [{ votes: [again] }],
    ['Uniqueness'],
    /^\S{22} on project 1 still counts beside a newer vote$/,
  ],
  [
    'a vote that none replaces',
    [{ states: [replaced] }],
    ['Uniqueness'],
    /^\S{22} on project 1 is replaced by no newer vote$/,
  ],
  [
    'a replaced vote that counts again',
    [{ votes: [again], states: [replaced] }, { states: [{ ...replaced, state: 'moderator' }] }],
    ['Uniqueness', 'Changes'],
    /counts again after it was replaced/,
  ],
  // Both batches have the readings of the day, too.
  [
    'two changes on a day',
    [{ changes: [{ ...mine, bullish: false }] }, { day, changes: [mine] }],
    ['Entries', 'Changes', 'Counters'],
    /changes the vote on project 1 twice on 2026-11-23/,
  ],
  [
    'a standing that is lost on a Monday',
    [{ states: [{ ...mine, state: 'no_standing' }] }],
    ['Changes'],
    /^\S{22} on project 1 on 2026-11-23 is 'no_standing', and standing changes on Sundays alone$/,
  ],
  [
    'a change without a vote',
    [{ changes: [{ ...mine, voter: 900 }] }],
    ['Changes'],
    /changes a vote on project 1 in the batch of 2026-11-23 that is not recorded/,
  ],
  [
    'a change of a replaced vote',
    [{ votes: [again], states: [replaced] }, { changes: [replaced] }],
    ['Changes'],
    /changes a vote on project 1 that was replaced/,
  ],
  ['a version that skips one', [{ others: [version(2, 1)] }], PLACED, /is version 2 of project 1, after version 0/],
  [
    'an identity that skips one',
    [{ others: [version(1, 1), version(2, 3)] }],
    PLACED,
    /gives project 1 identity 3, after 1/,
  ],
  ['an identity of the first version', [{ others: [version(1, 2)] }], PLACED, /gives project 1 identity 2, after 1/],
  ['an unknown identity', [{ others: [same] }], PLACED, /about an identity that project 1 has not had/],
  ['an old format', [{ others: [{ kind: 'format', day, version: 1 }] }], PLACED, /names format 1 again/],
  [
    'the same wallet',
    [{ others: [{ kind: 'anchor', day, sender: null }] }],
    PLACED,
    /names the wallet that anchored before/,
  ],
  ['kinds in another order', [{ others: [owner('proven'), version(1, 1)] }], PLACED, /is not in order/],
  [
    'reasons of too few voters',
    [{ others: [{ ...reasons, voters: 9, token: 9, risk: 4 }] }],
    PLACED,
    /^Entry \d+ names the reasons of voters on project 1 with fewer than 10 voters$/,
  ],
  [
    'reasons of more voters than votes',
    [{ others: [{ ...reasons, voters: 11 }] }],
    PLACED,
    /^Entry \d+ names the reasons of voters on project 1: 11 voters, of 10$/,
  ],
  [
    'reasons of more others than votes',
    [{ others: [{ ...reasons, group: 'others', voters: 11 }] }],
    PLACED,
    /: 11 voters, of 10$/,
  ],
  ['more than two reasons a voter', [{ others: [{ ...reasons, risk: 6 }] }], PLACED, /10 voters gave 21 reasons$/],
  [
    'reasons again within a week',
    [{ others: [reasons] }, { others: [on('2026-11-24', reasons)] }],
    PLACED,
    /names the reasons of voters on project 1 again within 7 days/,
  ],
  [
    'a lost proof that never was',
    [{ others: [owner('lost')] }],
    PLACED,
    /^Entry \d+ loses the proof A{43} of project 1, which/,
  ],
  [
    'a proof lost twice',
    [{ others: [owner('proven'), owner('lost'), owner('lost')] }],
    PLACED,
    /^Entry \d+ loses the proof A{43} of project 1, which/,
  ],
  [
    'a lost proof that is proven again',
    [{ others: [owner('proven'), owner('lost'), owner('proven')] }],
    PLACED,
    /^Entry \d+ says 'proven' of the proof A{43} of project 1, which is 'lost'$/,
  ],
  [
    'a proof again after another one',
    [{ others: [owner('proven'), owner('proven', otherHash), owner('proven')] }],
    PLACED,
    /^Entry \d+ names the proof A{43} of project 1 again$/,
  ],
  [
    'a proof that is accepted later',
    [{ others: [owner('proven'), owner('accepted')] }],
    PLACED,
    /^Entry \d+ says 'accepted' of the proof A{43} of project 1, which is 'proven'$/,
  ],
  [
    'a blanked version that never was',
    [{ others: [blank(1)] }],
    PLACED,
    /^Entry \d+ blanks version 1 of project 1, which/,
  ],
  [
    'a version blanked twice',
    [{ others: [version(1, 1), blank(1)] }, { others: [on('2026-11-24', blank(1))] }],
    PLACED,
    /^Entry \d+ blanks version 1 of project 1 again$/,
  ],
  [
    'a confirmation twice',
    [{ others: [version(1, 1), version(2, 2), same] }, { others: [on('2026-11-24', same)] }],
    PLACED,
    /^Entry \d+ confirms identity 2 of project 1 again$/,
  ],
  [
    'no confirmation that is taken back',
    [{ others: [version(1, 1), version(2, 2), apart] }],
    PLACED,
    /^Entry \d+ takes back identity 2 of project 1, which is not confirmed$/,
  ],
  [
    'a vote on an identity of before',
    [{ others: [version(1, 1), version(2, 2)] }, { votes: [{ ...mine, voter: 900 }] }],
    PLACED,
    /^Entry \d+ is about identity 1 of project 1, which had identity 2 before$/,
  ],
  [
    'a change that goes back to an earlier identity',
    [
      {
        votes: [{ ...mine, voter: 900, day: '2026-11-22', identity: 2 }],
        changes: [{ ...mine, voter: 900 }],
        others: [version(1, 1), version(2, 2)],
      },
    ],
    ['Changes'],
    /changes the vote on identity 2 of project 1 to one on 1$/,
  ],
  [
    'another file than the votes of its day',
    [{ others: [reading(day), file] }],
    ['Entries', 'Files'],
    /^Entry \d+ names another file than the votes of 2026-11-23/,
  ],
  [
    'a second file of a day',
    [{ others: [reading(day), file] }, { day, others: [file] }],
    ['Entries', 'Files'],
    /names the file of 2026-11-23 again/,
  ],
])('verify finds in later batches %s [R57 R60]', async (_what, batches, failed, difference) => {
  const found = await verify(continued(...batches));
  expect(found.differences).toMatch(difference);
  expect(found.failed).toEqual(failed);
});

/** An opinion of 1 November, a Sunday, that has these states from these days on. */
test.each<[moves: Array<[day: string, state: VoteState]>, reason: string | null]>([
  [
    [
      ['2026-11-01', 'waiting'],
      ['2026-11-08', 'verified'],
      ['2026-12-06', 'no_standing'],
    ],
    null,
  ],
  [
    [
      ['2026-11-01', 'verified'],
      ['2026-11-08', 'waiting'],
      ['2026-12-06', 'no_standing'],
    ],
    null,
  ],
  [
    [
      ['2026-11-01', 'waiting'],
      ['2026-11-03', 'rhythm'],
      ['2026-11-12', 'moderator'],
      ['2026-11-13', 'verified'],
    ],
    null,
  ],
  [
    [
      ['2026-11-01', 'verified'],
      ['2026-11-03', 'moderator'],
      ['2026-12-08', 'no_standing'],
    ],
    null,
  ],
  [
    [
      ['2026-12-06', 'no_standing'],
      ['2026-12-08', 'replaced'],
    ],
    null,
  ],
  [
    [
      ['2026-11-01', 'waiting'],
      ['2026-11-07', 'verified'],
    ],
    'standing changes on Sundays alone',
  ],
  [
    [
      ['2026-11-01', 'verified'],
      ['2026-11-29', 'no_standing'],
    ],
    'it is decided after 35 days',
  ],
  [[['2026-11-01', 'no_standing']], 'it is decided after 35 days'],
  [
    [
      ['2026-12-06', 'no_standing'],
      ['2026-12-13', 'verified'],
    ],
    'it was decided for good',
  ],
  [
    [
      ['2026-12-06', 'no_standing'],
      ['2026-12-08', 'moderator'],
      ['2026-12-09', 'waiting'],
    ],
    'it was decided for good',
  ],
  [
    [
      ['2026-11-01', 'verified'],
      ['2026-11-08', 'waiting'],
      ['2026-11-15', 'verified'],
    ],
    'it was verified before and lost that',
  ],
])('an opinion moves between states by its day alone: %j [R38 R40]', (moves, reason) => {
  let [past, from]: [Past, VoteState | null] = [{ last: null, isLost: false }, null];
  const reasons = moves.flatMap(([day, to]) => {
    const found = illegalMove(past, { from, to, saidOn: '2026-11-01', day });
    [past, from] = [pastWith(past, to), to];
    return found ?? [];
  });
  expect(reasons).toEqual(reason === null ? [] : [reason]);
});

test('verify reads the newest file of votes, and one other at random [R62]', async () => {
  const record = new MadeRecord();
  const days = ['2026-11-20', '2026-11-21'];
  for (const day of days) {
    record.tamper = (entries) => {
      const lines = entries.flatMap((one) => (one.kind === 'vote' ? voteLine(one) : []));
      const bytes = new TextEncoder().encode(VOTES_FILE_HEADER + lines.join(''));
      record.files.set(votesPath(day), bytes);
      const file: OtherEntry = { kind: 'file', day, hash: createHash('sha256').update(bytes).digest('base64url') };
      return recountBatch(entries.flatMap((one): RecordEntry[] => (one.kind === 'supply' ? [file, one] : [one])));
    };
    record.publish({ day, votes: [{ voter: Number(day.slice(-2)), projectId: 1 }] });
  }
  expect(await verify(record)).toEqual({ failed: [], differences: '' });
  for (const day of days) {
    const path = votesPath(day);
    const bytes = record.files.get(path) ?? new Uint8Array();
    record.files.set(path, flip(-2)(bytes.slice()));
    expect(await verify(record)).toEqual({ failed: ['Files'], differences: `${path} has other votes than the record` });
    record.files.set(path, bytes);
  }
});

test('verify believes and names entries of kinds that it does not know [R63]', async () => {
  const sealed = (rest: string): OtherEntry => ({ kind: 'unknown', word: 'sealed', day, rest });
  const others = [reading(day), sealed(' 7'), sealed(' 2'), { ...sealed(''), word: 'badge' } as OtherEntry];
  const record = continued({ others });
  expect(await verify(record)).toEqual({ failed: [], differences: '' });
  const { checks } = await verifyMade(record);
  expect(checks.find(({ name }) => name === 'Entries')?.detail).toMatch(
    /; believed: 3 entries of kinds that this verifier does not know: badge, sealed$/,
  );
  const early = await verify(continued({ others: others.toReversed() }));
  expect(early.failed).toEqual(PLACED);
});

test('verify finds a vote on an identity that its project has not had [R57 R63]', async () => {
  const record = makeRecord();
  record.tamper = (entries) => entries.map((one) => (one.kind === 'change' ? { ...one, identity: 2 } : one));
  record.publish({ day, changes: [{ ...mine, bullish: false }] });
  const { failed, differences } = await verify(record);
  expect(failed).toEqual(PLACED);
  expect(differences).toMatch(/The batch of 2026-11-23 has a vote on identity 2 of project 1/);
});

test('verify reports a batch of a future day, and not the batches after it [R62]', async () => {
  const { differences } = await verify(continued({ day: '2027-11-22' }, { day }, {}));
  expect(differences).toMatch(/The days between 2026-11-22 and 2027-11-22 are missing/);
  expect(differences).not.toMatch(/has entries of 2027|of 2026-11-24 stands/);
});

test("lists each opinion of the secret's owner, so that the owner can spot invented ones [R57 R64]", async () => {
  const record = makeRecord();
  record.publish({ day: '2026-11-23', changes: [{ voter: 0, projectId: 1, bullish: true }] });
  const { recounted } = await verifyMade(record, { secret: madeSecret(0) });
  expect(recounted?.own[0]).toMatchObject({
    projectId: 1,
    opinions: [
      { day: DAYS[0], bullish: false, identity: 1 },
      { day: '2026-11-23', bullish: true, identity: 1 },
    ],
  });
});

describe('a server that publishes files other than those it signed', () => {
  const { size } = makeRecord();
  const full = bundlePath({ index: 0, width: 256 });
  const tile = tilePath({ level: 0, index: 0, width: 256 });
  const upper = tilePath({ level: 1, index: 0, width: 1 });

  test.each<
    [what: string, path: string, change: (bytes: Uint8Array) => Uint8Array, failed: string[], difference: RegExp]
  >([
    ['a hash tile', tile, flip(40), ['Files'], /tile\/0\/000 has other hashes/],
    ['a hash tile above', upper, flip(0), ['Files'], /tile\/1\/000\.p\/1 has other hashes/],
    ['a hash tile cut short', tile, (bytes) => bytes.subarray(32), ['Files'], /tile\/0\/000 has other hashes/],
    ['a bundle cut short', full, (bytes) => bytes.subarray(0, -1), UNREAD, /tile\/entries\/000: .* cut off/],
    [
      'a bundle with a byte more',
      full,
      (bytes) => new Uint8Array([...bytes, 0]),
      UNREAD,
      /bytes after its 256 entries/,
    ],
    [
      'a bundle with a line that is none',
      full,
      flip(6),
      ['Entries', 'Tree', 'Files', 'History', 'Uniqueness', 'Changes', 'Counters'],
      /Not an entry of the record/,
    ],
  ])('verify finds in the published files %s [R43]', async (_what, path, change, failed, difference) => {
    const record = makeRecord();
    record.files.set(path, change(record.files.get(path)?.slice() ?? new Uint8Array()));
    const found = await verify(record);
    expect(found.failed).toEqual(failed);
    expect(found.differences).toMatch(difference);
  });

  test('verify finds a replaced vote in a bundle by the root [R43]', async () => {
    const record = makeRecord();
    const entries = record.entries.slice(0, 256).map((entry) => (entry === record.entries[0] ? other(entry) : entry));
    record.files.set(full, encodeBundle(entries.map(encodeEntry)));
    const found = await verify(record);
    expect(found.failed).toEqual(['Tree', 'Files', 'History', 'Counters']);
    expect(found.differences).toMatch(/The entries have the root/);
  });

  test.each([full, tile, upper])('verify finds that %s is missing [R43]', async (path) => {
    const record = makeRecord();
    record.files.delete(path);
    expect((await verify(record)).differences).toContain(`${path} is missing`);
  });

  test('verify stops at a checkpoint whose size was changed after it was signed [R43]', async () => {
    const record = makeRecord();
    const note = new TextDecoder().decode(record.files.get('checkpoint'));
    record.files.set('checkpoint', new TextEncoder().encode(note.replace(`\n${size}\n`, `\n${size - 1}\n`)));
    await expect(verify(record)).rejects.toThrow('does not fit the note');
  });
});

describe('an inconsistent list of checkpoints', () => {
  const record = makeRecord();
  const [first, middle, last] = listedCheckpoints(record) as [RecordCheckpoint, RecordCheckpoint, RecordCheckpoint];
  const fork = listedCheckpoints(
    makeRecord(edit(second, 'vote', (one) => ({ bullish: !one.bullish }))),
  )[1] as RecordCheckpoint;

  test.each<[what: string, list: RecordCheckpoint[], failed: string[], difference: RegExp]>([
    ['a day is missing', [first, last], ['History'], /2026-11-21: the checkpoint of \d+ entries is missing/],
    [
      'a day of another history',
      [first, fork, last],
      ['History'],
      /2026-11-21: the first \d+ entries have another root/,
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
      /2026-11-21: there is another checkpoint of \d+ entries/,
    ],
    ['another day', [first, { ...middle, day: '2026-11-12' }, last], ['History'], /says that it is of 2026-11-12/],
    ['the newest is missing', [first, middle], ['Signatures', 'History'], /not the last one of the list/],
  ])('verify finds in the list of checkpoints %s [R43]', async (_what, list, failed, difference) => {
    const found = await verify(record, list);
    expect(found.failed).toEqual(failed);
    expect(found.differences).toMatch(difference);
  });
});

describe('publication during the check', () => {
  const longer = makeRecord();
  longer.publish({ day: '2026-11-23' });

  test('verify waits for a newer checkpoint that a proxy does not show yet [R43]', async () => {
    const record = makeRecord();
    const wait = async (): Promise<void> => {
      for (const [path, bytes] of longer.files) record.files.set(path, bytes);
    };
    expect(await verify(record, listedCheckpoints(longer), { wait })).toEqual({ failed: [], differences: '' });
  });

  test('verify finds a newest checkpoint that stays older than the list [R43 R62]', async () => {
    const found = await verify(makeRecord(), listedCheckpoints(longer));
    expect(found.failed).toEqual(['Signatures', 'History']);
    expect(found.differences).toMatch(/The newest checkpoint is not the last one of the list/);
  });
});

describe('a record of many batches', () => {
  const voter = (n: number): MadeVote[] => [1, 2, 3].map((projectId) => ({ voter: n, projectId }));
  function publishDays(): MadeRecord {
    const record = new MadeRecord();
    for (let day = 1; day <= 12; day += 1) {
      const votes = Array.from({ length: 8 }, (_, n) => voter(day * 8 + n)).flat();
      record.publish({ day: `2026-11-${String(day).padStart(2, '0')}`, votes });
    }
    return record;
  }

  test('verify accepts a record of many batches [R43]', async () => {
    expect(await verify(publishDays())).toEqual({ failed: [], differences: '' });
  });

  test('verify finds a vote cast again after many batches [R43]', async () => {
    const record = publishDays();
    record.publish({ day: '2026-11-13', votes: [{ voter: 50, projectId: 2 }] });
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness']);
    expect(found.differences).toMatch(/^\S{22} votes again on project 2 in the batch of 2026-11-13$/);
  });

  test('verify finds a vote that still counts beside one of two periods earlier [R43 R45]', async () => {
    const record = publishDays();
    record.publish({ day: '2026-11-13', votes: [{ voter: 900, projectId: 3, period: 2 }] });
    record.publish({ day: '2026-11-14', votes: [{ voter: 50, projectId: 3, period: 3 }] });
    const found = await verify(record);
    expect(found.failed).toEqual(['Uniqueness']);
    expect(found.differences).toMatch(/^\S{22} on project 3 still counts beside a newer vote$/);
  });
});

test('verify finds the one vote among many that counts twice [R43 R45]', async () => {
  const record = new MadeRecord();
  const nameOf = (voter: number): string => pseudonymOf(madeSecret(voter), 1);
  const voters = Array.from({ length: 1_100 }, (_, voter) => voter).toSorted((one, other) =>
    Buffer.compare(Buffer.from(nameOf(one), 'base64url'), Buffer.from(nameOf(other), 'base64url')),
  );
  const votes = voters.map((voter): MadeVote => ({ voter, projectId: 1 }));
  record.publish({ day: '2026-11-01', votes });
  const states = votes.slice(0, -1).map((vote) => ({ ...vote, state: 'replaced' as const }));
  record.publish({ day: '2026-11-02', votes: votes.map((vote) => ({ ...vote, period: 2 })), states });
  const found = await verify(record);
  expect(found.failed).toEqual(['Uniqueness']);
  expect(found.differences).toBe(`${nameOf(voters.at(-1) ?? 0)} on project 1 still counts beside a newer vote`);
});

describe('files of older checkpoints', () => {
  const width = (makeRecord().checkpoints[0]?.size ?? 0) % 256;

  test.each([
    ['the hashes', tilePath({ level: 0, index: 0, width }), 'has other hashes than the record'],
    ['the entries', bundlePath({ index: 0, width }), 'has other entries than the record'],
  ])('verify compares the files of older checkpoints with %s [R62]', async (_what, path, difference) => {
    const changed = makeRecord();
    const bytes = changed.files.get(path);
    if (!bytes) throw new Error(`the first checkpoint has no ${path}`);
    changed.files.set(path, flip(-1)(bytes.slice()));
    const found = await verify(changed);
    expect(found.failed).toEqual(['Files']);
    expect(found.differences).toBe(`${path} ${difference}`);
    const missing = makeRecord();
    missing.files.delete(path);
    expect((await verify(missing)).differences).toBe(`${path} is missing`);
  });
});

describe('a record that was checked before', () => {
  const record = makeRecord();
  const seenAt = (at: number, made = record): Seen => ({
    key: made.verifierKey,
    note: made.checkpoints[at]?.note ?? '',
    checkedAt: '2026-11-22T12:00:00.000Z',
  });

  test('verify accepts a record that begins with the part seen before [R62]', async () => {
    for (const at of [0, 1, 2]) {
      expect(await verify(record, listedCheckpoints(record), { seen: seenAt(at) })).toEqual({
        failed: [],
        differences: '',
      });
    }
  });

  test('verify finds a consistent record that was rewritten since it was seen [R62]', async () => {
    const rewritten = makeRecord(edit(first, 'vote', () => ({ state: 'verified' })));
    const found = await verify(rewritten, listedCheckpoints(rewritten), { seen: seenAt(1) });
    expect(found.failed).toContain('Memory');
    expect(found.differences).toMatch(/The first \d+ entries are not those of 2026-11-22: the record was rewritten/);
  });

  test('verify finds a record that went back to an earlier day [R62]', async () => {
    const longer = makeRecord();
    longer.publish({ day: '2026-11-23' });
    const found = await verify(record, listedCheckpoints(record), { seen: seenAt(3, longer) });
    expect(found.failed).toEqual(['Memory']);
    expect(found.differences).toMatch(/The record has \d+ entries; it had \d+ on 2026-11-22/);
  });

  test('verify finds a record with another key than the one that was seen at its address [R62]', async () => {
    const damaged = { ...seenAt(1), key: formatVerifier(otherSigner) };
    await expect(verify(record, listedCheckpoints(record), { seen: damaged })).rejects.toThrow(
      'The stored checkpoint is not one of this log',
    );
    for (const seen of [null, seenAt(1)]) {
      const found = await verify(record, listedCheckpoints(record), { seen, replaced: damaged });
      expect(found.failed).toEqual(['Memory']);
      expect(found.differences).toBe('The record has another key than on 2026-11-22');
    }
  });
});
