import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#db/client.ts';
import type { ModeratedVote } from '#shared/contract/standing.ts';
import { plural } from '#shared/numbers/plural.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { votesOf } from '#server/books/opinions.ts';
import { excludeVotes, restoreVotes } from '#server/books/exclusions.ts';
import { notFound } from '#server/kit/http/errors.ts';
import {
  countRows,
  cursorsOf,
  fromMicros,
  mapPage,
  micros,
  type Page,
  type PageQuery,
  toFetch,
  toPage,
} from '#server/kit/http/pages.ts';
import { readReason } from '#server/kit/http/reason.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, withoutWallets, writeAudit } from '#server/books/audit.ts';

interface Decision {
  projectId: number;
  aside: boolean;
  reason: string;
}

/** A repeated call changes the reason. @throws 400 without a reason, 404 when the user has not voted on it */
export async function moderateVote({ db }: Services, who: Actor, userId: number, decision: Decision): Promise<void> {
  const { projectId, aside } = decision;
  const reason = readReason(decision.reason);
  await db.transaction().execute(async (trx) => {
    const votes = await trx
      .selectFrom(votesOf(userId).as('votes'))
      .innerJoin('projects', 'projects.id', 'votes.projectId')
      .select(['votes.period', 'projects.name'])
      // Joins by projects.id: votes.project_id has a smaller type than the ids that a request may name.
      .where('projects.id', '=', projectId)
      .execute();
    const [first] = votes;
    if (!first) throw notFound('vote_not_found', 'This user has not voted on this project');
    if (aside) {
      const periods = votes.map(({ period }) => period);
      const project = { id: projectId, name: first.name };
      await excludeVotes(trx, periods, { userId, project, detail: reason, actor: who.actor });
    } else
      await restoreVotes(trx, {
        userId,
        projectId,
        text: `Your vote on ${isolated(first.name)} is no longer excluded: ${reason}`,
      });
    await writeAudit(trx, who, {
      action: aside ? 'vote.set_aside' : 'vote.lift',
      detail: `${plural(votes.length, 'vote')} of user ${userId} on project ${projectId} (${isolated(first.name)}). Reason: ${withoutWallets(reason)}`,
      outcome: 'ok',
      rowCount: votes.length,
    });
  });
}

function voteRows(db: Db) {
  return db
    .selectFrom('voteStates as v')
    .innerJoin('users', 'users.id', 'v.userId')
    .innerJoin('projects', 'projects.id', 'v.projectId')
    .select(['users.username', 'users.walletAddress', 'projects.slug', 'projects.name'])
    .select(['v.period', 'v.bullish', 'v.createdAt', 'v.state'])
    .select([sql<number>`v.user_id`.as('userId'), sql<number>`v.project_id`.as('projectId')]);
}

interface VoteRow {
  userId: number | null;
  projectId: number | null;
  period: number | null;
  bullish: boolean | null;
  createdAt: Date | null;
  state: VoteState | null;
  username: string | null;
  walletAddress: string;
  slug: string;
  name: string;
  detail: string | null;
}
const toModerated = (row: VoteRow): ModeratedVote => ({
  userId: row.userId ?? 0,
  username: row.username,
  walletAddress: row.walletAddress,
  project: { id: row.projectId ?? 0, slug: row.slug, name: row.name },
  period: row.period ?? 0,
  voteType: row.bullish ? 'bullish' : 'bearish',
  createdAt: row.createdAt?.toISOString() ?? '',
  state: row.state ?? 'waiting',
  detail: row.detail,
});

const decisionKey = z.tuple([z.int().nonnegative(), z.int(), z.int(), z.int(), z.enum(['rhythm', 'moderator'])]);

export async function listDecisions(db: Db, page: PageQuery): Promise<Page<ModeratedVote>> {
  const cursors = cursorsOf('votes-set-aside', decisionKey);
  const last = cursors.read(page);
  const [rows, total] = await Promise.all([
    voteRows(db)
      .innerJoin('votesSetAside as a', (join) =>
        join
          .onRef('a.userId', '=', 'v.userId')
          .onRef('a.projectId', '=', 'v.projectId')
          .onRef('a.period', '=', 'v.period'),
      )
      .select(['a.detail', 'a.reason', micros('a.createdAt').as('time')])
      .$if(last !== null, (query) => {
        const [time, userId, projectId, period, reason] = last ?? [0, 0, 0, 0, 'rhythm'];
        return query.where(
          sql<boolean>`(a.created_at, a.user_id, a.project_id, a.period, a.reason) < (${fromMicros(time)}, ${userId}, ${projectId}, ${period}, ${reason}::vote_state)`,
        );
      })
      .orderBy('a.createdAt', 'desc')
      .orderBy('a.userId', 'desc')
      .orderBy('a.projectId', 'desc')
      .orderBy('a.period', 'desc')
      .orderBy('a.reason', 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(db, db.selectFrom('votesSetAside').select('userId')),
  ]);
  return mapPage(
    toPage(
      rows,
      page,
      ({ time, userId, projectId, period, reason }) =>
        cursors.write([time, userId, projectId, period ?? 0, reason === 'moderator' ? 'moderator' : 'rhythm']),
      total,
    ),
    toModerated,
  );
}

const voteKey = z.tuple([z.int(), z.int()]);

export async function listVotesOf(db: Db, userId: number, page: PageQuery): Promise<Page<ModeratedVote>> {
  const cursors = cursorsOf(`votes-of:${userId}`, voteKey);
  const last = cursors.read(page);
  const detail = sql<string | null>`(SELECT a.detail FROM votes_set_aside a
    WHERE a.user_id = v.user_id AND a.project_id = v.project_id AND a.period = v.period AND a.reason = v.state)`;
  const [rows, total] = await Promise.all([
    voteRows(db)
      .select(detail.as('detail'))
      .where('v.userId', '=', userId)
      .$if(last !== null, (query) =>
        query.where(sql<boolean>`(v.project_id, v.period) < (${last?.[0] ?? 0}, ${last?.[1] ?? 0})`),
      )
      .orderBy('v.projectId', 'desc')
      .orderBy('v.period', 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(db, db.selectFrom(votesOf(userId).as('votes')).select('userId')),
  ]);
  return mapPage(
    toPage(rows, page, ({ projectId, period }) => cursors.write([projectId, period ?? 0]), total),
    toModerated,
  );
}
