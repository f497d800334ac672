import type { Project } from '#shared/contract/types.ts';
import { NOW_DAYS, NOW_MIN_VOTES, type VoteCounts } from '#shared/interval.ts';
import { plural } from '#shared/plural.ts';
import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import type { RecordedDays } from './day-checks.ts';
import type { ProjectHistory } from './history.ts';
import { type Check, Differences } from './report.ts';

/** A page may be read so many days after the last complete day of the record. */
const MAX_DAYS_LATER = 7;
/** A new day is counted some minutes after it has begun: until then the site shows the day before. */
const COUNTED_WITHIN_MS = 15 * 60_000;

/** A project's opinions at the end of the record. */
interface Recorded {
  /** Given in the last 30 days before the end of a day: on the record's last complete day, and on the days after it. */
  now: Map<string, VoteCounts>;
  /** Given on days that are not complete yet: the site may have counted them or not. */
  later: number;
}

const NO_VOTES: VoteCounts = { bullish: 0, bearish: 0 };

const textOf = (now: VoteCounts | null): string => (now ? `${now.bullish} bullish and ${now.bearish} bearish` : 'none');

/** Whether a site that knows `slack` opinions more, or others, may show this. */
function isNear(shown: VoteCounts | null, counted: VoteCounts, slack: number): boolean {
  if (shown === null) return counted.bullish + counted.bearish - slack < NOW_MIN_VOTES;
  const isEnough = shown.bullish + shown.bearish >= NOW_MIN_VOTES;
  const sides = [shown.bullish - counted.bullish, shown.bearish - counted.bearish];
  return isEnough && sides.every((difference) => Math.abs(difference) <= slack);
}

/** Compares 'Now', the newest opinions of the last 30 days (R58), with the record, project by project. */
export class NowChecker {
  private readonly recorded = new Map<number, Recorded>();
  private readonly days: RecordedDays;

  constructor(days: RecordedDays) {
    this.days = days;
  }

  /** Keeps the figures of each day on which the site can be read. */
  readonly addProject = (history: ProjectHistory): void => {
    const { last } = this.days;
    const later = history.since(last);
    const now = new Map<string, VoteCounts>();
    for (let at = 0; at <= MAX_DAYS_LATER; at += 1) {
      const day = dayOfMs(dayStartMs(last) + at * DAY_MS);
      now.set(day, history.since(dayOfMs(dayStartMs(day) - NOW_DAYS * DAY_MS)));
    }
    this.recorded.set(history.projectId, { now, later: later.bullish + later.bearish });
  };

  /**
   * `shown`: projects on pages and lists; those without 'Now' are left out. `asOf`: the site's time after they were
   * read. `newer`: votes and changes since the record on any project; each may be one more opinion, or take the place
   * of one.
   */
  compare(shown: ReadonlyArray<Pick<Project, 'id' | 'now'>>, asOf: string, newer: number): Check {
    const differences = new Differences();
    const days = [0, COUNTED_WITHIN_MS].map((ago) => dayOfMs(Date.parse(asOf) - ago));
    let places = 0;
    for (const { id, now } of shown) {
      if (now === undefined) continue;
      places += 1;
      const recorded = this.recorded.get(id);
      const counted = days.map((day) => recorded?.now.get(day) ?? NO_VOTES);
      const slack = newer + (recorded?.later ?? 0);
      differences.expect(
        counted.some((one) => isNear(now, one, slack)),
        () =>
          `project ${id} shows ${textOf(now)} as the votes of the last 30 days, the record has ${textOf(counted[0] ?? null)}`,
      );
    }
    return differences.check('Now', `the votes of the last 30 days in ${plural(places, 'place')} are the record's`);
  }
}
