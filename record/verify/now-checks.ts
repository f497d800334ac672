import type { ProjectPage } from '#shared/contract/projects.ts';
import { NOW_DAYS, NOW_MIN_VOTES, type VoteCounts } from '#shared/interval.ts';
import { plural } from '#shared/plural.ts';
import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import type { RecordedDays } from './day-checks.ts';
import type { ProjectHistory } from './history.ts';
import { type Check, Differences } from './report.ts';

/** A page may be read so many days after the last complete day of the record. */
const MAX_DAYS_LATER = 7;

/** A project's opinions at the end of the record. */
interface Recorded {
  /** Given in the last 30 days before the end of a day: on the record's last complete day, and on the days after it. */
  now: Map<string, VoteCounts>;
  /** Given on days that are not complete yet: the site may have counted them or not. */
  later: number;
}

const textOf = (now: VoteCounts | null): string => (now ? `${now.bullish} bullish and ${now.bearish} bearish` : 'none');

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
   * `today`: the site's day while the pages were read. `newer`: votes and changes since the record on any project; each
   * may be one more opinion, or take the place of one.
   */
  compare(pages: ReadonlyArray<Pick<ProjectPage, 'id' | 'now'>>, today: string, newer: number): Check {
    const differences = new Differences();
    for (const { id, now: shown } of pages) {
      const recorded = this.recorded.get(id) ?? { now: new Map<string, VoteCounts>(), later: 0 };
      const now = recorded.now.get(today) ?? { bullish: 0, bearish: 0 };
      const slack = newer + recorded.later;
      const isFew = now.bullish + now.bearish - slack < NOW_MIN_VOTES;
      const isNear =
        shown === null
          ? isFew
          : Math.abs(shown.bullish - now.bullish) <= slack &&
            Math.abs(shown.bearish - now.bearish) <= slack &&
            shown.bullish + shown.bearish >= NOW_MIN_VOTES;
      differences.expect(
        isNear,
        () => `project ${id} shows ${textOf(shown)} as the votes of the last 30 days, the record has ${textOf(now)}`,
      );
    }
    return differences.check(
      'Now',
      `the votes of the last 30 days of ${plural(pages.length, 'page')} are the record's`,
    );
  }
}
