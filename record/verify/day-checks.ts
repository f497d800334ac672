import type { DayRow, LeaderboardDay } from '#shared/contract/open.ts';
import type { ProjectDay, ProjectTrend } from '#shared/contract/trends.ts';
import { type StoredDayRow, toDayCsv, toDayRows } from '#shared/day-rows.ts';
import { plural } from '#shared/plural.ts';
import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import type { ProjectHistory } from './history.ts';
import { RecordUnavailable } from '../proof/remote-files.ts';
import { RecordError } from '../entries/entries.ts';
import { type Check, Differences, unchecked } from './report.ts';
import type { Site } from './site.ts';

/** Day files are compared for so many days; figures by day of single projects for all. */
const FILE_DAYS = 35;

interface Directions {
  bullish: number;
  bearish: number;
}
const NONE: Directions = { bullish: 0, bearish: 0 };
const QUIET = { votes: 0, turnedBullish: 0, turnedBearish: 0 };
const pick = ({ bullish, bearish }: Directions): Directions => ({ bullish, bearish });

/** The last one on a day or before it. */
function atEndOf<T extends { day: string }>(rows: readonly T[], day: string): T | undefined {
  return rows.findLast((row) => row.day <= day);
}

const textOf = ({ bullish, bearish }: Directions): string => `${bullish} bullish and ${bearish} bearish`;
const isSame = (one: Directions, other: Directions): boolean =>
  one.bullish === other.bullish && one.bearish === other.bearish;

/** The days that the record says everything about. */
export interface RecordedDays {
  /** Votes of earlier days were recorded with their days; which of them were verified then is not known. */
  first: string;
  /** The last day that is over and completely recorded. */
  last: string;
}

/** Compares what the site shows by day with the record, project by project. */
export class DayChecker {
  private readonly trends = new Differences();
  private readonly files = new Differences();
  private readonly site: Site;
  private readonly days: RecordedDays;
  private readonly fileDays: string[];
  private readonly atDays = new Map<number, Array<{ all: Directions; verified: Directions; now: Directions }>>();
  private compared = 0;
  private changed: ReadonlySet<number> = new Set();
  /** Why a trend could not be read. */
  private unread: string | null = null;

  constructor(site: Site, days: RecordedDays) {
    this.site = site;
    this.days = days;
    const lastMs = dayStartMs(days.last);
    this.fileDays = Array.from({ length: FILE_DAYS }, (_, at) => dayOfMs(lastMs - (FILE_DAYS - 1 - at) * DAY_MS));
  }

  /** Keeps the project's rows for the day files, and compares its trend. */
  readonly addProject = async (history: ProjectHistory): Promise<void> => {
    this.atDays.set(
      history.projectId,
      this.fileDays.map((day) => ({
        all: atEndOf(history.days, day) ?? NONE,
        verified: atEndOf(history.verified, day) ?? NONE,
        now: history.nowAt(day),
      })),
    );
    const trend = await this.readTrend(history.projectId);
    if (!trend) return;
    this.compared += 1;
    for (const row of trend.days) if (row.day <= this.days.last) this.compareTrend(history, row);
    const shown = new Set(trend.days.map(({ day }) => day));
    const [oldest = ''] = [...shown].sort();
    for (const { day } of history.days) {
      const isExpected = day >= oldest && day <= this.days.last;
      this.trends.expect(
        !isExpected || shown.has(day),
        () => `project ${history.projectId}: its trend leaves ${day} out`,
      );
    }
  };

  private async readTrend(projectId: number): Promise<ProjectTrend | null> {
    try {
      return await this.site.trend(projectId);
    } catch (error) {
      if (error instanceof RecordUnavailable) this.unread ??= error.message;
      else if (error instanceof RecordError) this.trends.add(error.message);
      else throw error;
      return null;
    }
  }

  private compareTrend(history: ProjectHistory, row: ProjectDay): void {
    const { projectId } = history;
    const end = atEndOf(history.days, row.day);
    const expected = { ...QUIET, ...(end?.day === row.day ? end : {}), ...pick(end ?? NONE) };
    this.trends.expect(
      isSame(row, expected) && row.votes === expected.votes,
      () =>
        `project ${projectId}: its trend shows ${textOf(row)} at the end of ${row.day}, ${plural(row.votes, 'vote')} of that day; ` +
        `the record has ${textOf(expected)}, ${plural(expected.votes, 'vote')}`,
    );
    this.trends.expect(
      row.turnedBullish === expected.turnedBullish && row.turnedBearish === expected.turnedBearish,
      () =>
        `project ${projectId}: its trend shows ${row.turnedBullish} that turned bullish on ${row.day} and ${row.turnedBearish} bearish; ` +
        `the record has ${expected.turnedBullish} and ${expected.turnedBearish}`,
    );
    if (row.verifiedBullish === null || row.verifiedBearish === null || row.day < this.days.first) return;
    const shown = { bullish: row.verifiedBullish, bearish: row.verifiedBearish };
    const verified = atEndOf(history.verified, row.day) ?? NONE;
    this.trends.expect(
      isSame(shown, verified),
      () =>
        `project ${projectId}: its trend shows ${textOf(shown)} verified at the end of ${row.day}, the record ${textOf(verified)}`,
    );
  }

