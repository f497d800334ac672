import type { Project } from '#shared/contract/types.ts';
import { timeLeft } from '#shared/rules.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { LiveTime, type LiveTimeProps } from './live-time.tsx';

export type Listed = Pick<Project, 'listing' | 'expiresAt' | 'period' | 'periodEndsAt'>;

/** Whether a listing of the catalogue is extended every day (R72): until its owner first renews it. */
export const isKeptInCatalogue = ({ listing, expiresAt, period, periodEndsAt }: Listed): boolean =>
  listing.source === 'catalogue' &&
  (listing.ownership === 'unclaimed' || (period === 1 && periodEndsAt === expiresAt)) &&
  Date.parse(expiresAt) > serverNow();

/** The clock of a kept listing would never end. */
export const hasClock = (project: Listed): boolean => !isKeptInCatalogue(project);

export const TimeLeft = (props: LiveTimeProps) => <LiveTime {...props} textOf={timeLeft} />;
