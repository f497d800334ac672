import type { Services } from '#server/kit/services.ts';
import { castVotes } from './cast.ts';
import { arrive } from './enlist.ts';
import { burst, copyVictims, deleteAndReturn, lookAndUndo, turnVotes, withoutBarred } from './episodes.ts';
import { type Attack, planAttack } from './plan.ts';
import { DELETION_DAY } from './strategies.ts';

/** Actions of an attack's wallets on a day. */
export async function act(services: Services, attack: Attack, day: number, wallets: number): Promise<void> {
  const { db } = services;
  const { id } = attack.strategy;
  if (id === 'delete_return' && day === DELETION_DAY) await deleteAndReturn(services, attack, day);
  await arrive(db, attack, day, wallets);
  if (id === 'victims') return day === attack.strategy.attackDay(0) ? copyVictims(db, attack, day) : undefined;
  if (id === 'burst' && day === 0) await burst(db, attack);
  if (id === 'change_flood') await turnVotes(db, attack, day);
  const votes = planAttack(attack, day);
  if (votes.length === 0) return;
  if (id === 'peek_flip') await lookAndUndo(services, attack, day);
  await castVotes(db, id === 'delete_return' ? await withoutBarred(db, votes) : votes);
}
