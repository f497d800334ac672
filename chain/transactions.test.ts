import { TransactionError } from '@mysten/sui/client';
import { RpcError } from '@mysten/sui/grpc';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSuiClient } from './client.ts';
import { lookUpTransaction, submitTransaction } from './transactions.ts';

const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });
const DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const ask = vi.spyOn(client.core, 'getTransaction');
const execute = vi.spyOn(client.core, 'executeTransaction');
const timeouts = vi.spyOn(AbortSignal, 'timeout');
afterEach(() => vi.clearAllMocks());

type Response = Awaited<ReturnType<typeof client.core.getTransaction>>;
/** The decisive part of a node's response. */
const executed = (facts: { checkpoint: string | null; balanceChanges: object[] }) =>
  ({ $kind: 'Transaction', Transaction: { digest: DIGEST, ...facts } }) as unknown as Response;
const failed = { $kind: 'FailedTransaction', FailedTransaction: { digest: DIGEST } } as unknown as Response;
const CHANGE = { address: '0x1', coinType: '0x2::sui::SUI', amount: '-1' };
const FACTS = { effects: true, balanceChanges: true, transaction: true };

describe('a look-up', () => {
  const lookUp = () => lookUpTransaction(client, DIGEST);

  test('a look-up of an invalid digest asks no node [R17]', async () => {
    expect(await lookUpTransaction(client, 'made up')).toEqual({ state: 'invalid' });
    expect(ask).not.toHaveBeenCalled();
  });

  test('a look-up requests everything that the verification needs, and waits for eight seconds [R17]', async () => {
    ask.mockResolvedValueOnce(failed);
    await lookUp();
    expect(timeouts).toHaveBeenCalledExactlyOnceWith(8_000);
    const signal: unknown = timeouts.mock.results[0]?.value;
    expect(ask).toHaveBeenCalledExactlyOnceWith({ digest: DIGEST, include: FACTS, signal });
  });

  test('a look-up finds final transactions with their balance changes, and failed ones [R17]', async () => {
    const paid = executed({ checkpoint: '7', balanceChanges: [CHANGE] });
    ask.mockResolvedValueOnce(paid).mockResolvedValueOnce(failed);
    expect(await lookUp()).toEqual({ state: 'found', transaction: paid.Transaction });
    expect(await lookUp()).toEqual({ state: 'found', transaction: failed.FailedTransaction });
  });

  test.each([
    ['before its checkpoint', null, [CHANGE]],
    ['without its balance changes', '7', []],
  ])('a look-up of a transaction %s has not seen it yet [R17]', async (_what, checkpoint, balanceChanges) => {
    ask.mockResolvedValueOnce(executed({ checkpoint, balanceChanges }));
    expect(await lookUp()).toEqual({ state: 'unseen' });
  });

  test.each([
    ['unseen', new TransactionError('notFound', DIGEST)],
    ['invalid', new RpcError('malformed', 'INVALID_ARGUMENT')],
    ['unreachable', new RpcError('busy', 'UNAVAILABLE')],
    ['unreachable', new RpcError('late', 'DEADLINE_EXCEEDED')],
    ['unreachable', new TypeError('fetch failed')],
  ])('a look-up is %s after %s [R17]', async (state, error) => {
    ask.mockRejectedValueOnce(error);
    expect(await lookUp()).toEqual({ state });
  });
});

describe('a submission', () => {
  const submit = () => submitTransaction(client, Uint8Array.of(1, 2), 'signature');

  test('a submission sends bytes and signature, and waits for fifteen seconds [R16]', async () => {
    execute.mockResolvedValueOnce(failed);
    await submit();
    expect(timeouts).toHaveBeenCalledExactlyOnceWith(15_000);
    const signal: unknown = timeouts.mock.results[0]?.value;
    const sent = { transaction: Uint8Array.of(1, 2), signatures: ['signature'], include: FACTS, signal };
    expect(execute).toHaveBeenCalledExactlyOnceWith(sent);
  });

  test('a submission is executed, whether or not the transaction succeeds [R16]', async () => {
    const paid = executed({ checkpoint: null, balanceChanges: [] });
    execute.mockResolvedValueOnce(paid).mockResolvedValueOnce(failed);
    expect(await submit()).toEqual({ state: 'executed', transaction: paid.Transaction });
    expect(await submit()).toEqual({ state: 'executed', transaction: failed.FailedTransaction });
  });

  test.each([
    ['object%20not%20found', 'object not found'],
    ['100% wrong', '100% wrong'],
  ])("a submission is rejected with the node's message: %s [R16]", async (sent, reason) => {
    execute.mockRejectedValueOnce(new RpcError(sent, 'INVALID_ARGUMENT'));
    expect(await submit()).toEqual({ state: 'rejected', reason });
  });

  test.each([new RpcError('busy', 'UNAVAILABLE'), new RpcError('late', 'DEADLINE_EXCEEDED'), new TypeError('cut')])(
    'a submission may have been executed after %s [R16 R17]',
    async (error) => {
      execute.mockRejectedValueOnce(error);
      expect(await submit()).toEqual({ state: 'unknown' });
    },
  );
});
