import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { deleteAccount } from '#server/people/accounts/delete.ts';
import { admitWallet } from '#server/people/auth/actions.ts';
import type { Services } from '#server/kit/services.ts';
import { castVotes, changeVotes, type PlannedVote, signIn } from './cast.ts';
import { at, dayOf, setClock } from './clock.ts';
import { HONEST_WALLETS } from './failing-node.ts';
import { type Attack, isLiked, planAttack, planFirst } from './plan.ts';
import { chanceOf, shuffled } from './random.ts';
import { ATTACK_DAY, DELETION_DAY, FLOOD_DAYS } from './strategies.ts';

const OFFICE = 10;
const OWN_VOTES = 10;
/** Copies of a victim's votes come seconds, an hour and eight hours later. */
const COPIED_AFTER_MS = [3_000, 3_600_000, 8 * 3_600_000];

export async function act(services: Services, attack: Attack, day: number): Promise<void> {
  const { db } = services;
  const { id, attackDay } = attack.strategy;
  if (id === 'delete_return' && day === DELETION_DAY) await deleteAndReturn(services, attack, day);
  await arrive(db, attack, day);
  if (id === 'victims') return day === attackDay(0) ? copyVictims(db, attack, day) : undefined;
  if (id === 'burst' && day === 0) await joinOffice(db, attack);
  if (id === 'failing_node' && day === 0) await joinHonest(db, attack);
  if (id === 'change_flood') await turnVotes(db, attack, day);
  const votes = planAttack(attack, day);
  if (id === 'peek_flip' && votes.length > 0) await lookAndUndo(db, attack, day);
  await castVotes(db, votes);
}

/** Wallets that arrive on this day, with their first votes; the wallet of a deleted account returns. */
async function arrive(db: Db, attack: Attack, day: number): Promise<void> {
  const { strategy, userIds, wallets } = attack;
  const places = Array.from({ length: wallets }, (_, place) => place).filter(
    (place) => strategy.signInDay(place) === day && userIds[place] === undefined,
  );
  if (places.length === 0) return;
  const ids = await signIn(db, places.length, at(day, 1));
  for (const [index, place] of places.entries()) userIds[place] = ids[index] ?? 0;
  await enlist(db, attack, places);
  if (strategy.id !== 'victims') await castVotes(db, planFirst(attack, ids, places));
}

async function enlist(db: Db, { strategy, userIds }: Attack, places: readonly number[]): Promise<void> {
  await sql`INSERT INTO simulation.attackers (strategy, place, coin, user_id)
    SELECT ${strategy.id}, * FROM unnest(${[...places]}::int[], ${places.map(strategy.coinOf)}::int[], ${places.map((place) => userIds[place] ?? 0)}::bigint[])`.execute(
    db,
  );
}

async function noteNetwork(db: Db, day: number, network: string, userIds: readonly number[]): Promise<void> {
  await sql`INSERT INTO voter_networks (day, network, user_id)
    SELECT ${dayOf(day)}::date, substr(sha256(convert_to(${network}, 'utf8')), 1, 16), unnest(${[...userIds]}::bigint[])`.execute(
    db,
  );
}

/** Honest wallets that accompany an attack. Their votes are not part of the board that it meets. */
async function invite(db: Db, attack: Attack, count: number, day: number): Promise<number[]> {
  const ids = await signIn(db, count, at(day, 1));
  await sql`INSERT INTO simulation.attackers (strategy, place, user_id)
    SELECT 'bystanders', 0, unnest(${ids}::bigint[])`.execute(db);
  attack.bystanders.push(...ids);
  return ids;
}

