import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { EVENT_KINDS, EVENT_SOURCES } from '../listings/events.ts';
import { ProjectDay, TREND_MAX_DAYS } from './trends.ts';
import { ProjectPage } from './projects.ts';
import { IdParam, ListingChange, Ok, Project, ProjectRef, ReasonFigures } from './types.ts';

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

export const EventDay = z.object({
  day: z.iso.date(),
  views: z.record(z.enum(EVENT_SOURCES), z.int()),
  clicks: z.int(),
  shares: z.int(),
});
export type EventDay = z.output<typeof EventDay>;

export const Insights = z.object({
  project: ProjectPage.pick({ hidden: true, now: true }).extend(Project.shape),
  since: z.iso.date(),
  today: z.iso.date(),
  /** Counters at the end of the day before `since`. */
  before: ProjectDay.pick({ bullish: true, bearish: true, verifiedBullish: true, verifiedBearish: true }),
  events: z.array(EventDay),
  votes: z.array(ProjectDay),
  /** Why voters voted as they did (R89), at most once a week for each group and direction, oldest first. */
  reasons: z.array(ReasonFigures),
  changes: z.array(ListingChange.pick({ at: true, what: true, name: true })),
  /** Place among the listings of the category that have a rank in the order 'Verified' (R96). */
  place: z.object({ place: z.int(), of: z.int() }).nullable(),
  /** Medians of the active listings of its category, of the 30 days up to `figuresOn`; the verified share in percent. Null with fewer than five. */
  medians: z
    .object({
      listings: z.int(),
      votes: z.number(),
      views: z.number(),
      clicks: z.number(),
      shares: z.number(),
      share: z.int().nullable(),
    })
    .nullable(),
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
