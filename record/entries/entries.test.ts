import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { REASONS } from '#shared/voting/reasons.ts';
import { VOTE_STATES } from '#shared/states/votes.ts';
import { compareBase64Url } from './base64url.ts';
import { toBase64Url } from './base64url.ts';
import {
  decodeEntry,
  encodeEntry,
  type EntryOf,
  formatEntry,
  OWNER_STATES,
  parseEntry,
  REASON_GROUPS,
  type RecordEntry,
  RecordError,
  STATE_PSEUDONYMS,
} from './entries.ts';

const PSEUDONYM = 'AAECAwQFBgcICQoLDA0ODw';
const ROOT = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const WALLET = `0x${'0a'.repeat(32)}`;
const DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';

const EXAMPLES: Array<[line: string, entry: RecordEntry]> = [
  [
    `vote 2026-08-01 7 1 bullish ${PSEUDONYM} verified`,
    {
      kind: 'vote',
      day: '2026-08-01',
      projectId: 7,
      period: 1,
      bullish: true,
      pseudonym: PSEUDONYM,
      state: 'verified',
      identity: 1,
    },
  ],
  [
    `state 2026-08-02 7 1 no_standing ${'A'.repeat(22)} ${PSEUDONYM}`,
    {
      kind: 'state',
      day: '2026-08-02',
      projectId: 7,
      period: 1,
      state: 'no_standing',
      pseudonyms: ['A'.repeat(22), PSEUDONYM],
    },
  ],
  [
    'project 2026-08-02 7 1 12 3 10 0',
    {
      kind: 'project',
      day: '2026-08-02',
      projectId: 7,
      period: 1,
      bullish: 12,
      bearish: 3,
      verifiedBullish: 10,
      verifiedBearish: 0,
    },
  ],
  [
    `change 2026-08-05 7 1 bearish ${PSEUDONYM} waiting 2`,
    {
      kind: 'change',
      day: '2026-08-05',
      projectId: 7,
      period: 1,
      bullish: false,
      pseudonym: PSEUDONYM,
      state: 'waiting',
      identity: 2,
    },
  ],
  ['format 2026-08-02 1', { kind: 'format', day: '2026-08-02', version: 1 }],
  [`anchor 2026-08-02 0x${'0a'.repeat(32)}`, { kind: 'anchor', day: '2026-08-02', sender: `0x${'0a'.repeat(32)}` }],
  ['anchor 2026-08-02 none', { kind: 'anchor', day: '2026-08-02', sender: null }],
  [
    `version 2026-08-02 7 3 2 ${ROOT}`,
    { kind: 'version', day: '2026-08-02', projectId: 7, number: 3, identity: 2, hash: ROOT },
  ],
  ['blank 2026-08-02 7 3', { kind: 'blank', day: '2026-08-02', projectId: 7, number: 3 }],
  ['same 2026-08-02 7 2', { kind: 'same', day: '2026-08-02', projectId: 7, identity: 2 }],
  ['apart 2026-08-02 7 2', { kind: 'apart', day: '2026-08-02', projectId: 7, identity: 2 }],
  [
    `owner 2026-08-02 7 proven ${ROOT}`,
    { kind: 'owner', day: '2026-08-02', projectId: 7, state: 'proven', hash: ROOT },
  ],
  [
    'reasons 2026-08-02 7 verified bearish 12 1 4 9 3 0',
    {
      kind: 'reasons',
      day: '2026-08-02',
      projectId: 7,
      group: 'verified',
      bullish: false,
      voters: 12,
      team: 1,
      product: 4,
      token: 9,
      risk: 3,
      community: 0,
    },
  ],
  ['standing 2026-08-02 120 96', { kind: 'standing', day: '2026-08-02', found: { read: 120, standing: 96 } }],
  ['standing 2026-08-02 skipped', { kind: 'standing', day: '2026-08-02', found: null }],
  [`file 2026-08-02 ${ROOT}`, { kind: 'file', day: '2026-08-02', hash: ROOT }],
  [
    'supply 2026-08-02 5 10 0 50 20 0',
    { kind: 'supply', day: '2026-08-02', granted: 5, burned: 10, paid: 0, held: 50, lost: 20, ahead: 0 },
  ],
  [
    `book 2026-08-02 testnet ${WALLET} ${WALLET}`,
    { kind: 'book', day: '2026-08-02', network: 'testnet', packageId: WALLET, bookId: WALLET },
  ],
  [`payout 2026-08-02 60 ${DIGEST}`, { kind: 'payout', day: '2026-08-02', snaps: 60, digest: DIGEST }],
  ['payout 2026-08-02 60 none', { kind: 'payout', day: '2026-08-02', snaps: 60, digest: null }],
  ['sealed 2026-08-02', { kind: 'unknown', word: 'sealed', day: '2026-08-02', rest: '' }],
  ['sealed 2026-08-02  x ~', { kind: 'unknown', word: 'sealed', day: '2026-08-02', rest: '  x ~' }],
  ['batch 2026-08-02 15 1 3 2', { kind: 'batch', day: '2026-08-02', votes: 15, states: 1, projects: 3, others: 2 }],
];

