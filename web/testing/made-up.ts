import { type Payment, PHASE_OF } from '#shared/contract/payments.ts';
import type { Project } from '#shared/contract/types.ts';

const TIME = '2026-01-01T12:00:00.000Z';

/** A project as the contract describes it, for tests of the page; told apart by its number. */
export const projectOf = (id: number, changes: Partial<Project> = {}): Project => ({
  id,
  slug: `project-${id}`,
  name: `Project ${id}`,
  category: 'DeFi',
  description: 'Made up',
  imageUrl: `/images/${id}.webp`,
  twitterHandle: `project_${id}`,
  website: null,
  submittedBy: `0x${'0'.repeat(64)}`,
  transactionHash: null,
  createdAt: TIME,
  expiresAt: '2026-02-01T12:00:00.000Z',
  bullishCount: 0,
  bearishCount: 0,
  totalVotes: 0,
  ...changes,
});

/** A payment for a renewal in this state. */
export const paymentOf = (state: Payment['state'], changes: Partial<Payment> = {}): Payment => ({
  paymentId: 'p1',
  purpose: 'renew',
  state,
  phase: PHASE_OF[state],
  projectId: 3,
  projectName: 'Coral',
  amountMist: '15000000000',
  receivedMist: null,
  transactionHash: null,
  note: null,
  createdAt: TIME,
  updatedAt: TIME,
  ...changes,
});
