import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { VOTE_STATES, VOTER_STATES } from '../states/votes.ts';
import { inPages } from './pages.ts';
import { Id, IdParam, MistText, Ok, Reason, Time, VoteType } from './types.ts';

export const VoterState = z.enum(VOTER_STATES);
export const VoteState = z.enum(VOTE_STATES);
const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

/** The published rules with the numbers of this server (R37 to R39). */
export const StandingRules = z.object({
  /** Balance that a wallet needs in both readings of a day, in MIST. */
  minMist: MistText,
  minDays: z.int(),
  /** Days with enough SUI that a young vote needs, of the last `windowDays` days that the site read. */
  neededDays: z.int(),
  windowDays: z.int(),
  /** This many days on which the wallet was asked without a response count as held. */
  excusedDays: z.int(),
  /** A vote is decided for good by this many days after its own. Its wallet is read until then, and hashes of networks are kept as long. */
  voterDays: z.int(),
  /** This many days must have been read, with enough SUI on more than half of them. */
  decisionMinDays: z.int(),
  /** Thresholds of the rhythm rule (server/figures/standing/rhythm-rule.ts). */
  rhythm: z.object({
    minVotes: z.int(),
    /** Share of a wallet's votes that another wallet must have cast in the same order and direction. */
    orderShare: z.number(),
    minAlike: z.int(),
    /** Maximum probability that any other wallet of the network is alike by chance. */
    maxChance: z.number(),
    /** Minimum share of its order that another wallet must have cast before it. A wallet that followed none keeps its votes. */
    leadShare: z.number(),
    minPacedVotes: z.int(),
    /** Pauses between votes that differ by less than this share of their mean count as clockwork. */
    maxPaceSpread: z.number(),
  }),
});
export type StandingRules = z.output<typeof StandingRules>;

/** Votes by state; all except `verified`, `waiting` and `replaced` are excluded. */
const Counted = {
  votes: z.int(),
  verified: z.int(),
  waiting: z.int(),
  /** Excluded for good: the wallet held too little in the 35 days after the vote. */
  noStanding: z.int(),
  rhythm: z.int(),
  moderator: z.int(),
  /** A newer vote of the same user on the project counts instead (R45). */
  replaced: z.int(),
};

export const Trust = z.object({
  ...Counted,
  /** Votes by the day on which they were cast, oldest first; the last 35 days. */
  days: z.array(z.object({ day: Day, ...Counted })),
  /** Days of readings, newest first, the last 35. `skipped` is the reason why a day counts neither for nor against any wallet. */
  readings: z.array(
    z.object({
      day: Day,
      skipped: z.string().nullable(),
      wallets: z.int(),
      standing: z.int(),
      unread: z.int(),
    }),
  ),
  readingsDone: z.int(),
  readingsSkipped: z.int(),
  rules: StandingRules,
  /**
   * Wallets without SUI that bring the last project with a rank to the top of each order; null if no number does, 0 if
   * it is the only one (R27).
   */
  freeWallets: z.object({ bullish: z.int().nullable(), verified: z.int().nullable() }),
  day: z.iso.date().nullable(),
});
export type Trust = z.output<typeof Trust>;

export const getTrust = endpoint('getTrust', {
  access: 'public',
  summary: 'Votes by state and day, balance readings, and the rules with their numbers',
  response: Trust,
});

/** Days that the reach of a new listing looks back, and those of a listing's first week. */
export const REACH_DAYS = 30;
export const FIRST_DAYS = 7;

export const Reach = z.object({
  /** The last closed day. */
  day: z.iso.date().nullable(),
  /** Users who voted, changed or confirmed a vote in the last 30 days. */
  voters: z.int(),
  /** Listings of the last 30 days whose first week is over, and the median of their votes in it. */
  listings: z.int(),
  firstWeekVotes: z.int().nullable(),
});
export type Reach = z.output<typeof Reach>;

export const getReach = endpoint('getReach', {
  access: 'public',
  summary: 'What a new listing may expect, from the last 30 days of this site; at most an hour old',
  response: Reach,
});

export const Appeal = z.object({
  id: Id,
  text: z.string(),
  createdAt: Time,
  answer: z.string().nullable(),
  answeredAt: Time.nullable(),
});
export type Appeal = z.output<typeof Appeal>;

