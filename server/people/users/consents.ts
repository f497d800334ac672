import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/** Steps at which a user agrees to the terms; the page names and links them there. */
type Step = 'signedInAt' | 'payingAt';

/** Notes that a user has agreed to the present terms (R80). The first time at each step stays. */
export async function noteConsent(db: Db, termsVersion: string, userId: number, step: Step): Promise<void> {
  await db
    .insertInto('termsConsents')
    .values({ userId, termsVersion, [step]: sql`now()` })
    .onConflict((oc) =>
      oc
        .columns(['userId', 'termsVersion'])
        .doUpdateSet({ [step]: sql`now()` })
        .where(`termsConsents.${step}`, 'is', null),
    )
    .execute();
}
