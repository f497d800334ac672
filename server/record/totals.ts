import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { int8Array } from '#db/binary-arrays.ts';
import type { ProjectTotals } from '#record/entries/entries.ts';
import type { VoteState } from '#shared/states/votes.ts';

export interface RecordedProject extends ProjectTotals {
  projectId: number;
  period: number;
}

interface CountedVote {
  projectId: number;
  period: number;
  bullish: boolean;
  state: VoteState;
}

const NOTHING: ProjectTotals = { bullish: 0, bearish: 0, verifiedBullish: 0, verifiedBearish: 0 };

const isSame = (one: ProjectTotals, other: ProjectTotals): boolean =>
  one.bullish === other.bullish &&
  one.bearish === other.bearish &&
  one.verifiedBullish === other.verifiedBullish &&
  one.verifiedBearish === other.verifiedBearish;
const keyOf = ({ projectId, period }: CountedVote | RecordedProject): string => `${projectId}/${period}`;

/** The totals of all projects after the previous batches, updated by votes and changes of this one. */
export async function openTotals(trx: Db) {
  const recorded = await trx.selectFrom('recordedTotals').selectAll().execute();
  const totals = new Map<string, RecordedProject>(recorded.map((row) => [keyOf(row), row]));
  /** Earlier totals of those that votes or changes have touched; undefined for new ones. */
  const before = new Map<string, RecordedProject | undefined>();

  function of(vote: CountedVote): RecordedProject {
    const key = keyOf(vote);
    const found = totals.get(key);
    if (!before.has(key)) before.set(key, found && { ...found });
    const { projectId, period } = vote;
    const present = found ?? { projectId, period, ...NOTHING };
    totals.set(key, present);
    return present;
  }
  function count(vote: CountedVote, by: 1 | -1): void {
    const { state } = vote;
    if (state === 'replaced') return;
    const total = of(vote);
    total[vote.bullish ? 'bullish' : 'bearish'] += by;
    if (state === 'verified') total[vote.bullish ? 'verifiedBullish' : 'verifiedBearish'] += by;
  }

  return {
    add(vote: CountedVote): void {
      count(vote, 1);
    },
    remove(vote: CountedVote): void {
      count(vote, -1);
    },
    changed(): RecordedProject[] {
      const rows = [...before].flatMap(([key, was]) => {
        const row = totals.get(key);
        return row && !isSame(was ?? NOTHING, row) ? [row] : [];
      });
      return rows.toSorted((one, other) => one.projectId - other.projectId || one.period - other.period);
    },
    async store(): Promise<void> {
      const rows = this.changed();
      const column = (name: keyof RecordedProject) => sql`${int8Array(rows.map((row) => row[name]))}::bigint[]`;
      await sql`
        INSERT INTO recorded_totals (project_id, period, bullish, bearish, verified_bullish, verified_bearish)
        SELECT * FROM unnest(${column('projectId')}, ${column('period')}, ${column('bullish')}, ${column('bearish')},
          ${column('verifiedBullish')}, ${column('verifiedBearish')})
        ON CONFLICT (project_id, period) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish,
          verified_bullish = excluded.verified_bullish, verified_bearish = excluded.verified_bearish`.execute(trx);
    },
  };
}
export type Totals = Awaited<ReturnType<typeof openTotals>>;
