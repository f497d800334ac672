import type { Session } from './contract/auth.ts';
import type { DailyDeck } from './contract/daily-deck.ts';
import type { getProject, ListedProject } from './contract/projects.ts';
import type { RecordSummary } from './contract/record.ts';
import type { SiteConfig } from './contract/site.ts';
import type { Trust } from './contract/standing.ts';
import type { Project, VotingStatus } from './contract/types.ts';
import type { OwnVote } from './contract/votes.ts';
import type { ReceivedOf } from './endpoint.ts';

/**
 * Data that the server writes into a page's HTML, so that the page need not request it; as fresh as the API's. Contains
 * public data and the data of the session in the request's cookie; HTML with the latter is never stored.
 */
export interface PageData {
  /** User of the cookie's session; absent without one. */
  session?: Session;
  /** On a signed-in user's home: the first cards of the feed, how many votes are left, and the day's deck. */
  home?: { feed: Project[]; votingStatus: VotingStatus; daily?: DailyDeck };
  /** On a project's page. */
  project?: ReceivedOf<typeof getProject>;
  /** On a project's page, for a signed-in user: the user's vote on it. */
  ownVote?: OwnVote;
  /** On the leaderboard: its first rows. */
  leaderboard?: ListedProject[];
  /** On /trust: its figures, and the newest roots. */
  trust?: { figures: Trust; record: RecordSummary };
}

export interface FirstPaint {
  /** Path of the page, without query. */
  path: string;
  site: SiteConfig;
  data: PageData;
}

export interface FirstPaintHtml {
  html: string;
  /** Header and footer around a placeholder: the browser draws the page. */
  isShell: boolean;
}

/** The page's HTML as its visitor first sees it; null for pages that only the browser draws. */
export type RenderFirstPaint = (page: FirstPaint) => FirstPaintHtml | null;

/** Locale of numbers here. Where browser and server differ, the browser draws the page again. */
export const numberStyle = (): string => (12_345.6).toLocaleString();
