/**
 * The figures of a site, and how the record gives each of them.
 *
 * A row of a table names a figure, the places of the site that show it, and the figure of each place by the record.
 * `compare` names what differs. A new figure is one more row; a new address of the site is one more source in
 * site-checks.ts. Each row belongs to a line of the report.
 */
import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import { NOW_MIN_VOTES } from '#shared/numbers/interval.ts';
import { bullishPercentage } from '#shared/rules.ts';
import {
  bullishKey,
  compareKeys,
  RANK_MIN_VOTES,
  rankAt,
  rankRows,
  verifiedBound,
  votesForRank,
} from '#shared/figures/sorts.ts';
import { between, type Figure, type Place } from './compare.ts';
import { DAY_FILES } from './day-figures.ts';
import { DOORS } from './doors.ts';
import { REASONS_SHOWN } from './reasons-shown.ts';
import { LISTS } from './lists.ts';
import { OWNERSHIP } from './ownership.ts';
import {
  clipped,
  everywhere,
  type Known,
  type Line,
  NONE,
  pagesOf,
  type Shown,
  sumOf,
  timeText,
  verifiedOf,
} from './shown.ts';
import { TRUST } from './trust-figures.ts';
import { VERSIONS } from './versions.ts';

const periodOf = ({ projectId, period }: { projectId: number; period: number }): string =>
  `project ${projectId} in period ${period}`;

/** Votes that were undone seconds later. */
const UNDOABLE = 5;

function totalsBy<T extends { projectId: number }>(
  rows: readonly T[],
  valueOf: (row: T) => number,
): Map<number, number> {
  const totals = new Map<number, number>();
  for (const row of rows) totals.set(row.projectId, (totals.get(row.projectId) ?? 0) + valueOf(row));
  return totals;
}

const ranked = ({ leaderboard }: Shown, keyOf: (row: LeaderboardRow) => number[] = () => []) => {
  const inOrder = (row: LeaderboardRow) => [...keyOf(row), ...bullishKey(row)];
  const rows = leaderboard().toSorted((one, other) => compareKeys(inOrder(one), inOrder(other)));
  return rankRows(rows, votesForRank);
};

/** Facts of a listing that each place shows alike. Versions compares those that a version has. */
const FACTS = [
  'slug',
  'coinType',
  'packageId',
  'submittedBy',
  'transactionHash',
  'listing',
  'createdAt',
  'expiresAt',
  'period',
  'periodEndsAt',
] as const satisfies ReadonlyArray<keyof ProjectPage>;

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
    // An opinion moves each side by one at most.
    line: 'Site',
    figure: 'difference by newer votes',
    places({ recount }) {
      const votes = totalsBy(recount.projects, (one) => one.votes);
      return (['bullish', 'bearish'] as const).flatMap((side) =>
        [...totalsBy(recount.projects, ({ since }) => since[side])].map(([id, difference]): Place => {
          const newer = votes.get(id) ?? 0;
          return [`${side} of project ${id}`, difference, between(-newer, newer)];
        }),
      );
    },
  },
  {
    // Newer votes are in the batches that follow (R62), and still shown until then.
    line: 'Site',
    figure: 'votes after those of the last check',
    places({ recount }, { recounted, claim, ends }) {
      if (!claim) return [];
      const isRecorded = (recount.size ?? 0) > claim.size && (ends.at(-1) ?? '') > timeText(claim.asOf);
      const recorded = totalsBy(recounted.projects, (one) => one.opinions);
      const newer = totalsBy(recount.projects, (one) => (isRecorded ? 0 : one.votes));
      return Object.entries(claim.opinions).map(([id, opinions]) => [
        `project ${id}`,
        (recorded.get(Number(id)) ?? 0) + (newer.get(Number(id)) ?? 0),
        { least: opinions - UNDOABLE, most: Infinity },
      ]);
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
    line: 'Site',
    figure: 'facts',
    places(site) {
      const pages = new Map(
        pagesOf(site).map((page) => [page.id, Object.fromEntries(FACTS.map((fact) => [fact, page[fact]]))]),
      );
      return everywhere(site).map(([where, project]) => [where, project, pages.get(project.id)]);
    },
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
    // Those of the last closed day, without what was excluded since, and never more than the live votes of their side.
    line: 'Site',
    figure: 'verified votes',
    places: (site, known) =>
      everywhere(site).map(([where, { id, verified, bullishCount, bearishCount, excludedSince = 0 }]) => {
        const { bullish, bearish } = verifiedOf(known, id);
        const left = { bullish: Math.max(0, bullish - excludedSince), bearish };
        return [where, verified, clipped(left, { bullish: bullishCount, bearish: bearishCount })];
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

  {
    // A listing younger than the last closed day has no figures yet.
    line: 'Site',
    figure: 'last closed day',
    places: (site, { days }) =>
      everywhere(site).map(([where, { createdAt, figuresOn }]) => [
        where,
        figuresOn,
        createdAt.slice(0, 10) > days.last ? null : days.last,
      ]),
  },

  ...LISTS,
  ...VERSIONS,
  ...OWNERSHIP,
  ...REASONS_SHOWN,

  {
    line: 'Now',
    figure: 'votes of the last 30 days',
    places: (site, { projects }) =>
      everywhere(site).map(([where, { id, now = null }]): Place => {
        const counted = projects.get(id)?.now ?? NONE;
        return [where, now, sumOf(counted) < NOW_MIN_VOTES ? null : counted];
      }),
  },

  ...DAY_FILES,
  ...TRUST,
  ...DOORS,
];
