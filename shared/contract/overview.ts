import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { ROLES } from '../people/roles.ts';
import { MistText, Time } from './types.ts';

export const OverviewDay = z.object({
  day: z.string(),
  /** Counted every few minutes, without undone votes. */
  votes: z.int(),
  users: z.int(),
  revenueMist: MistText,
  issued: z.int(),
  burned: z.int(),
});
export type OverviewDay = z.output<typeof OverviewDay>;

export const WaitingWork = z.object({ open: z.int(), oldestAt: Time.nullable() });
export type WaitingWork = z.output<typeof WaitingWork>;

export const JobState = z.object({
  name: z.string(),
  startedAt: Time.nullable(),
  succeededAt: Time.nullable(),
  durationMs: z.int().nullable(),
  error: z.string().nullable(),
  isLate: z.boolean(),
});
export type JobState = z.output<typeof JobState>;

const Backup = z.object({ kind: z.enum(['dump', 'physical']), finishedAt: Time, bytes: z.int().nullable() });
const StorageFigure = z.object({ name: z.string(), bytes: z.int(), bytesPerDay: z.int().nullable() });

/** Null for everything that the role may not see. */
export const Overview = z.object({
  role: z.enum(ROLES),
  asOf: Time,
  queues: z.object({
    withdrawals: WaitingWork.nullable(),
    payments: WaitingWork.nullable(),
    names: WaitingWork.nullable(),
    claims: WaitingWork.nullable(),
    reports: WaitingWork.nullable(),
    appeals: WaitingWork.nullable(),
  }),
  days: z.array(OverviewDay).nullable(),
  jobs: z.array(JobState).nullable(),
  storage: z.array(StorageFigure).nullable(),
  backup: z.object({ last: Backup.nullable() }).nullable(),
});
export type Overview = z.output<typeof Overview>;

export const getOverview = endpoint('getOverview', {
  access: 'admin',
  summary: 'Open work, figures of the last 90 days, and the state of the server, as far as the role may see them',
  response: Overview,
});
