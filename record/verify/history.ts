import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import type { OpinionEntry } from '../entries/entries.ts';
import type { Finished } from './followed.ts';

export interface DayCounts {
  bullish: number;
  bearish: number;
  /** Votes cast on the day, without changes of votes. */
  votes: number;
}

/** A project day by day, over all of its listing periods. */
export interface ProjectHistory {
  projectId: number;
  /** Opinions at the end of each day on which something changed, oldest first. */
  days: Array<DayCounts & { day: string }>;
  /** Verified votes after each batch that changed them, oldest first. `day` is the batch's. */
  verified: Array<{ day: string; bullish: number; bearish: number }>;
}

const nameOf = (bullish: boolean): 'bullish' | 'bearish' => (bullish ? 'bullish' : 'bearish');

/** Collects changes of votes by day, and changes of verified totals by batch. */
export class History {
  private readonly projectId: number;
  private readonly byDay = new Map<number, DayCounts>();
  private readonly byBatch = new Map<number, { bullish: number; bearish: number }>();

  constructor(projectId: number) {
    this.projectId = projectId;
  }

  private of(dayNumber: number): DayCounts {
    const known = this.byDay.get(dayNumber) ?? { bullish: 0, bearish: 0, votes: 0 };
    this.byDay.set(dayNumber, known);
    return known;
  }

  /** An opinion counts from its day on, in place of the one before it. */
  hold({ kind, day, bullish }: OpinionEntry, before: OpinionEntry | null): void {
    const counts = this.of(dayStartMs(day) / DAY_MS);
    counts[nameOf(bullish)] += 1;
    if (kind === 'vote') counts.votes += 1;
    if (before) counts[nameOf(before.bullish)] -= 1;
  }

  /** A vote counts until the same voter's next vote on the project. */
  replace({ bullish }: Finished, { dayNumber }: Finished): void {
    this.of(dayNumber)[nameOf(bullish)] -= 1;
  }

  /** Verified totals change with a batch. */
  verify(batch: number, change: { bullish: number; bearish: number }): void {
    const known = this.byBatch.get(batch) ?? { bullish: 0, bearish: 0 };
    this.byBatch.set(batch, { bullish: known.bullish + change.bullish, bearish: known.bearish + change.bearish });
  }

  /** `batchDays`: the day of each batch. */
  finish(batchDays: readonly string[]): ProjectHistory {
    let [bullish, bearish] = [0, 0];
    const days = [...this.byDay]
      .sort(([one], [other]) => one - other)
      .map(([dayNumber, change]) => {
        [bullish, bearish] = [bullish + change.bullish, bearish + change.bearish];
        return { day: dayOfMs(dayNumber * DAY_MS), bullish, bearish, votes: change.votes };
      });
    let verified = { bullish: 0, bearish: 0 };
    const steps = [...this.byBatch]
      .sort(([one], [other]) => one - other)
      .map(([batch, change]) => {
        verified = { bullish: verified.bullish + change.bullish, bearish: verified.bearish + change.bearish };
        return { day: batchDays[batch] ?? '', ...verified };
      });
    return { projectId: this.projectId, days, verified: steps };
  }
}
