interface Belief {
  /** The command prints this list, and docs/use/verify.md has the same. */
  what: string;
  /** Numbers of the site that it covers, by their names (figures.test.ts). */
  numbers?: readonly string[];
}

/** Facts that no verifier can compare: the site's own word. */
export const BELIEVED: readonly Belief[] = [
  {
    what: 'what is newer than the record: votes, states, versions, proofs of ownership, grants, burns, and payouts since the last batch',
    numbers: [
      'recount.votesSince',
      'recount.projects.*.since.bullish',
      'recount.projects.*.since.bearish',
      'recount.size',
    ],
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
  {
    what: 'which wallet of a deleted account proved ownership',
  },
  { what: 'how many listings of the last 30 days were hidden', numbers: ['reach.listings'] },
  { what: 'reviews, replies, names of users, and search results' },
  { what: 'pictures, share cards, and how `/trust` and `/supply` are drawn, whose data are compared' },
  { what: 'the number of free wallets while votes are newer than the record' },
  { what: 'entries of kinds that the verifier does not know' },
];
