import type { Overview } from '#shared/contract/overview.ts';
import type { WithdrawalRisk } from '#shared/contract/admin.ts';
import type { DailyCard, DailyDeck } from '#shared/contract/daily-deck.ts';
import { type Payment, PHASE_OF } from '#shared/contract/payments.ts';
import type { OwnProject, ProjectPage } from '#shared/contract/projects.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import type { Review } from '#shared/contract/reviews.ts';
import type { Standing, StandingRules, Trust } from '#shared/contract/standing.ts';
import type { Project, ReasonFigures, User, UserStats, VotingStatus } from '#shared/contract/types.ts';
import type { Activity, CallSummary, VoteHistoryItem } from '#shared/contract/users.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { MADE_TIME, madeConfig, madeProject } from '#shared/testing/site.ts';
import { ApiError } from '../lib/api-error.ts';
import type { OpenOrder } from '../payments/journal.ts';
import type { LastVote } from '../voting/last-vote.ts';

export const TIME = MADE_TIME;

export const projectOf = (id: number, changes: Partial<Project> = {}): Project => ({
  ...madeProject(id, 0, 0),
  imageUrl: `/images/${id}.webp`,
  twitterHandle: `project_${id}`,
  submittedBy: `0x${'0'.repeat(64)}`,
  expiresAt: '2026-02-01T12:00:00.000Z',
  periodEndsAt: '2026-02-01T12:00:00.000Z',
  ...changes,
});

export const projectPageOf = (id: number, changes: Partial<ProjectPage> = {}): ProjectPage => ({
  ...projectOf(id),
  bullishPercentage: 0,
  hidden: false,
  now: null,
  changes: 0,
  reasons: [],
  nextAbove: null,
  standingMinMist: '1000000000',
  ...changes,
});

export const reasonsOf = (changes: Partial<ReasonFigures> = {}): ReasonFigures => ({
  day: '2026-03-29',
  group: 'verified',
  direction: 'bearish',
  voters: 41,
  team: 9,
  product: 0,
  token: 17,
  risk: 4,
  community: 12,
  ...changes,
});

export const RISK: WithdrawalRisk = {
  standing: 'standing',
  votes: 40,
  verified: 30,
  excluded: 0,
  voteDays: 5,
  votesPerMinute: 6.5,
  sameNetwork: 0,
  equalVotes: 0,
};

export const dailyOf = (cards: DailyDeck['cards'] = [], changes: Partial<DailyDeck> = {}): DailyDeck => ({
  day: '2026-01-01',
  cards,
  streak: 2,
  votesReturnAt: null,
  earlierVotes: [],
  ...changes,
});

export const dailyCardOf = (id: number, changes: Partial<DailyCard> = {}): DailyCard => ({
  projectId: id,
  kind: 'feed',
  name: `Project ${id}`,
  imageUrl: `/images/${id}.webp`,
  project: projectOf(id),
  asksAbout: null,
  vote: null,
  ...changes,
});

export const ownVoteOf = (voteType: 'bullish' | 'bearish', bullishCount = 37, bearishCount = 6) => ({
  vote: { voteType, period: 1, createdAt: TIME, since: TIME, saidAt: TIME },
  canVote: 'voted' as const,
  changeableFrom: null,
  undoableUntil: null,
  result: { bullishCount, bearishCount },
});

export const NOT_VOTED = {
  vote: null,
  canVote: 'yes' as const,
  changeableFrom: null,
  undoableUntil: null,
  result: null,
};

/** The response to a vote that counts. */
export const countedVote = (
  totalVotes: number,
  changes: { votingStatus?: VotingStatus; congratulation?: number } = {},
) => ({
  userStats: statsOf(totalVotes),
  votingStatus: votingStatusOf(totalVotes, null),
  tokensEarned: 10,
  congratulation: null,
  ...changes,
});

