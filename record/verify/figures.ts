/**
 * The figures of a site, and how the record gives each of them.
 *
 * A row of a table names a figure, the places of the site that show it, and the figure of each place by the record.
 * `compare` names what differs. A new figure is one more row; a new address of the site is one more source in
 * site-checks.ts. Each row belongs to a line of the report.
 *
 * `FIGURES` are compared after the record has been read. `TRENDS` are compared project by project during the recount,
 * because the days of all projects do not fit in memory.
 */
import type { LeaderboardDay } from '#shared/contract/open.ts';
import type { LeaderboardRow } from '#shared/contract/projects.ts';
import type { Trust } from '#shared/contract/standing.ts';
import type { ProjectTrend } from '#shared/contract/trends.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { type StoredDayRow, toDayCsv, toDayRows } from '#shared/day-rows.ts';
import { NOW_MIN_VOTES, type VoteCounts } from '#shared/interval.ts';
import { bullishPercentage } from '#shared/rules.ts';
import {
  bullishKey,
  compareKeys,
  RANK_MIN_VOTES,
  rankAt,
  rankRows,
  verifiedBound,
  votesForRank,
} from '#shared/sorts.ts';
import { between, type Figure, fits, type Place, type Range } from './compare.ts';
import type { ProjectHistory } from './history.ts';
import {
  around,
  countedDays,
  everywhere,
  type Known,
  type Line,
  pagesOf,
  type RecordedDays,
  type Shown,
  sumOf,
} from './shown.ts';
import { LISTS } from './lists.ts';
import { VERSIONS } from './versions.ts';

const NONE: VoteCounts = { bullish: 0, bearish: 0 };

const periodOf = ({ projectId, period }: { projectId: number; period: number }): string =>
  `project ${projectId} in period ${period}`;

const ranked = ({ leaderboard }: Shown, keyOf: (row: LeaderboardRow) => number[] = () => []) => {
  const inOrder = (row: LeaderboardRow) => [...keyOf(row), ...bullishKey(row)];
  const rows = leaderboard().toSorted((one, other) => compareKeys(inOrder(one), inOrder(other)));
  return rankRows(rows, votesForRank);
};

/** A row of a day's file with the figures of the record. Facts that the record does not know are accepted as shown. */
function storedRow(
  { projects, days, record }: Known,
  { day, row, isRankCounted }: { day: string; row: LeaderboardDay['projects'][number]; isRankCounted: boolean },
): StoredDayRow {
  const { id, slug, name, category, listedOn, rankVotes } = row;
  const figures = projects.get(id)?.days.get(day) ?? { all: NONE, verified: NONE, now: NONE };
  const verified = day >= days.first && row.verified !== null ? figures.verified : row.verified;
  const most = verified && sumOf(verified);
  const hasChanged = record.versions.get(id)?.versions.some(({ identity }) => identity > 1);
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
    nowBullish: row.now && figures.now.bullish,
    nowBearish: row.now && figures.now.bearish,
    rankVotes: isRankCounted ? (counted ?? rankVotes) : rankVotes,
  };
}

/** By bullish share, then by votes; those without votes last. */
function isInOrder(one: VoteCounts, other: VoteCounts): boolean {
  const [first, second] = [sumOf(one), sumOf(other)];
  if (first === 0 || second === 0) return second === 0;
  const difference = one.bullish / first - other.bullish / second;
  return difference > 0 || (difference === 0 && first >= second);
}

type States = Pick<Trust, 'verified' | 'waiting' | 'noStanding' | 'rhythm' | 'moderator' | 'replaced'>;
const statesOf = ({ verified, waiting, noStanding, rhythm, moderator, replaced }: States): number =>
  verified + waiting + noStanding + rhythm + moderator + replaced;

/** The votes of the last 30 days that a site may show, with `slack` opinions that the record does not have. */
function nowBetween(shown: VoteCounts | null, counted: VoteCounts, slack: number): object | null {
  const isTooFew = shown ? sumOf(shown) < NOW_MIN_VOTES : sumOf(counted) - slack < NOW_MIN_VOTES;
  return isTooFew ? null : { bullish: around(counted.bullish, slack), bearish: around(counted.bearish, slack) };
}

