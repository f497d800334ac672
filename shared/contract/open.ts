import { z } from 'zod';
import { openly, openRead } from '../endpoint.ts';
import { OwnershipProof } from './ownership.ts';
import * as projects from './projects.ts';
import * as record from './record.ts';
import * as reviews from './reviews.ts';
import * as standing from './standing.ts';
import * as supply from './supply.ts';
import * as trends from './trends.ts';
import { Id, ProjectRef } from './types.ts';
import * as versions from './versions.ts';

/** Reads of the page that are also part of the open API (R53). Lists made for the open API are declared in the file of their subject. */
export const getProject = openly(projects.getProject);
export const listReviews = openly(reviews.listReviews);
export const listVersions = openly(versions.listVersions);
export const getProjectTrend = openly(trends.getProjectTrend);
export const getSupply = openly(supply.getSupply);
export const getTrust = openly(standing.getTrust);
export const getRecord = openly(record.getRecord);
export const listCheckpoints = openly(record.listCheckpoints);

/** Votes of one kind: bullish share, 0..1 (null without votes), and its 95% Wilson interval. */
const Share = { bullish: z.int(), bearish: z.int(), share: z.number().nullable(), low: z.number(), high: z.number() };

export const DayRow = z.object({
  rank: Id.nullable(),
  id: Id,
  slug: z.string(),
  name: z.string(),
  category: z.string(),
  listedOn: z.iso.date(),
  ...Share,
  /** Bullish share of the verified votes; null on days before they were counted. */
  verified: z.object(Share).nullable(),
  /** Those given, changed or confirmed in the last 30 days (R58); null if they are fewer than 10, and on days before they were counted. */
  now: z.object(Share).nullable(),
  /** Verified votes that count for a rank: those since the last change of identity; null on days before they were counted. */
  rankVotes: z.int().nullable(),
});
export type DayRow = z.output<typeof DayRow>;

export const LeaderboardDay = z.object({ day: z.iso.date(), projects: z.array(DayRow) });
export type LeaderboardDay = z.output<typeof LeaderboardDay>;

const ofDay = z.object({
  day: z.iso
    .date({ error: 'The day is written like 2026-01-31' })
    .optional()
    .describe('A UTC day such as 2026-01-31, as it ended; by default the last closed one'),
});

export const getOwnership = openRead('/api/v1/projects/{id}/ownership', {
  summary: 'The newest proof that a wallet controls the coin or package of a listing, with salt and hash',
  params: ProjectRef,
  response: z.object({ proof: OwnershipProof.nullable() }),
});

export const getLeaderboardJson = openRead('/api/v1/leaderboard.json', {
  summary:
    'The leaderboard at the end of a day: all votes of each project, the verified ones and those of the last 30 days, with shares and their 95% intervals',
  query: ofDay,
  response: LeaderboardDay,
});

export const getLeaderboardCsv = openRead('/api/v1/leaderboard.csv', {
  summary: 'The leaderboard at the end of a day as CSV (RFC 4180), for spreadsheets',
  query: ofDay,
  contentType: 'text/csv',
  response: z.string(),
});
