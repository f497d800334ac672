/**
 * Roles by wallet (R54). ADMIN_WALLET is the owner by configuration, so no row can make an owner or lock the owner out.
 * The role is read from the primary with every request, and again after the body of a write. A granted role comes with
 * a one-time password that the first login replaces: the owner never knows a password in use. A payout is signed by
 * the wallet that sends it, which the Book lists as a payer.
 *
 * Rejected: roles in the configuration (a restart per person), passwords chosen by the owner (two people know them),
 * permissions instead of roles (a matrix that is never reviewed), a second owner (the configuration would no longer be
 * the last word). Known: a server with old settings accepts the old owner until it restarts.
 */
import type { EndpointName } from '../endpoints.ts';

/**
 * People who work in the admin panel (R54): the owner, whose wallet is ADMIN_WALLET, and those to whom the owner gave a
 * role.
 */
export const ROLES = ['owner', 'payer', 'moderator'] as const;
export type Role = (typeof ROLES)[number];

export const GRANTED_ROLES = ['payer', 'moderator'] as const satisfies readonly Role[];
export type GrantedRole = (typeof GRANTED_ROLES)[number];

/**
 * Endpoints of the admin panel that granted roles may call. The owner may call all of them; unlisted endpoints are the
 * owner's alone. The server's checks, the page's tabs, the API document and the tests read this table.
 */
export const RIGHTS: Partial<Record<EndpointName, readonly GrantedRole[]>> = {
  adminLogin: GRANTED_ROLES,
  adminLogout: GRANTED_ROLES,
  getOverview: GRANTED_ROLES,

  getConfig: ['payer'],
  listAllWithdrawals: ['payer'],
  approveWithdrawal: ['payer'],
  rejectWithdrawal: ['payer'],
  getPayoutBook: ['payer'],
  preparePayout: ['payer'],
  sendPayout: ['payer'],
  recordPayout: ['payer'],
  getAutomaticPayouts: ['payer'],

  listModeratedProjects: ['moderator'],
  listModeratedReviews: ['moderator'],
  listModeratedReplies: ['moderator'],
  moderateProject: ['moderator'],
  moderateVersion: ['moderator'],
  listMarked: ['moderator'],
  clearMark: ['moderator'],
  setCoin: ['moderator'],
  listClaims: ['moderator'],
  decideClaim: ['moderator'],
  moderateReview: ['moderator'],
  moderateReply: ['moderator'],
  listReports: ['moderator'],
  dismissReports: ['moderator'],
};

export const mayCall = (role: Role, name: EndpointName): boolean =>
  role === 'owner' || (RIGHTS[name]?.includes(role) ?? false);

export const ADMIN_PASSWORD_MIN = 12;
export const ONE_TIME_PASSWORD_HOURS = 72;
