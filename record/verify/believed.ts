interface Belief {
  /** The command prints this list, and docs/use/verify.md has the same. */
  what: string;
  /** Numbers of the site that it covers, by their names (figures.test.ts). */
  numbers?: readonly string[];
}

/** Facts that no verifier can compare: the site's own word. */
export const BELIEVED: readonly Belief[] = [
  {
    what: 'what is newer than the record: votes, states, versions, proofs of ownership, grants, burns, and payouts since the last batch, and the number of free wallets meanwhile',
    numbers: ['recount.projects.*.votes', 'recount.size'],
  },
  {
    what: 'what the readings found, and how many wallets did not respond',
    numbers: ['trust.readings.*.wallets', 'trust.readings.*.standing', 'trust.readings.*.unread'],
  },
  { what: 'how much SUI and which age the operator demands of a wallet, and the numbers of the rhythm rule' },
  {
    what: 'which Snaps were granted, burned, or paid, how many accounts hold some, and how long withdrawals take',
    numbers: ['supply.entries', 'supply.holders'],
  },
  { what: "that the wallets behind the reserves are the operator's alone" },
  {
    what: 'who the top voters are, and their totals',
    numbers: ['voters.*.totalVotes', 'voters.*.stats.totalVotes', 'voters.*.user.id'],
  },
  { what: 'whether a listing was paid for, and until when it is listed' },
  { what: 'which wallet of a deleted account proved ownership, and what a blanked or withheld version changed' },
  {
    what: 'how many listings of the last 30 days were hidden, and how many people voted in them',
    numbers: ['reach.listings'],
  },
  { what: 'reviews, replies, names of users, searches, and which projects a list leaves out by a filter' },
  {
    what: 'how pages, drawings, pictures and the feed look, and what they say beside the share, the sample and the data that are compared',
  },
  { what: 'entries of kinds that the verifier does not know' },
];
