interface Belief {
  /** As the command prints it; docs/use/verify.md lists the same. */
  what: string;
  /** Numbers of the site that it covers, by their names (figures.test.ts). */
  numbers?: readonly string[];
}

/** What a site shows and no verifier can compare: its own word. */
export const BELIEVED: readonly Belief[] = [
  {
    what: 'what is newer than the record: votes, states, burns, payouts, and grants since the last batch',
    numbers: [
      'recount.votesSince',
      'recount.projects.*.since.bullish',
      'recount.projects.*.since.bearish',
      'recount.size',
      'trust.restored',
    ],
  },
  {
    what: 'what the readings found, and how many wallets did not respond',
    numbers: ['trust.readings.*.wallets', 'trust.readings.*.standing', 'trust.readings.*.unread'],
  },
  { what: 'how much SUI, and how old a wallet, the operator demands, and the numbers of the rhythm rule' },
  {
    what: 'which Snaps were granted, burned, or paid, how many accounts hold some, and how long withdrawals wait',
    numbers: ['supply.entries', 'supply.holders'],
  },
  {
    what: 'who the top voters are, and their totals',
    numbers: ['voters.*.totalVotes', 'voters.*.stats.totalVotes', 'voters.*.user.id'],
  },
  { what: 'how a listing came about, since when, and until when it is paid for' },
  { what: 'reviews and replies, names of users, and search results' },
  { what: 'pictures, share cards (`/og/`), and the drawing of `/trust` and `/supply`, whose data are compared' },
];
