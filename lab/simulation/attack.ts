import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { castVotes, type PlannedVote, signIn } from './cast.ts';
import { at } from './clock.ts';
import type { Field } from './field.ts';
import { type Attack, PATTERNS, PLACES_PLAYED } from './patterns.ts';
import { chanceOf } from './random.ts';

export const holdingAt = (attacks: readonly Attack[], day: number, reading: 1 | 2): number[] =>
  attacks.flatMap(({ pattern, weekday, userIds }) =>
    userIds.filter((_, place) => PATTERNS[pattern].holds(place, day - weekday, reading)),
  );

const arrivingOn = ({ pattern, weekday }: Attack, day: number): readonly number[] =>
  PLACES_PLAYED.filter((place) => weekday + PATTERNS[pattern].arrives(place) === day);

/** Signs in the wallets that arrive; those that vote later cast one vote, so that they are read. Then casts this day's votes. */
export async function act(db: Db, attacks: readonly Attack[], field: Field, seed: number, day: number): Promise<void> {
  const arriving = attacks.flatMap((attack) => arrivingOn(attack, day).map((place) => ({ attack, place })));
  const ids = arriving.length === 0 ? [] : await signIn(db, arriving.length, at(day, 1));
  for (const [index, { attack, place }] of arriving.entries()) attack.userIds[place] = ids[index] ?? 0;
  await sql`INSERT INTO simulation.attackers (attack, place, coin, user_id)
    SELECT * FROM unnest(${arriving.map(({ attack }) => attack.id)}::int[], ${arriving.map(({ place }) => place)}::int[],
      ${arriving.map(({ attack, place }) => PATTERNS[attack.pattern].coinOf(place))}::int[], ${ids}::bigint[])`.execute(
    db,
  );
  const first = arriving.flatMap(({ attack, place }, index) => {
    const projectId = field.others[Math.floor(chanceOf(seed, attack.id, place) * field.others.length)] ?? 0;
    return attack.votesAfter === 0 ? [] : [{ userId: ids[index] ?? 0, projectId, bullish: true, at: at(day, 8) }];
  });
  const votes = attacks.flatMap((attack) =>
    arrivingOn(attack, day - attack.votesAfter).flatMap((place) => ballotOf(attack, place, field, seed, day)),
  );
  await castVotes(db, [...first, ...votes]);
}

function ballotOf({ id, userIds }: Attack, place: number, field: Field, seed: number, day: number): PlannedVote[] {
  const startMs = at(day, 17).getTime() + 3_600_000 * chanceOf(seed, id, place, 2);
  return field.ballot.map((projectId, index) => ({
    userId: userIds[place] ?? 0,
    projectId,
    bullish: index < 3,
    at: new Date(startMs + index * 12_000 + 4_000 + 8_000 * chanceOf(seed, id, place, index, 3)),
  }));
}
