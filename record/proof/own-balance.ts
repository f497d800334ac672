import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { readBatches } from '../entries/batches.ts';
import type { RecordReader } from './record-reader.ts';

/** How the site has paid, by the record: its Books, and digests of payouts by hand. */
export interface Payouts {
  books: string[];
  byHand: string[];
}

export async function findPayouts(record: RecordReader): Promise<Payouts> {
  const payouts: Payouts = { books: [], byHand: [] };
  for await (const { others } of readBatches(record.size, record.entry)) {
    for (let index = others.start; index < others.end; index += 1) {
      const entry = await record.entry(index);
      if (entry.kind === 'book' && !payouts.books.includes(entry.bookId)) payouts.books.push(entry.bookId);
      else if (entry.kind === 'payout' && entry.digest !== null) payouts.byHand.push(entry.digest);
      else if (!BEFORE_PAYOUTS.has(entry.kind)) break;
    }
  }
  return payouts;
}
const BEFORE_PAYOUTS: ReadonlySet<string> = new Set(['format', 'anchor', 'book', 'payout']);

export interface OwnWithdrawal {
  snaps: number;
  state: 'paid' | 'open' | 'rejected';
  digest: string | null;
  atMs: number;
}

/** The user's own lists, and the balance that the site shows: at the start and at the end of reading them. */
export interface OwnLists {
  votes: number;
  burned: number;
  withdrawals: readonly OwnWithdrawal[];
  shown: readonly [number, number];
}

/** Payouts to the user that the record and the chain know. */
export interface OwnPaid {
  /** Digests of payouts by hand. */
  byHand: readonly string[];
  /** All that the Books have paid to the user's wallet; null if no node responds. */
  byBooks: number | null;
  /** Later payouts by hand are in no batch yet. */
  untilMs: number;
}

export interface OwnBalance {
  votes: number;
  burned: number;
  paid: number;
  held: number;
  /** 10 Snaps for each vote, less burns, payouts and held Snaps. */
  balance: number;
  /** How many more Snaps the site shows; below 0 if some are missing. */
  more: number;
  /** Whether the Books and the record have what the list calls paid; `by` is the difference. */
  payouts: { kind: 'even' | 'away' } | { kind: 'ahead' | 'waiting' | 'short'; by: number };
}

function comparePaid(paid: number, withdrawals: readonly OwnWithdrawal[], known: OwnPaid): OwnBalance['payouts'] {
  if (known.byBooks === null) return { kind: 'away' };
  const sum = (holds: (one: OwnWithdrawal) => boolean) =>
    withdrawals.reduce((all, one) => (one.state === 'paid' && holds(one) ? all + one.snaps : all), 0);
  const recorded = sum(({ digest }) => digest !== null && known.byHand.includes(digest));
  const missing = paid - known.byBooks - recorded;
  if (missing === 0) return { kind: 'even' };
  if (missing < 0) return { kind: 'ahead', by: -missing };
  const recent = sum(
    ({ digest, atMs }) => atMs >= known.untilMs && (digest === null || !known.byHand.includes(digest)),
  );
  return { kind: missing <= recent ? 'waiting' : 'short', by: missing };
}

/** The user's balance from own votes, burns and payouts, as the record and the chain have them (R42). */
export function ownBalance({ votes, burned, withdrawals, shown }: OwnLists, known: OwnPaid): OwnBalance {
  const sumOf = (state: OwnWithdrawal['state']) =>
    withdrawals.reduce((all, one) => (one.state === state ? all + one.snaps : all), 0);
  const [paid, held] = [sumOf('paid'), sumOf('open')];
  const balance = VOTE_REWARD_TOKENS * votes - burned - paid - held;
  // Votes may have come while the lists were read.
  const nearest = Math.max(Math.min(...shown), Math.min(Math.max(...shown), balance));
  return {
    votes,
    burned,
    paid,
    held,
    balance,
    more: nearest - balance,
    payouts: comparePaid(paid, withdrawals, known),
  };
}
