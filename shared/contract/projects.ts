import { z } from 'zod';
import { CATEGORIES, FEED_LIMIT, GUEST_CARDS } from '../constants.ts';
import { SEARCH_MAX_CHARS } from '../text/search.ts';
import { SORTS } from '../listings/sort-names.ts';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { Appeal } from './standing.ts';
import {
  Digest,
  Id,
  MistText,
  Pending,
  Project,
  ProjectRef,
  projectSchemas,
  ReasonFigures,
  Time,
  WalletAddress,
} from './types.ts';

const LEADERBOARD_MAX_LIMIT = 10_000;
const UPLOAD_LIMIT_BYTES = 15 * 1024 * 1024;

export const ProjectDraft = z.object(
  projectSchemas(
    (text) => text.default(''),
    (text) => text.nullish(),
  ),
);
export type ProjectDraft = z.output<typeof ProjectDraft>;
export const ProjectChanges = z.object(
  projectSchemas(
    (text) => text.optional(),
    (text) => text.nullish(),
  ),
);
export type ProjectChanges = z.output<typeof ProjectChanges>;

export const listProjects = endpoint('listProjects', {
  access: 'public',
  summary:
    'Without userId: the public list in pages, most votes first. With it: the feed of that user, active and not voted on, the ' +
    'first 50 or `limit`; it has no pages, as each vote takes a project out of it',
  ...inPages({ size: FEED_LIMIT, max: FEED_LIMIT }, { userId: z.coerce.number().int().positive().optional() }),
  response: z.array(Project),
});

export const GuestCards = z.object({ cards: z.array(Project).max(GUEST_CARDS) });

export const getGuestCards = endpoint('getGuestCards', {
  access: 'public',
  summary: 'Projects for a visitor to vote on before signing in, chosen at random; others after a minute',
  response: GuestCards,
});

const Now = Project.shape.now.unwrap();

const ProjectAbove = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  verified: Project.shape.verified,
  /** Verified votes that the project lacks for a rank, where this one has a rank; 0 elsewhere (R27). */
  votesToRank: z.int(),
});
export type ProjectAbove = z.output<typeof ProjectAbove>;

export const ProjectPage = Project.extend({
  bullishPercentage: z.int(),
  hidden: z.boolean(),
  now: Now,
  /** Newest figures of each group and direction, verified voters first; none before ten of them gave a reason (R89). */
  reasons: z.array(ReasonFigures),
  changes: z.int(),
  nextAbove: ProjectAbove.nullable(),
  standingMinMist: MistText,
});
export type ProjectPage = z.output<typeof ProjectPage>;

export const getProject = endpoint('getProject', {
  access: 'public',
  summary: 'One project by id or slug; an earlier slug returns the project with its current one',
  params: ProjectRef,
  response: ProjectPage,
});

export const OwnProject = Project.extend({
  hiddenReason: z.string().nullable(),
  /** Whether its owner can appeal: it is hidden, was paid for, and was not appealed before (R80). */
  canAppeal: z.boolean(),
  appeal: Appeal.nullable(),
  refund: z.object({ amountMist: MistText, transactionHash: z.string() }).nullable(),
});
export type OwnProject = z.output<typeof OwnProject>;

export const listWalletProjects = endpoint('listWalletProjects', {
  access: 'user',
  summary: "The session's own projects, active and expired",
  params: z.object({ address: WalletAddress }),
  ...inPages({ size: 500, max: 500 }),
  statuses: { 403: 'These are the projects of another wallet' },
  response: z.array(OwnProject),
});

const PLACED = {
  202: { when: 'The chain has not confirmed the payment yet; the server continues automatically', body: Pending },
  402: {
    when: 'No payment was named',
    body: z.object({ error: z.string(), message: z.string(), amountMist: MistText }),
  },
  409: 'The payment belongs to another order, the name is taken, or the project is hidden or was changed too often',
};

