import { bcs } from '@mysten/sui/bcs';
import { deriveDynamicFieldID, normalizeStructTag } from '@mysten/sui/utils';
import type { MoveCall, MoveFrame } from './move-frame.ts';
import type { LiveTyped } from './objects.ts';
import { ofObject, SHARED } from './owner.ts';

/**
 * Reimplements chain/move/book: does by hand what the published bytes of that module do. Runs for these bytes alone,
 * and passes the same table of cases as the Move tests (book.test.ts).
 */

const Book = bcs.struct('Book', {
  owner: bcs.Address,
  payers: bcs.vector(bcs.Address),
  paid: bcs.struct('Table', { id: bcs.Address, size: bcs.u64() }),
  totalPaid: bcs.u128(),
});
const Paid = bcs.struct('Paid', { book: bcs.Address, account: bcs.Address, amount: bcs.u64(), total: bcs.u64() });
const Entry = bcs.struct('Entry', { name: bcs.Address, value: bcs.u64() });
const ENTRY = normalizeStructTag('0x2::dynamic_field::Field<address, u64>');

/** Where the compiled functions abort: index in the table of functions, and instruction. */
const ABORTS = {
  notPayer: { name: 'pay', function: 1, instruction: 19, code: 1n },
  more: { name: 'pay', function: 1, instruction: 53, code: 3n },
  short: { name: 'pay', function: 1, instruction: 68, code: 2n },
  notOwnerOfPayers: { name: 'set_payers', function: 2, instruction: 11, code: 0n },
  notOwnerOfOwner: { name: 'set_owner', function: 3, instruction: 11, code: 0n },
} as const;

interface Call {
  frame: MoveFrame;
  id: string;
}

function abort({ frame, id }: Call, at: keyof typeof ABORTS) {
  const { name: functionName, code, ...place } = ABORTS[at];
  return frame.fail({ MoveAbort: [{ module: { address: id.slice(2), name: 'book' }, functionName, ...place }, code] });
}

const typeOf = ({ frame, id }: Call, name: string): string =>
  normalizeStructTag(`${id}::book::${name}<${frame.types[0]}>`);

function change(object: LiveTyped, changed: Partial<typeof Book.$inferType>): void {
  object.fields = Book.serialize({ ...Book.parse(object.fields), ...changed }).toBytes();
}

function make(call: Call): [] {
  const { frame } = call;
  const book = frame.createTyped(typeOf(call, 'Book'), new Uint8Array());
  const paid = { id: frame.newId(), size: 0 };
  const owner = frame.sender;
  book.fields = Book.serialize({ owner, payers: [owner], paid, totalPaid: 0 }).toBytes();
  Object.assign(book, { owner: SHARED, spent: true, isKeyOnly: true });
  return [];
}

function pay(call: Call): [] {
  const { frame } = call;
  const [object, from] = [frame.typed(0, typeOf(call, 'Book')), frame.coin(1)];
  const [account, total, atMost] = [
    frame.pure(2, bcs.Address, 32),
    BigInt(frame.pure(3, bcs.U64, 8)),
    BigInt(frame.pure(4, bcs.U64, 8)),
  ];
  if (from.coinType !== normalizeStructTag(frame.types[0] ?? '')) throw frame.badArgument(1, { TypeMismatch: true });
  const { payers, paid, totalPaid } = Book.parse(object.fields);
  if (!payers.includes(frame.sender)) throw abort(call, 'notPayer');
  const entryId = deriveDynamicFieldID(paid.id, 'address', bcs.Address.serialize(account).toBytes());
  const entry = frame.child(entryId);
  const before = entry ? BigInt(Entry.parse(entry.fields).value) : 0n;
  if (total <= before) return [];
  const amount = total - before;
  if (amount > atMost) throw abort(call, 'more');
  if (amount > from.value) throw abort(call, 'short');
  const fields = Entry.serialize({ name: account, value: total }).toBytes();
  if (entry) entry.fields = fields;
  else
    frame.addChild({ id: entryId, objectType: ENTRY, fields, owner: ofObject(paid.id), spent: true, isKeyOnly: true });
  const size = BigInt(paid.size) + (entry ? 0n : 1n);
  change(object, { paid: { ...paid, size: String(size) }, totalPaid: String(BigInt(totalPaid) + amount) });
  from.value -= amount;
  Object.assign(frame.createCoin(from.coinType, amount), { owner: account, spent: true });
  const event = Paid.serialize({ book: object.id, account, amount, total }).toBytes();
  frame.emit({ packageId: call.id, module: 'book', type: `${call.id}::book::Paid`, contents: event });
  return [];
}

function setPayers(call: Call): [] {
  const object = call.frame.typed(0, typeOf(call, 'Book'));
  const payers = call.frame.pure(1, bcs.vector(bcs.Address));
  if (Book.parse(object.fields).owner !== call.frame.sender) throw abort(call, 'notOwnerOfPayers');
  change(object, { payers });
  return [];
}

function setOwner(call: Call): [] {
  const object = call.frame.typed(0, typeOf(call, 'Book'));
  const owner = call.frame.pure(1, bcs.Address, 32);
  if (Book.parse(object.fields).owner !== call.frame.sender) throw abort(call, 'notOwnerOfOwner');
  change(object, { owner });
  return [];
}

const CALLS: Record<string, { args: number; run: (call: Call) => [] }> = {
  new: { args: 0, run: make },
  pay: { args: 5, run: pay },
  set_payers: { args: 2, run: setPayers },
  set_owner: { args: 2, run: setOwner },
};

export function findBookCall(id: string, name: string): MoveCall | undefined {
  const call = CALLS[name];
  return call && { types: 1, args: call.args, run: (frame) => call.run({ frame, id }) };
}
