import { type Selectable, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Payments } from '#db/schema.ts';
import { type Payment, PHASE_OF, type Purpose } from '#shared/contract/payments.ts';
import type { PaymentState } from '#shared/states/payment.ts';
import { micros } from '#server/kit/http/pages.ts';

export interface PaymentRow {
  id: string;
  userId: number;
  walletAddress: string;
  purpose: Purpose;
  state: PaymentState;
  projectId: number | null;
  draft: unknown;
  orderHash: string;
  amountMist: bigint;
  receivedMist: bigint | null;
  /** The wallet shown to the payer. */
  recipient: string | null;
  paidBy: string | null;
  refundedMist: bigint | null;
  refundDigest: string | null;
  digest: string | null;
  transaction: Buffer | null;
  signature: string | null;
  failureCode: string | null;
  message: string | null;
  signedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

export const toRow = (
  row: Omit<Selectable<Payments>, 'amountMist' | 'receivedMist' | 'refundedMist'> & {
    amountMist: string;
    receivedMist: string | null;
    refundedMist: string | null;
    walletAddress: string;
  },
): PaymentRow => ({
  ...row,
  amountMist: BigInt(row.amountMist),
  receivedMist: row.receivedMist === null ? null : BigInt(row.receivedMist),
  refundedMist: row.refundedMist === null ? null : BigInt(row.refundedMist),
});

export function paymentRows(db: Db) {
  return db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.userId')
    .selectAll('payments')
    .select('users.walletAddress')
    .select([
      sql<string>`payments.amount_mist::text`.as('amountMist'),
      sql<string | null>`payments.received_mist::text`.as('receivedMist'),
      sql<string | null>`payments.refunded_mist::text`.as('refundedMist'),
    ]);
}

export function toPayment(row: NamedPayment): Payment {
  return {
    paymentId: row.id,
    purpose: row.purpose,
    state: row.state,
    phase: PHASE_OF[row.state],
    projectId: row.projectId,
    projectName: row.projectName,
    amountMist: row.amountMist.toString(),
    receivedMist: row.receivedMist?.toString() ?? null,
    transactionHash: row.digest,
    note: row.message,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export type NamedPayment = PaymentRow & { projectName: string | null };

export function namedRows(db: Db) {
  return paymentRows(db)
    .leftJoin('projects', 'projects.id', 'payments.projectId')
    .select(sql<string | null>`coalesce(projects.name, payments.draft ->> 'name')`.as('projectName'))
    .select(micros('payments.createdAt').as('time'));
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof namedRows>['executeTakeFirstOrThrow']>>;
export const toNamed = (row: NamedRow): NamedPayment => ({ ...toRow(row), projectName: row.projectName });
