import type { OneTimePassword } from '#shared/contract/people.ts';
import type { GrantedRole } from '#shared/roles.ts';
import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/queries.ts';
import { adminRequest } from '../admin-session.ts';

export const ROLE_LABELS: Record<GrantedRole, string> = { payer: 'Payer', moderator: 'Moderator' };

/** The rights of a role, for the owner who gives it. */
export const ROLE_HINTS: Record<GrantedRole, string> = {
  payer: 'Approves, rejects and pays withdrawals, from their own wallet.',
  moderator: 'Hides projects, reviews and replies, and resolves reports.',
};

export const grantRole = (body: { wallet: string; role: GrantedRole; reason: string }): Promise<OneTimePassword> =>
  adminRequest((headers) => api.grantRole({ body, headers }));

export const renewPassword = (wallet: string, reason: string): Promise<OneTimePassword> =>
  adminRequest((headers) => api.renewPassword({ params: { wallet }, body: { reason }, headers }));

export const revokeRole = (wallet: string, reason: string) =>
  adminRequest((headers) => api.revokeRole({ params: { wallet }, body: { reason }, headers }));

/** Reads the people again, and the audit log, which has a line more. */
export function refreshPeople(): Promise<void> {
  const keys = [
    ['/api/admin', 'people'],
    ['/api/admin', 'audit'],
  ];
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => undefined);
}
