import type { Session } from '../contract/auth.ts';
import type { Project } from '../contract/types.ts';
import type { SiteConfig } from '../contract/site.ts';
import { isAmerican } from '../numbers/number-text.ts';
import type { OwnVote } from '../contract/votes.ts';
import type { FirstData } from './screens.ts';

/**
 * Data that the server writes into a page's HTML, so that the page need not request it; as fresh as the API's. Contains
 * public data and the data of the session in the request's cookie; HTML with the latter is never stored.
 */
export interface PageData extends Partial<FirstData> {
  session?: Session;
  /** On the landing page: the cards that a visitor can vote on (R76); their totals are a minute old at most. */
  guestCards?: Project[];
  /** On a project's page, for a signed-in user: the user's vote on it. */
  ownVote?: OwnVote;
}

export interface FirstPaint {
  path: string;
  /** The query of the address without its question mark. */
  search: string;
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

/** Differs wherever a number can: sign, point, and groups, which Indian English begins to write differently at six digits. */
export const NUMBER_SAMPLE = -1_234_567.8;

/** Locale of numbers here. Where browser and server differ, the browser draws the page again. */
export const numberStyle = (): string => (isAmerican() ? '-1,234,567.8' : NUMBER_SAMPLE.toLocaleString());
