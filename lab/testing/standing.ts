import { sql } from 'kysely';
import { createSuiClient } from '#chain/client.ts';
import type { Db } from '#db/client.ts';
import { STANDING_NEEDED_DAYS, STANDING_WINDOW_DAYS, type VoterState } from '#shared/states/votes.ts';
import type { Services } from '#server/kit/services.ts';
import { closeMissedDays, dueReading, planDay, utcDay } from '#server/figures/standing/plan.ts';
import { readStanding } from '#server/figures/standing/read-standing.ts';
import { type SiteDays, siteDays } from '#server/figures/standing/site-days.ts';
import { grantTokens, insertUser } from './builders.ts';
import { newWallet } from './wallets.ts';

/** The same day for the whole run, which may begin before midnight. */
const STARTED_MS = Date.now();

export const noonOf = (offsetDays: number): Date =>
  new Date(`${utcDay(new Date(STARTED_MS + offsetDays * 86_400_000))}T12:00:00Z`);

export async function evidenceOf(db: Db, userId: number): Promise<SiteDays | undefined> {
  const { rows } =
    await sql<SiteDays>`SELECT d.* FROM voter_standing s CROSS JOIN LATERAL ${siteDays(STANDING_WINDOW_DAYS)} d
    WHERE s.user_id = ${userId}`.execute(db);
  return rows[0];
}

export const readDay = (services: Services, offsetDays: number): Promise<void> => readAt(services, noonOf(offsetDays));

/** Runs both readings of a day at this moment. */
export async function readAt(services: Services, now: Date): Promise<void> {
  await closeMissedDays(services.db, now);
  await planDay(services.db, now, [now, now]);
  while (await dueReading(services.db, now)) await readStanding(services, now);
}

/** The server's services with a node that has these balances; `ask` requests the real one. */
export function withBalances(
  services: Services,
  balanceOf: (owner: string, ask: () => Promise<bigint>) => bigint | Promise<bigint>,
): Services {
  const sui = createSuiClient({ network: 'localnet', url: services.config.rpcUrl });
  const ask = sui.core.getBalance.bind(sui.core);
  sui.core.getBalance = (async (options: Parameters<typeof ask>[0]) => {
    const units = await balanceOf(options.owner, async () => BigInt((await ask(options)).balance.balance));
    return { balance: { balance: String(units) } };
  }) as typeof ask;
  return { ...services, sui };
}

export async function skipDay(db: Db, offsetDays: number): Promise<void> {
  await sql`INSERT INTO standing_days (day, skipped) VALUES (${utcDay(noonOf(offsetDays))}::date, 'The node was away')`.execute(
    db,
  );
}

export async function insertVoter(db: Db, address = newWallet().toSuiAddress(), ageDays = 30): Promise<number> {
  const id = await insertUser(db);
  await sql`UPDATE users SET wallet_address = ${address}, created_at = now() - ${ageDays}::int * interval '1 day' WHERE id = ${id}`.execute(
    db,
  );
  await sql`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date WHERE user_id = ${id}`.execute(db);
  return id;
}

export async function insertExcludedVote(db: Db, userId: number): Promise<void> {
  await grantTokens(db, userId, 10);
  await sql`INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
    SELECT user_id, project_id, period, 'moderator', 'Bought', 'test' FROM votes WHERE user_id = ${userId} ON CONFLICT DO NOTHING`.execute(
    db,
  );
}

/** Histories of readings; a wallet that held enough on six of them has standing, and its votes are verified. */
export async function giveStanding(db: Db, userIds: readonly number[], days = 64): Promise<void> {
  await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held)
    SELECT id, (now() AT TIME ZONE 'UTC')::date, (-1)::bit(64), (-1)::bit(64) >> ${64 - days}::int FROM unnest(${[...userIds]}::bigint[]) AS u (id)
    ON CONFLICT (user_id) DO UPDATE SET history_read = excluded.history_read, history_held = excluded.history_held`.execute(
    db,
  );
  await sql`UPDATE users SET created_at = now() - interval '30 days' WHERE id = ANY (${[...userIds]}::bigint[])`.execute(
    db,
  );
  await setState(db, userIds, days >= STANDING_NEEDED_DAYS ? 'standing' : 'no_standing');
}

/** Verifies all opinions of voters with standing, and none of others, for all Sundays to come. */
export async function setState(db: Db, userIds: readonly number[], state: VoterState): Promise<void> {
  const ids = sql`ANY (${[...userIds]}::bigint[])`;
  await sql`INSERT INTO restated_votes (user_id, project_id, period, said_at, counted_as)
    SELECT user_id, project_id, period, said_at, unreplaced_state FROM opinion_states WHERE user_id = ${ids} ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await sql`INSERT INTO voter_standing AS s (user_id, read_on, state, verified_days, sunday, history_read, history_held)
    SELECT id, (now() AT TIME ZONE 'UTC')::date, ${state}, x.days, 'infinity', (-1)::bit(64), x.held FROM unnest(${[...userIds]}::bigint[]) AS u (id)
    CROSS JOIN (SELECT ${state === 'standing' ? '{(,)}' : '{}'}::datemultirange AS days, ${state === 'standing' ? -1 : 0}::int::bit(64) AS held) x
    ON CONFLICT (user_id) DO UPDATE SET state = excluded.state, verified_days = excluded.verified_days, sunday = excluded.sunday`.execute(
    db,
  );
}

/** Gives wallets standing at once: they may have several withdrawals open (R66). */
export const letStand = (db: Db, ...userIds: readonly number[]): Promise<void> => setState(db, userIds, 'standing');
