import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { castVotes, signIn } from './cast.ts';
import { at, dayOf } from './clock.ts';
import { type Attack, planFirst } from './plan.ts';

/** Records that these wallets came from one network on a day. */
export async function noteNetwork(db: Db, day: number, network: string, userIds: readonly number[]): Promise<void> {
  await sql`INSERT INTO voter_networks (day, network, user_id)
    SELECT ${dayOf(day)}::date, substr(sha256(convert_to(${network}, 'utf8')), 1, 16), unnest(${[...userIds]}::bigint[])`.execute(
    db,
  );
}

/** Honest wallets that accompany an attack: their votes are not part of the board that it meets. */
export async function invite(db: Db, attack: Attack, count: number, day: number): Promise<number[]> {
  const ids = await signIn(db, count, at(day, 1));
  await sql`INSERT INTO simulation.attackers (strategy, place, user_id)
    SELECT 'bystanders', 0, unnest(${ids}::bigint[])`.execute(db);
  attack.bystanders.push(...ids);
  return ids;
}

/** Records the position of each wallet in its strategy, and its coin. */
export async function enlist(db: Db, { strategy, userIds }: Attack, places: readonly number[]): Promise<void> {
  await sql`INSERT INTO simulation.attackers (strategy, place, coin, user_id)
    SELECT ${strategy.id}, * FROM unnest(${[...places]}::int[], ${places.map(strategy.coinOf)}::int[], ${places.map((place) => userIds[place] ?? 0)}::bigint[])`.execute(
    db,
  );
}

/** Wallets that arrive on this day, with their first votes; the wallet of a deleted account returns. */
export async function arrive(db: Db, attack: Attack, day: number, wallets: number): Promise<void> {
  const { strategy, userIds } = attack;
  const places = Array.from({ length: wallets }, (_, place) => place).filter(
    (place) => strategy.signInDay(place) === day && userIds[place] === undefined,
  );
  if (places.length === 0) return;
  const ids = await signIn(db, places.length, at(day, 1));
  for (const [index, place] of places.entries()) userIds[place] = ids[index] ?? 0;
  await enlist(db, attack, places);
  if (strategy.id !== 'victims') await castVotes(db, planFirst(attack, ids, places));
}
