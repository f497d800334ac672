import { describe, expect, test } from 'vitest';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { listedCheckpoints, MadeRecord } from '#shared/testing/record.ts';
import { checkAnchors } from './checkpoints.ts';
import { verifyRecord } from './record.ts';

const record = new MadeRecord();
for (const day of ['2026-11-19', '2026-11-20', '2026-11-21']) record.publish({ day, balances: {} });
const { batches, checkpoints } = await verifyRecord({
  files: record.read,
  verifierKey: record.verifierKey,
  loadCheckpoints: () => Promise.resolve(listedCheckpoints(record)),
  onProgress: () => undefined,
});

type AnchorState = RecordCheckpoint['anchorState'];

/** What is found where the server says these states, oldest first, and the chain knows the first so many roots. */
function check(states: AnchorState[], onChain: number, { isAnchoring = true } = {}) {
  const known = new Set(checkpoints.slice(0, onChain).map(({ anchorAddress }) => anchorAddress));
  return checkAnchors({
    batches,
    checkpoints: checkpoints.map((one, at) => ({ ...one, anchorState: states[at] ?? 'none' })),
    isAnchoring,
    balanceOf: (address) => Promise.resolve(known.has(address) ? 1n : 0n),
    rpcUrl: 'http://sui.test',
  });
}

describe('anchors', () => {
  test('that are all on Sui hold [R41 R43]', async () => {
    expect(await check(['anchored', 'anchored', 'anchored'], 3)).toMatchObject({
      state: 'ok',
      detail: '3 of 3 roots found on Sui by http://sui.test',
    });
  });

  test('hold while the newest is on its way [R41 R43]', async () => {
    for (const state of ['sent', 'none'] as const) {
      const { state: found, detail } = await check(['anchored', 'anchored', state], 2);
      expect([found, detail]).toEqual(['ok', '2 of 3 roots found on Sui by http://sui.test; 1 not sent yet']);
    }
  });

  test('are not called checked while an older one was never sent [R41 R43]', async () => {
    expect(await check(['anchored', 'sent', 'anchored'], 1)).toMatchObject({ state: 'differs' });
    for (const state of ['sent', 'none'] as const) {
      const { state: found, detail } = await check(['anchored', state, state], 1);
      expect([found, detail]).toEqual(['unchecked', '1 of 3 roots found on Sui by http://sui.test; 2 not sent yet']);
    }
  });

  test('that the server only says are on Sui are named [R41 R43]', async () => {
    const { state, differences } = await check(['anchored', 'anchored', 'anchored'], 2);
    expect([state, differences]).toEqual(['differs', [`2026-11-21: ${checkpoints[2]?.anchorAddress} is not on Sui`]]);
  });

  test('of another address than the root are named [R41 R43]', async () => {
    const result = await checkAnchors({
      batches,
      checkpoints: checkpoints.map((one) => ({ ...one, anchorAddress: '0x1', anchorState: 'anchored' })),
      isAnchoring: true,
      balanceOf: () => Promise.resolve(1n),
      rpcUrl: 'http://sui.test',
    });
    expect(result.state).toBe('differs');
    expect(result.differences[0]).toBe(
      `2026-11-19: the server names another address than ${checkpoints[0]?.anchorAddress}`,
    );
  });

  test('do not exist on a site that never had a key for them, and are checked on one that had [R41 R43]', async () => {
    const without = { isAnchoring: false };
    expect((await check(['none', 'none', 'none'], 0, without)).state).toBe('absent');
    expect((await check(['anchored', 'none', 'none'], 0, without)).state).toBe('differs');
    expect((await check(['none', 'none', 'none'], 0)).state).toBe('unchecked');
  });
});
