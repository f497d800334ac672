import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { IS_BURN } from '#server/books/opinions.ts';
import type { Supply } from '#shared/contract/supply.ts';

/** Stores all Snaps at the end of the day that is closed. Call once the totals have moved up to it. */
export async function closeSupply(trx: Db, day: string): Promise<void> {
  await sql`
    UPDATE closed_days SET (issued, granted, burned, held, paid, holders, entries) = (
      SELECT coalesce(sum(value) FILTER (WHERE kind IN ('vote_reward', 'vote_undone', 'grant')), 0),
        coalesce(sum(value) FILTER (WHERE kind = 'grant'), 0),
        coalesce(-sum(value) FILTER (WHERE ${IS_BURN}), 0),
        coalesce(-sum(value) FILTER (WHERE kind IN ('withdrawal_hold', 'hold_release')), 0),
        coalesce(-sum(value) FILTER (WHERE kind = 'payout'), 0),
        coalesce(sum(value) FILTER (WHERE name = 'holders'), 0),
        coalesce(sum(value) FILTER (WHERE name = 'entries'), 0)
      FROM totals WHERE name IN ('ledger', 'holders', 'entries')
    ) WHERE day = ${day}::date`.execute(trx);
}

const NOTHING = {
  day: null,
  issued: 0,
  granted: 0,
  burned: 0,
  held: 0,
  paid: 0,
  holders: 0,
  entries: 0,
  lost: 0,
  ahead: 0,
};

type Sums = Record<Exclude<keyof typeof NOTHING, 'day'>, number>;

/** As of the last closed day (R94). The balances are those of the last check of all of them, moved by the same entries. */
export async function findSupply(db: Db): Promise<Omit<Supply, 'waits' | 'reserves'>> {
  const { rows } = await sql<Sums & { day: string }>`
    SELECT day::text AS day, issued, granted, burned, held, paid, holders, entries, lost, ahead
    FROM closed_days ORDER BY closed_days.day DESC LIMIT 1`.execute(db);
  const state = await db
    .selectFrom('totalsState')
    .select(['checkedAt', 'checkedExcess', 'checkedDiffering'])
    .executeTakeFirst();
  const sums = rows[0] ?? NOTHING;
  const liabilities = sums.issued - sums.burned - sums.paid;
  const circulating = liabilities - sums.held;
  return {
    ...sums,
    circulating,
    balances: circulating + (state?.checkedExcess ?? 0),
    differing: state?.checkedDiffering ?? 0,
    checkedAt: state?.checkedAt?.toISOString() ?? null,
    liabilities,
  };
}
