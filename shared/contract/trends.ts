import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Project, ProjectRef } from './types.ts';

export const TREND_MAX_DAYS = 400;

export const ProjectDay = z.object({
  day: z.iso.date(),
  bullish: z.int(),
  bearish: z.int(),
  votes: z.int(),
  /** Voters who turned bullish or bearish on the day: by a change, or by a vote in a later listing period (R57). */
  turnedBullish: z.int(),
  turnedBearish: z.int(),
  /** Verified counters at the end of the day; null if they are not known. */
  verifiedBullish: z.int().nullable(),
  verifiedBearish: z.int().nullable(),
});
export type ProjectDay = z.output<typeof ProjectDay>;

export const ProjectTrend = z.object({ days: z.array(ProjectDay), figuresOn: Project.shape.figuresOn });
export type ProjectTrend = z.output<typeof ProjectTrend>;

export const getProjectTrend = endpoint('getProjectTrend', {
  access: 'public',
  summary: `Counters of a project by day, oldest first: only the days on which they changed, for the last ${TREND_MAX_DAYS}`,
  params: ProjectRef,
  response: ProjectTrend,
});

export const LinkedProject = Project.pick({
  id: true,
  slug: true,
  name: true,
  category: true,
  description: true,
  imageUrl: true,
});
export type LinkedProject = z.output<typeof LinkedProject>;

export const listSimilar = endpoint('listSimilar', {
  access: 'public',
  summary: 'Up to four active projects of the same category, the most similar name and description first',
  params: ProjectRef,
  response: z.array(LinkedProject),
});
