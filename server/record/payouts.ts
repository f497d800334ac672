import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { type SuiNetwork, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { EntryOf } from '#record/entries/entries.ts';
import { type Span, within } from '#server/books/opinions.ts';
import type { LogWriter } from './writer.ts';

/** Payouts and owed Snaps in the record (R42). */

interface Task extends Span {
  trx: Db;
  day: string;
  log: LogWriter;
  network: SuiNetwork;
}

const BY_HAND = sql`token_ledger l JOIN withdrawals w ON w.user_id = l.user_id AND w.id = l.ref
  WHERE l.kind = 'payout' AND w.by_hand`;

/** Names Books that are not named yet. */
async function appendBooks({ trx, day, until, log, network }: Task): Promise<void> {
  const { rows } = await sql<{ id: number; packageId: string; bookId: string }>`
    UPDATE books SET is_recorded = true WHERE NOT is_recorded AND begun_at < ${until}::timestamptz
    RETURNING id, package_id AS "packageId", object_id AS "bookId"`.execute(trx);
  for (const { packageId, bookId } of rows.toSorted((one, other) => one.id - other.id))
    log.append({ kind: 'book', day, network, packageId, bookId });
}

/** Appends payouts by hand; returns their Snaps. */
async function appendByHand({ trx, day, log, ...span }: Task): Promise<number> {
  const { rows } = await sql<{ digest: string | null; snaps: number }>`
    SELECT w.digest, -sum(l.amount)::bigint AS snaps FROM ${BY_HAND} AND ${within(span)(sql`l.created_at`)}
    GROUP BY 1 ORDER BY 1`.execute(trx);
  for (const { digest, snaps } of rows) log.append({ kind: 'payout', day, snaps, digest });
  return rows.reduce((sum, { snaps }) => sum + snaps, 0);
}

export async function appendPayouts(task: Task): Promise<number> {
  await appendBooks(task);
  return appendByHand(task);
}

type Sums = Omit<EntryOf<'supply'>, 'kind' | 'day' | 'lost' | 'ahead'> & { byVotes: number; byHand: number };

/** The sums of the closed day, and by how much they fall short of the record: a restore takes both out of the books. */
export async function closeOwed(
  trx: Db,
  { day, until }: { day: string; until: string },
  recorded: { votes: number; byHand: number },
): Promise<EntryOf<'supply'>> {
  const { rows } = await sql<Sums>`
    SELECT granted, burned, paid, held, issued - granted AS "byVotes",
      (SELECT coalesce(-sum(l.amount), 0)::bigint FROM ${BY_HAND} AND l.created_at < ${until}::timestamptz) AS "byHand"
    FROM closed_days WHERE day = ${day}::date`.execute(trx);
  const [sums] = rows;
  if (!sums) throw new Error(`the supply of ${day} is not closed`);
  const { byVotes, byHand, ...rest } = sums;
  const lost = Math.max(0, VOTE_REWARD_TOKENS * recorded.votes - byVotes);
  const ahead = Math.max(0, recorded.byHand - byHand);
  await sql`UPDATE closed_days SET lost = ${lost}, ahead = ${ahead} WHERE day = ${day}::date`.execute(trx);
  return { kind: 'supply', day, ...rest, lost, ahead };
}
