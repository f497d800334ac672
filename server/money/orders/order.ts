import type { Purpose } from '#shared/contract/payments.ts';
import type { ProjectTexts } from '#shared/listings/project-fields.ts';

export type ProjectRecord = ProjectTexts & { imageHash: string };

export type Order =
  | { purpose: 'submit'; draft: ProjectRecord }
  | { purpose: 'update'; projectId: number; draft: Partial<ProjectRecord> }
  | { purpose: 'renew'; projectId: number };

export interface Buyer {
  userId: number;
  isAdmin: boolean;
}

export interface Receipt {
  digest: string;
  amountMist: bigint;
}

/**
 * Some 25 years. The starts of all periods are in one row of an index, which has room for 330. New payments have a
 * lower limit, so that a paid renewal always finds room.
 */
export const MAX_PERIODS = 300;
export const MAX_PAID_PERIODS = 320;

export class CannotApplyError extends Error {
  readonly reason:
    | 'missing'
    | 'claimed'
    | 'hidden'
    | 'not_owner'
    | 'name_taken'
    | 'full'
    | 'changed_often'
    | 'proven_elsewhere';

  constructor(reason: CannotApplyError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export const NAME_TAKEN = 'Another listing already has this name';

/** Null when the payment's project was never one of ours. */
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
