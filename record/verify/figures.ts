/**
 * The figures of a site, and how the record gives each of them.
 *
 * A row of a table names a figure, the places of the site that show it, and the figure of each place by the record.
 * `compare` names what differs. A new figure is one more row; a new address of the site is one more source in
 * site-checks.ts. Each row belongs to a line of the report.
 */
import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { confidence, NOW_MIN_VOTES, type VoteCounts } from '#shared/interval.ts';
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
import { fromBase64Url } from '../entries/base64url.ts';
import { dayOfMs } from '../entries/days.ts';
import { versionHash } from '../entries/sealed.ts';
import { between, type Figure, fits, type Place, type Range } from './compare.ts';
import { DAY_FILES } from './day-figures.ts';
import type { RecordedVersions } from './layout.ts';
import { everywhere, type Known, type Line, NONE, pagesOf, type Shown, sumOf } from './shown.ts';
import { TRUST } from './trust-figures.ts';

const SALT_BYTES = 16;
/** A new day is counted some minutes after it has begun. Until then the site shows the day before. */
const COUNTED_WITHIN_MS = 15 * 60_000;

const around = (count: number, slack: number): Range => ({ least: count - slack, most: count + slack });
const periodOf = ({ projectId, period }: { projectId: number; period: number }): string =>
  `project ${projectId} in period ${period}`;

const ranked = ({ leaderboard }: Shown, keyOf: (row: LeaderboardRow) => number[] = () => []) => {
  const inOrder = (row: LeaderboardRow) => [...keyOf(row), ...bullishKey(row)];
  const rows = leaderboard().toSorted((one, other) => compareKeys(inOrder(one), inOrder(other)));
  return rankRows(rows, votesForRank);
};

const pictureOf = (imageUrl: string | null): string => /^\/images\/(\w+)\.webp$/.exec(imageUrl ?? '')?.[1] ?? '';

function isSealed({ name, twitterHandle, imageUrl, salt, hash, ...shown }: ListingVersion): boolean {
  const bytes = salt === null ? null : fromBase64Url(salt, SALT_BYTES);
  const content = {
    name: name ?? '',
    handle: twitterHandle ?? '',
    website: shown.website ?? '',
    category: shown.category ?? '',
    description: shown.description ?? '',
    picture: pictureOf(imageUrl),
  };
  return bytes !== null && versionHash(content, bytes) === hash;
}

/** Figures that the last change of a listing's identity lowers. */
function lastChange(
  { recounted, newer }: Known,
  projectId: number,
  { versions, same }: RecordedVersions,
  shown: readonly ListingVersion[],
) {
  // A confirmation by a moderator may be newer than the record.
  const confirmed = new Set([...same, ...shown.flatMap((one) => (one.isSameProject ? one.identity : []))]);
  const newestOf = (all: ReadonlyArray<{ identity: number }>): number =>
    Math.max(1, ...all.flatMap(({ identity }) => (confirmed.has(identity) ? [] : identity)));
  const newest = newestOf(versions);
  let since = newer;
  for (const [identity, votes] of recounted.identities.get(projectId) ?? []) if (identity >= newest) since += votes;
  const totals = recounted.projects.filter((one) => one.projectId === projectId);
  const total = totals.reduce((sum, one) => sum + sumOf(one), 0);
  return (figures: ProjectPage | LeaderboardRow) => {
    const verified = sumOf(figures.verified);
    if (newest === 1) return { rankVotes: newestOf(shown) > 1 ? undefined : verified };
    return {
      rankVotes: between(0, since),
      bound: 2 * since >= verified ? undefined : between(0, confidence(since, 0)),
      isMentioned: 2 * (total - since) > figures.totalVotes || undefined,
    };
  };
}

const listings = (site: Shown, { record }: Known) =>
  pagesOf(site).flatMap((page) => {
    const recorded = record.versions.get(page.id);
    return recorded ? [{ id: page.id, page, recorded, shown: site.versions().get(page.id) ?? [] }] : [];
  });

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

  {
    line: 'Versions',
    figure: 'version',
    places: (site, known) =>
      listings(site, known).flatMap(({ id, recorded, shown }) =>
        recorded.versions.map(({ hash, identity }, at) => {
          const version = shown.find(({ number }) => number === at + 1);
          const isConfirmed = identity > (recorded.versions[at - 1]?.identity ?? 1) && recorded.same.has(identity);
          return [
            `version ${at + 1} of project ${id}`,
            version && { ...version, isSealed: version.isBlanked || isSealed(version) },
            { hash, identity, isSealed: true, isSameProject: isConfirmed || undefined },
          ];
        }),
      ),
  },
  {
    // Figures mention a change while most votes are older, and rank by no more than the votes since allow.
    line: 'Versions',
    figure: 'since its change of identity',
    places: (site, known) =>
      listings(site, known).flatMap(({ id, page, recorded, shown }) => {
        const row = site.leaderboard().find((one) => one.id === id) ?? page;
        const change = lastChange(known, id, recorded, shown);
        return [page, row].map((figures): Place => {
          const [rankVotes, bound] = [votesForRank(figures), verifiedBound(figures)];
          const isMentioned = figures.changed !== undefined;
          return [`project ${id}`, { rankVotes, bound, isMentioned }, change(figures)];
        });
      }),
  },

  {
    line: 'Now',
    figure: 'votes of the last 30 days',
    places: (site, { projects, newer, asOf }) =>
      everywhere(site).flatMap(([where, { id, now }]): Place[] => {
        if (now === undefined) return [];
        const project = projects.get(id);
        // Each newer opinion may be one more, or take the place of one.
        const slack = newer + (project?.later ?? 0);
        const days = [0, COUNTED_WITHIN_MS].map((ago) => dayOfMs(Date.parse(asOf) - ago));
        const expected = days.map((day) => nowBetween(now, project?.now.get(day) ?? NONE, slack));
        return [[where, now, expected.find((one) => fits(now, one)) ?? expected[0]]];
      }),
  },

  ...DAY_FILES,
  ...TRUST,
];