/** A vote in the list of the user's own votes. */
export const historyVoteOf = (
  id: number,
  { opinions, ...changes }: Partial<VoteHistoryItem> = {},
): VoteHistoryItem => ({
  id: `${USER.id}-${id}`,
  voteType: 'bullish',
  tokensEarned: 10,
  createdAt: TIME,
  since: TIME,
  saidAt: TIME,
  changeableFrom: null,
  period: 1,
  opinions: opinions ?? [{ voteType: changes.voteType ?? 'bullish', saidAt: changes.saidAt ?? TIME, identity: 1 }],
  counts: true,
  state: 'verified',
  when: null,
  detail: null,
  call: null,
  project: { id, slug: `project-${id}`, name: `Project ${id}`, category: 'DeFi', imageUrl: `/images/${id}.webp` },
  ...changes,
});

export const callsOf = (changes: Partial<CallSummary> = {}): CallSummary => ({
  calls: 22,
  withMajority: 14,
  early: 6,
  days: [],
  asOf: '2026-01-07',
  since: null,
  given: 41,
  moved: 0,
  movedVotes: [],
  ...changes,
});

export const apiErrorOf = (
  status: number,
  code = 'x',
  serverMessage = 'Why',
  { field = null, retryAfterS = null }: { field?: string | null; retryAfterS?: number | null } = {},
): ApiError => new ApiError({ status, code, serverMessage, field, retryAfterS, body: null });

export const reviewOf = (id: number, changes: Partial<Review> = {}): Review => ({
  id,
  content: `Word ${id}`,
  createdAt: TIME,
  user: { username: `user${id}`, walletAddress: ADDRESS, avatarUrl: null },
  reply: null,
  ...changes,
});

export const activityOf = (id: number, changes: Partial<Activity> = {}): Activity => ({
  id,
  kind: 'review_posted',
  text: `Line ${id}`,
  tokens: 0,
  amountMist: null,
  digest: null,
  projectSlug: null,
  createdAt: TIME,
  ...changes,
});

export const withdrawalOf = (id: number, changes: Partial<Withdrawal> = {}): Withdrawal => ({
  id,
  tokenAmount: 1000 + id,
  walletAddress: ADDRESS,
  state: 'requested',
  digest: null,
  paidEarlier: false,
  reason: null,
  createdAt: TIME,
  updatedAt: TIME,
  ...changes,
});

export const lastVoteOf = (changes: Partial<LastVote> = {}): LastVote => ({
  id: 1,
  userId: USER.id,
  project: projectOf(1),
  voteType: 'bullish',
  lastTime: null,
  undoUntilMs: performance.now() + 60_000,
  phase: 'open',
  isCounted: true,
  result: null,
  before: null,
  pile: [],
  ...changes,
});

export const paymentOf = (state: Payment['state'], changes: Partial<Payment> = {}): Payment => ({
  paymentId: 'p1',
  purpose: 'renew',
  state,
  phase: PHASE_OF[state],
  projectId: 3,
  projectName: 'Coral',
  amountMist: '15000000000',
  receivedMist: null,
  transactionHash: null,
  note: null,
  createdAt: TIME,
  updatedAt: TIME,
  ...changes,
});

export const openOrderOf = (changes: Partial<OpenOrder> = {}): OpenOrder => ({
  userId: 7,
  paymentId: 'p1',
  purpose: 'renew',
  projectId: 3,
  name: 'Coral',
  amountMist: '15000000000',
  phase: 'unsent',
  proof: { bytes: 'AA==', signature: 'BB==' },
  ...changes,
});

export const ADDRESS = `0x12${'0'.repeat(58)}cdef`;

export const USER: User = {
  id: 7,
  username: null,
  walletAddress: ADDRESS,
  avatarUrl: null,
  twitterLink: null,
  telegramLink: null,
  discordLink: null,
};

export const STATS: UserStats = {
  tokenBalance: 120,
  totalVotes: 12,
  bullishVotes: 9,
  bearishVotes: 3,
  currentStreak: 2,
  bullishPercentage: 75,
  tokensEarned: 1120,
  streak: 2,
};

export const statsOf = (totalVotes: number): UserStats => ({
  tokenBalance: totalVotes * 10,
  totalVotes,
  bullishVotes: totalVotes,
  bearishVotes: 0,
  currentStreak: 1,
  bullishPercentage: 100,
  tokensEarned: totalVotes * 10,
  streak: 1,
});

export const votingStatusOf = (totalVotes: number, periodEndsAt: string | null): VotingStatus => ({
  votesRemaining: 25 - totalVotes,
  totalVotes,
  totalVotesAllowed: 25,
  periodEndsAt,
});

