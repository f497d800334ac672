import { isolated } from '#shared/text/isolated.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Follows } from '#shared/contract/follows.ts';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { toastError } from '../../lib/toast-error.ts';
import { connectDialogClosed, connectDialogOpen } from '../../lib/wallet-state.ts';
import { openConnectDialog } from '../../wallet-gate.ts';

export interface Followable {
  id: number;
  slug: string;
  name: string;
}

export const followsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['/api/users/follows', userId],
    queryFn: ({ signal }) => api.getFollows({ signal }),
    meta: { isOwn: true },
  });

const changed = (now: Follows | undefined, project: Followable, follows: boolean): Follows => {
  const { projects } = now ?? { projects: [] };
  const { id, slug, name } = project;
  const others = projects.filter((one) => one.id !== id);
  const turn = projects.find((one) => one.id === id)?.turn ?? null;
  return { projects: follows ? [{ id, slug, name, turn }, ...others] : others };
};

/** Ends after the presses before it: the last press is the last to arrive. */
let last: Promise<unknown> = Promise.resolve();

async function write(userId: number, title: string, send: () => Promise<Follows>): Promise<void> {
  const { queryKey } = followsQuery(userId);
  const turn = last.then(send);
  const end = turn.catch(() => undefined);
  last = end;
  try {
    const stored = await turn;
    if (last === end) queryClient.setWritten(queryKey, stored);
  } catch (error) {
    toastError(title, error, 'Press it again to retry.');
    if (last === end) void queryClient.invalidateQueries({ queryKey });
  }
}

async function followAs(userId: number, project: Followable, follows: boolean): Promise<void> {
  queryClient.setWritten(followsQuery(userId).queryKey, (now) => changed(now, project, follows));
  const title = follows ? `You do not follow ${isolated(project.name)}` : `You still follow ${isolated(project.name)}`;
  return write(userId, title, () => api.followProject({ params: { id: project.id }, body: { follows } }));
}

/** A visitor signs in first; the project is followed then. */
export async function follow(project: Followable, follows: boolean): Promise<void> {
  if (!session.get().user) {
    openConnectDialog();
    connectDialogOpen.set(
      `Sign in to follow ${isolated(project.name)}. You get a message when its verified majority turns.`,
    );
    await connectDialogClosed();
  }
  const { user } = session.get();
  if (user) await followAs(user.id, project, follows);
}
