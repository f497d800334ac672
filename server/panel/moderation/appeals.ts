import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { AdminAppeal, ListingFee } from '#shared/contract/standing.ts';
import { recordActivity } from '#server/books/activity.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { recordNotices } from '#server/books/notices.ts';
import { listingFee } from '#server/listings/projects/listing-fee.ts';
import { readReason } from '#server/kit/http/reason.ts';
import type { Services } from '#server/kit/services.ts';
import { toAppeal } from '#server/listings/projects/appeal.ts';
import { isOnOwnListing, statesOf } from '#server/books/opinions.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';

const fee = listingFee(sql.ref('appeals.projectId'));

function appealRows(db: Db) {
  const aside = (reason: 'rhythm' | 'moderator') =>
    sql<number>`(SELECT count(*)::int FROM votes_set_aside a WHERE a.user_id = appeals.user_id AND a.reason = ${reason}
      AND NOT ${isOnOwnListing(sql`a`)})`;
  const noStanding = sql<number>`(SELECT count(*) FILTER (WHERE d.state = 'no_standing')::int
    FROM ${statesOf(sql`appeals.user_id`)} d)`;
  return db
    .selectFrom('appeals')
    .innerJoin('users', 'users.id', 'appeals.userId')
    .leftJoin('userStats', 'userStats.userId', 'appeals.userId')
    .leftJoin('voterStanding', 'voterStanding.userId', 'appeals.userId')
    .leftJoin('projects', 'projects.id', 'appeals.projectId')
    .selectAll('appeals')
    .select(['projects.slug', 'projects.name', 'projects.hiddenAt', 'projects.hiddenReason'])
    .select(sql<ListingFee | null>`CASE WHEN appeals.project_id IS NOT NULL THEN ${fee} END`.as('fee'))
    .select(['users.username', 'users.walletAddress', 'voterStanding.state', 'userStats.totalVotes'])
    .select([noStanding.as('noStanding'), aside('rhythm').as('rhythm'), aside('moderator').as('moderator')]);
}

type AppealRow = Awaited<ReturnType<ReturnType<typeof appealRows>['executeTakeFirstOrThrow']>>;

function projectOf({ projectId, slug, name, hiddenAt, hiddenReason, fee: paid }: AppealRow): AdminAppeal['project'] {
  if (projectId === null || slug === null || name === null) return null;
  return { id: projectId, slug, name, hiddenReason: hiddenAt && hiddenReason, fee: paid };
}

const toAdminAppeal = (row: AppealRow): AdminAppeal => ({
  ...toAppeal(row),
  userId: row.userId,
  username: row.username,
  walletAddress: row.walletAddress,
  standing: row.state ?? 'waiting',
  votes: row.totalVotes ?? 0,
  noStanding: row.noStanding,
  rhythm: row.rhythm,
  moderator: row.moderator,
  project: projectOf(row),
});

export async function listAppeals(db: Db, state: 'open' | 'answered', page: PageQuery): Promise<Page<AdminAppeal>> {
  const isOldestFirst = state === 'open';
  const rows = appealRows(db).where('answeredAt', isOldestFirst ? 'is' : 'is not', null);
  return mapPage(
    await listById(db, { name: `appeals:${state}`, page, rows, id: 'appeals.id', isOldestFirst }),
    toAdminAppeal,
  );
}

/** @throws 400 without an answer, 404, 409 answered already */
export async function answerAppeal({ db }: Services, who: Actor, id: number, words: string): Promise<AdminAppeal> {
  const answer = readReason(words, 'answer');
  return db.transaction().execute(async (trx) => {
    const answered = await trx
      .updateTable('appeals')
      .set({ answer, answeredAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where('answeredAt', 'is', null)
      .returning('userId')
      .executeTakeFirst();
    const row = await appealRows(trx).where('appeals.id', '=', id).executeTakeFirst();
    if (!row) throw notFound('appeal_not_found', 'Appeal not found');
    if (!answered) throw conflict('wrong_state', 'This appeal has already been answered');
    await recordActivity(trx, {
      userId: answered.userId,
      kind: 'appeal_answered',
      text: `Your appeal was answered: ${answer}`,
    });
    await recordNotices(trx, {
      userId: answered.userId,
      kind: 'appeal_answered',
      text:
        row.name === null
          ? 'Your appeal about votes that do not count was answered'
          : `Your appeal about your project ${isolated(row.name)} was answered`,
      link: '/portfolio',
    });
    await writeAudit(trx, who, { action: 'appeal.answer', detail: `Appeal ${id}: ${answer}`, outcome: 'ok' });
    return toAdminAppeal(row);
  });
}
