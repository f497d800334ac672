import { type SumStep, verifySumPath } from '../log/sum-tree.ts';
import { fromBase64Url } from '../record/base64url.ts';
import { readBatches } from '../record/batches.ts';
import { type LiabilitiesEntry, RecordError } from '../record/entries.ts';
import { balanceLeaf } from '../record/secrets.ts';
import { HASH_BYTES, type Hash } from '../log/hashes.ts';
import { decodeBase64, NoteError } from '../log/note.ts';
import type { RecordReader } from './record-reader.ts';

/** What the server shows of the newest proof of liabilities. */
export interface BalanceProof {
  day: string;
  balance: number;
  /** From the leaf to the root; hashes in base64. */
  path: Array<{ side: 'left' | 'right'; hash: string; sum: number }>;
}

/** The own balance as a part of what the record says is owed. */
export interface BalanceFinding {
  day: string;
  balance: number;
  total: number;
  accounts: number;
}

/** A tree of more than 2^63 balances has longer paths. */
const MAX_STEPS = 63;

function hashOf(text: string): Hash {
  try {
    const hash = decodeBase64(text);
    if (hash.length === HASH_BYTES) return hash;
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
  throw new RecordError('The path of your balance is malformed');
}

/** The newest proof of liabilities in the record. */
async function newestLiabilities(record: RecordReader): Promise<{ index: number; entry: LiabilitiesEntry } | null> {
  for await (const { others } of readBatches(record.size, record.entry)) {
    for (let index = others.end - 1; index >= others.start; index -= 1) {
      const { entry } = await record.prove(index);
      if (entry.kind === 'liabilities') return { index, entry };
    }
  }
  return null;
}

/**
 * Follows the own balance to the newest total of all balances in the record; null where the record has none yet.
 * @throws RecordError where it does not lead there.
 */
export async function findOwnBalance(
  record: RecordReader,
  secret: Uint8Array,
  { day, balance, path }: BalanceProof,
): Promise<BalanceFinding | null> {
  const newest = await newestLiabilities(record);
  if (!newest) return null;
  const { total, accounts, root } = newest.entry;
  if (newest.entry.day !== day)
    throw new RecordError(`The proof of your balance is of ${day}, not of ${newest.entry.day}`);
  if (path.length > MAX_STEPS) throw new RecordError('The path of your balance is too long');
  const steps = path.map(({ side, hash, sum }): SumStep => ({ side, hash: hashOf(hash), sum: BigInt(sum) }));
  const leaf = balanceLeaf(secret, day, BigInt(balance));
  if (!verifySumPath(leaf, steps, { hash: fromBase64Url(root, HASH_BYTES) ?? new Uint8Array(), sum: total })) {
    throw new RecordError(
      `Your balance of ${balance} Snaps is not part of the ${total} Snaps that the record says are owed`,
    );
  }
  return { day, balance, total: Number(total), accounts };
}
