import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { Digest, Id, Ok, Reason, Time, WalletAddress } from './types.ts';

/**
 * Progress of reading a wallet's history. complete: up to the present · reading: not finished · behind: the node may
 * not show the newest · unreachable: it does not respond · pruned: it no longer has the next part.
 */
export const SCAN_STATES = ['complete', 'reading', 'behind', 'unreachable', 'pruned'] as const;
export type ScanState = (typeof SCAN_STATES)[number];

/**
 * unexplained: payouts wait for it · adopted: a withdrawal is paid by it · internal: to another paying wallet ·
 * explained: by the owner.
 */
export const TRANSFER_STATES = ['unexplained', 'adopted', 'internal', 'explained'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/**
 * Why a transfer fits no withdrawal. not_requested: its recipient has the balance for it, and no request · on_its_way:
 * a sent payout without a result may pay the same.
 */
export const TRANSFER_CAUSES = [
  'unknown_wallet',
  'no_withdrawal_amount',
  'balance_too_low',
  'not_requested',
  'on_its_way',
] as const;
export type TransferCause = (typeof TRANSFER_CAUSES)[number];

const WalletHistory = z.object({
  walletAddress: z.string(),
  state: z.enum(SCAN_STATES),
  checkpoint: z.int(),
  tip: z.int(),
  lowest: z.int(),
  scannedAt: Time,
  completedAt: Time.nullable(),
});

export const PayoutHistory = z.object({
  /** false without a payout coin: payouts by hand cannot be read. */
  isRead: z.boolean(),
  waiting: z.int(),
  unread: z.int(),
  /** The moments between which a restore of the database may have lost payouts. */
  lostFrom: Time.nullable(),
  lostUntil: Time.nullable(),
  wallets: z.array(WalletHistory),
});
export type PayoutHistory = z.output<typeof PayoutHistory>;

export const getPayoutHistory = endpoint('getPayoutHistory', {
  access: 'admin',
  summary: 'How far the transactions of the paying wallets have been read (R56)',
  response: PayoutHistory,
});

export const readPayoutHistory = endpoint('readPayoutHistory', {
  access: 'admin',
  summary: 'Read the transactions of the paying wallets now',
  response: PayoutHistory,
});

export const confirmPayoutHistory = endpoint('confirmPayoutHistory', {
  access: 'admin',
  summary: 'Skip the part of a history that the node no longer has, with a reason for the audit log',
  body: z.object({ wallet: WalletAddress, reason: Reason }),
  statuses: { 409: 'No part of this history is missing' },
  response: PayoutHistory,
});

export const OutgoingTransfer = z.object({
  id: Id,
  digest: Digest,
  walletAddress: z.string(),
  recipient: z.string(),
  userId: Id.nullable(),
  username: z.string().nullable(),
  amountUnits: z.string(),
  tokenAmount: z.int().nullable(),
  executedAt: Time,
  state: z.enum(TRANSFER_STATES),
  cause: z.enum(TRANSFER_CAUSES).nullable(),
  withdrawalId: Id.nullable(),
  reason: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: Time.nullable(),
});
export type OutgoingTransfer = z.output<typeof OutgoingTransfer>;

export const listTransfers = endpoint('listTransfers', {
  access: 'admin',
  summary: 'Transfers of the paying wallets that matched no payout, newest first',
  ...inPages({ size: 20, max: 100 }, { state: z.enum(TRANSFER_STATES).default('unexplained') }),
  response: z.array(OutgoingTransfer),
});

export const decideTransfers = endpoint('decideTransfers', {
  access: 'admin',
  summary: 'Explain transfers, or record them as withdrawals, with a reason for the audit log; all or none',
  body: z.object({ ids: z.array(Id).min(1).max(100), as: z.enum(['explained', 'withdrawal']), reason: Reason }),
  statuses: { 409: 'One of the transfers is not open, or cannot be a withdrawal' },
  response: Ok,
});
