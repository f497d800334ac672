/**
 * Figures by day: `DAY_FILES` after the record has been read, `TRENDS` project by project during the recount, because
 * the days of all projects do not fit in memory.
 */
import type { LeaderboardDay } from '#shared/contract/open.ts';
import type { ProjectTrend } from '#shared/contract/trends.ts';
import { type StoredDayRow, toDayCsv, toDayRows } from '#shared/figures/day-rows.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import type { Figure, Place } from './compare.ts';
import type { ProjectHistory } from './history.ts';
import { type Known, type Line, NONE, type RecordedDays, type Shown, sumOf } from './shown.ts';

/** A row of a day's file with the figures of the record. Facts that the record does not know are accepted as shown. */
function storedRow(
  { projects, days, record }: Known,
  { day, row, isRankCounted }: { day: string; row: LeaderboardDay['projects'][number]; isRankCounted: boolean },
): StoredDayRow {
  const { id, slug, name, category, listedOn, rankVotes } = row;
  // A day that is not closed yet has the figures of the last one that is.
  const figures = projects.get(id)?.days.get(day > days.last ? days.last : day) ?? {
    all: NONE,
    verified: NONE,
    now: NONE,
  };
  // Days before the record's first one may have been counted, or not.
  const isRecorded = day >= days.first;
  // A project that no vote was cast on has not been counted.
  const isCounted = row.verified !== null || sumOf(figures.all) > 0;
  const verified = isRecorded && isCounted ? figures.verified : row.verified;
  const most = verified && sumOf(verified);
  const hasChanged = record.listings.get(id)?.versions.some(({ identity }) => identity > 1);
  const counted = most !== null && hasChanged ? Math.min(rankVotes ?? most, most) : most;
  return {
    id,
    slug,
    name,
    category,
    listedOn,
    bullish: figures.all.bullish,
    bearish: figures.all.bearish,
    verifiedBullish: verified?.bullish ?? null,
    verifiedBearish: verified?.bearish ?? null,
    nowBullish: isRecorded || row.now ? figures.now.bullish : null,
    nowBearish: isRecorded || row.now ? figures.now.bearish : null,
    rankVotes: isRankCounted ? (counted ?? rankVotes) : rankVotes,
  };
}

/** Sorts by bullish share, then by votes; projects without votes come last. */
function isInOrder(one: VoteCounts, other: VoteCounts): boolean {
  const [first, second] = [sumOf(one), sumOf(other)];
  if (first === 0 || second === 0) return second === 0;
  const difference = one.bullish / first - other.bullish / second;
  return difference > 0 || (difference === 0 && first >= second);
}

export const DAY_FILES: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Day files',
    figure: 'CSV is the JSON',
    places: ({ days }) => days().map(({ file, csv }) => [file.day, csv === toDayCsv(file), true]),
  },
  {
    line: 'Day files',
    figure: 'is listed',
    places: ({ days, leaderboard }) =>
      days().flatMap(({ file: { day, projects } }) => {
        const shown = new Set(projects.map(({ id }) => id));
        const listed = leaderboard().filter(({ createdAt }) => createdAt.slice(0, 10) <= day);
        return listed.map(({ id }): Place => [`${day}, project ${id}`, shown.has(id), true]);
      }),
  },
  {
    line: 'Day files',
    figure: 'figures',
    places: ({ days }, known) =>
      days().flatMap(({ file: { day, projects } }) => {
        const isRankCounted = day >= known.days.first || projects.some(({ rankVotes }) => rankVotes !== null);
        const expected = toDayRows(projects.map((row) => storedRow(known, { day, row, isRankCounted })));
        return projects.map((row, at): Place => {
          const [before, fitting] = [projects[at - 1], expected[at]];
          // Rows without a rank are in the same order, after the others.
          const isFirst = !before || (before.rank !== null && row.rank === null);
          const shown = { ...row, isInOrder: isFirst || isInOrder(before, row) };
          const isSame = fitting?.id === row.id;
          return [`${day}, project ${row.id}`, shown, isSame ? { ...fitting, isInOrder: true } : { id: fitting?.id }];
        });
      }),
  },
];

export const atEndOf = <T extends { day: string }>(rows: readonly T[], day: string): T | undefined =>
  rows.findLast((row) => row.day <= day);

const QUIET = { votes: 0, turnedBullish: 0, turnedBearish: 0 };

export const TRENDS: ReadonlyArray<Figure<{ history: ProjectHistory; trend: ProjectTrend }, RecordedDays>> = [
  {
    line: 'Trends',
    figure: 'votes',
    places({ history, trend }, { first, last }) {
      const shown = new Map(trend.days.map((row) => [row.day, row]));
      const [oldest = ''] = [...shown.keys()].sort();
      const recorded = history.days.map(({ day }) => day).filter((day) => day >= oldest);
      return [...new Set([...shown.keys(), ...recorded])]
        .filter((day) => day <= last)
        .map((day) => {
          const row = shown.get(day) ?? null;
          const { day: changedOn, ...end } = atEndOf(history.days, day) ?? { day: '', ...NONE };
          const verified = atEndOf(history.verified, day) ?? NONE;
          const known = day >= first ? { verifiedBullish: verified.bullish, verifiedBearish: verified.bearish } : {};
          const expected = { ...QUIET, ...end, opinions: undefined, ...(changedOn === day ? {} : QUIET), ...known };
          return [`trend of project ${history.projectId} on ${day}`, row, expected];
        });
    },
  },
];
