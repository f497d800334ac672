import type { Db } from '#db/client.ts';
import type { Overview, OverviewDay, WaitingWork } from '#shared/contract/overview.ts';
import { mayCall, type Role } from '#shared/people/roles.ts';
import type { EndpointName } from '#shared/endpoints.ts';
import { lastBackup } from '#server/kit/backups.ts';
import { readStorage } from '#server/kit/storage.ts';
import type { Services } from '#server/kit/services.ts';
import { lastDays, readDays } from './days.ts';
import { readJobs } from '#server/kit/job-states.ts';
import { type QueueName, readQueue } from './queues.ts';

const DAYS_VALID_MS = 60_000;

const QUEUE_OF: Record<QueueName, EndpointName> = {
  withdrawals: 'listAllWithdrawals',
  payments: 'listAllPayments',
  names: 'listMarked',
  claims: 'listClaims',
  reports: 'listReports',
  appeals: 'listAppeals',
};

function cachedDays({ cache, replica }: Services, days: readonly string[]): Promise<OverviewDay[]> {
  return cache.getOrLoad(`overview:${days.at(-1)}`, [], async () => ({
    value: await readDays(replica, days),
    expiresAtMs: Date.now() + DAYS_VALID_MS,
  }));
}

async function backupOf(db: Db): Promise<Overview['backup']> {
  const last = await lastBackup(db);
  return { last: last && { kind: last.kind, finishedAt: last.finishedAt.toISOString(), bytes: last.bytes } };
}

export async function readOverview(services: Services, role: Role): Promise<Overview> {
  const { db } = services;
  const days = await lastDays(db);
  const queue = (name: QueueName): Promise<WaitingWork> | null =>
    mayCall(role, QUEUE_OF[name]) ? readQueue(db, name) : null;
  const isOwner = role === 'owner';
  const [withdrawals, payments, names, claims, reports, appeals, counted, jobs, storage, backup] = await Promise.all([
    queue('withdrawals'),
    queue('payments'),
    queue('names'),
    queue('claims'),
    queue('reports'),
    queue('appeals'),
    isOwner ? cachedDays(services, days) : null,
    isOwner ? readJobs(services, Date.now()) : null,
    isOwner ? readStorage(db) : null,
    isOwner ? backupOf(db) : null,
  ]);
  const queues = { withdrawals, payments, names, claims, reports, appeals };
  return { role, asOf: new Date().toISOString(), queues, days: counted, jobs, storage, backup };
}
