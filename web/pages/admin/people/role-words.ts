import type { GrantedRole } from '#shared/people/roles.ts';

export const ROLE_LABELS: Record<GrantedRole, string> = { payer: 'Payer', moderator: 'Moderator' };

export const ROLE_HINTS: Record<GrantedRole, string> = {
  payer: 'Approves, rejects and pays withdrawals, from their own wallet.',
  moderator: 'Hides projects, reviews and replies, and resolves reports.',
};
