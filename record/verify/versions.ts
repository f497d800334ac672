import type { ProjectPage } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import {
  type IdentityChange,
  type IdentityField,
  mentionedChange,
  verifiedSince,
  votesSinceLast,
} from '#shared/listings/identity.ts';
import { versionHash } from '../entries/sealed.ts';
import { END, type Fields, type Figure, type Place } from './compare.ts';
import type { ListingFacts } from './listing-facts.ts';
import {
  clipped,
  everywhere,
  isNewer,
  type Known,
  type Line,
  notRecorded,
  pagesOf,
  saltOf,
  sealedIn,
  type Shown,
  since,
  timeText,
  verifiedOf,
} from './shown.ts';

const NOTHING: Pick<ListingFacts, 'versions' | 'blanked' | 'same'> = {
  versions: [],
  blanked: new Map(),
  same: new Map(),
};

const pictureOf = (imageUrl: string | null): string => /^\/images\/(\w+)\.webp$/.exec(imageUrl ?? '')?.[1] ?? '';

/** True if the content is the sealed one, or blanked. That of a marked listing is believed while its texts are withheld (R74). */
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

/** Parts of the identity in which two versions differ; undefined if the content of one of them is not known. */
function changedParts(before: ListingVersion | undefined, after: ListingVersion): IdentityField[] | undefined {
  if (!before || before.salt === null || after.salt === null) return undefined;
  return (Object.keys(CONTENT) as IdentityField[]).filter((part) => CONTENT[part](before) !== CONTENT[part](after));
}

export interface Listed {
  page: ProjectPage;
  recorded: Pick<ListingFacts, 'versions' | 'blanked' | 'same'>;
  /** Oldest first. */
  shown: ListingVersion[];
}

export const listings = (site: Shown, { record }: Known): Listed[] =>
  pagesOf(site).map((page) => ({
    page,
    recorded: record.listings.get(page.id) ?? NOTHING,
    shown: (site.versions().get(page.id) ?? []).toSorted((one, other) => one.number - other.number),
  }));

interface Change extends IdentityChange {
  identity: number;
  /** True if the record has the votes before it, and its versions tell what changed. */
  isKnown: boolean;
}

/** Changes of identity that are not marked as the same project, oldest first, with the votes since by the record. */
export function changesOf(known: Known, { page: { id, name }, shown }: Listed): Change[] {
  const counted = since(known, id, 1).votes;
  return shown.flatMap((version, at): Change[] => {
    const before = shown[at - 1];
    const { identity, createdAt } = version;
    if (!before || before.identity === identity || version.isSameProject) return [];
    const parts = changedParts(before, version);
    const { votes, verified } = since(known, id, identity);
    const oldName = parts?.includes('name') && before.name !== name ? before.name : null;
    const isKnown = parts !== undefined && !isNewer(known, createdAt);
    return [
      {
        ...verified,
        identity,
        isKnown,
        changedAt: timeText(createdAt),
        what: parts ?? [],
        oldName,
        votesBefore: counted - votes,
      },
    ];
  });
}

/** Figures since a change of identity. The one that is mentioned is believed while one of them is newer than the record. */
function figuresOf(known: Known, listed: Listed, project: Project): Fields {
  const votes = { bullish: project.bullishCount, bearish: project.bearishCount };
  const changes = changesOf(known, listed);
  const mentioned = changes.every(({ isKnown }) => isKnown) ? (mentionedChange(votes, changes) ?? null) : undefined;
  return {
    changed: mentioned && { ...mentioned, what: mentioned.what.join() },
    verifiedSince: verifiedSince(clipped(verifiedOf(known, project.id), votes), changes) ?? null,
    rankVotes: votesSinceLast(changes) ?? null,
  };
}

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
    figure: 'since its change of identity',
    places: (site, known) => {
      const byId = new Map(listings(site, known).map((listed) => [listed.page.id, listed]));
      return everywhere(site).flatMap(([where, project]): Place[] => {
        const listed = byId.get(project.id);
        const { changed, verifiedSince: verified = null, rankVotes = null } = project;
        const mentioned = changed ? { ...changed, at: timeText(changed.at), what: changed.what.join() } : null;
        const shown = { changed: mentioned, verifiedSince: verified, rankVotes };
        return listed ? [[where, shown, figuresOf(known, listed, project)]] : [];
      });
    },
  },
];
