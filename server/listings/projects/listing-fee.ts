import { type RawBuilder, sql } from 'kysely';
import type { ListingFee } from '#shared/contract/standing.ts';

/** Failure code of a fee refunded because its listing was hidden. */
export const LISTING_HIDDEN = 'listing_hidden';
/** Failure code of a fee of which the rest was refunded because its listing was taken over (R72). */
export const TAKEN_OVER = 'taken_over';

/** Newest fee of a listing, possibly refunded after an appeal (R80); null for a free listing. */
export const listingFee = (projectId: RawBuilder<unknown>) => sql<ListingFee | null>`(
  SELECT json_build_object('paymentId', f.id, 'amountMist', coalesce(f.received_mist, f.amount_mist)::text,
    'paidBy', coalesce(f.paid_by, payer.wallet_address),
    'refundedMist', f.refunded_mist::text, 'refundTransactionHash', f.refund_digest)
  FROM payments f JOIN users payer ON payer.id = f.user_id
  WHERE f.project_id = ${projectId} AND f.purpose IN ('submit', 'renew')
    AND (f.state = 'fulfilled' OR f.state = 'refunded' AND f.failure_code = ${sql.lit(LISTING_HIDDEN)})
  ORDER BY f.created_at DESC, f.id DESC LIMIT 1)`;
