import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { type IdentityChange, type IdentityField, mentionedChange, votesUnderOldName } from '#shared/identity.ts';
import { confidence } from '#shared/interval.ts';
import { verifiedBound, votesForRank } from '#shared/sorts.ts';
import { versionHash } from '../entries/sealed.ts';
import { between, END, type Figure, type Place } from './compare.ts';
import type { ListingFacts } from './listing-facts.ts';
import {
  everywhere,
  isNewer,
  type Known,
  type Line,
  notRecorded,
  pagesOf,
  saltOf,
  sealedIn,
  type Shown,
  sumOf,
  timeText,
} from './shown.ts';

const NOTHING: Pick<ListingFacts, 'versions' | 'blanked' | 'same'> = {
  versions: [],
  blanked: new Map(),
  same: new Map(),
};

const pictureOf = (imageUrl: string | null): string => /^\/images\/(\w+)\.webp$/.exec(imageUrl ?? '')?.[1] ?? '';

/** The content is what was sealed, or nothing is left of it. That of a marked listing is believed while its texts are withheld (R74). */
function isSealed({ salt, hash, isBlanked, ...shown }: ListingVersion, isMarked: boolean): boolean {
  const { name, twitterHandle, website, category, description, imageUrl } = shown;
  const texts = [name, twitterHandle, website, category, description, imageUrl];
  if (isBlanked) return [salt, ...texts].every((text) => text === null);
  if (isMarked && salt === null) return true;
  const bytes = saltOf(salt);
  const content = {
    name: name ?? '',
    handle: twitterHandle ?? '',
    website: website ?? '',
    category: category ?? '',
    description: description ?? '',
    picture: pictureOf(imageUrl),
  };
  return bytes !== null && versionHash(content, bytes) === hash;
}

const CONTENT = {
  name: ({ name }) => name,
  picture: ({ imageUrl }) => imageUrl,
  handle: ({ twitterHandle }) => twitterHandle,
  website: ({ website }) => website,
} satisfies Record<IdentityField, (version: ListingVersion) => string | null>;

/** Parts of the identity in which two versions differ; undefined where the content of one of them is not known. */
function changedParts(before: ListingVersion | undefined, after: ListingVersion): IdentityField[] | undefined {
  if (!before || before.salt === null || after.salt === null) return undefined;
  return (Object.keys(CONTENT) as IdentityField[]).filter((part) => CONTENT[part](before) !== CONTENT[part](after));
}

interface Listed {
  page: ProjectPage;
  recorded: Pick<ListingFacts, 'versions' | 'blanked' | 'same'>;
  /** Oldest first. */
  shown: ListingVersion[];
}

const listings = (site: Shown, { record }: Known): Listed[] =>
  pagesOf(site).map((page) => ({
    page,
    recorded: record.listings.get(page.id) ?? NOTHING,
    shown: (site.versions().get(page.id) ?? []).toSorted((one, other) => one.number - other.number),
  }));

const totalOf = ({ recounted }: Known, projectId: number): number =>
  recounted.projects.reduce((sum, one) => sum + (one.projectId === projectId ? sumOf(one) : 0), 0);

/** Votes by the record about this identity of a project or a later one. */
function votesSince({ recounted }: Known, projectId: number, identity: number): number {
  let since = 0;
  for (const [about, votes] of recounted.identities.get(projectId) ?? []) if (about >= identity) since += votes;
  return since;
}

const isSame = (shown: readonly ListingVersion[], identity: number): boolean =>
  shown.some((one) => one.identity === identity && one.isSameProject);