  checkTrends(): Check {
    const check = this.trends.check(
      'Trends',
      `the figures by day of ${plural(this.compared, 'project')} are those of the record`,
    );
    return check.state === 'ok' && this.unread !== null ? unchecked('Trends', this.unread) : check;
  }

  /**
   * Compares the files of the leaderboard, JSON and CSV. `listed` are the projects that the site shows now, `changed`
   * those that ever changed their identity.
   */
  async checkFiles(
    listed: ReadonlyArray<{ id: number; createdAt: string }>,
    changed: ReadonlySet<number>,
  ): Promise<Check> {
    this.changed = changed;
    // Newest first, because only the first of many differences are named.
    for (const [at, day] of [...this.fileDays.entries()].toReversed()) {
      const [file, csv] = [await this.site.day(day), await this.site.dayCsv(day)];
      this.files.expect(csv === toDayCsv(file), () => `${day}: the CSV file differs from the JSON file`);
      const shown = new Set(file.projects.map(({ id }) => id));
      for (const { id, createdAt } of listed) {
        this.files.expect(createdAt.slice(0, 10) > day || shown.has(id), () => `${day}: project ${id} is left out`);
      }
      this.compareFile(at, file);
    }
    const { fileDays } = this;
    return this.files.check('Day files', `${plural(fileDays.length, 'day')} as JSON and CSV, until ${fileDays.at(-1)}`);
  }

  private compareFile(at: number, { day, projects }: LeaderboardDay): void {
    const isRankCounted = projects.some(({ rankVotes }) => rankVotes !== null);
    const expected = toDayRows(projects.map((row) => this.storedRow(at, { day, row, isRankCounted })));
    for (const [index, row] of projects.entries()) {
      const [before, fits] = [projects[index - 1], expected[index]];
      // Rows without a rank are in the same order, after the others.
      const isFirst = !before || (before.rank !== null && row.rank === null);
      this.files.expect(
        fits?.id === row.id && (isFirst || isInOrder(before, row)),
        () => `${day}: project ${row.id} has another rank`,
      );
      if (fits?.id !== row.id) continue;
      const wrong = (Object.keys(fits) as Array<keyof DayRow>).find(
        (key) => JSON.stringify(fits[key]) !== JSON.stringify(row[key]),
      );
      if (wrong) {
        this.files.add(
          `${day}: project ${row.id} has ${wrong} ${JSON.stringify(row[wrong])}, by the record ${JSON.stringify(fits[wrong])}`,
        );
      }
    }
  }

  /** A row of a day with the figures of the record. */
  private storedRow(
    at: number,
    { day, row, isRankCounted }: { day: string; row: DayRow; isRankCounted: boolean },
  ): StoredDayRow {
    const { all, verified, now } = this.atDays.get(row.id)?.[at] ?? { all: NONE, verified: NONE, now: NONE };
    const { id, slug, name, category, listedOn, verified: said, rankVotes } = row;
    // A day from before they were counted shows none.
    const isNowKnown = row.now !== null;
    // Facts of early days that the record does not know are accepted as shown.
    const isKnown = day >= this.days.first && said !== null;
    const shown = isKnown ? verified : said;
    const total = shown && shown.bullish + shown.bearish;
    const isChanged = this.changed.has(id);
    return {
      id,
      slug,
      name,
      category,
      listedOn,
      bullish: all.bullish,
      bearish: all.bearish,
      verifiedBullish: shown?.bullish ?? null,
      verifiedBearish: shown?.bearish ?? null,
      nowBullish: isNowKnown ? now.bullish : null,
      nowBearish: isNowKnown ? now.bearish : null,
      // Verified votes since the last change of identity; all of them where it never changed.
      rankVotes:
        isRankCounted && total !== null ? (isChanged ? Math.min(rankVotes ?? total, total) : total) : rankVotes,
    };
  }
}

/** By bullish share, then by votes; those without votes last. */
function isInOrder(one: Directions, other: Directions): boolean {
  const [first, second] = [one.bullish + one.bearish, other.bullish + other.bearish];
  if (second === 0) return true;
  if (first === 0) return false;
  return (
    one.bullish / first > other.bullish / second || (one.bullish / first === other.bullish / second && first >= second)
  );
}
