import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { confidence } from '#shared/interval.ts';
import { verifiedBound, votesForRank } from '#shared/sorts.ts';
import { fromBase64Url } from '../entries/base64url.ts';
import { versionHash } from '../entries/sealed.ts';
import { between, type Figure, type Place } from './compare.ts';
import type { RecordedVersions } from './layout.ts';
import { type Known, type Line, pagesOf, type Shown, sumOf } from './shown.ts';

const SALT_BYTES = 16;

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

/** Versions of listings (R60). */
export const VERSIONS: ReadonlyArray<Figure<Shown, Known, Line>> = [
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
];
