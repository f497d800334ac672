import { readFileSync } from 'node:fs';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, test } from 'vitest';
import { hashLeaf } from '../log/hashes.ts';
import { digestText, opinionDigest } from './digest.ts';
import { encodeEntry, formatEntry, parseEntry, type RecordEntry } from './entries.ts';
import { ownerHash, versionHash } from './sealed.ts';
import { pseudonymOf } from './secrets.ts';

/** Test vectors that docs/use/record.md publishes. */
const page = readFileSync(new URL('../../docs/use/record.md', import.meta.url), 'utf8');
const ascending = (length: number) => Uint8Array.from({ length }, (_, at) => at);
const SECRET = ascending(32);
const address = (byte: string) => `0x${byte.repeat(32)}`;

/** The lines of the page that begin with this label, without it. */
const given = (label: string): string[] =>
  page.split('\n').flatMap((line) => (line.startsWith(`${label} `) ? line.slice(label.length).trim() : []));

describe('the test vectors of docs/use/record.md', () => {
  const [line = ''] = given('entry');
  const [changed = ''] = given('changed');

  test('the published vectors hold for pseudonyms, leaves and digests [R40 R63]', () => {
    const vote = parseEntry(line);
    const change = parseEntry(changed);
    if (vote.kind !== 'vote' || change.kind !== 'change') throw new Error('the page shows a vote and a change of it');
    expect(given('project 7')).toEqual([pseudonymOf(SECRET, 7)]);
    expect(given('project 8')).toEqual([pseudonymOf(SECRET, 8)]);
    expect([vote.pseudonym, change.pseudonym]).toEqual([pseudonymOf(SECRET, 7), pseudonymOf(SECRET, 7)]);
    expect(given('its leaf')[0]).toMatch(new RegExp(`^${bytesToHex(hashLeaf(encodeEntry(vote)))} `));
    const moved = parseEntry(given('moved')[0] ?? '');
    const other = pseudonymOf(
      SECRET.map((byte) => 255 - byte),
      7,
    );
    expect(moved).toMatchObject({ kind: 'state', pseudonyms: [other, pseudonymOf(SECRET, 7)] });
    expect(given('its own leaf')[0]).toMatch(new RegExp(`^${bytesToHex(hashLeaf(encodeEntry(moved)))} `));
    expect(given('its digest')).toEqual([digestText(opinionDigest(vote))]);
    expect(given('both digests')).toEqual([digestText(opinionDigest(vote) + opinionDigest(change))]);
  });

  test('the published vectors hold for versions and owners [R60 R63 R71]', () => {
    const [name = '', handle = '', website = '', category = '', description = '', picture = ''] =
      given('version')
        .find((text) => text.startsWith('salt'))
        ?.split(', ')
        .slice(1) ?? [];
    const proof = {
      wallet: address('0a'),
      subject: `${address('0b')}::coin::COIN`,
      objectType: `0x2::coin::TreasuryCap<${address('0b')}::coin::COIN>`,
      objectId: address('0c'),
      objectVersion: '42',
      checkpoint: '1000',
    };
    expect(given('its hash')).toEqual([
      versionHash({ name, handle, website, category, description, picture }, ascending(16)),
      ownerHash(proof, ascending(16)),
    ]);
  });

  test('the page names every kind of entry with its fields, in order [R63]', () => {
    const hash = 'A'.repeat(43);
    const reasons = { team: 1, product: 2, token: 3, risk: 4, community: 5 };
    const key = { day: '2026-08-01', projectId: 7, period: 1, pseudonym: 'A'.repeat(22) };
    const entries = [
      { kind: 'vote', ...key, bullish: true, state: 'verified', identity: 2 },
      { kind: 'change', ...key, bullish: true, state: 'verified', identity: 2 },
      { kind: 'state', day: key.day, projectId: 7, period: 1, state: 'verified', pseudonyms: [key.pseudonym] },
      { kind: 'version', day: key.day, projectId: 7, number: 3, identity: 2, hash },
      { kind: 'blank', day: key.day, projectId: 7, number: 3 },
      { kind: 'same', day: key.day, projectId: 7, identity: 2 },
      { kind: 'apart', day: key.day, projectId: 7, identity: 2 },
      { kind: 'owner', day: key.day, projectId: 7, state: 'proven', hash },
      { kind: 'reasons', day: key.day, projectId: 7, group: 'verified', bullish: true, voters: 10, ...reasons },
      { kind: 'file', day: key.day, hash },
      { kind: 'supply', day: key.day, granted: 1, burned: 2, paid: 3, held: 4, lost: 5, ahead: 6 },
      { kind: 'payout', day: key.day, snaps: 1, digest: null },
    ] satisfies RecordEntry[];
    for (const entry of entries) {
      const words = formatEntry(entry).split(' ').length;
      const described = given(entry.kind).find((text) => text.startsWith('DAY'));
      expect([entry.kind, described?.split(' ').length]).toEqual([entry.kind, words - 1]);
    }
  });
});
