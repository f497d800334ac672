import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { deleteAccount } from '#server/people/accounts/delete.ts';
import { admitWallet } from '#server/people/auth/actions.ts';
import type { Services } from '#server/kit/services.ts';
import { castVotes, changeVotes, type PlannedVote } from './cast.ts';
import { at, setClock } from './clock.ts';
import { enlist, invite, noteNetwork } from './enlist.ts';
import { type Attack, isLiked } from './plan.ts';
import { chanceOf, shuffled } from './random.ts';
import { ATTACK_DAY, FLOOD_DAYS } from './strategies.ts';

/* Actions of single strategies besides voting. */

const OFFICE = 10;
const OWN_VOTES = 10;
const COPIES = 3;

/** An office of honest people on the network of the script, each with a different order. */
export async function burst(db: Db, attack: Attack): Promise<void> {
  const { field, userIds } = attack;
  const bystanders = await invite(db, attack, OFFICE, 0);
  await noteNetwork(db, 0, 'burst', [...userIds, ...bystanders]);
  const { target, rivals, others, seed } = field;
  await castVotes(
    db,
    bystanders.flatMap((userId, person) =>
      shuffled([target, ...rivals, ...others], seed, person, 5)
        .slice(0, OWN_VOTES)
        .map((projectId, index) => ({
          userId,
          projectId,
          bullish: isLiked(field, projectId),
          at: new Date(at(0, 9 + 0.5 * person).getTime() + index * (5_000 + 9_000 * chanceOf(seed, person, index, 6))),
        })),
    ),
  );
}

/**
 * Newcomers who vote in different orders, each copied by three free wallets of the same network: seconds, an hour and
 * eight hours later.
 */
export async function copyVictims(db: Db, attack: Attack, day: number): Promise<void> {
  const { field, userIds } = attack;
  const victims = await invite(db, attack, userIds.length / COPIES, day);
  const laterMs = [3_000, 3_600_000, 8 * 3_600_000];
  const votes: PlannedVote[] = [];
  for (const [person, victim] of victims.entries()) {
    const copies = userIds.slice(COPIES * person, COPIES * (person + 1));
    await noteNetwork(db, day, `victim ${person}`, [victim, ...copies]);
    const chosen = shuffled([field.target, ...field.rivals, ...field.others], field.seed, person, 7).slice(
      0,
      OWN_VOTES,
    );
    for (const [index, projectId] of chosen.entries()) {
      const timeMs = at(day, 9).getTime() + index * (6_000 + 9_000 * chanceOf(field.seed, person, index, 8));
      const vote = { projectId, bullish: isLiked(field, projectId) };
      votes.push({ userId: victim, ...vote, at: new Date(timeMs) });
      for (const [copy, userId] of copies.entries())
        votes.push({ userId, ...vote, at: new Date(timeMs + (laterMs[copy] ?? 0)) });
    }
  }
  await castVotes(db, votes);
}

/** Votes bearish, looks at the result, and undoes the vote in time; the votes of the attack follow. */
export async function lookAndUndo(services: Services, { field, userIds }: Attack, day: number): Promise<void> {
  const { db } = services;
  const time = at(day, 16.9);
  await castVotes(
    db,
    userIds.map((userId) => ({ userId, projectId: field.target, bullish: false, at: time })),
  );
  await setClock(db, new Date(time.getTime() + 3_000));
  await sql`SELECT undo_vote(u, ${field.target}, '5 seconds') FROM unnest(${userIds}::bigint[]) AS u`.execute(db);
}

/** The day's turn of a flood: bearish on every second day, bullish again on the day after. */
export async function turnVotes(db: Db, { field, userIds }: Attack, day: number): Promise<void> {
  const turn = day - ATTACK_DAY;
  if (turn < 1 || turn > FLOOD_DAYS) return;
  await setClock(db, at(day, 17));
  await changeVotes(db, userIds, [field.target], turn % 2 === 0);
}

/** Deletes the finished accounts, and lets their wallets return as the wallets of the next places. */
export async function deleteAndReturn(services: Services, attack: Attack, day: number): Promise<void> {
  const { userIds } = attack;
  await setClock(services.db, at(day, 1));
  const done = userIds.flatMap((userId, place) => (place % 3 === 0 ? [{ userId, place }] : []));
  const rows = await services.db
    .selectFrom('users')
    .select(['id', 'walletAddress'])
    .where(
      'id',
      'in',
      done.map(({ userId }) => userId),
    )
    .execute();
  const walletOf = new Map(rows.map(({ id, walletAddress }) => [id, walletAddress]));
  for (const { userId, place } of done) {
    const walletAddress = walletOf.get(userId) ?? '';
    const session = { userId, walletAddress, isAdmin: false, role: null, tokenHash: Buffer.alloc(32) };
    await deleteAccount(services, session, { removeReviews: false });
    userIds[place + 1] = await admitWallet(services, walletAddress, () => Promise.resolve());
  }
  await enlist(
    services.db,
    attack,
    done.map(({ place }) => place + 1),
  );
}

/** Leaves out votes that the product would refuse: on projects that a deleted account of the wallet has voted on. */
export async function withoutBarred(db: Db, votes: readonly PlannedVote[]): Promise<PlannedVote[]> {
  const { rows } = await sql<{ userId: number; barred: number[] }>`
    SELECT user_id AS "userId", barred_projects AS barred FROM user_stats WHERE barred_projects IS NOT NULL`.execute(
    db,
  );
  const barred = new Map(rows.map(({ userId, barred: projects }) => [userId, new Set(projects)]));
  return votes.filter(({ userId, projectId }) => !barred.get(userId)?.has(projectId));
}
