import { bcs, TypeTagSerializer } from '@mysten/sui/bcs';
import { accumulatorId, balanceType } from './address-balances.ts';
import { digestOf } from './digests.ts';
import { encodeEvents } from './events.ts';
import type { Execution } from './execute.ts';
import type { ObjectChange } from './object-store.ts';
import type { ChainObject } from './objects.ts';
import { ownerBcs } from './owner.ts';
import { type PackageWrite, packageWrites } from './package-writes.ts';

/** The effects of an execution as validators sign them (TransactionEffects V2), and their digest. */
export function encodeEffects(execution: Execution): { bytes: Uint8Array; digest: string } {
  const { failure, changes, packages, transaction } = execution;
  const entries = [
    ...changes.map(objectEntry),
    ...execution.funds.map(fundsEntry),
    ...packageWrites(packages, transaction.digest).map(packageEntry),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const gasObjectIndex = entries.findIndex(([id]) => id === execution.gasObjectId);
  const bytes = bcs.TransactionEffects.serialize(
    {
      V2: {
        status: failure ? { Failure: { error: failure.status, command: failure.command } } : { Success: true },
        executedEpoch: execution.epoch,
        gasUsed: execution.gas,
        transactionDigest: execution.transaction.digest,
        gasObjectIndex: gasObjectIndex === -1 ? null : gasObjectIndex,
        eventsDigest: encodeEvents(execution.events, transaction.data.sender)?.digest ?? null,
        dependencies: [...execution.dependencies],
        lamportVersion: execution.lamportVersion,
        changedObjects: entries,
        unchangedConsensusObjects: [],
        auxDataDigest: null,
      },
    },
    { maxSize: 1 << 22 },
  ).toBytes();
  return { bytes, digest: digestOf('TransactionEffects', bytes) };
}

type EffectsV2 = Extract<
  NonNullable<Extract<typeof bcs.TransactionEffects.$inferInput, { V2: unknown }>['V2']>,
  object
>;
type Entry = EffectsV2['changedObjects'] extends Iterable<infer E> ? E : never;

const objectEntry = ({ id, before, after }: ObjectChange): Entry => [
  id,
  {
    inputState: before ? { Exist: [[before.version, before.digest], ownerOf(before)] } : { NotExist: true },
    outputState: after ? { ObjectWrite: [after.digest, ownerOf(after)] } : { NotExist: true },
    idOperation: idOperation(before, after),
  },
];

const fundsEntry = ({ address, coinType, amount }: Execution['funds'][number]): Entry => [
  accumulatorId(address, coinType),
  {
    inputState: { NotExist: true },
    outputState: {
      AccumulatorWriteV1: {
        address: { address, ty: TypeTagSerializer.parseFromStr(balanceType(coinType)) },
        operation: amount > 0n ? { Merge: true } : { Split: true },
        value: { Integer: amount > 0n ? amount : -amount },
      },
    },
    idOperation: { None: true },
  },
];

const packageEntry = ({ id, version, digest }: PackageWrite): Entry => [
  id,
  { inputState: { NotExist: true }, outputState: { PackageWrite: [version, digest] }, idOperation: { Created: true } },
];

const ownerOf = ({ owner }: ChainObject) => ownerBcs(owner);

function idOperation(before: ChainObject | null, after: ChainObject | null) {
  if (before && after) return { None: true } as const;
  return after ? ({ Created: true } as const) : ({ Deleted: true } as const);
}
