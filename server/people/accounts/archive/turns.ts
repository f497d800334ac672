import type { Db } from '#db/client.ts';
import { type Allowance, endAllowance, useAllowance, waitForAllowance } from '#db/user-allowances.ts';
import { withUserLock } from '#db/user-lock.ts';
import { ARCHIVES_PER_DAY } from '#shared/constants.ts';
import { tooMany } from '#server/kit/http/errors.ts';

const OPEN: Allowance = { kind: 'open_archive', most: 1, seconds: 600 };
const DAILY: Allowance = { kind: 'archives', most: ARCHIVES_PER_DAY, seconds: 86_400 };

/** Takes one of the day's archives, one at a time for each user on all servers. @throws 429 */
export const takeTurn = (db: Db, userId: number): Promise<void> =>
  withUserLock(db, userId, async (trx) => {
    const take = async (allowance: Allowance, code: string, message: string): Promise<void> => {
      if (await useAllowance(trx, userId, allowance, 1)) return;
      throw tooMany(code, message, Math.max(1, await waitForAllowance(trx, userId, allowance)));
    };
    await take(OPEN, 'archive_busy', 'Your data is being collected already. Wait until that download has ended.');
    await take(
      DAILY,
      'archive_limit',
      `You can download your data ${ARCHIVES_PER_DAY} times a day. Try again tomorrow.`,
    );
  });

export const endTurn = (db: Db, userId: number): Promise<void> => endAllowance(db, userId, OPEN);
