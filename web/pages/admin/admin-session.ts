import { ADMIN_TOKEN_HEADER, ADMIN_TOKEN_KEY } from '#shared/constants.ts';
import type { Role } from '#shared/people/roles.ts';
import { ApiError, errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { createStore } from '../../lib/external-store.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { toast } from '../../lib/toast.ts';
import { clearHistory } from './console/history.ts';

/** The admin's token (S4.9): kept in local storage, so that a stored one resumes; null when logged out. */
export const adminToken = createStore<string | null>(readStored(ADMIN_TOKEN_KEY));

function keepToken(token: string | null): void {
  writeStored(ADMIN_TOKEN_KEY, token);
  adminToken.set(token);
  if (token === null) clearAdminData();
}

function clearAdminData(): void {
  queryClient.removeQueries({ queryKey: ['/api/admin'] });
  clearHistory();
}

if (adminToken.get() === null) clearAdminData();

// The admin session ends with the wallet's session (S4.9).
session.subscribe(() => {
  if (session.live().status === 'none') keepToken(null);
});

export class NotAuthenticatedError extends Error {
  constructor() {
    super('Not Authenticated');
  }
}

/** Calls with the token. A token that the server no longer accepts is dropped, and the login shows again. */
export async function adminRequest<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  const token = adminToken.get();
  if (token === null) throw new NotAuthenticatedError();
  try {
    return await call({ [ADMIN_TOKEN_HEADER]: token });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && adminToken.get() === token) keepToken(null);
    if (error instanceof ApiError && ROLE_CHANGED.has(error.code)) await refreshRole();
    throw error;
  }
}

const ROLE_CHANGED = new Set(['not_admin', 'not_your_role']);

async function refreshRole(): Promise<void> {
  const { user } = session.live();
  if (!user) return;
  try {
    const { user: present } = await api.signIn({ body: { walletAddress: user.walletAddress } });
    showRole(present.role);
    if (present.role === undefined) keepToken(null);
  } catch (error) {
    console.warn('The role could not be read again', error);
  }
}

function showRole(role: Role | undefined): void {
  const { user } = session.live();
  if (user) session.updateUser({ ...user, role });
}

export interface LoginFailure {
  isWrongPassword: boolean;
  needsNewPassword: boolean;
  message: string;
}

export async function logIn(
  walletAddress: string,
  password: string,
  newPassword?: string,
): Promise<LoginFailure | null> {
  try {
    const body = { walletAddress, password, ...(newPassword === undefined ? {} : { newPassword }) };
    const { sessionToken, role } = await api.adminLogin({ body });
    keepToken(sessionToken);
    showRole(role);
    toast({ title: 'Login Successful', description: 'Welcome to the admin panel.', variant: 'success' });
    return null;
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    const message = errorText(error, 'Login failed');
    if (code !== null && ROLE_CHANGED.has(code)) await refreshRole();
    const needsNewPassword = code === 'choose_password';
    if (!needsNewPassword) toast({ title: 'Login Failed', description: message, variant: 'destructive' });
    return { isWrongPassword: code === 'invalid_password', needsNewPassword, message };
  }
}

export async function logOut(): Promise<void> {
  await adminRequest((headers) => api.adminLogout({ headers })).catch((error: unknown) =>
    console.warn('The admin session could not be ended on the server; it will expire', error),
  );
  keepToken(null);
  toast({ title: 'Logged Out', description: 'You have been logged out of the admin panel.', variant: 'success' });
}
