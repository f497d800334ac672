import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { EVENT_KINDS, EVENT_SOURCES } from '../events.ts';
import { ProjectDay, TREND_MAX_DAYS } from './trends.ts';
import { ProjectPage } from './projects.ts';
import { HolderFigures, IdParam, ListingChange, Ok, Project, ProjectRef } from './types.ts';

export const recordEvent = endpoint('recordEvent', {
  access: 'public',
  summary:
    'Count a view of a project, a click on one of its links, or a share; nothing of the sender is stored, and the same client ' +
    'counts once in a few minutes',
  params: IdParam,
  body: z.object({ kind: z.enum(EVENT_KINDS), source: z.enum(EVENT_SOURCES) }),
  identity: false,
  status: 202,
  response: Ok,
});

/** A UTC day with views, clicks or shares of a project. */
export const EventDay = z.object({
  day: z.iso.date(),
  /** By source; all five are present. */
  views: z.record(z.enum(EVENT_SOURCES), z.int()),
  /** Clicks on the links of the project. */
  clicks: z.int(),
  shares: z.int(),
});
export type EventDay = z.output<typeof EventDay>;

export const Insights = z.object({
  project: ProjectPage.pick({ hidden: true, now: true }).extend(Project.shape),
  /** The first day shown, that of the listing or the first of the last `TREND_MAX_DAYS`, and today, in UTC. */
  since: z.iso.date(),
  today: z.iso.date(),
  /** Counters at the end of the day before `since`. */
  before: ProjectDay.pick({ bullish: true, bearish: true, verifiedBullish: true, verifiedBearish: true }),
  /** Only days with events, oldest first. */
  events: z.array(EventDay),
  /** The same as in getProjectTrend. */
  votes: z.array(ProjectDay),
  /** Verified votes of holders of the coin and of others (R73), at most one a week, oldest first. */
  holders: z.array(HolderFigures),
  /** Changes of identity (R60), oldest first, without those that a moderator marked as the same project. */
  changes: z.array(ListingChange.pick({ at: true, what: true, name: true })),
});
export type Insights = z.output<typeof Insights>;

export const getInsights = endpoint('getInsights', {
  access: 'owner',
  summary: `Insights of a listing: views by source; votes, clicks, and shares by day, for the last ${TREND_MAX_DAYS}`,
  params: ProjectRef,
  response: Insights,
});

export const exportInsights = endpoint('exportInsights', {
  access: 'owner',
  summary: 'The same as CSV, one line per day, with the bullish share and its 95% interval',
  contentType: 'text/csv',
  params: ProjectRef,
  response: z.string(),
});
