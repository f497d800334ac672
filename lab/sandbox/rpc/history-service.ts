import { GrpcTypes } from '@mysten/sui/grpc';
import type { Chain, TransactionRecord } from '../ledger/chain.ts';
import { invalidArgument, outOfRange, unimplemented } from '../ledger/errors.ts';
import { applyMask } from './field-mask.ts';
import { recordMessage, TRANSACTION_MASK } from './ledger-service.ts';
import { type MethodTable, serverStream } from './method.ts';
import { requireAddress } from './requests.ts';

const { Ordering, QueryEndReason } = GrpcTypes;
type Request = GrpcTypes.ListTransactionsRequest;
type Frame = GrpcTypes.ListTransactionsResponse;
type Predicate = GrpcTypes.TransactionLiteral['predicate'];

/** Both the default and the maximum; a full node reduces larger limits silently. */
const MAX_ITEMS = 50;
const MAX_LITERALS = 10;

/**
 * The history of the chain: one item frame per transaction, and exactly one frame with the reason why the stream ends.
 */
export function historyService(chain: Chain): MethodTable {
  return {
    'sui.rpc.v2.LedgerService/ListTransactions': serverStream(
      GrpcTypes.ListTransactionsRequest,
      GrpcTypes.ListTransactionsResponse,
      (request) => listTransactions(chain, request),
    ),
  };
}

/**
 * Positions of cursors: the transaction of checkpoint n is at 2n + 1, and 2n is the boundary before it. Cursors are opaque to
 * clients, and exclusive in both directions.
 */
const itemAt = (checkpoint: bigint): bigint => 2n * checkpoint + 1n;
const boundaryBefore = (checkpoint: bigint): bigint => 2n * checkpoint;
const encodeCursor = (position: bigint): Uint8Array => new TextEncoder().encode(`position:${position}`);

function decodeCursor(cursor: Uint8Array | undefined, field: string): bigint | null {
  if (!cursor) return null;
  const digits = /^position:(\d+)$/.exec(new TextDecoder().decode(cursor))?.[1];
  if (digits === undefined) throw invalidArgument(`invalid ${field}: not a cursor of this service`);
  return BigInt(digits);
}

/** Checkpoints from `first` up to, not including, `end`; the cause of that end decides the reported reason. */
interface Interval {
  first: bigint;
  end: bigint;
  reason: GrpcTypes.QueryEndReason;
}

function intervalOf(
  chain: Chain,
  { startCheckpoint, endCheckpoint, options }: Request,
  isAscending: boolean,
): Interval {
  const start = startCheckpoint ?? 0n;
  if (endCheckpoint !== undefined && endCheckpoint < start)
    throw invalidArgument('end_checkpoint must be greater than or equal to start_checkpoint');
  const after = decodeCursor(options?.after, 'options.after');
  const before = decodeCursor(options?.before, 'options.before');
  const tip = chain.indexedCheckpoint + 1n;
  let [first, end] = [start, endCheckpoint === undefined || endCheckpoint > tip ? tip : endCheckpoint];
  let reason = QueryEndReason.CHECKPOINT_BOUND;
  if (isAscending && (endCheckpoint === undefined || endCheckpoint > tip)) reason = QueryEndReason.LEDGER_TIP;
  // Items at 2n + 1 that are after `after` and before `before`.
  if (after !== null && (after + 1n) / 2n > first) {
    first = (after + 1n) / 2n;
    if (!isAscending) reason = QueryEndReason.CURSOR_BOUND;
  }
  if (before !== null && before / 2n < end) {
    end = before / 2n;
    if (isAscending) reason = QueryEndReason.CURSOR_BOUND;
  }
  if (first >= end) return { first: end, end, reason };
  if (first >= chain.lowestCheckpoint) return { first, end, reason };
  if (startCheckpoint !== undefined || after !== null)
    throw outOfRange(`requested data below earliest available; lowest available tx_seq is ${chain.lowestCheckpoint}`);
  return { first: chain.lowestCheckpoint < end ? chain.lowestCheckpoint : end, end, reason };
}

