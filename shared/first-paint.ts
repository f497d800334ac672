import type { getProject, LeaderboardRow } from './contract/projects.ts';
import type { SiteConfig } from './contract/site.ts';
import type { ReceivedOf } from './endpoint.ts';

/**
 * What the server writes into a page's HTML, so that the page need not ask for it: public data only, as fresh as the API's,
 * in HTML that no cache keeps.
 */
export interface PageData {
  /** On a project's page. */
  project?: ReceivedOf<typeof getProject>;
  /** On the leaderboard: its first rows. */
  leaderboard?: LeaderboardRow[];
}

export interface FirstPaint {
  /** Path of the page, without query. */
  path: string;
  site: SiteConfig;
  data: PageData;
}

/** The page's HTML as a visitor without a session sees it first; null for pages that are drawn in the browser only. */
export type RenderFirstPaint = (page: FirstPaint) => string | null;

/** How numbers are written here. Where browser and server differ, the browser draws the page anew. */
export const numberStyle = (): string => (12_345.6).toLocaleString();
