/** The same figures in other places than the lists and pages of the API. */
import type { Lookup } from '#shared/contract/lookup.ts';
import type { ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import type { SiteConfig } from '#shared/contract/site.ts';
import type { Trust } from '#shared/contract/standing.ts';
import type { ProjectTrend } from '#shared/contract/trends.ts';
import type { Project } from '#shared/contract/types.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';

/** The figures of one project elsewhere; null where the site shows nothing. */
export interface Copy {
  id: number;
  own: ProjectPage | null;
  trend: ProjectTrend | null;
  ownTrend: ProjectTrend | null;
  versions: ListingVersion[] | null;
  ownVersions: ListingVersion[] | null;
  /** By each name of its listing. */
  lookups: ReadonlyArray<{ name: string; found: Lookup | null }>;
  badge: string | null;
  embed: string | null;
  html: string | null;
}

type License = SiteConfig['dataLicense'];

export interface Front {
  /** The site's address by its own settings. */
  origin: string;
  /** Null where the site serves no HTML. */
  leaderboard: ListedProject[] | null;
  leaderboardText: string;
  cards: Project[] | null;
  trust: { figures: Trust; record: RecordSummary } | null;
  feed: string | null;
  /** By the site's settings. */
  license: License;
}

/** Where the licence of the figures is named. */
export type Licenses = ReadonlyArray<readonly [where: string, license: Partial<NonNullable<License>> | null]>;
