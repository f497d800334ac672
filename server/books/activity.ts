import { toBigint } from '#db/bigint.ts';
import type { Db } from '#db/client.ts';
import type { ActivityKind } from '#shared/people/activity-kinds.ts';

interface ActivityLine {
  userId: number;
  kind: ActivityKind;
  text: string;
  tokens?: number;
  amountMist?: bigint | null;
  digest?: string | null;
}

/** The only writer of activity lists (R36). */
export async function recordActivity(trx: Db, ...lines: readonly ActivityLine[]): Promise<void> {
  if (lines.length === 0) return;
  const values = lines.map(({ tokens = 0, amountMist = null, digest = null, ...line }) => ({
    ...line,
    tokens,
    amountMist: amountMist === null ? null : toBigint(amountMist),
    digest,
  }));
  await trx.insertInto('activity').values(values).execute();
}