test.each(EXAMPLES)('%s is written and read [R40]', (line, entry) => {
  expect(formatEntry(entry)).toBe(line);
  expect(parseEntry(line)).toEqual(entry);
  expect(decodeEntry(encodeEntry(entry))).toEqual(entry);
});

test.each([
  ['', 'its kind'],
  ['toString 2026-08-01', 'its kind'],
  ['sealed', 'missing'],
  ['sealed 2026-13-01 7', 'a day'],
  ['sealed 2026-08-01 \u001b[2J', 'its kind'],
  [`${'s'.repeat(33)} 2026-08-01`, 'its kind'],
  ['reasons 2026-08-01 7 waiting bearish 12 1 4 9 3 0', 'a group'],
  [`vote  2026-08-01 7 1 bullish ${PSEUDONYM} verified`, 'a day'],
  [`vote 2026-02-30 7 1 bullish ${PSEUDONYM} verified`, 'a day'],
  [`vote 26-08-01 7 1 bullish ${PSEUDONYM} verified`, 'a day'],
  [`vote 2026-08-01 07 1 bullish ${PSEUDONYM} verified`, 'a number'],
  [`vote 2026-08-01 -7 1 bullish ${PSEUDONYM} verified`, 'a number'],
  [`vote 2026-08-01 9007199254740993 1 bullish ${PSEUDONYM} verified`, 'a number'],
  [`vote 2026-08-01 7 1 Bullish ${PSEUDONYM} verified`, 'a direction'],
  [`vote 2026-08-01 7 1 toString ${PSEUDONYM} verified`, 'a direction'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM.slice(1)} verified`, '16 bytes'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM.slice(0, -1)}x verified`, '16 bytes'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM}`, 'missing'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM} good`, 'a state'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM} verified `, 'a number'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM} verified 1`, 'an identity'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM} verified 2 3`, 'too many'],
  ['anchor 2026-08-01 0x12', 'an address'],
  [`anchor 2026-08-01 0x${'0A'.repeat(32)}`, 'an address'],
  [`book 2026-08-01 othernet ${WALLET} ${WALLET}`, 'a network'],
  ['payout 2026-08-01 60 0OIl', 'a digest'],
  [`owner 2026-08-01 7 stolen ${ROOT}`, 'a state'],
  [`vote 2026-08-01 7 1 bullish ${PSEUDONYM} verified\n`, 'a state'],
  ['supply 2026-08-02 9007199254740992 0 0 0 0 0', 'a number'],
  [`file 2026-08-02 ${ROOT}=`, '32 bytes'],
  ['standing 2026-08-02 12', 'missing'],
  ['standing 2026-08-02 skipped 12', 'too many'],
])('rejects the line "%s" [R43]', (line, reason) => {
  expect(() => parseEntry(line)).toThrow(RecordError);
  expect(() => parseEntry(line)).toThrow(reason);
});

test('rejects bytes that are not ASCII, whatever they decode to [R43]', () => {
  for (const line of ['standing 2026-08-02 1 0', 'sealed 2026-08-02 1 0']) {
    const bytes = encodeEntry(parseEntry(line));
    bytes[bytes.length - 1] = 0xb0;
    expect(() => decodeEntry(bytes)).toThrow(RecordError);
  }
});

const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const base64url = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toBase64Url);
const day = fc
  .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const key = { day, projectId: number, period: number };
const pseudonym = base64url(16);
const state = fc.constantFrom(...VOTE_STATES);
const rest = fc.stringMatching(/^(?: [ -~]{0,20})?$/);
const identity = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const address = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const anyEntry: fc.Arbitrary<RecordEntry> = fc.oneof(
  fc.record({ kind: fc.constantFrom('vote', 'change'), ...key, bullish: fc.boolean(), pseudonym, state, identity }),
  fc.record({ kind: fc.constant('format' as const), day, version: number }),
  fc.record({ kind: fc.constant('anchor' as const), day, sender: fc.option(address) }),
  fc.record({ kind: fc.constant('version' as const), day, projectId: number, number, identity, hash: base64url(32) }),
  fc.record({ kind: fc.constantFrom('same', 'apart'), day, projectId: number, identity }),
  fc.record({ kind: fc.constant('blank' as const), day, projectId: number, number }),
  fc.record({ kind: fc.constant('file' as const), day, hash: base64url(32) }),
  fc.record({
    kind: fc.constant('supply' as const),
    day,
    granted: number,
    burned: number,
    paid: number,
    held: number,
    lost: number,
    ahead: number,
  }),
  fc.record({
    kind: fc.constant('book' as const),
    day,
    network: fc.constantFrom('mainnet', 'localnet'),
    packageId: address,
    bookId: address,
  }),
  fc.record({ kind: fc.constant('payout' as const), day, snaps: number, digest: fc.option(fc.constant(DIGEST)) }),
  fc.record({
    kind: fc.constant('reasons' as const),
    day,
    projectId: number,
    group: fc.constantFrom(...REASON_GROUPS),
    bullish: fc.boolean(),
    voters: number,
    ...Object.fromEntries(REASONS.map((reason) => [reason, number])),
  }) as fc.Arbitrary<EntryOf<'reasons'>>,
  fc.record({ kind: fc.constant('unknown' as const), word: fc.constantFrom('sealed', 'x'), day, rest }),
  fc.record({
    kind: fc.constant('owner' as const),
    day,
    projectId: number,
    state: fc.constantFrom(...OWNER_STATES),
    hash: base64url(32),
  }),
  fc.record({
    kind: fc.constant('state' as const),
    ...key,
    state,
    pseudonyms: fc
      .uniqueArray(pseudonym, { minLength: 1, maxLength: STATE_PSEUDONYMS })
      .map((all) => all.toSorted(compareBase64Url)),
  }),
  fc.record({
    kind: fc.constant('project' as const),
    ...key,
    bullish: number,
    bearish: number,
    verifiedBullish: number,
    verifiedBearish: number,
  }),
  fc.record({
    kind: fc.constant('standing' as const),
    day,
    found: fc.option(fc.record({ read: number, standing: number })),
  }),
  fc.record({
    kind: fc.constant('batch' as const),
    day,
    votes: number,
    states: number,
    projects: number,
    others: number,
  }),
);

test('every entry reads back as it was written [R40]', () => {
  fc.assert(
    fc.property(anyEntry, (entry) => {
      expect(parseEntry(formatEntry(entry))).toEqual(entry);
    }),
    runs(),
  );
});

test('each accepted line has only one spelling [R43]', () => {
  const edited = fc.tuple(anyEntry, fc.nat(), fc.string({ maxLength: 2 })).map(([entry, at, text]) => {
    const line = formatEntry(entry);
    const place = at % line.length;
    return line.slice(0, place) + text + line.slice(place + 1);
  });
  const readBack = (line: string): string => {
    try {
      return formatEntry(parseEntry(line));
    } catch (error) {
      if (error instanceof RecordError) return line;
      throw error;
    }
  };
  fc.assert(
    fc.property(edited, (line) => {
      expect(readBack(line)).toBe(line);
    }),
    runs(),
  );
});