export const createProject = endpoint('createProject', {
  access: 'user',
  summary: 'List a project for 31 days: paid by the given transaction, or free for the admin',
  bodyLimitBytes: UPLOAD_LIMIT_BYTES,
  status: 201,
  body: ProjectDraft.extend({ submittedBy: WalletAddress, transactionHash: Digest.optional() }),
  statuses: PLACED,
  response: z.union([Project, Pending]),
});

export const updateProject = endpoint('updateProject', {
  access: 'owner',
  summary: 'Change the fields sent: paid by the given transaction, or free for the admin',
  bodyLimitBytes: UPLOAD_LIMIT_BYTES,
  params: ProjectRef,
  body: ProjectChanges.extend({ walletAddress: WalletAddress.optional(), transactionHash: Digest.optional() }),
  statuses: PLACED,
  response: z.union([Project, Pending]),
});

export const renewProject = endpoint('renewProject', {
  access: 'owner',
  summary: 'Extend a listing by 31 days: paid by the given transaction, or free for the admin',
  params: ProjectRef,
  body: z.object({ walletAddress: WalletAddress.optional(), transactionHash: Digest.optional() }),
  statuses: PLACED,
  response: z.union([Project, Pending]),
});

export const LeaderboardRow = Project.extend({
  now: Now,
  bullishVotes: z.int(),
  bearishVotes: z.int(),
  bullishPercentage: z.int(),
  expired: z.boolean(),
  rank: Id.nullable(),
});
export type LeaderboardRow = z.output<typeof LeaderboardRow>;

export const projectLeaderboard = endpoint('projectLeaderboard', {
  access: 'public',
  summary:
    'All projects, or the first `limit`, by bullish percentage, then total votes, then age. Those with a rank come first, those without votes last',
  query: z.object({ limit: z.coerce.number().int().min(1).max(LEADERBOARD_MAX_LIMIT).optional() }),
  response: z.array(LeaderboardRow),
});

const tooLong = `The search can be at most ${SEARCH_MAX_CHARS} characters long`;
export const PROJECTS_PAGE = { size: 50, max: 100 };

/** A project in a list with a requested order; `rank` is its place among all projects in that order, null in 'new' and 'trending'. */
export const ListedProject = LeaderboardRow.extend({
  /** Verified votes of the last seven days, by which 'trending' ranks; those since a change of identity, where they rank lower (R60). */
  trend: z.object({ bullish: z.int(), bearish: z.int(), weight: z.int() }),
});
export type ListedProject = z.output<typeof ListedProject>;

export const searchProjects = endpoint('searchProjects', {
  access: 'public',
  open: true,
  summary:
    'Projects in an order of the leaderboard, all or those of a category; those without a rank come last. With a search, names that contain it ' +
    'come first, then other texts that do, or names that are close where none contains it; each in the order',
  ...inPages(PROJECTS_PAGE, {
    search: z.string({ error: 'The search may be sent once' }).max(SEARCH_MAX_CHARS, { error: tooLong }).optional(),
    category: z.enum(CATEGORIES, { error: 'There is no such category' }).optional(),
    sort: z.enum(SORTS, { error: `The order is one of ${SORTS.join(', ')}` }).default('bullish'),
  }),
  response: z.array(ListedProject),
});

/** An existing listing that shares something with the one being typed. */
export const ListedAlready = z.object({
  /** `look`: the names look alike, so that a new listing is marked (R74). */
  by: z.enum(['name', 'look', 'coin', 'package']),
  slug: z.string(),
  name: z.string(),
  since: Time,
  /** True if a wallet that proves ownership can claim the listing for free (R72). */
  isClaimable: z.boolean(),
});
export type ListedAlready = z.output<typeof ListedAlready>;

export const findListed = endpoint('findListed', {
  access: 'public',
  open: true,
  summary: 'Listings that have this name, one that looks like it, this coin or this package: at most one for each',
  query: z.object({
    name: z.string().max(200).optional(),
    coin: z.string().max(1000).optional().describe('A coin type, in any spelling'),
    package: z.string().max(1000).optional().describe('The address of a package'),
    except: z.coerce.number().int().positive().optional().describe('The id of a listing that is left out'),
  }),
  response: z.array(ListedAlready),
});
