import { z } from 'zod';
import { IDENTITY_FIELDS } from '../listings/identity.ts';
import { LISTING_SOURCES } from '../listings/listing-source.ts';
import { COIN_SOURCES, OWNERSHIP_STATES } from '../listings/ownership.ts';
import { type ByNeed, PROJECT_FIELDS, type ProjectFieldSpec } from '../listings/project-fields.ts';
import { ROLES } from '../people/roles.ts';

/** Building blocks used by several subjects. Times are ISO 8601 strings in UTC, Snaps whole numbers, MIST decimal strings. */

export const Id = z.int().positive();
/** An id in an address: up to 15 digits, more than some columns can hold. */
export const IdText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
export const IdParam = z.object({ id: IdText });
export const ProjectRef = z.object({ id: z.string().min(1).max(80).describe('Number or slug of the project') });
export const Time = z.string();
export const WalletAddress = z.string().min(3).max(66);
export const Digest = z.string().min(32).max(44);
export const MistText = z.string().regex(/^\d{1,20}$/);
export const VoteType = z.enum(['bullish', 'bearish']);
export const Reason = z.string().max(5000);
/** An image as a data URL; the server checks its bytes, not its label (R25). 10 MB decoded is 14 MB of base64. */
export const ImageDataUrl = z.string().max(14_500_000, 'Images can be at most 10 MB');

const SENT = {
  line: z.string().max(500),
  category: z.string().max(100),
  text: z.string().max(2000),
  link: z.string().max(500),
  type: z.string().max(1000),
  picture: ImageDataUrl,
};
export const projectSchemas = <R extends z.ZodType, O extends z.ZodType>(
  required: (sent: z.ZodString) => R,
  optional: (sent: z.ZodString) => O,
) =>
  Object.fromEntries(
    Object.entries<ProjectFieldSpec>(PROJECT_FIELDS).map(([name, { control, missing }]) => [
      name,
      (missing === undefined ? optional : required)(SENT[control]),
    ]),
  ) as ByNeed<R, O>;

export const User = z.object({
  id: Id,
  username: z.string().nullable(),
  walletAddress: z.string(),
  avatarUrl: z.string().nullable(),
  twitterLink: z.string().nullable(),
  telegramLink: z.string().nullable(),
  discordLink: z.string().nullable(),
  /** Role in the admin panel, for display (R54): only of the session's own user, and only where one exists. */
  role: z.enum(ROLES).optional(),
});
export type User = z.output<typeof User>;

/**
 * S3.2, with the further names that the stats panel uses. `tokensEarned` is the total of vote rewards, `tokenBalance`
 * the remaining balance.
 */
export const UserStats = z.object({
  tokenBalance: z.int(),
  totalVotes: z.int(),
  bullishVotes: z.int(),
  bearishVotes: z.int(),
  currentStreak: z.int(),
  bullishPercentage: z.int(),
  tokensEarned: z.int(),
  streak: z.int(),
});
export type UserStats = z.output<typeof UserStats>;

export const VotingStatus = z.object({
  votesRemaining: z.int(),
  totalVotes: z.int(),
  totalVotesAllowed: z.int(),
  periodEndsAt: Time.nullable(),
});
export type VotingStatus = z.output<typeof VotingStatus>;

/** A change of identity that figures mention until most votes are younger (R60). */
export const ListingChange = z.object({
  at: Time,
  what: z.array(z.enum(IDENTITY_FIELDS)),
  name: z.string().nullable(),
  votes: z.int(),
});

/** Who listed a project, and who controls its coin or package (R70, R71). */
const Listing = z.object({
  source: z.enum(LISTING_SOURCES),
  since: Time,
  /** Who set coin type and package; null if the listing names neither. */
  coinSource: z.enum(COIN_SOURCES).nullable(),
  /**
   * controls: a wallet controls a coin that the lister typed, which proves nothing more · proven: one that the catalogue or a moderator set ·
   * accepted: the admin accepted a proof by hand · lost: the last proof no longer holds.
   */
  ownership: z.enum(OWNERSHIP_STATES),
  subject: z.string().nullable(),
  ownershipSince: Time.nullable(),
  /** A claim that a moderator has not decided yet (R72). Missing without one. */
  claim: z.object({ since: Time, isAnswered: z.boolean() }).optional(),
  /** When a moderator handed the listing over to the wallet that claimed it. Missing elsewhere. */
  takenOverAt: Time.optional(),
  /**
   * The listing whose name looks the same, where no moderator has looked at this one yet (R74); until then X account and website are empty, and so is a
   * description that leads away. Missing elsewhere.
   */
  lookAlike: z.object({ slug: z.string(), name: z.string(), since: Time }).optional(),
});

const Votes = z.object({ bullish: z.int(), bearish: z.int() });

/** How many voters of a group and direction gave each reason (R89); each gave one or two. As the record of that day has it. */
export const ReasonFigures = z.object({
  day: z.iso.date(),
  group: z.enum(['verified', 'others']),
  direction: VoteType,
  voters: z.int(),
  team: z.int(),
  product: z.int(),
  token: z.int(),
  risk: z.int(),
  community: z.int(),
});
export type ReasonFigures = z.output<typeof ReasonFigures>;

export const Project = z.object({
  id: Id,
  slug: z.string(),
  ...projectSchemas(
    () => z.string(),
    () => z.string().nullable(),
  ),
  /** Number of its present identity, from 1 (R60). A vote names the one that was seen. */
  identity: Id,
  submittedBy: z.string(),
  transactionHash: z.string().nullable(),
  listing: Listing,
  createdAt: Time,
  expiresAt: Time,
  /** The listing period that votes count for now, and when the next one begins or the listing ends (R45). */
  period: Id,
  periodEndsAt: Time,
  bullishCount: z.int(),
  bearishCount: z.int(),
  totalVotes: z.int(),
  /** The verified part of these votes (R38), as of `figuresOn`. */
  verified: z.object({ bullish: z.int(), bearish: z.int() }),
  /** The last closed day: all figures that are not live are of that day (R94). Null if no closed day has this project yet. */
  figuresOn: z.iso.date().nullable(),
  /** Votes given, changed or confirmed in the last 30 days (R58), as of `figuresOn`; null with fewer than ten. Missing in feeds. */
  now: Votes.nullable().optional(),
  /** Bullish votes of `figuresOn` that were excluded since: `verified` is without them (R94). Missing without any, and in feeds. */
  excludedSince: z.int().min(1).optional(),
  /** Missing where no change of identity is mentioned. */
  changed: ListingChange.optional(),
  /** Verified votes since a change of identity, where 'verified' ranks by these because they rank the project lower. */
  verifiedSince: z.object({ bullish: z.int(), bearish: z.int() }).optional(),
  /** Verified votes since the last change of identity, of which a rank needs ten (R27). Missing where all verified votes count for it. */
  rankVotes: z.int().optional(),
});
export type Project = z.output<typeof Project>;

export const Ok = z.object({ success: z.literal(true) });
/** An accepted request whose outcome is not known yet (R17); the server continues automatically. */
export const Pending = z.object({
  status: z.literal('pending'),
  /** looking: the chain has not shown the payment · received: the chain has shown it, and the order is being applied. */
  phase: z.enum(['looking', 'received']),
  message: z.string(),
});
