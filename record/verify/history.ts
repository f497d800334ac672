import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import { NOW_DAYS, type VoteCounts } from '#shared/interval.ts';
import type { OpinionEntry } from '../entries/entries.ts';
import type { Finished } from './followed.ts';

export interface DayCounts extends VoteCounts {
  /** Votes cast on the day, without changes of votes. */
  votes: number;
  /** Votes and changes of the day. */
  opinions: number;
  /** Opinions of that day that took the other direction than those in whose place they are. */
  turnedBullish: number;
  turnedBearish: number;
}

export interface ProjectHistory {
  projectId: number;
  /** Opinions at the end of each day on which something changed, oldest first. */
  days: Array<DayCounts & { day: string }>;
  /** Verified votes after each batch that changed them, oldest first. `day` is the batch's. */
  verified: Array<VoteCounts & { day: string }>;
  /** The opinions that hold at the end of a day and were given in the NOW_DAYS until then (R58). */
  nowAt: (day: string) => VoteCounts;
  /** Those that hold at the end of the record and were given after a day. */
  since: (day: string) => VoteCounts;
  /** The verified opinions at the end of the record that took their direction after a day, by that day. */
  turnedAfter: (day: string) => Array<VoteCounts & { day: string }>;
}

const dayNumberOf = (day: string): number => dayStartMs(day) / DAY_MS;
const DAY_BITS = 2 ** 16;

const nameOf = (bullish: boolean): 'bullish' | 'bearish' => (bullish ? 'bullish' : 'bearish');

export class History {
  private readonly projectId: number;
  private readonly byDay = new Map<number, DayCounts>();
  /** Opinions that began or ceased to hold on a day, by that day and the day on which they were given. */
  private readonly moves = new Map<number, VoteCounts>();
  private readonly byBatch = new Map<number, VoteCounts>();
  private readonly byTurn = new Map<number, VoteCounts>();

  constructor(projectId: number) {
    this.projectId = projectId;
  }

  private of(dayNumber: number): DayCounts {
    const known = this.byDay.get(dayNumber) ?? {
      bullish: 0,
      bearish: 0,
      votes: 0,
      opinions: 0,
      turnedBullish: 0,
      turnedBearish: 0,
    };
    this.byDay.set(dayNumber, known);
    return known;
  }

  private move(saidOn: number, on: number, bullish: boolean, by: 1 | -1): void {
    const key = on * DAY_BITS + saidOn;
    const known = this.moves.get(key) ?? { bullish: 0, bearish: 0 };
    known[nameOf(bullish)] += by;
    this.moves.set(key, known);
  }

  hold({ kind, day, bullish }: OpinionEntry, before: OpinionEntry | null): void {
    const on = dayNumberOf(day);
    const counts = this.of(on);
    counts[nameOf(bullish)] += 1;
    counts.opinions += 1;
    this.move(on, on, bullish, 1);
    if (kind === 'vote') counts.votes += 1;
    if (!before) return;
    counts[nameOf(before.bullish)] -= 1;
    this.move(dayNumberOf(before.day), on, before.bullish, -1);
    if (before.bullish !== bullish) counts[bullish ? 'turnedBullish' : 'turnedBearish'] += 1;
  }

  /** A vote counts until the same voter's next vote on the project. */
  replace({ bullish, saidOn }: Finished, { dayNumber, wasBullish }: Finished): void {
    const counts = this.of(dayNumber);
    counts[nameOf(bullish)] -= 1;
    this.move(saidOn, dayNumber, bullish, -1);
    if (bullish !== wasBullish) counts[wasBullish ? 'turnedBullish' : 'turnedBearish'] += 1;
  }

  private given(after: number, until: number): VoteCounts {
    const sum = { bullish: 0, bearish: 0 };
    for (const [key, { bullish, bearish }] of this.moves) {
      if (key % DAY_BITS <= after || Math.floor(key / DAY_BITS) > until) continue;
      sum.bullish += bullish;
      sum.bearish += bearish;
    }
    return sum;
  }

  verify(batch: number, change: VoteCounts): void {
    const known = this.byBatch.get(batch) ?? { bullish: 0, bearish: 0 };
    this.byBatch.set(batch, { bullish: known.bullish + change.bullish, bearish: known.bearish + change.bearish });
  }

  /** A verified vote at the end of the record, and the day on which it took its direction. */
  turn(dayNumber: number, bullish: boolean): void {
    const known = this.byTurn.get(dayNumber) ?? { bullish: 0, bearish: 0 };
    known[nameOf(bullish)] += 1;
    this.byTurn.set(dayNumber, known);
  }

  finish(batchDays: readonly string[]): ProjectHistory {
    let [bullish, bearish] = [0, 0];
    const days = [...this.byDay]
      .sort(([one], [other]) => one - other)
      .map(([dayNumber, change]) => {
        [bullish, bearish] = [bullish + change.bullish, bearish + change.bearish];
        return { ...change, day: dayOfMs(dayNumber * DAY_MS), bullish, bearish };
      });
    let verified = { bullish: 0, bearish: 0 };
    const steps = [...this.byBatch]
      .sort(([one], [other]) => one - other)
      .map(([batch, change]) => {
        verified = { bullish: verified.bullish + change.bullish, bearish: verified.bearish + change.bearish };
        return { day: batchDays[batch] ?? '', ...verified };
      });
    return {
      projectId: this.projectId,
      days,
      verified: steps,
      nowAt: (day) => this.given(dayNumberOf(day) - NOW_DAYS, dayNumberOf(day)),
      since: (day) => this.given(dayNumberOf(day), Infinity),
      turnedAfter: (day) =>
        [...this.byTurn].flatMap(([on, counts]) =>
          on > dayNumberOf(day) ? { day: dayOfMs(on * DAY_MS), ...counts } : [],
        ),
    };
  }
}
