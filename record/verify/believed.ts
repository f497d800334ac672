interface Belief {
  /** The command prints this list, and docs/use/verify.md has the same. */
  what: string;
  /** Numbers of the site that the belief covers, by their names (figures.test.ts). */
  numbers?: readonly string[];
  /** Addresses that show what is believed, and are not read (server/record/verify.test.ts). */
  routes?: readonly string[];
}

/** Facts that no verifier can compare: the site's own word. */
export const BELIEVED: readonly Belief[] = [
  {
    what: 'what is newer than the record: votes, states, versions, proofs of ownership, grants, burns, and payouts since the last batch, and the number of free wallets with them',
    numbers: ['recount.projects.*.votes', 'recount.size'],
  },
  {
    what: 'what the readings found, and how many wallets did not respond',
    numbers: ['trust.readings.*.wallets', 'trust.readings.*.standing', 'trust.readings.*.unread'],
  },
  { what: 'how much SUI and which age the operator demands of a wallet, and the numbers of the rhythm rule' },
  {
    what: 'which Snaps were granted, burned, paid by hand, or lost by a restore, how many accounts hold some, and how long withdrawals take',
    numbers: ['supply.entries', 'supply.holders'],
  },
  {
    what: "that the wallets behind the reserves are the operator's alone, and that the package of a Book does as its source says",
  },
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
  {
    what: 'reviews, replies, names of users, searches, and which projects a filter or a choice leaves out',
    routes: [
      '/api/projects/:id/reviews',
      '/api/v1/projects/:id/reviews',
      '/api/v1/listed',
      '/api/projects/:id/similar',
    ],
  },
  {
    what: "addresses of the page's own under `/api` that `/api/v1` has as well, redirects, and how pages, drawings, pictures, the feed, and texts for machines look and what they say beside the share",
    routes: [
      '/api/projects/:id/trend',
      '/api/projects/:id/versions',
      '/api/trust',
      '/api/v1/record/checkpoints',
      '/api/openapi.json',
      '/coins/*',
      '/badge/coin/*',
      '/embed/coin/*',
      '/feed.xml',
      '/llms.txt',
      '/images/:name',
      '/og/projects/:file',
      '/og/site.jpg',
      '/og/leaderboard.jpg',
      '/sitemap.xml',
    ],
  },
  { what: 'entries of kinds that the verifier does not know' },
];
