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

export function historyService(chain: Chain): MethodTable {
  return {
    'sui.rpc.v2.LedgerService/ListTransactions': serverStream(
      GrpcTypes.ListTransactionsRequest,
      GrpcTypes.ListTransactionsResponse,
      (request) => listTransactions(chain, request),
    ),
  };
}

/** A cursor names the next checkpoint; it is opaque to clients. */
const encodeCursor = (next: bigint): Uint8Array => new TextEncoder().encode(`next:${next}`);

function decodeCursor(cursor: Uint8Array | undefined): bigint | null {
  if (!cursor) return null;
  const digits = /^next:(\d+)$/.exec(new TextDecoder().decode(cursor))?.[1];
  if (digits === undefined) throw invalidArgument('invalid options.after: not a cursor of this service');
  return BigInt(digits);
}

/** Checkpoints from `first` up to, not including, `end`; `reason` is the cause of that end. */
interface Interval {
  first: bigint;
  end: bigint;
  reason: GrpcTypes.QueryEndReason;
}

function intervalOf(chain: Chain, { startCheckpoint, endCheckpoint, options }: Request): Interval {
  const start = startCheckpoint ?? 0n;
  if (endCheckpoint !== undefined && endCheckpoint < start)
    throw invalidArgument('end_checkpoint must be greater than or equal to start_checkpoint');
  const after = decodeCursor(options?.after);
  const tip = chain.indexedCheckpoint + 1n;
  const isBounded = endCheckpoint !== undefined && endCheckpoint <= tip;
  const end = isBounded ? endCheckpoint : tip;
  const reason = isBounded ? QueryEndReason.CHECKPOINT_BOUND : QueryEndReason.LEDGER_TIP;
  const first = after !== null && after > start ? after : start;
  const lowest = chain.lowestCheckpoint;
  if (first < end && first < lowest && (startCheckpoint !== undefined || after !== null))
    throw outOfRange(`requested data below earliest available; lowest available tx_seq is ${lowest}`);
  const available = first < lowest ? lowest : first;
  return { first: available < end ? available : end, end, reason };
}

function listTransactions(chain: Chain, request: Request): Frame[] {
  const { options, filter, readMask } = request;
  if ((options?.ordering ?? Ordering.ASCENDING) !== Ordering.ASCENDING || options?.before)
    throw unimplemented('the sandbox chain lists transactions in ascending order only');
  const matches = matcherOf(filter);
  const { first, end, reason } = intervalOf(chain, request);
  const render = (message: GrpcTypes.ExecutedTransaction) =>
    applyMask(GrpcTypes.ExecutedTransaction, message, readMask, TRANSACTION_MASK);
  // An invalid mask is rejected whether or not anything is found.
  render(GrpcTypes.ExecutedTransaction.create());
  const limit = Math.min(options?.limit || MAX_ITEMS, MAX_ITEMS);
  const frames: Frame[] = [];
  for (let checkpoint = first; checkpoint < end; checkpoint += 1n) {
    const covered = checkpoint > first ? checkpoint - 1n : undefined;
    if (filter && checkpoint - first >= chain.scanLimit)
      return [...frames, frameOf(checkpoint, covered, { end: { reason: QueryEndReason.SCAN_LIMIT } })];
    const record = chain.at(checkpoint);
    if (!record || !matches(record)) continue;
    const transaction = render(recordMessage(record, true));
    const isLast = frames.length + 1 === limit;
    const ending = isLast ? { end: { reason: QueryEndReason.ITEM_LIMIT } } : {};
    frames.push(frameOf(checkpoint + 1n, covered, { transaction, ...ending }));
    if (isLast) return frames;
  }
  return [...frames, frameOf(end, end > 0n ? end - 1n : undefined, { end: { reason } })];
}

const frameOf = (next: bigint, checkpoint: bigint | undefined, rest: Partial<Frame>): Frame =>
  GrpcTypes.ListTransactionsResponse.create({ watermark: { cursor: encodeCursor(next), checkpoint }, ...rest });

type Matcher = (record: TransactionRecord) => boolean;

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
        execution.changes.some(({ before, after }) => before?.owner === address || after?.owner === address) ||
        execution.funds.some((change) => change.address === address);
    }
    case undefined:
      throw invalidArgument('literal must have a predicate');
    default:
      throw unimplemented(`the filter ${predicate.oneofKind} is not implemented by the sandbox chain`);
  }
}
