import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

type Step = 'signedInAt' | 'payingAt';

/** The first time at each step stays (R80). */
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
