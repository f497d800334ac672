import type { EndpointName } from '#shared/endpoints.ts';
import { mayCall, type Role } from '#shared/roles.ts';
import { useSessionUser } from '../../lib/session.ts';

/** The role of the session's user in the admin panel, for display; the server decides on every call (R54). */
export const useRole = (): Role | null => useSessionUser()?.role ?? null;

/** Whether the role allows the call, so that a control for it makes sense. */
export function useMayCall(name: EndpointName): boolean {
  const role = useRole();
  return role !== null && mayCall(role, name);
}