export const SITE = madeConfig({
  origin: 'http://localhost:3000',
  rpcUrl: 'http://localhost:1',
  adminWallet: `0x${'a'.repeat(64)}`,
  explorerUrl: 'https://explorer.example/',
});

/** The page's own user is the admin. */
export const ADMIN: User = { ...USER, walletAddress: SITE.adminWallet, role: 'owner' };

export const OVERVIEW: Overview = {
  role: 'owner',
  asOf: TIME,
  queues: {
    withdrawals: { open: 0, oldestAt: null },
    payments: { open: 0, oldestAt: null },
    reports: { open: 0, oldestAt: null },
    names: { open: 0, oldestAt: null },
    claims: { open: 0, oldestAt: null },
    appeals: { open: 0, oldestAt: null },
  },
  days: [],
  jobs: [],
  storage: [],
  backup: { last: null },
};

export const ownProjectOf = (id: number, changes: Partial<OwnProject> = {}): OwnProject => ({
  ...projectOf(id, { submittedBy: ADDRESS, expiresAt: new Date(Date.now() + 10 * 86_400_000).toISOString() }),
  hiddenReason: null,
  canAppeal: false,
  appeal: null,
  refund: null,
  ...changes,
});

export const RULES: StandingRules = {
  minMist: '1000000000',
  minDays: 7,
  neededDays: 6,
  windowDays: 7,
  excusedDays: 1,
  voterDays: 35,
  decisionMinDays: 10,
  rhythm: {
    minVotes: 6,
    orderShare: 0.8,
    minAlike: 2,
    maxChance: 0.001,
    leadShare: 0.6,
    minPacedVotes: 8,
    maxPaceSpread: 0.05,
  },
};

/** Days up to the first of 2026: # held enough · _ did not · . not read. */
export const daysOf = (signs: string): Standing['days'] =>
  Array.from(signs, (sign, index) => ({
    day: new Date(Date.UTC(2026, 0, 2 - signs.length + index)).toISOString().slice(0, 10),
    result: sign === '#' ? 'held' : sign === '_' ? 'not_held' : 'unread',
  }));

export const standingOf = (changes: Partial<Standing> = {}): Standing => ({
  state: 'standing',
  oldEnoughAt: TIME,
  days: daysOf('#_#####'),
  votes: { verified: 12, waiting: 0, excluded: 0, undecided: 5 },
  rules: RULES,
  appeal: null,
  ...changes,
});

const COUNTED = { votes: 105, verified: 60, waiting: 20, noStanding: 15, rhythm: 4, moderator: 1, replaced: 5 };

export const trustOf = (changes: Partial<Trust> = {}): Trust => ({
  ...COUNTED,
  days: [
    { day: '2025-12-31', votes: 40, verified: 25, waiting: 10, noStanding: 5, rhythm: 0, moderator: 0, replaced: 0 },
    { day: '2026-01-01', votes: 65, verified: 35, waiting: 10, noStanding: 10, rhythm: 4, moderator: 1, replaced: 5 },
  ],
  readings: [
    { day: '2026-01-01', skipped: null, wallets: 50, standing: 41, unread: 2 },
    { day: '2025-12-31', skipped: 'the Sui node did not respond', wallets: 0, standing: 0, unread: 0 },
  ],
  readingsDone: 12,
  readingsSkipped: 1,
  rules: RULES,
  freeWallets: { bullish: 21, verified: null },
  day: '2026-01-01',
  ...changes,
});

export const recordOf = (changes: Partial<RecordSummary> = {}): RecordSummary => ({
  isPublished: true,
  origin: 'snapswipe.example/log',
  verifierKey: 'snapswipe.example/log+c0ffee00+AbCd',
  anchorSender: ADDRESS,
  restores: [],
  witnesses: [],
  checkpoints: [
    {
      size: 1234,
      day: '2026-01-01',
      until: TIME,
      root: 'cm9vdCByb290IHJvb3Qgcm9vdCByb290IHJvb3Qgcm8=',
      note: 'a signed note',
      anchorState: 'anchored',
      anchorDigest: 'D'.repeat(44),
      anchorAddress: `0x${'ab'.repeat(32)}`,
      createdAt: TIME,
    },
  ],
  ...changes,
});
