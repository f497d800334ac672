/**
 * The figures of a site, and how the record gives each of them.
 *
 * A row of a table names a figure, the places of the site that show it, and the figure of each place by the record.
 * `compare` names what differs. A new figure is one more row; a new address of the site is one more source in
 * site-checks.ts. Each row belongs to a line of the report.
 */
import type { LeaderboardRow } from '#shared/contract/projects.ts';
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
import { between, type Figure, fits, type Place } from './compare.ts';
import { COPIES } from './copies.ts';
import { DAY_FILES } from './day-figures.ts';
import { FRONT } from './front.ts';
import { REASONS_SHOWN } from './reasons-shown.ts';
import { LISTS } from './lists.ts';
import { OWNERSHIP } from './ownership.ts';
import { around, countedDays, everywhere, type Known, type Line, NONE, pagesOf, type Shown, sumOf } from './shown.ts';
import { TRUST } from './trust-figures.ts';
import { VERSIONS } from './versions.ts';

const periodOf = ({ projectId, period }: { projectId: number; period: number }): string =>
  `project ${projectId} in period ${period}`;

const ranked = ({ leaderboard }: Shown, keyOf: (row: LeaderboardRow) => number[] = () => []) => {
  const inOrder = (row: LeaderboardRow) => [...keyOf(row), ...bullishKey(row)];
  const rows = leaderboard().toSorted((one, other) => compareKeys(inOrder(one), inOrder(other)));
  return rankRows(rows, votesForRank);
};

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
    // They are counted some time ago: newer votes may have turned since.
    places: (site, { newer }) =>
      pagesOf(site).map(({ id, verified, bullishCount, bearishCount }) => {
        const most = { bullish: between(0, bullishCount + newer), bearish: between(0, bearishCount + newer) };
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
  ...OWNERSHIP,
  ...REASONS_SHOWN,

  {
    line: 'Now',
    figure: 'votes of the last 30 days',
    places: (site, { projects, newer, asOf }) =>
      everywhere(site).map(([where, { id, now = null }]): Place => {
        const project = projects.get(id);
        // Each newer opinion may be one more, or take the place of one.
        const slack = newer + (project?.later ?? 0);
        const expected = countedDays(asOf).map((day) => nowBetween(now, project?.now.get(day) ?? NONE, slack));
        return [where, now, expected.find((one) => fits(now, one)) ?? expected[0]];
      }),
  },

  ...DAY_FILES,
  ...TRUST,
  ...COPIES,
  ...FRONT,
];
