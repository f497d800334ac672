import { bcs } from '@mysten/sui/bcs';
import { digestOf } from './digests.ts';
import type { Execution } from './execute.ts';
import type { ObjectChange } from './object-store.ts';
import type { ChainObject } from './objects.ts';
import { type PackageWrite, packageWrites } from './package-writes.ts';

/** The effects of an execution as validators sign them (TransactionEffects V2), and their digest. */
export function encodeEffects(execution: Execution): { bytes: Uint8Array; digest: string } {
  const { failure, changes, packages, transaction } = execution;
  const changedObjects = [
    ...changes.map(changedObject),
    ...packageWrites(packages, transaction.digest).map(writtenPackage),
  ];
  changedObjects.sort(([a], [b]) => (a < b ? -1 : 1));
  const gasObjectIndex = changedObjects.findIndex(([id]) => id === execution.gasObjectId);
  const bytes = bcs.TransactionEffects.serialize(
    {
      V2: {
        status: failure ? { Failure: { error: failure.status, command: failure.command } } : { Success: true },
        executedEpoch: execution.epoch,
        gasUsed: execution.gas,
        transactionDigest: execution.transaction.digest,
        gasObjectIndex,
        eventsDigest: null,
        dependencies: [...execution.dependencies],
        lamportVersion: execution.lamportVersion,
        changedObjects,
        unchangedConsensusObjects: [],
        auxDataDigest: null,
      },
    },
    { maxSize: 1 << 22 },
  ).toBytes();
  return { bytes, digest: digestOf('TransactionEffects', bytes) };
}

type StateBefore = { Exist: [[bigint, string], ReturnType<typeof ownerOf>] } | { NotExist: true };
type StateAfter =
  | { ObjectWrite: [string, ReturnType<typeof ownerOf>] }
  | { PackageWrite: [bigint, string] }
  | { NotExist: true };
interface Changed {
  inputState: StateBefore;
  outputState: StateAfter;
  idOperation: ReturnType<typeof idOperation>;
}

const changedObject = ({ id, before, after }: ObjectChange): [string, Changed] => [
  id,
  {
    inputState: before ? { Exist: [[before.version, before.digest], ownerOf(before)] } : { NotExist: true },
    outputState: after ? { ObjectWrite: [after.digest, ownerOf(after)] } : { NotExist: true },
    idOperation: idOperation(before, after),
  },
];

const writtenPackage = ({ id, version, digest }: PackageWrite): [string, Changed] => [
  id,
  { inputState: { NotExist: true }, outputState: { PackageWrite: [version, digest] }, idOperation: { Created: true } },
];

function ownerOf({ owner }: ChainObject) {
  return { AddressOwner: owner };
}

function idOperation(before: ChainObject | null, after: ChainObject | null) {
  if (before && after) return { None: true } as const;
  return after ? ({ Created: true } as const) : ({ Deleted: true } as const);
}
