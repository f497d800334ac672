import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Supply } from '#shared/contract/supply.ts';

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

/** The supply of the last closed day (R94). The balances are those of the last check of all of them, moved by the same entries. */
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
