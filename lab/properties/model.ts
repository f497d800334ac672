import { RENEW_FEE_MIST, SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { ProjectDraft } from '#shared/contract/projects.ts';
import type { Signed } from '../testing/chain.ts';
import type { TestUser } from '../testing/client.ts';

export type Purpose = 'submit' | 'update' | 'renew';

export const FEES: Record<Purpose, bigint> = {
  submit: SUBMIT_FEE_MIST,
  update: UPDATE_FEE_MIST,
  renew: RENEW_FEE_MIST,
};

export interface Order {
  user: TestUser;
  purpose: Purpose;
  draft: ProjectDraft;
  projectId: number | null;
  paymentId: string | null;
  signed: Signed | null;
}

export interface KnownWithdrawal {
  userId: number;
  amount: number;
  state: 'requested' | 'approved' | 'paid' | 'rejected';
}

interface KnownVote {
  period: number;
  /** Directions of the vote, as cast and after each change; the last one counts. */
  said: [boolean, ...boolean[]];
}

/** Facts shown to users, from which everything stored must follow. */
export class Model {
  readonly balances = new Map<number, number>();
  /** Votes that were confirmed as counted and not as undone, by '<user>-<project>', newest last. */
  readonly votes = new Map<string, KnownVote[]>();
  readonly window = new Map<number, number>();
  readonly periods = new Map<number, number>();
  readonly orders: Order[] = [];
  /** Digests that are on chain, with the order that each was made for. */
  readonly paid = new Map<string, Order>();
  /** Digests whose order was confirmed as done. */
  readonly fulfilled = new Map<string, Order>();
  /** The project of each user's newest vote, while that can be undone. */
  readonly undoable = new Map<number, number>();
  /** How many votes each user has taken back; a run is shorter than the time in which they count. */
  readonly undone = new Map<number, number>();
  readonly withdrawals = new Map<number, KnownWithdrawal>();
  /** Idempotency keys that were used, as '<user>-<key>', with their withdrawal. */
  readonly keys = new Map<string, number>();

  earn(userId: number, tokens: number): void {
    this.balances.set(userId, this.balanceOf(userId) + tokens);
  }

  use(userId: number, votes: 1 | -1): void {
    this.window.set(userId, (this.window.get(userId) ?? 0) + votes);
  }

  votesOf(userId: number, projectId: number): KnownVote[] {
    const name = `${userId}-${projectId}`;
    const votes = this.votes.get(name) ?? [];
    this.votes.set(name, votes);
    return votes;
  }

  periodOf(projectId: number): number {
    return this.periods.get(projectId) ?? 1;
  }

  balanceOf(userId: number): number {
    return this.balances.get(userId) ?? 0;
  }
}
