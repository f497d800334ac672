import { type SumStep, verifySumPath } from '../log/sum-tree.ts';
import { fromBase64Url } from '../entries/base64url.ts';
import { RecordError } from '../entries/entries.ts';
import { owedLeaves } from '../entries/secrets.ts';
import { HASH_BYTES, type Hash } from '../log/hashes.ts';
import { decodeHash, NoteError } from '../log/note.ts';
import type { RecordReader } from './record-reader.ts';

export interface BalanceProof {
  day: string;
  balance: number;
  /** Held by open withdrawals. */
  held: number;
  /** From each of the two leaves to the root. */
  paths: PathStep[][];
}

/** Its hash is in base64. */
interface PathStep {
  side: 'left' | 'right';
  hash: string;
  sum: number;
}

export interface LedgerEvent {
  atMs: number;
  balance: number;
  held: number;
}

export type BalanceFinding =
  | { kind: 'proven'; day: string; balance: number; held: number; total: number; accounts: number }
  /** The user was owed something, and no proof contains it. */
  | { kind: 'missing'; day: string; owed: number }
  /** The proof has less than the user's own list. */
  | { kind: 'short'; day: string; proven: number; owed: number };

export interface OwnLedger {
  events: readonly LedgerEvent[];
  /** The proof was made at a moment between these two. */
  fromMs: number;
  toMs: number;
}

const MAX_STEPS = 63;

function hashOf(text: string): Hash {
  try {
    return decodeHash(text, 'The path');
  } catch (error) {
    throw error instanceof NoteError ? new RecordError('The path of your balance is malformed') : error;
  }
}

function stepsOf(path: PathStep[]): SumStep[] {
  if (path.length > MAX_STEPS) throw new RecordError('The path of your balance is too long');
  return path.map(({ side, hash, sum }) => ({ side, hash: hashOf(hash), sum: BigInt(sum) }));
}

function leastOwed({ events, fromMs, toMs }: OwnLedger): number {
  const owed = (event: LedgerEvent): number => event.balance + event.held;
  let sum = events.filter(({ atMs }) => atMs < fromMs).reduce((total, event) => total + owed(event), 0);
  let least = sum;
  const within = events.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  for (const at of [...new Set(within.map(({ atMs }) => atMs))].sort((one, other) => one - other)) {
    // Both sides of a move in one transaction have the same time.
    for (const event of within) if (event.atMs === at) sum += owed(event);
    least = Math.min(least, sum);
  }
  return least;
}

/**
 * Follows the amount owed to the user to the newest total, and compares it with the user's own list. Null where
 * nothing is owed.
 */
export async function findOwnBalance(
  record: RecordReader,
  secret: Uint8Array,
  { proof, ledger }: { proof: BalanceProof | null; ledger: OwnLedger },
): Promise<BalanceFinding | null> {
  const newest = await record.newest('liabilities');
  if (!newest) return null;
  const least = leastOwed(ledger);
  if (!proof) {
    if (least <= 0) return null;
    return { kind: 'missing', day: newest.day, owed: least };
  }
  const { day, balance, held, paths } = proof;
  const { total, accounts, root } = newest;
  if (newest.day !== day) throw new RecordError(`The proof of your balance is of ${day}, not of ${newest.day}`);
  const leaves = owedLeaves(secret, day, { balance: BigInt(balance), held: BigInt(held) });
  if (paths.length !== leaves.length) throw new RecordError('The proof of your balance has only a part of it');
  const top = { hash: fromBase64Url(root, HASH_BYTES) ?? new Uint8Array(), sum: total };
  if (!leaves.every((leaf, at) => verifySumPath(leaf, stepsOf(paths[at] ?? []), top))) {
    throw new RecordError(
      `Your balance of ${balance} Snaps is not part of the ${total} Snaps that the record says are owed`,
    );
  }
  if (balance + held < least) return { kind: 'short', day, proven: balance + held, owed: least };
  return { kind: 'proven', day, balance, held, total: Number(total), accounts };
}
