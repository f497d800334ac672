import { bcs } from '@mysten/sui/bcs';
import { digestOf } from './digests.ts';
import type { Execution } from './execute.ts';
import type { ChainObject } from './objects.ts';

/** The effects of an execution as validators sign them (TransactionEffects V2), and their digest. */
export function encodeEffects(execution: Execution): { bytes: Uint8Array; digest: string } {
  const { failure, changes } = execution;
  const gasObjectIndex = changes.findIndex((change) => change.id === execution.gasObjectId);
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
        changedObjects: changes.map(({ id, before, after }) => [
          id,
          {
            inputState: before ? { Exist: [[before.version, before.digest], ownerOf(before)] } : { NotExist: true },
            outputState: after ? { ObjectWrite: [after.digest, ownerOf(after)] } : { NotExist: true },
            idOperation: idOperation(before, after),
          },
        ]),
        unchangedConsensusObjects: [],
        auxDataDigest: null,
      },
    },
    { maxSize: 1 << 22 },
  ).toBytes();
  return { bytes, digest: digestOf('TransactionEffects', bytes) };
}

function ownerOf({ owner }: ChainObject) {
  return { AddressOwner: owner };
}

function idOperation(before: ChainObject | null, after: ChainObject | null) {
  if (before && after) return { None: true } as const;
  return after ? ({ Created: true } as const) : ({ Deleted: true } as const);
}
