import { DAY_MS } from '../charts/days.ts';
import { EXPIRY_NOTICE_DAYS } from '#shared/constants.ts';
import { paths } from '../../lib/paths.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { hasClock, type Listed } from '../values/time-left.tsx';

export const insightsPath = (project: { id: number; slug: string }): string => `${paths.project(project)}/insights`;

export const welcomePath = (slug: string): string => `${insightsPath({ id: 0, slug })}?welcome`;

/** 'Your month', before a payment (R96). */
export const renewPath = (project: { id: number; slug: string }): string => `${insightsPath(project)}?renew`;

/** The last days of a listing, from which on its owner is reminded. */
export const isEnding = (project: Listed): boolean =>
  hasClock(project) && Date.parse(project.expiresAt) - serverNow() < EXPIRY_NOTICE_DAYS * DAY_MS;

export const insightsName = (project: Listed): string => (isEnding(project) ? 'Your month' : 'Insights');