/** Votes of an honest person, in a separate order with separate pauses. */
function honestVotes(
  { field }: Attack,
  userId: number,
  startMs: number,
  pauseMs: number,
  key: number[],
): PlannedVote[] {
  const { target, rivals, others, seed } = field;
  const [person = 0, forOrder = 0, forPauses = 0] = key;
  return shuffled([target, ...rivals, ...others], seed, person, forOrder)
    .slice(0, OWN_VOTES)
    .map((projectId, index) => ({
      userId,
      projectId,
      bullish: isLiked(field, projectId),
      at: new Date(startMs + index * (pauseMs + 9_000 * chanceOf(seed, person, index, forPauses))),
    }));
}

async function joinOffice(db: Db, attack: Attack): Promise<void> {
  const people = await invite(db, attack, OFFICE, 0);
  await noteNetwork(db, 0, 'burst', [...attack.userIds, ...people]);
  await castVotes(
    db,
    people.flatMap((userId, person) =>
      honestVotes(attack, userId, at(0, 9 + 0.5 * person).getTime(), 5_000, [person, 5, 6]),
    ),
  );
}

async function joinHonest(db: Db, attack: Attack): Promise<void> {
  const people = await invite(db, attack, HONEST_WALLETS, 0);
  await castVotes(
    db,
    people.flatMap((userId, person) => honestVotes(attack, userId, at(0, 9).getTime(), 5_000, [person, 10, 11])),
  );
}

/** Newcomers vote, and free wallets of the same network copy each of them. */
async function copyVictims(db: Db, attack: Attack, day: number): Promise<void> {
  const copies = COPIED_AFTER_MS.length;
  const victims = await invite(db, attack, attack.userIds.length / copies, day);
  const votes: PlannedVote[] = [];
  for (const [person, victim] of victims.entries()) {
    const copiers = attack.userIds.slice(copies * person, copies * (person + 1));
    await noteNetwork(db, day, `victim ${person}`, [victim, ...copiers]);
    for (const vote of honestVotes(attack, victim, at(day, 9).getTime(), 6_000, [person, 7, 8])) {
      const copied = copiers.map((userId, copy) => ({
        ...vote,
        userId,
        at: new Date(vote.at.getTime() + (COPIED_AFTER_MS[copy] ?? 0)),
      }));
      votes.push(vote, ...copied);
    }
  }
  await castVotes(db, votes);
}

/** Votes bearish, looks at the result, and undoes the vote in time. */
async function lookAndUndo(db: Db, { field, userIds }: Attack, day: number): Promise<void> {
  const time = at(day, 16.9);
  await castVotes(
    db,
    userIds.map((userId) => ({ userId, projectId: field.target, bullish: false, at: time })),
  );
  await setClock(db, new Date(time.getTime() + 3_000));
  await sql`SELECT undo_vote(u, ${field.target}, '5 seconds') FROM unnest(${userIds}::bigint[]) AS u`.execute(db);
}

/** The day's turn of a flood: bearish on every second day, bullish again on the day after. */
async function turnVotes(db: Db, { field, userIds }: Attack, day: number): Promise<void> {
  const turn = day - ATTACK_DAY;
  if (turn < 1 || turn > FLOOD_DAYS) return;
  await setClock(db, at(day, 17));
  await changeVotes(db, userIds, [field.target], turn % 2 === 0);
}

/** Deletes the finished accounts, and lets their wallets return as the wallets of the next places. */
async function deleteAndReturn(services: Services, attack: Attack, day: number): Promise<void> {
  const { userIds } = attack;
  await setClock(services.db, at(day, 1));
  const done = [...userIds.entries()].filter(([place, userId]) => place % 3 === 0 && userId);
  for (const [place, userId] of done) {
    const { walletAddress } = await services.db
      .selectFrom('users')
      .select('walletAddress')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const session = { userId, walletAddress, isAdmin: false, role: null, tokenHash: Buffer.alloc(32) };
    await deleteAccount(services, session, { removeReviews: false });
    userIds[place + 1] = await admitWallet(services, walletAddress, () => Promise.resolve());
  }
  await enlist(
    services.db,
    attack,
    done.map(([place]) => place + 1),
  );
}
