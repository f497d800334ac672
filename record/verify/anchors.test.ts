import { describe, expect, test } from 'vitest';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import type { EntryOf } from '../entries/entries.ts';
import { MadeRecord, verifyMade } from '../testing/record.ts';
import { type AnchorTask, checkAnchors } from './anchors.ts';
import type { Payment } from '#chain/paid.ts';
import type { Chain } from './chain.ts';

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'] as const;
const SENDER = `0x${'a1'.repeat(32)}`;
const OTHER = `0x${'b2'.repeat(32)}`;
const NOW_MS = Date.parse('2026-11-22T12:00:00Z');

interface Made {
  anchorSender?: string | null;
  /** The wallet is named from the second day on. */
  later?: string | null;
}

async function made({ anchorSender = SENDER, later }: Made = {}) {
  const record = new MadeRecord();
  record.anchorSender = anchorSender;
  for (const [at, day] of DAYS.entries()) {
    const change: EntryOf<'anchor'>[] = at === 1 && later !== undefined ? [{ kind: 'anchor', day, sender: later }] : [];
    record.publish({ day, others: change });
  }
  return verifyMade(record);
}
const record = await made();

/** Payment of a wallet to the root of a day, five minutes after the day's end. */
const anchorOf = (at: number, changes: Partial<Payment> = {}, of = record): Payment => ({
  digest: `digest-${at}`,
  sender: SENDER,
  timeMs: Date.parse(`${DAYS[at] ?? ''}T00:00:00Z`) + 86_400_000 + 300_000,
  address: of.checkpoints[at]?.anchorAddress ?? '',
  mist: 1n,
  ...changes,
});
const ALL = [0, 1, 2].map((at) => anchorOf(at));

/** A chain on which these payments were made, with a node that lists them since a moment. */
const chainOf = (payments: readonly Payment[], { listsSinceMs = 0, keepsOlder = true } = {}): Chain => ({
  url: 'http://sui.test',
  clockMs: () => Promise.resolve(NOW_MS),
  paymentsBy: (sender, sinceMs) =>
    Promise.resolve({
      payments: payments.filter((one) => one.sender === sender && one.timeMs >= listsSinceMs),
      sinceMs: Math.max(sinceMs, listsSinceMs),
    }),
  paymentsIn: (digest) =>
    Promise.resolve(payments.filter((one) => one.digest === digest && (keepsOlder || one.timeMs >= listsSinceMs))),
  balanceMist: (address) =>
    Promise.resolve(payments.reduce((sum, one) => (one.address === address ? sum + one.mist : sum), 0n)),
});

/** The first anchors, as the server lists them. */
const listed = (count: number, of = record): RecordCheckpoint[] =>
  of.checkpoints.map((one, at) =>
    at < count ? { ...one, anchorState: 'anchored', anchorDigest: `digest-${at}` } : one,
  );

const lineOf = async (changes: Partial<AnchorTask> = {}) => {
  const [anchors, ...more] = await checkAnchors(taskOf(changes));
  expect(more).toEqual([]);
  if (!anchors) throw new Error('there is a line');
  return anchors;
};

const taskOf = (changes: Partial<AnchorTask> = {}): AnchorTask => ({
  batches: record.batches,
  anchors: record.anchors,
  checkpoints: listed(3),
  saidSender: SENDER,
  chain: chainOf(ALL),
  nowMs: NOW_MS,
  ...changes,
});

