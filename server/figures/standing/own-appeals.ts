import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { withUserLock } from '#db/user-lock.ts';
import { APPEAL_MAX_CHARS } from '#shared/constants.ts';
import { cleanText } from '#shared/text/clean-text.ts';
import type { Appeal, postAppeal as declared } from '#shared/contract/standing.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { countChars } from '#shared/text/text.ts';
import { conflict, invalidField, notFound } from '#server/kit/http/errors.ts';
import { listingFee } from '#server/listings/projects/listing-fee.ts';
import type { Services } from '#server/kit/services.ts';
import { toAppeal } from '#server/listings/projects/appeal.ts';
import { countOwnVotes } from './queries.ts';

const appealedBefore = () =>
  conflict('appealed_before', 'You have already appealed. Each hidden listing can be appealed once');

async function appealVotes(db: Services['db'], userId: number, text: string) {
  if ((await countOwnVotes(db, userId)).excluded === 0)
    throw conflict('nothing_excluded', 'None of your votes are excluded, so there is nothing to appeal');
  return withUserLock(db, userId, async (trx) => {
    // Checked first: a row that the index rejects takes space until a vacuum.
    const open = await trx
      .selectFrom('appeals')
      .select('id')
      .where('userId', '=', userId)
      .where('projectId', 'is', null)
      .where('answeredAt', 'is', null)
      .executeTakeFirst();
    if (open) throw conflict('appeal_open', 'Your last appeal is still open. You can write again once it is answered');
    return trx.insertInto('appeals').values({ userId, text }).returningAll().executeTakeFirstOrThrow();
  });
}

async function checkListing(trx: Db, userId: number, projectId: number): Promise<void> {
  const project = await trx
    .selectFrom('projects')
    .leftJoin('appeals', 'appeals.projectId', 'projects.id')
    .select(['projects.hiddenAt', 'appeals.id as appealId', listingFee(sql.ref('projects.id')).as('fee')])
    .where('projects.id', '=', projectId)
    .where('projects.ownerId', '=', userId)
    .executeTakeFirst();
  if (!project) throw notFound('project_not_found', 'You have no such listing');
  if (project.hiddenAt === null) throw conflict('not_hidden', 'This listing is shown, so there is nothing to appeal');
  if (project.appealId !== null) throw appealedBefore();
  if (project.fee === null) throw conflict('listing_was_free', 'Only listings that were paid for can be appealed');
}

function appealListing(db: Services['db'], userId: number, text: string, projectId: number) {
  return withUserLock(db, userId, async (trx) => {
    await checkListing(trx, userId, projectId);
    const row = await trx
      .insertInto('appeals')
      .values({ userId, text, projectId })
      .onConflict((other) => other.column('projectId').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw appealedBefore();
    return row;
  });
}

export async function postAppeal(
  { db }: Services,
  userId: number,
  { text: sent, projectId }: BodyOf<typeof declared>,
): Promise<Appeal> {
  const text = cleanText(sent).trim();
  if (text === '')
    throw invalidField(
      'text',
      projectId === undefined
        ? 'Explain briefly why your votes should count'
        : 'Explain briefly why your listing should be shown',
    );
  if (countChars(text) > APPEAL_MAX_CHARS) throw invalidField('text', `Maximum ${APPEAL_MAX_CHARS} characters allowed`);
  const row = await (projectId === undefined
    ? appealVotes(db, userId, text)
    : appealListing(db, userId, text, projectId));
  return toAppeal(row);
}
