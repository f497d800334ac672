import { withUserLock } from '#db/user-lock.ts';
import { APPEAL_MAX_CHARS } from '#shared/constants.ts';
import { cleanText } from '#shared/clean-text.ts';
import type { Appeal } from '#shared/contract/standing.ts';
import { countChars } from '#shared/text.ts';
import { conflict, invalidField } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { countOwnVotes, toAppeal } from './queries.ts';

/** @throws 400 empty or too long (field `text`), 409 while another one is open, or where no vote is excluded */
export async function postAppeal({ db }: Services, userId: number, sent: string): Promise<Appeal> {
  const text = cleanText(sent).trim();
  if (text === '') throw invalidField('text', 'Explain briefly why your votes should count');
  if (countChars(text) > APPEAL_MAX_CHARS) throw invalidField('text', `Maximum ${APPEAL_MAX_CHARS} characters allowed`);
  if ((await countOwnVotes(db, userId)).excluded === 0)
    throw conflict('nothing_excluded', 'None of your votes are excluded, so there is nothing to appeal');
  const row = await withUserLock(db, userId, async (trx) => {
    // Checked first: a row that the index rejects would still take space until the table is vacuumed.
    const open = await trx
      .selectFrom('appeals')
      .select('id')
      .where('userId', '=', userId)
      .where('answeredAt', 'is', null)
      .executeTakeFirst();
    if (open) return null;
    return trx.insertInto('appeals').values({ userId, text }).returningAll().executeTakeFirstOrThrow();
  });
  if (row) return toAppeal(row);
  throw conflict('appeal_open', 'Your last appeal is still open. You can write again once it is answered');
}
