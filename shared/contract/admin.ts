import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { ROLES } from '../people/roles.ts';
import { inPages } from './pages.ts';
import { VoterState } from './standing.ts';
import { Id, IdParam, MistText, Ok, Reason, Time, WalletAddress } from './types.ts';
import { Withdrawal, WithdrawalState } from './withdrawals.ts';

export const adminLogin = endpoint('adminLogin', {
  access: 'role',
  summary:
    'Log in to the admin panel with a password; needs a session of a wallet with a role. newPassword replaces the password',
  body: z.object({
    walletAddress: WalletAddress,
    password: z.string().max(1000),
    newPassword: z.string().max(1000).optional(),
  }),
  statuses: {
    401: 'The password is wrong, or is an expired one-time password',
    409: 'The password is a one-time password: send newPassword as well',
    429: 'Too many wrong passwords',
  },
  response: z.object({ success: z.literal(true), sessionToken: z.string(), expiresAt: Time, role: z.enum(ROLES) }),
});

export const adminLogout = endpoint('adminLogout', {
  access: 'admin',
  summary: 'End the current admin session',
  response: Ok,
});

export const ConfigKey = z.enum(['WITHDRAWALS_PAUSED']);
export const ConfigEntry = z.object({ configKey: ConfigKey, configValue: z.enum(['true', 'false']) });

export const getConfig = endpoint('getConfig', {
  access: 'admin',
  summary: 'Read one setting',
  params: z.object({ key: ConfigKey }),
  response: ConfigEntry,
});

export const setConfig = endpoint('setConfig', {
  access: 'admin',
  summary: 'Change one setting; written to the audit log',
  body: ConfigEntry,
  response: ConfigEntry,
});

/**
 * The response of S3.12 with further fields for the panel. A statement that PostgreSQL rejects is a result with success
 * false.
 */
export const SqlResult = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.array(z.record(z.string(), z.unknown())),
  error: z.string().nullable(),
  /** Column names in `data`, in the order of the result; a repeated name gets a number. */
  columns: z.array(z.string()),
  command: z.string().nullable(),
  /** Rows returned or changed in total, as PostgreSQL counts them; null if it stopped at the limit. */
  rowCount: z.int().nullable(),
  /** The result has more rows or longer cells than `data` shows. */
  truncated: z.boolean(),
  /** The statement was rolled back on purpose. */
  dryRun: z.boolean(),
  /** Whether the statement changed (or locked) anything, so that committing it would matter. */
  wrote: z.boolean(),
  /** Where PostgreSQL found the error in the statement, in characters counted from 1. */
  position: z.int().nullable(),
  hint: z.string().nullable(),
  durationMs: z.int(),
});
export type SqlResult = z.output<typeof SqlResult>;

export const executeSql = endpoint('executeSql', {
  access: 'admin',
  summary: 'Run SQL as the console role; with dryRun it reports the result and rolls back (R32)',
  body: z.object({ sqlQuery: z.string(), dryRun: z.boolean().optional() }),
  bodyLimitBytes: 2 * 1024 * 1024,
  response: SqlResult,
});

export const WithdrawalRisk = z.object({
  standing: VoterState,
  votes: z.int(),
  verified: z.int(),
  excluded: z.int(),
  voteDays: z.int(),
  /** Mean of the minutes in which it voted; 0 without votes. */
  votesPerMinute: z.number(),
  /** Other wallets seen on the same network on the same day, in the last 35 days. */
  sameNetwork: z.int(),
  /**
   * The highest share of its votes that one of those wallets also cast, on the same project in the same direction; 0 to
   * 1.
   */
  equalVotes: z.number(),
});
export type WithdrawalRisk = z.output<typeof WithdrawalRisk>;

export const AdminWithdrawal = Withdrawal.extend({
  userId: Id,
  username: z.string().nullable(),
  /** The Book had paid it before it was approved, and no restore explains that: the owner confirms it. */
  waitsForOwner: z.boolean(),
  /** The chain's reason for refusing it: automatic payouts leave it out. */
  refusedReason: z.string().nullable(),
  risk: WithdrawalRisk,
});
export type AdminWithdrawal = z.output<typeof AdminWithdrawal>;

export const listAllWithdrawals = endpoint('listAllWithdrawals', {
  access: 'admin',
  summary: 'The withdrawal queue, oldest first; paid and rejected ones, newest first',
  ...inPages({ size: 50, max: 500 }, { state: WithdrawalState.optional(), standing: VoterState.optional() }),
  response: z.array(AdminWithdrawal),
});

export const approveWithdrawal = endpoint('approveWithdrawal', {
  access: 'admin',
  summary: 'Approve a requested withdrawal',
  params: IdParam,
  statuses: { 409: 'Its state does not allow this', 503: 'The chain cannot be asked what was paid' },
  response: AdminWithdrawal,
});

