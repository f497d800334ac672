import type { GrantedRole } from '#shared/roles.ts';

export const ROLE_LABELS: Record<GrantedRole, string> = { payer: 'Payer', moderator: 'Moderator' };

/** The rights of a role, for the owner who gives it. */
export const ROLE_HINTS: Record<GrantedRole, string> = {
  payer: 'Approves, rejects and pays withdrawals, from their own wallet.',
  moderator: 'Hides projects, reviews and replies, and resolves reports.',
};