/** Figures that the last change of a listing's identity lowers. A moderator's word may be newer than the record. */
function lastChange(known: Known, { page: { id }, recorded, shown }: Listed) {
  const newestOf = (all: ReadonlyArray<{ identity: number }>): number =>
    Math.max(1, ...all.flatMap(({ identity }) => (isSame(shown, identity) ? [] : identity)));
  const newest = newestOf(recorded.versions);
  const since = known.newer + votesSince(known, id, newest);
  const total = totalOf(known, id);
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

/** Changes of identity that figures may mention, as the versions and the record tell them. */
function changesOf(
  known: Known,
  { page, shown }: Listed,
): Array<IdentityChange & { parts: IdentityField[] | undefined }> {
  return shown.flatMap((version, at) => {
    const before = shown[at - 1];
    if (!before || before.identity === version.identity || version.isSameProject) return [];
    const parts = changedParts(before, version);
    const oldName = parts?.includes('name') && before.name !== page.name ? before.name : null;
    const votesBefore = totalOf(known, page.id) - votesSince(known, page.id, version.identity);
    const none = { bullish: 0, bearish: 0 };
    return [{ changedAt: timeText(version.createdAt), what: parts ?? [], parts, oldName, votesBefore, ...none }];
  });
}

/** The change that figures mention: which one, unless newer votes decide that; null where there is no such change. */
function mentioned(known: Known, listed: Listed, { changed, bullishCount, bearishCount }: Project) {
  const changes = changesOf(known, listed);
  const votes = { bullish: bullishCount, bearish: bearishCount };
  const isFixed = known.newer === 0 && changes.every(({ parts }) => parts !== undefined);
  const at = isFixed ? mentionedChange(votes, changes)?.at : changed && timeText(changed.at);
  const change = changes.find(({ changedAt }) => changedAt === at);
  if (!change) return null;
  const { changedAt, parts, oldName, votesBefore } = change;
  const under = votesUnderOldName(change, changes);
  // Newer votes may be the first ones under that name, or take the last ones away.
  const isUnseen = under + known.newer <= 0 || (under <= known.newer && changed?.name === null);
  return {
    at: changedAt,
    what: parts?.join(),
    name: parts && (isUnseen ? null : oldName),
    votes: between(Math.min(votesBefore - known.newer, sumOf(votes)), votesBefore + known.newer),
  };
}

/** Versions of listings (R60). */
export const VERSIONS: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Versions',
    figure: 'version',
    places: (site, known) =>
      listings(site, known).flatMap(({ page, recorded, shown }) =>
        Array.from({ length: Math.max(recorded.versions.length, shown.length) }, (_, at): Place => {
          const sealed = recorded.versions[at];
          const version = shown[at];
          const where = `version ${at + 1} of project ${page.id}`;
          if (!version) return [where, undefined, sealed];
          const identity = sealed?.identity ?? version.identity;
          const before = shown[at - 1];
          const parts = changedParts(before, version);
          const begins = identity > (recorded.versions[at - 1]?.identity ?? before?.identity ?? 1);
          const blanked = recorded.blanked.get(at + 1);
          const same = begins ? recorded.same.get(identity) : undefined;
          const { createdAt, blankedAt, sameAt, apartAt } = version;
          return [
            where,
            {
              ...version,
              createdAt: timeText(createdAt),
              blankedAt: blankedAt && timeText(blankedAt),
              sameAt: sameAt && timeText(sameAt),
              isSealed: isSealed(version, page.listing.lookAlike !== undefined),
              isNewIdentity: begins,
            },
            {
              number: at + 1,
              hash: sealed?.hash,
              identity,
              createdAt: sealed ? sealedIn(known, sealed.batch) : notRecorded(known),
              isSealed: true,
              isNewIdentity: parts && parts.length > 0,
              isBlanked: blanked ? true : isNewer(known, blankedAt),
              blankedAt: blanked && sealedIn(known, blanked.batch),
              isSameProject: same ? !isNewer(known, apartAt) : isNewer(known, sameAt),
              sameAt: same && version.isSameProject ? { ...sealedIn(known, same.batch), most: END } : undefined,
            },
          ];
        }),
      ),
  },
  {
    line: 'Versions',
    figure: 'listing',
    places: (site, known) => {
      const byId = new Map(listings(site, known).map((listed) => [listed.page.id, listed.shown]));
      return everywhere(site).flatMap(([where, project]): Place[] => {
        const newest = byId.get(project.id)?.at(-1);
        if (!newest) return [];
        const { identity, number, isBlanked, name, imageUrl, twitterHandle, website, category, description } = newest;
        const content = { name, imageUrl, twitterHandle, website, category, description };
        const changes = 'changes' in project ? number - 1 : undefined;
        return [[where, project, { identity, changes, ...(isBlanked ? {} : content) }]];
      });
    },
  },
  {
    line: 'Versions',
    figure: 'mentioned change',
    places: (site, known) => {
      const byId = new Map(listings(site, known).map((listed) => [listed.page.id, listed]));
      return everywhere(site).flatMap(([where, project]): Place[] => {
        const listed = byId.get(project.id);
        if (!listed || !project.changed) return [];
        const { at, what, name, votes } = project.changed;
        return [[where, { at: timeText(at), what: what.join(), name, votes }, mentioned(known, listed, project)]];
      });
    },
  },
  {
    // Figures mention a change while most votes are older, and rank by no more than the votes since allow.
    line: 'Versions',
    figure: 'since its change of identity',
    places: (site, known) =>
      listings(site, known).flatMap((listed) => {
        const { page } = listed;
        const row = site.leaderboard().find((one) => one.id === page.id) ?? page;
        const change = lastChange(known, listed);
        return [page, row].map((figures): Place => {
          const [rankVotes, bound] = [votesForRank(figures), verifiedBound(figures)];
          const isMentioned = figures.changed !== undefined;
          return [`project ${page.id}`, { rankVotes, bound, isMentioned }, change(figures)];
        });
      }),
  },
];
