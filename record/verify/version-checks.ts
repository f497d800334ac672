import { plural } from '#shared/plural.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { confidence } from '#shared/interval.ts';
import { verifiedBound, votesForRank } from '#shared/sorts.ts';
import { fromBase64Url } from '../entries/base64url.ts';
import type { VersionEntry } from '../entries/entries.ts';
import { versionHash } from '../entries/sealed.ts';
import { type Check, Differences } from './report.ts';

/** The entries of one listing, from its first version on. */
export interface RecordedVersions {
  versions: Array<Pick<VersionEntry, 'identity' | 'hash'>>;
  /** Identities that a moderator confirmed as the previous project. */
  same: Set<number>;
}

/** The votes of a listing at the end of the record. */
export interface RecordedVotes {
  total: number;
  /** Those about each identity, where it is not the first. */
  byIdentity: ReadonlyMap<number, number>;
  /** Votes and changes since, on any project. */
  newer: number;
}

/** Figures of a page, or of a row of the leaderboard. */
type ShownFigures = Pick<ProjectPage, 'id' | 'totalVotes' | 'verified' | 'verifiedSince' | 'rankVotes' | 'changed'>;

const SALT_BYTES = 16;
/** '/images/<picture>.webp' */
const pictureOf = (imageUrl: string | null): string => /^\/images\/(\w+)\.webp$/.exec(imageUrl ?? '')?.[1] ?? '';

/** Whether the content that the site shows is what was sealed. */
function isSealed(shown: ListingVersion): boolean {
  const { name, twitterHandle, website, category, description, imageUrl, salt, hash } = shown;
  const content = {
    name: name ?? '',
    handle: twitterHandle ?? '',
    website: website ?? '',
    category: category ?? '',
    description: description ?? '',
    picture: pictureOf(imageUrl),
  };
  const bytes = salt === null ? null : fromBase64Url(salt, SALT_BYTES);
  return bytes !== null && versionHash(content, bytes) === hash;
}

/** Compares the versions of listings that the site shows with the record, listing by listing (R60). */
export class VersionChecker {
  private readonly differences = new Differences();
  private compared = 0;
  private blanked = 0;

  /** `shown`: all versions of a listing that strangers see, in any order. */
  compare(projectId: number, recorded: RecordedVersions, shown: readonly ListingVersion[]): void {
    const byNumber = new Map(shown.map((version) => [version.number, version]));
    const { differences } = this;
    let identity = 1;
    for (const [index, entry] of recorded.versions.entries()) {
      const where = `version ${index + 1} of project ${projectId}`;
      const version = byNumber.get(index + 1);
      if (!version) {
        differences.add(`${where} is in the record and not on the site`);
        continue;
      }
      this.compared += 1;
      if (version.isBlanked) this.blanked += 1;
      differences.expect(
        version.hash === entry.hash && version.identity === entry.identity,
        () => `${where} has another hash or identity on the site than in the record`,
      );
      differences.expect(
        version.isBlanked || isSealed(version),
        () => `${where} shows other content than was recorded`,
      );
      // A confirmation may be newer than the record.
      const isConfirmed = entry.identity > identity && recorded.same.has(entry.identity);
      differences.expect(
        !isConfirmed || version.isSameProject,
        () => `${where} was confirmed as the same project, which the site does not say`,
      );
      identity = entry.identity;
    }
  }

  /**
   * Figures that a change of identity lowers: they mention it while most votes are older, 'Verified' ranks by no more
   * than the votes since it allow, and no more of them count for a rank. Each newer vote may be one since the change.
   */
  compareFigures(
    figures: ShownFigures,
    { versions, same }: RecordedVersions,
    shown: readonly ListingVersion[],
    { total, byIdentity, newer }: RecordedVotes,
  ): void {
    // A confirmation may be newer than the record.
    const confirmed = new Set([...same, ...shown.flatMap((one) => (one.isSameProject ? one.identity : []))]);
    const { id, changed, totalVotes } = figures;
    const verified = figures.verified.bullish + figures.verified.bearish;
    // A change may be newer than the record.
    const isChanged = [...versions, ...shown].some(({ identity }) => identity > 1 && !confirmed.has(identity));
    this.differences.expect(
      isChanged || votesForRank(figures) === verified,
      () => `project ${id} counts ${votesForRank(figures)} of ${verified} verified votes for a rank without a change`,
    );
    for (const identity of new Set(versions.map((version) => version.identity))) {
      if (identity === 1 || confirmed.has(identity)) continue;
      let since = newer;
      for (const [about, votes] of byIdentity) if (about >= identity) since += votes;
      this.differences.expect(
        changed !== undefined || 2 * (total - since) <= totalVotes,
        () =>
          `project ${id} does not mention its change to identity ${identity}, which most of its votes are older than`,
      );
      this.differences.expect(
        2 * since >= verified || verifiedBound(figures) <= confidence(since, 0),
        () => `project ${id} ranks in 'Verified' by more than its votes since its change to identity ${identity}`,
      );
      this.differences.expect(
        votesForRank(figures) <= since,
        () => `project ${id} counts more votes for a rank than it has since its change to identity ${identity}`,
      );
    }
  }

  check(): Check {
    const blanked = this.blanked === 0 ? '' : `, of ${this.blanked} of which only the hash is left`;
    return this.differences.check(
      'Versions',
      `${plural(this.compared, 'version')} of listings are as recorded${blanked}`,
    );
  }
}
