/** Every kind of ledger entry: what burned the Snaps, as readers see it; null if none are burned. */
export const BURNED_BY = {
  vote_reward: null,
  vote_undone: null,
  grant: null,
  withdrawal_hold: null,
  hold_release: null,
  payout: null,
  review_burn: 'reviews',
  sentence_burn: 'one-sentence reviews',
  account_burn: 'deleted accounts',
} as const;
