import { bcs } from '@mysten/sui/bcs';
import { digestOf } from './digests.ts';

export interface MoveEvent {
  readonly packageId: string;
  readonly module: string;
  /** A full type, e.g. `0x…::book::Paid`. */
  readonly type: string;
  readonly contents: Uint8Array;
}

const Events = bcs.vector(
  bcs.struct('Event', {
    packageId: bcs.Address,
    module: bcs.string(),
    sender: bcs.Address,
    type: bcs.StructTag,
    contents: bcs.byteVector(),
  }),
);

/** Null for a transaction without events, as in its effects. */
export function encodeEvents(events: readonly MoveEvent[], sender: string) {
  if (events.length === 0) return null;
  const bytes = Events.serialize(
    events.map((event) => ({ ...event, sender, type: bcs.StructTag.parse(structBytes(event.type)) })),
    { maxSize: 1 << 22 },
  ).toBytes();
  return { bytes, digest: digestOf('TransactionEvents', bytes) };
}

/** A type tag of a struct is its kind in one byte, then the struct. */
const structBytes = (type: string): Uint8Array => bcs.TypeTag.serialize(type).toBytes().slice(1);
