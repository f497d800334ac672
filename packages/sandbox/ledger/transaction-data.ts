import { bcs } from '@mysten/sui/bcs';
import { TransactionDataBuilder } from '@mysten/sui/transactions';
import { invalidArgument, messageOf } from './errors.ts';

export type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;
export type TransactionDataInput = NonNullable<(typeof bcs.TransactionData.$inferInput)['V1']>;
export type ProgrammableTransaction = typeof bcs.ProgrammableTransaction.$inferType;
export type Command = ProgrammableTransaction['commands'][number];
export type CallArg = ProgrammableTransaction['inputs'][number];
export type Argument = typeof bcs.Argument.$inferType;
export type ObjectRef = TransactionData['gasData']['payment'][number];

export interface DecodedTransaction {
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly data: TransactionData;
  readonly programmable: ProgrammableTransaction;
}

/** Decodes BCS TransactionData. Throws INVALID_ARGUMENT unless the bytes are exactly one canonical transaction. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  let data: TransactionData;
  try {
    data = bcs.TransactionData.parse(bytes).V1;
    const canonical = bcs.TransactionData.serialize({ V1: data }, { maxSize: bytes.length + 1024 }).toBytes();
    if (Buffer.compare(canonical, bytes) !== 0) throw new Error('remaining input');
  } catch (error) {
    throw invalidArgument(`invalid transaction: ${messageOf(error)}`);
  }
  const programmable = data.kind.ProgrammableTransaction;
  if (!programmable) throw invalidArgument('invalid transaction: only programmable transactions can be submitted');
  // A copy, so that a record does not keep the buffer of its whole request in memory.
  return {
    bytes: Uint8Array.from(bytes),
    digest: TransactionDataBuilder.getDigestFromBytes(bytes),
    data,
    programmable,
  };
}

export function encodeTransaction(data: TransactionDataInput): DecodedTransaction {
  return decodeTransaction(bcs.TransactionData.serialize({ V1: data }, { maxSize: 1 << 20 }).toBytes());
}
