import { sql } from 'kysely';

/** An amount as a bigint column takes it, without floating point (R20). */
export const toBigint = (amount: bigint) => sql<number>`${amount.toString()}::bigint`;