export const rejectWithdrawal = endpoint('rejectWithdrawal', {
  access: 'admin',
  summary:
    'Reject a withdrawal that is requested or approved, unless the Book has paid it; its Snaps return to the balance',
  params: IdParam,
  body: z.object({ reason: Reason }),
  statuses: { 409: 'Its state does not allow this', 503: 'The chain cannot be asked what was paid' },
  response: AdminWithdrawal,
});

const Words = z.string().max(200).optional();

export const AuditEntry = z.object({
  id: Id,
  actor: z.string(),
  action: z.string(),
  detail: z.string(),
  ip: z.string().nullable(),
  outcome: z.string(),
  rowCount: z.int().nullable(),
  createdAt: Time,
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const listAudit = endpoint('listAudit', {
  access: 'admin',
  summary: 'The audit log, newest first, searchable; with actor, the entries of one person',
  ...inPages({ size: 100, max: 500 }, { q: Words, actor: z.string().max(66).optional() }),
  response: z.array(AuditEntry),
});

const Total = z.object({ withdrawals: z.int(), snaps: z.int() });

export const AutomaticPayouts = z.object({
  maxSnaps: z.int().nullable(),
  paused: z.boolean(),
  /** The last check of the books found no difference and is recent: the rule needs it. */
  areBooksFine: z.boolean(),
  approvedToday: Total,
  key: z
    .object({
      walletAddress: z.string(),
      dailyMaxSnaps: z.int(),
      paidToday: Total,
      /**
       * Whole Snaps of the paying wallet, in coins and in its address balance, Snaps that wait for it, and its SUI; null
       * while the node does not respond.
       */
      heldSnaps: z.int().nullable(),
      waitingSnaps: z.int().nullable(),
      gasMist: MistText.nullable(),
    })
    .nullable(),
});
export type AutomaticPayouts = z.output<typeof AutomaticPayouts>;

export const getAutomaticPayouts = endpoint('getAutomaticPayouts', {
  access: 'admin',
  summary: 'What approves and pays withdrawals without a person, its limits, and what it did today',
  response: AutomaticPayouts,
});

const Moderation = z.object({ hidden: z.boolean(), reason: Reason });
export const moderateProject = endpoint('moderateProject', {
  access: 'admin',
  summary: 'Hide or unhide a project, with a reason its owner sees',
  params: IdParam,
  body: Moderation,
  statuses: { 409: 'Another listing has its name' },
  response: Ok,
});
export const moderateReview = endpoint('moderateReview', {
  access: 'admin',
  summary: 'Hide or unhide a review, with a reason its author sees',
  params: IdParam,
  body: Moderation,
  response: Ok,
});

export const moderateReply = endpoint('moderateReply', {
  access: 'admin',
  summary: "Hide or unhide the reply to a review, with a reason the project's owner sees",
  params: IdParam,
  body: Moderation,
  response: Ok,
});

const Moderated = { id: Id, hiddenAt: Time.nullable(), hiddenReason: z.string().nullable() };
export const ModeratedProject = z.object({
  ...Moderated,
  slug: z.string(),
  name: z.string(),
  owner: z.string(),
  coinType: z.string().nullable(),
  packageId: z.string().nullable(),
});
export type ModeratedProject = z.output<typeof ModeratedProject>;
export const ModeratedReview = z.object({
  ...Moderated,
  content: z.string(),
  author: z.string(),
  projectName: z.string(),
  projectSlug: z.string(),
});
export type ModeratedReview = z.output<typeof ModeratedReview>;

const SEARCH = { size: 50, max: 500 };

export const listModeratedProjects = endpoint('listModeratedProjects', {
  access: 'admin',
  summary:
    'Projects, hidden or not, whose text or owner contains the words, newest first; without words, the hidden ones',
  ...inPages(SEARCH, { q: Words }),
  response: z.array(ModeratedProject),
});

export const listModeratedReviews = endpoint('listModeratedReviews', {
  access: 'admin',
  summary:
    'Reviews, hidden or not, whose text or author contains the words, newest first; without words, the hidden ones',
  ...inPages(SEARCH, { q: Words }),
  response: z.array(ModeratedReview),
});

export const ModeratedReply = z.object({
  ...Moderated,
  content: z.string(),
  owner: z.string(),
  projectName: z.string(),
  projectSlug: z.string(),
});
export type ModeratedReply = z.output<typeof ModeratedReply>;

export const listModeratedReplies = endpoint('listModeratedReplies', {
  access: 'admin',
  summary:
    'Replies to reviews, hidden or not, whose text or owner contains the words, newest first; without words, the hidden ones',
  ...inPages(SEARCH, { q: Words }),
  response: z.array(ModeratedReply),
});
