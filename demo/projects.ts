import projects from './projects.json' with { type: 'json' };
import type { Category } from '#shared/constants.ts';

/** An invented project. Whatever it resembles, it is not that. */
export interface DemoProject {
  name: string;
  category: Category;
  description: string;
  twitterHandle: string;
  website?: string;
  /** How long ago it was listed. */
  ageDays: number;
  /** Each one added 31 days. */
  renewals: number;
  /** 0..1: how many of the voters came across it. */
  reach: number;
  /** 0..1: share of bullish votes. */
  bullish: number;
  /** What voters wrote who voted that way. */
  reviews: Array<{ bullish: boolean; text: string }>;
}

export const DEMO_PROJECTS = projects as readonly DemoProject[];