describe('anchors', () => {
  test('anchors that the named wallet sent in time hold [R41 R62]', async () => {
    expect(await lineOf()).toEqual({
      name: 'Anchors',
      state: 'ok',
      detail: '3 of 3 roots found on Sui by http://sui.test',
      differences: [],
    });
  });

  test('anchors hold while the newest one is still pending [R41 R62]', async () => {
    const { state, detail } = await lineOf({ checkpoints: listed(2), chain: chainOf(ALL.slice(0, 2)) });
    expect([state, detail]).toEqual(['ok', '2 of 3 roots found on Sui by http://sui.test; 1 not anchored yet']);
  });

  test('anchors may appear on the chain before the list names them [R62]', async () => {
    const fresh = anchorOf(2, { timeMs: NOW_MS - 60_000 });
    const { state } = await lineOf({ checkpoints: listed(2), chain: chainOf([...ALL.slice(0, 2), fresh]) });
    expect(state).toBe('ok');
  });

  test('a site that never had an anchor wallet has no anchors [R41 R62]', async () => {
    const without = await made({ anchorSender: null });
    const task = { batches: without.batches, anchors: without.anchors, checkpoints: without.checkpoints };
    expect((await lineOf({ ...task, saidSender: null, chain: chainOf([]) })).state).toBe('absent');
  });

  test('anchors are unknown when the record does not name the sending wallet [R62]', async () => {
    const check = await lineOf({ anchors: [] });
    expect([check.state, check.detail]).toEqual(['unchecked', 'The record does not say which wallet anchors it']);
  });

  test('anchors may change their wallet when the record names the new one [R62]', async () => {
    const changed = await made({ later: OTHER });
    const payments = [0, 1, 2].map((at) => anchorOf(at, { sender: at === 0 ? SENDER : OTHER }, changed));
    const { batches, anchors } = changed;
    const task = { batches, anchors, checkpoints: listed(3, changed), saidSender: OTHER, chain: chainOf(payments) };
    expect(await lineOf(task)).toMatchObject({ state: 'ok', differences: [] });
  });

  test('an anchor fixes the days before it: a late one is reported, one a week late differs [R62]', async () => {
    const nowMs = Date.parse('2026-12-20T12:00:00Z');
    const sentOn = (day: string) => [anchorOf(2, { timeMs: Date.parse(`${day}T00:00:00Z`) })];
    const late = await lineOf({
      nowMs,
      checkpoints: listed(0).with(2, { ...listed(3)[2] } as RecordCheckpoint),
      chain: chainOf(sentOn('2026-11-25')),
    });
    expect([late.state, late.detail]).toEqual([
      'ok',
      '1 of 3 roots found on Sui by http://sui.test; 3 days anchored more than two days late',
    ]);
    const tooLate = await lineOf({
      nowMs,
      checkpoints: listed(0).with(2, { ...listed(3)[2] } as RecordCheckpoint),
      chain: chainOf(sentOn('2026-11-28')),
    });
    expect(tooLate.state).toBe('differs');
    expect(tooLate.differences).toEqual(['2026-11-19: anchored 8 days later, on 2026-11-28 00:00']);
  });

  test('a missing anchor is awaited for two days, unknown for a week, and differs after that [R62]', async () => {
    const at = (nowMs: number) => lineOf({ nowMs, checkpoints: listed(2), chain: chainOf(ALL.slice(0, 2)) });
    expect((await at(Date.parse('2026-11-23T12:00:00Z'))).state).toBe('ok');
    const open = await at(Date.parse('2026-11-26T12:00:00Z'));
    expect([open.state, open.detail]).toEqual([
      'unchecked',
      '2 of 3 roots found on Sui by http://sui.test; 1 not anchored for more than two days',
    ]);
    expect((await at(Date.parse('2026-12-01T12:00:00Z'))).differences).toEqual([
      '2026-11-21: no anchor in the 9 days since',
    ]);
  });

  test('a node that lists no payments shows single anchors, and leaves other histories open [R62]', async () => {
    const [anchors, older] = await checkAnchors(taskOf({ chain: chainOf(ALL, { listsSinceMs: Infinity }) }));
    expect([anchors?.state, anchors?.detail]).toEqual(['unchecked', '3 of 3 roots found on Sui by http://sui.test']);
    expect([older?.state, older?.detail]).toEqual([
      'unchecked',
      'http://sui.test does not list the payments: another history was not looked for; name another node with --rpc',
    ]);
  });

  describe('a node that has pruned the oldest payments', () => {
    const nowMs = Date.parse('2026-12-20T12:00:00Z');
    /** Noon of the last day: the anchors of the first two days are forgotten. */
    const pruned = { listsSinceMs: Date.parse('2026-11-21T12:00:00Z'), keepsOlder: false };
    const OLD =
      'http://sui.test does not list the payments before 2026-11-21 12:00, of which 2 days from 2026-11-19 to 2026-11-20 have no anchor there: another history was not looked for; name another node with --rpc';

    test('days whose payments the node has pruned are unknown, and all others are checked [R62]', async () => {
      const late = anchorOf(2, { timeMs: Date.parse('2026-11-23T12:00:00Z') });
      const checks = await checkAnchors(taskOf({ nowMs, chain: chainOf([...ALL.slice(0, 2), late], pruned) }));
      expect(checks.map(({ state, detail }) => [state, detail])).toEqual([
        ['ok', '1 of 3 roots found on Sui by http://sui.test'],
        ['unchecked', OLD],
      ]);
    });

    test('a second history is found in the days that the node still has [R62]', async () => {
      const payments = [...ALL, anchorOf(2, { digest: 'fork', address: OTHER })];
      const [anchors, older] = await checkAnchors(taskOf({ nowMs, chain: chainOf(payments, pruned) }));
      expect(anchors?.differences).toEqual([expect.stringContaining(`paid 1 MIST to ${OTHER}`)]);
      expect(older?.state).toBe('unchecked');
    });

    test('a log whose days were all anchored late is rejected [R62]', async () => {
      const payments = ALL.map((one) => ({ ...one, timeMs: Date.parse('2026-12-19T12:00:00Z') }));
      const [anchors] = await checkAnchors(taskOf({ nowMs, chain: chainOf(payments, pruned) }));
      expect(anchors?.differences).toHaveLength(3);
    });

    test('an anchor that was never paid differs, because its address is empty [R62]', async () => {
      const [anchors] = await checkAnchors(taskOf({ nowMs, chain: chainOf(ALL.slice(1), pruned) }));
      expect(anchors?.differences).toEqual([`2026-11-19: ${record.checkpoints[0]?.anchorAddress} is not on Sui`]);
    });
  });

  test('anchors are not called checked while the node does not respond [R41 R62]', async () => {
    const away = () => Promise.reject(new Error('away'));
    const check = await lineOf({ chain: { ...chainOf([]), paymentsBy: away } });
    expect([check.state, check.detail]).toEqual([
      'unchecked',
      'The Sui node at http://sui.test does not respond; name another one with --rpc',
    ]);
  });
});