export const FIGURES: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Database',
    figure: 'recorded votes',
    places({ recount }, { recounted }) {
      const byRecord = new Map(recounted.projects.map((one) => [periodOf(one), one]));
      const byServer = new Map(recount.projects.map((one) => [periodOf(one), one]));
      return [...new Set([...byRecord.keys(), ...byServer.keys()])].map((where): Place => {
        const { recorded = NONE, digest = null } = byServer.get(where) ?? {};
        const { bullish, bearish, digest: expected } = byRecord.get(where) ?? { ...NONE, digest: undefined };
        // The digest finds votes that were changed without changing a sum. It is computed some time after a publication.
        return [where, { ...recorded, digest }, { bullish, bearish, digest: digest === null ? undefined : expected }];
      });
    },
  },
  {
    line: 'Database',
    figure: 'counts',
    places({ recount }) {
      const counts = new Map<string, number>();
      for (const where of recount.projects.map(periodOf)) counts.set(where, (counts.get(where) ?? 0) + 1);
      return [...counts].map(([where, count]) => [where, count, 1]);
    },
  },

  {
    line: 'Site',
    figure: 'votes',
    places: (site, { counts }) =>
      everywhere(site).flatMap(([where, project]): Place[] => {
        const recorded = counts.get(project.id) ?? NONE;
        const { bullishCount, bearishCount } = project;
        const counters: Place = [where, { bullish: bullishCount, bearish: bearishCount }, recorded];
        // Rows of a leaderboard name their counters twice.
        if (!('bullishVotes' in project)) return [counters];
        return [counters, [where, { bullish: project.bullishVotes, bearish: project.bearishVotes }, recorded]];
      }),
  },
  {
    line: 'Site',
    figure: 'id',
    places: ({ pages }) => [...pages()].flatMap(([id, page]) => (page ? [[`page of project ${id}`, page.id, id]] : [])),
  },

  {
    line: 'Orders',
    figure: 'is listed',
    places(site) {
      const idsOf = (projects: ReadonlyArray<{ id: number }>) => new Set(projects.map(({ id }) => id));
      const [listed, shown] = [idsOf(site.leaderboard()), idsOf(pagesOf(site))];
      return [
        ...[...shown, ...idsOf(site.newest())].map((id): Place => [
          `project ${id} on the leaderboard`,
          listed.has(id),
          true,
        ]),
        ...[...listed].map((id): Place => [`page of project ${id}`, shown.has(id), true]),
      ];
    },
  },
  {
    line: 'Orders',
    figure: 'project',
    places(site) {
      const { rows } = ranked(site);
      return site.leaderboard().map(({ id }, at) => [`place ${at + 1} of the leaderboard`, id, rows[at]?.id]);
    },
  },
  {
    line: 'Orders',
    figure: 'rank',
    places(site) {
      const order = ranked(site);
      return site
        .leaderboard()
        .map(({ id, rank }, at) => [`project ${id} on the leaderboard`, rank, rankAt(at, order)]);
    },
  },
  {
    line: 'Orders',
    figure: 'derived',
    places: (site) =>
      everywhere(site).map(([where, project]) => {
        const { bullishCount: bullish, bearishCount: bearish } = project;
        const percentage = bullishPercentage(bullish, bearish);
        const expected = {
          totalVotes: bullish + bearish,
          bullishPercentage: 'bullishPercentage' in project ? percentage : undefined,
        };
        return [where, project, expected];
      }),
  },
  {
    line: 'Orders',
    figure: 'verified votes',
    places: (site) =>
      pagesOf(site).map(({ id, verified, bullishCount, bearishCount }) => {
        const most = { bullish: between(0, bullishCount), bearish: between(0, bearishCount) };
        return [`project ${id} on its page`, verified, most];
      }),
  },
  {
    line: 'Orders',
    figure: "next project in 'Verified'",
    places(site) {
      const { rows, ranked: count } = ranked(site, (row) => [verifiedBound(row)]);
      return pagesOf(site).map((page) => {
        const { id, nextAbove } = page;
        const at = rows.findIndex((row) => row.id === id);
        // The first project without a rank lacks votes to reach the last one with a rank.
        const votesToRank = at === count ? Math.max(0, RANK_MIN_VOTES - votesForRank(page)) : 0;
        const above = at > 0 ? { id: rows[at - 1]?.id, votesToRank } : null;
        return [`project ${id} on its page`, nextAbove, at === -1 ? undefined : above];
      });
    },
  },
  {
    line: 'Orders',
    figure: 'project',
    places({ newest }) {
      const inOrder = newest().toSorted((one, other) => other.totalVotes - one.totalVotes || other.id - one.id);
      return newest().map(({ id }, at) => [`place ${at + 1} of the public list`, id, inOrder[at]?.id]);
    },
  },
  {
    line: 'Orders',
    figure: 'voter',
    places({ voters }) {
      const totals = voters().map((voter) => voter.totalVotes);
      const inOrder = totals.toSorted((one, other) => other - one);
      return voters().map((voter, at) => {
        const expected = { rank: inOrder.indexOf(voter.totalVotes) + 1, totalVotes: inOrder[at] };
        return [`place ${at + 1} of the top voters`, voter, expected];
      });
    },
  },

  ...LISTS,
  ...VERSIONS,

  {
    line: 'Now',
    figure: 'votes of the last 30 days',
    places: (site, { projects, newer, asOf }) =>
      everywhere(site).flatMap(([where, { id, now }]): Place[] => {
        if (now === undefined) return [];
        const project = projects.get(id);
        // Each newer opinion may be one more, or take the place of one.
        const slack = newer + (project?.later ?? 0);
        const expected = countedDays(asOf).map((day) => nowBetween(now, project?.now.get(day) ?? NONE, slack));
        return [[where, now, expected.find((one) => fits(now, one)) ?? expected[0]]];
      }),
  },

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
        const isRankCounted = projects.some(({ rankVotes }) => rankVotes !== null);
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

  {
    // Verified votes move with each reading and each decision of a moderator: the record fixes them once a day.
    line: 'Trust',
    figure: 'votes of all states',
    places({ trust }) {
      const { days, ...total } = trust();
      return [{ ...total, day: 'all days' }, ...days].map((one) => [`/trust of ${one.day}`, statesOf(one), one.votes]);
    },
  },
  {
    line: 'Trust',
    figure: 'votes',
    places({ trust }, { recounted: { votes, votesByDay, states }, newer, untilMs, days: { last } }) {
      const shown = trust();
      if (shown.countedAt === null || Date.parse(shown.countedAt) < untilMs)
        return [['/trust', shown.votes, between(0, votes + newer)]];
      const days = shown.days.filter(({ day }) => day <= last);
      return [
        ['/trust', shown.votes, between(votes, votes + newer)],
        // A replaced vote stays replaced, and only newer votes replace further ones.
        ['/trust, replaced', shown.replaced, between(states.replaced, states.replaced + newer)],
        ...days.map((one): Place => [`/trust of ${one.day}`, one.votes, votesByDay.get(one.day) ?? 0]),
      ];
    },
  },
  {
    line: 'Trust',
    figure: 'wallets',
    places: ({ trust }, { record }) =>
      trust().readings.map(({ day, skipped, wallets, standing }) => {
        const recorded = record.readings.find((reading) => reading.day === day);
        return [`readings of ${day}`, skipped === null ? { read: wallets, standing } : null, recorded?.found];
      }),
  },

  {
    line: 'Supply',
    figure: 'Snaps',
    places({ supply }) {
      const { burned, held, paid, circulating } = supply();
      const issued = burned + held + paid + circulating;
      return [['/supply', supply(), { issued, balances: circulating, differing: 0, liabilities: circulating + held }]];
    },
  },
  {
    // Since the record, only votes add to the amount owed, and only burns and payouts subtract.
    line: 'Supply',
    figure: 'Snaps owed',
    places({ supply }, { record, newer }) {
      if (!record.liabilities) return [];
      const { liabilities, burned, paid } = supply();
      const { total } = record.liabilities;
      const range: Range = { least: total - BigInt(burned + paid), most: total + BigInt(VOTE_REWARD_TOKENS * newer) };
      return [['/supply', BigInt(liabilities), range]];
    },
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
          const isKnown = row?.verifiedBullish !== null && row?.verifiedBearish !== null && day >= first;
          const known = isKnown ? { verifiedBullish: verified.bullish, verifiedBearish: verified.bearish } : {};
          const expected = { ...QUIET, ...end, ...(changedOn === day ? {} : QUIET), ...known };
          return [`trend of project ${history.projectId} on ${day}`, row, expected];
        });
    },
  },
];
