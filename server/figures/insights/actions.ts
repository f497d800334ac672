import type { Insights } from '#shared/contract/insights.ts';
import { toCsv } from '#shared/text/csv.ts';
import { EVENT_SOURCES } from '#shared/listings/events.ts';
import { type DayFigures, dayFigures, viewsOf } from '#shared/figures/insights.ts';
import { wilsonInterval } from '#shared/numbers/interval.ts';
import { listReasons } from '#server/listings/projects/reasons.ts';
import { forbidden, notFound } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { findProject, type FoundProject, toProject } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { listDays } from '../trends/queries.ts';
import { standInCategory } from './category.ts';
import { countersBefore, listEventDays, shownDays } from './queries.ts';

/** Does not reveal whether a hidden project exists. @throws 403, 404 */
async function ownProject({ db }: Services, ref: string, session: SessionUser): Promise<FoundProject> {
  const project = await findProject(db, ref);
  const isOwn = session.isAdmin || project?.submittedBy === session.walletAddress;
  if (!project || (project.hiddenAt && !isOwn)) throw notFound('project_not_found', 'Project not found');
  if (!isOwn) throw forbidden('not_owner', 'Only the owner of the project sees its insights');
  return project;
}

export async function loadInsights(services: Services, ref: string, session: SessionUser): Promise<Insights> {
  const { db } = services;
  const row = await ownProject(services, ref, session);
  const { since, today } = await shownDays(db, row.createdAt);
  const [before, events, votes, reasons, standing] = await Promise.all([
    countersBefore(db, row.id, since),
    listEventDays(db, row.id, since),
    listDays(db, row.id),
    listReasons(db, row.id),
    standInCategory(services, row),
  ]);
  return {
    project: { ...toProject(row), now: row.now, hidden: row.hiddenAt !== null },
    since,
    today,
    before,
    events,
    votes,
    reasons,
    changes: (row.identityChanges ?? []).map(({ changedAt, what, oldName }) => ({
      at: changedAt,
      what,
      name: oldName,
    })),
    ...standing,
  };
}

const SOURCE_COLUMNS = EVENT_SOURCES.map((source) => `views_${source}`);
const VOTE_COLUMNS = ['votes', 'votes_new', 'votes_returning', 'bullish', 'bearish'];
const SHARE_COLUMNS = ['bullish_share', 'interval_low', 'interval_high'];
const VERIFIED_COLUMNS = ['verified_bullish', 'verified_bearish'];
const EVENT_COLUMNS = ['views', ...SOURCE_COLUMNS, 'clicks', 'shares'];
const COLUMNS = ['day', ...EVENT_COLUMNS, ...VOTE_COLUMNS, ...SHARE_COLUMNS, ...VERIFIED_COLUMNS];

const share = (value: number): number => Number(value.toFixed(4));

function toLine(figures: DayFigures): Record<string, unknown> {
  const { views, newVotes, verifiedBullish, verifiedBearish, ...rest } = figures;
  const total = figures.bullish + figures.bearish;
  const { low, high } = wilsonInterval(figures);
  return {
    ...rest,
    views: viewsOf(figures),
    ...Object.fromEntries(EVENT_SOURCES.map((source) => [`views_${source}`, views[source]])),
    votes_new: newVotes,
    votes_returning: figures.votes - newVotes,
    bullish_share: total === 0 ? null : share(figures.bullish / total),
    interval_low: total === 0 ? null : share(low),
    interval_high: total === 0 ? null : share(high),
    verified_bullish: verifiedBullish,
    verified_bearish: verifiedBearish,
  };
}

export async function insightsCsv(services: Services, ref: string, session: SessionUser) {
  const insights = await loadInsights(services, ref, session);
  return { name: `snapswipe-${insights.project.slug}.csv`, csv: toCsv(COLUMNS, dayFigures(insights).map(toLine)) };
}
