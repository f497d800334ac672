import { isolated } from '#shared/text/isolated.ts';
import type { Db } from '#db/client.ts';
import { recordActivity } from './activity.ts';
import { recordNotices } from './notices.ts';

interface Exclusion {
  userId: number;
  project: { id: number; name: string };
  detail: string;
  actor: string;
  /** Listing periods in which a vote may still arrive and is excluded, too. */
  expected?: readonly number[];
}

export async function excludeVotes(
  trx: Db,
  periods: readonly number[],
  { userId, project, detail, actor, expected = [] }: Exclusion,
): Promise<void> {
  const row = { userId, projectId: project.id, reason: 'moderator' as const, detail, actor };
  await trx
    .insertInto('votesSetAside')
    .values([...new Set([...periods, ...expected])].map((period) => ({ ...row, period })))
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'projectId', 'period', 'reason'])
        .doUpdateSet((eb) => ({ detail: eb.ref('excluded.detail'), actor: eb.ref('excluded.actor') })),
    )
    .execute();
  if (periods.length === 0) return;
  const text = `Your vote on ${isolated(project.name)} is excluded: ${detail}`;
  await recordActivity(trx, { userId, kind: 'vote_set_aside', text });
  // Details of moderators can be longer than a notice.
  await recordNotices(trx, { userId, kind: 'vote_excluded', text: text.slice(0, 500), link: '/portfolio' });
}

export async function restoreVotes(
  trx: Db,
  { userId, projectId, text }: { userId: number; projectId: number; text: string },
): Promise<void> {
  await trx.deleteFrom('votesSetAside').where('userId', '=', userId).where('projectId', '=', projectId).execute();
  await recordActivity(trx, { userId, kind: 'vote_restored', text });
}