export const Standing = z.object({
  state: VoterState,
  /** The earliest moment at which votes can be verified: the first sign-in and `rules.minDays` days. */
  oldEnoughAt: Time,
  /** The last `windowDays` that the site read, oldest first. */
  days: z.array(z.object({ day: Day, result: z.enum(['held', 'not_held', 'unread']) })),
  /** The user's votes that no newer one replaces: verified, not verified yet, excluded; and the number of them that are not decided for good. */
  votes: z.object({ verified: z.int(), waiting: z.int(), excluded: z.int(), undecided: z.int() }),
  rules: StandingRules,
  appeal: Appeal.nullable(),
});
export type Standing = z.output<typeof Standing>;

export const getStanding = endpoint('getStanding', {
  access: 'self',
  summary: "The state of the session's wallet by its balance readings, and what would change it",
  params: IdParam,
  response: Standing,
});

export const postAppeal = endpoint('postAppeal', {
  access: 'user',
  summary:
    'Appeal against the exclusion of votes (one open appeal at a time), or with projectId against hiding your paid listing (once, R80)',
  status: 201,
  body: z.object({ text: z.string().max(5000), projectId: Id.optional() }),
  statuses: {
    404: 'You have no such listing',
    409: 'Your last appeal is still open, or none of your votes are excluded; the listing is shown, was free, or was appealed before',
  },
  response: Appeal,
});

/** The newest fee of a listing: that of its order or its last renewal. */
export const ListingFee = z.object({
  paymentId: z.string(),
  amountMist: MistText,
  paidBy: z.string(),
  /** The refund; null without one. */
  refundedMist: MistText.nullable(),
  refundTransactionHash: z.string().nullable(),
});
export type ListingFee = z.output<typeof ListingFee>;

export const AdminAppeal = Appeal.extend({
  userId: Id,
  username: z.string().nullable(),
  walletAddress: z.string(),
  standing: VoterState,
  votes: z.int(),
  noStanding: z.int(),
  rhythm: z.int(),
  moderator: z.int(),
  /** The listing of the appeal, with its fee; null for an appeal about votes. */
  project: z
    .object({
      id: Id,
      slug: z.string(),
      name: z.string(),
      hiddenReason: z.string().nullable(),
      fee: ListingFee.nullable(),
    })
    .nullable(),
});
export type AdminAppeal = z.output<typeof AdminAppeal>;

export const listAppeals = endpoint('listAppeals', {
  access: 'admin',
  summary: 'Appeals: open ones oldest first, answered ones newest first',
  ...inPages({ size: 50, max: 500 }, { state: z.enum(['open', 'answered']).default('open') }),
  response: z.array(AdminAppeal),
});

export const answerAppeal = endpoint('answerAppeal', {
  access: 'admin',
  summary: 'Answer an appeal; its author sees the answer in the activity list and under the bell',
  params: IdParam,
  body: z.object({ answer: Reason }),
  statuses: { 409: 'It is already answered' },
  response: AdminAppeal,
});

export const ModeratedVote = z.object({
  userId: Id,
  username: z.string().nullable(),
  walletAddress: z.string(),
  project: z.object({ id: Id, slug: z.string(), name: z.string() }),
  period: z.int(),
  voteType: VoteType,
  createdAt: Time,
  state: VoteState,
  detail: z.string().nullable(),
});
export type ModeratedVote = z.output<typeof ModeratedVote>;

export const listModeratedVotes = endpoint('listModeratedVotes', {
  access: 'admin',
  summary: 'Votes excluded one by one, newest decision first; with voterId, all votes of that user',
  ...inPages({ size: 50, max: 500 }, { voterId: z.coerce.number().int().positive().optional() }),
  response: z.array(ModeratedVote),
});

export const moderateVote = endpoint('moderateVote', {
  access: 'admin',
  summary:
    "Exclude a user's votes on a project, or count them again (also those that the rhythm rule excluded); the voter sees the reason",
  params: IdParam,
  body: z.object({ projectId: Id, aside: z.boolean(), reason: Reason }),
  response: Ok,
});

export const readStandingNow = endpoint('readStandingNow', {
  access: 'admin',
  summary: 'Read all balances twice now, as the daily job does; only on a local chain (the demo)',
  statuses: { 409: "Today's balances have been read, or cannot be" },
  response: z.object({ wallets: z.int(), standing: z.int(), unread: z.int() }),
});
