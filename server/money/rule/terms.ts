import { MIN_WITHDRAWAL_TOKENS } from '#shared/constants.ts';
import type { Missing, WithdrawalTerms } from '#shared/contract/withdrawals.ts';
import type { Services } from '#server/kit/services.ts';
import { currentWaits } from '../supply/waits.ts';
import { applyRule } from './rule.ts';

/** Terms that a person who approves looks at; the others bind only the rule. */
const FOR_PERSONS: ReadonlySet<Missing> = new Set(['standing', 'excluded_votes', 'paused']);

export async function findTerms({ db, replica, config }: Services, userId: number): Promise<WithdrawalTerms> {
  const smallest = { userId, tokenAmount: MIN_WITHDRAWAL_TOKENS };
  const [waits, { missing, spent }] = await Promise.all([currentWaits(replica), applyRule(db, config, smallest)]);
  const { payoutAutoMaxSnaps: maxSnaps, payoutKey } = config;
  if (maxSnaps === null) return { waits, automatic: null, missing: missing.filter((what) => FOR_PERSONS.has(what)) };
  const leftSnaps = Math.max(0, maxSnaps - spent);
  return { waits, automatic: { maxSnaps, leftSnaps, isPaid: payoutKey !== null }, missing };
}
