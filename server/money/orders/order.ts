import { MAX_UPDATES_PER_DAY } from '#shared/constants.ts';
import type { Purpose } from '#shared/contract/payments.ts';
import type { ProjectTexts } from '#shared/project-fields.ts';

export type ProjectRecord = ProjectTexts & { imageHash: string };

/** An action on a project that costs a fee, checked and ready to be applied. */
export type Order =
  | { purpose: 'submit'; draft: ProjectRecord }
  | { purpose: 'update'; projectId: number; draft: Partial<ProjectRecord> }
  | { purpose: 'renew'; projectId: number };

export interface Buyer {
  userId: number;
  isAdmin: boolean;
}

/** The transaction that paid; null where the admin pays nothing. */
export interface Receipt {
  digest: string;
  amountMist: bigint;
}

/**
 * Maximum listing periods of a project, some 25 years. The starts of all of them are in one row of an index, which has
 * room for 330. The limit for new payments is lower, so that a renewal that was already paid for finds room even where
 * others came first.
 */
export const MAX_PERIODS = 300;
export const MAX_PAID_PERIODS = 320;

/** Changes within a day: the same for updates that are already paid for. */
export const MAX_PAID_UPDATES_PER_DAY = 2 * MAX_UPDATES_PER_DAY;

/** The order is valid, but the project is deleted, full, changed too often or not the buyer's, or another listing took its name. */
export class CannotApplyError extends Error {
  readonly reason: 'missing' | 'hidden' | 'not_owner' | 'name_taken' | 'full' | 'changed_often';

  constructor(reason: CannotApplyError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A moderator's look at names that look alike (R74). required: there was none yet · overdue: there was none in time, so that it is listed with a marker ·
 * done: the admin or a moderator decided.
 */
export type NameReview = 'required' | 'overdue' | 'done';

/** The name of the order looks like that of another listing: a moderator looks first. */
export class NeedsNameReviewError extends Error {
  /** The name of the other listing. */
  readonly other: string;

  constructor(other: string) {
    super(`The name looks like ${other}`);
    this.other = other;
  }
}

export const NAME_TAKEN = 'Another listing already has this name';

/** The order that a payment is for, as `applyOrder` takes it; null when its project was never one of ours. */
export function orderOf({ purpose, projectId, draft }: PaidFor): Order | null {
  if (purpose === 'submit') return { purpose, draft: draft as ProjectRecord };
  if (projectId === null) return null;
  if (purpose === 'renew') return { purpose, projectId };
  return { purpose, projectId, draft: draft as Partial<ProjectRecord> };
}

interface PaidFor {
  purpose: Purpose;
  projectId: number | null;
  draft: unknown;
}