describe('false anchors', () => {
  const last = record.checkpoints[2]?.anchorAddress ?? '';
  const saying = (changes: Partial<RecordCheckpoint>) =>
    listed(3).map((one, at) => (at === 2 ? { ...one, ...changes } : one));

  test.each<[what: string, changes: Partial<AnchorTask>, difference: string]>([
    ['are not on the chain', { chain: chainOf(ALL.slice(0, 2)) }, `2026-11-21: ${last} is not on Sui`],
    [
      'another wallet sent',
      { chain: chainOf([...ALL.slice(0, 2), anchorOf(2, { sender: OTHER })]) },
      `2026-11-21: ${last} holds coins that another wallet sent, not the one that the record names`,
    ],
    [
      'are named at another address',
      { checkpoints: saying({ anchorAddress: OTHER }) },
      `2026-11-21: the server names another address than ${last}`,
    ],
    [
      'are another transaction',
      { checkpoints: saying({ anchorDigest: 'digest-0' }) },
      '2026-11-21: the server names digest-0 as the anchor, on Sui it is digest-2',
    ],
    [
      'name an unknown transaction',
      { checkpoints: saying({ anchorDigest: 'unknown' }) },
      '2026-11-21: the server names unknown as the anchor, on Sui it is digest-2',
    ],
    [
      'have no transaction',
      { checkpoints: saying({ anchorDigest: null }) },
      '2026-11-21: the server names no transaction as the anchor, on Sui it is digest-2',
    ],
    [
      'are denied',
      { checkpoints: saying({ anchorDigest: null, anchorState: 'none' }) },
      '2026-11-21: the server names no transaction as the anchor, on Sui it is digest-2',
    ],
    [
      'are said to be sent by another wallet',
      { saidSender: OTHER },
      `The server names ${OTHER} as the one that anchors, the record ${SENDER}`,
    ],
    [
      'are said not to exist',
      { saidSender: null },
      `The server names no wallet as the one that anchors, the record ${SENDER}`,
    ],
    [
      'fix another history with another amount, too',
      { chain: chainOf([...ALL, anchorOf(2, { digest: 'fork', address: OTHER, mist: 2n })]) },
      `On 2026-11-22 00:05 the wallet that anchors this record paid 2 MIST to ${OTHER}, which is not a root of it: there is another history, or a newer one`,
    ],
    [
      'come from a wallet that was emptied into another one',
      { chain: chainOf([...ALL, anchorOf(2, { digest: 'fork', address: OTHER, mist: 990_000_000n })]) },
      `On 2026-11-22 00:05 the wallet that anchors this record paid 990,000,000 MIST to ${OTHER}, which is not a root of it: there is another history, or a newer one`,
    ],
    [
      'fix another history, too',
      { chain: chainOf([...ALL, anchorOf(2, { digest: 'fork', address: OTHER })]) },
      `On 2026-11-22 00:05 the wallet that anchors this record paid 1 MIST to ${OTHER}, which is not a root of it: there is another history, or a newer one`,
    ],
  ])('detects false anchors: they %s [R41 R62]', async (_what, changes, difference) => {
    const check = await lineOf(changes);
    expect([check.state, check.differences]).toEqual(['differs', [difference]]);
  });

  test('detects that the record stops being anchored [R62]', async () => {
    const stopped = await made({ later: null });
    const { batches, anchors } = stopped;
    const task = { batches, anchors, checkpoints: listed(1, stopped), saidSender: null };
    const check = await lineOf({ ...task, chain: chainOf([anchorOf(0, {}, stopped)]) });
    expect(check.differences).toEqual(['2026-11-20: the record stops being anchored']);
  });
});
