import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import { NOW_DAYS, type VoteCounts } from '#shared/numbers/interval.ts';
import { NO_TREND, type Trend, TREND_DAYS, trendWeight } from '#shared/figures/trending.ts';
import type { OpinionEntry } from '../entries/entries.ts';
import type { Finished } from './followed.ts';

export interface DayCounts extends VoteCounts {
  /** Votes cast on the day, without changes of votes. */
  votes: number;
  /** Votes and changes of the day. */
  opinions: number;
  /** Opinions of that day with another direction than those that they replace. */
  turnedBullish: number;
  turnedBearish: number;
}

/** The votes about one identity of a project that count at the end of the record. */
export interface Side {
  identity: number;
  votes: number;
  verified: VoteCounts;
  /** Verified votes that took their direction in the last seven days. */
  trend: Trend;
}

export interface ProjectHistory {
  projectId: number;
  /** Opinions at the end of each day on which something changed, oldest first. */
  days: Array<DayCounts & { day: string }>;
  /** Verified votes after each batch that changed them, oldest first. `day` is the batch's. */
  verified: Array<VoteCounts & { day: string }>;
  /** The opinions that hold at the end of a day and were given in the NOW_DAYS until then (R58). */
  nowAt: (day: string) => VoteCounts;
  /** Opinions given after a day that hold at the end of the record. */
  since: (day: string) => VoteCounts;
  sides: (last: string) => Side[];
}

interface Counted {
  identity: number;
  bullish: boolean;
  turnedOn: number;
  isVerified: boolean;
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
  /** Votes by identity, and the days on which the verified ones of them took their direction. */
  private readonly byIdentity = new Map<number, { votes: number; turns: Map<number, VoteCounts> }>();

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

  /** A vote that counts at the end of the record, and the day on which it took its direction. */
  count({ identity, bullish, turnedOn, isVerified }: Counted): void {
    const side = this.byIdentity.get(identity) ?? { votes: 0, turns: new Map<number, VoteCounts>() };
    this.byIdentity.set(identity, side);
    side.votes += 1;
    if (!isVerified) return;
    const known = side.turns.get(turnedOn) ?? { bullish: 0, bearish: 0 };
    known[nameOf(bullish)] += 1;
    side.turns.set(turnedOn, known);
  }

  private sides(last: string): Side[] {
    return [...this.byIdentity].map(([identity, { votes, turns }]) => {
      const [verified, trend] = [{ bullish: 0, bearish: 0 }, { ...NO_TREND }];
      for (const [day, { bullish, bearish }] of turns) {
        verified.bullish += bullish;
        verified.bearish += bearish;
        const weight = trendWeight(dayNumberOf(last) - day);
        if (weight === 0 || weight > TREND_DAYS) continue;
        trend.bullish += bullish;
        trend.bearish += bearish;
        trend.weight += (bullish + bearish) * weight;
      }
      return { identity, votes, verified, trend };
    });
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
      sides: (last) => this.sides(last),
    };
  }
}