function listTransactions(chain: Chain, request: Request): Frame[] {
  const isAscending = (request.options?.ordering ?? Ordering.ASCENDING) === Ordering.ASCENDING;
  const matches = matcherOf(request.filter);
  const { first, end, reason } = intervalOf(chain, request, isAscending);
  const render = (message: GrpcTypes.ExecutedTransaction) =>
    applyMask(GrpcTypes.ExecutedTransaction, message, request.readMask, TRANSACTION_MASK);
  // An invalid mask is rejected whether or not anything is found.
  render(GrpcTypes.ExecutedTransaction.create());
  const limit = Math.min(request.options?.limit || MAX_ITEMS, MAX_ITEMS);
  // Range that a scan at a checkpoint has certainly covered: everything in its direction before that checkpoint.
  const covered = (checkpoint: bigint): bigint | undefined => {
    if (isAscending) return checkpoint > first ? checkpoint - 1n : undefined;
    return checkpoint < end - 1n ? checkpoint + 1n : undefined;
  };
  const frames: Frame[] = [];
  for (let seen = 0; BigInt(seen) < end - first; seen += 1) {
    const checkpoint = isAscending ? first + BigInt(seen) : end - 1n - BigInt(seen);
    if (request.filter && seen >= chain.scanLimit) {
      const frontier = boundaryBefore(isAscending ? checkpoint : checkpoint + 1n);
      return [...frames, frameOf(frontier, covered(checkpoint), { end: { reason: QueryEndReason.SCAN_LIMIT } })];
    }
    const record = chain.at(checkpoint);
    if (!record || !matches(record)) continue;
    const transaction = render(recordMessage(record, true));
    const isLast = frames.length + 1 === limit;
    const ending = isLast ? { end: { reason: QueryEndReason.ITEM_LIMIT } } : {};
    frames.push(frameOf(itemAt(checkpoint), covered(checkpoint), { transaction, ...ending }));
    if (isLast) return frames;
  }
  const bound = isAscending ? end : first;
  const proved = reason === QueryEndReason.CURSOR_BOUND ? undefined : isAscending ? end - 1n : first;
  const checkpoint = proved !== undefined && proved < 0n ? undefined : proved;
  return [...frames, frameOf(boundaryBefore(bound), checkpoint, { end: { reason } })];
}

const frameOf = (position: bigint, checkpoint: bigint | undefined, rest: Partial<Frame>): Frame =>
  GrpcTypes.ListTransactionsResponse.create({ watermark: { cursor: encodeCursor(position), checkpoint }, ...rest });

type Matcher = (record: TransactionRecord) => boolean;

/** At least one term of a filter matches, with all of its literals. */
function matcherOf(filter: GrpcTypes.TransactionFilter | undefined): Matcher {
  if (!filter) return () => true;
  if (filter.terms.length === 0) throw invalidArgument('filter must have at least one term');
  const literals = filter.terms.flatMap((term) => term.literals);
  if (literals.length > MAX_LITERALS) throw invalidArgument(`filter has more than ${MAX_LITERALS} literals`);
  const terms = filter.terms.map((term) => {
    if (term.literals.length === 0) throw invalidArgument('term must have at least one literal');
    return term.literals.map(({ negated, predicate }): Matcher => {
      const matches = predicateOf(predicate);
      return (record) => matches(record) !== negated;
    });
  });
  return (record) => terms.some((term) => term.every((matches) => matches(record)));
}

function predicateOf(predicate: Predicate): Matcher {
  switch (predicate.oneofKind) {
    case 'sender': {
      const sender = requireAddress(predicate.sender.address, 'sender.address');
      return ({ execution }) => execution.transaction.data.sender === sender;
    }
    case 'affectedAddress': {
      const address = requireAddress(predicate.affectedAddress.address, 'affected_address.address');
      return ({ execution }) =>
        execution.changes.some(({ before, after }) => before?.owner === address || after?.owner === address);
    }
    case 'affectedObject': {
      const object = requireAddress(predicate.affectedObject.objectId, 'affected_object.object_id');
      return ({ execution }) => execution.changes.some(({ id }) => id === object);
    }
    case undefined:
      throw invalidArgument('literal must have a predicate');
    default:
      throw unimplemented(`the filter ${predicate.oneofKind} is not implemented by the sandbox chain`);
  }
}
