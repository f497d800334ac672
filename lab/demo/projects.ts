import projects from './projects.json' with { type: 'json' };
import type { Category } from '#shared/constants.ts';

/** An invented project. Any resemblance to a real one is accidental. */
export interface DemoProject {
  name: string;
  category: Category;
  description: string;
  twitterHandle: string;
  /** A former name (R60), and when it was given up. */
  renamed?: { from: string; daysAgo: number };
  /** When its voters turned, and the share of bullish opinions since (R57, R58). */
  turned?: { daysAgo: number; bullish: number };
  website?: string;
  ageDays: number;
  /** Number of renewals, each of which added 31 days. */
  renewals: number;
  /** 0..1: share of the voters who came across it. */
  reach: number;
  bullish: number;
  reviews: Array<{ bullish: boolean; text: string }>;
}

/** The listing of the Sandbox Wallet's owner account; it ends in ten days. */
export const OWNED_LISTING = 'Glass Orchard';

export const DEMO_PROJECTS = projects as readonly DemoProject[];
