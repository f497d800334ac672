import { isolated } from '#shared/text/isolated.ts';
import { announce } from '../lib/announce.ts';
import { ApiError, errorText } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { canUndo, lastVote, type LastVote, readResult, update } from './last-vote.ts';
import { refreshSoon, showUndone } from './numbers.ts';
import { outcome } from './outcome.ts';
import { reward } from './reward.ts';

interface Wish {
  vote: LastVote;
  isOver: Promise<void>;
  end: () => void;
}
/** Undos from the press to their end; one of a vote without an answer waits for that. */
const wishes = new Map<number, Wish>();

export const wishFor = (id: number): LastVote | null => wishes.get(id)?.vote ?? null;

/** Null where no undo is pending. A vote that overtook one would end it. */
export const undosOver = (): Promise<unknown> | null =>
  wishes.size === 0 ? null : Promise.all([...wishes.values()].map(({ isOver }) => isOver));

export function endWish(id: number): void {
  wishes.get(id)?.end();
  wishes.delete(id);
}

export function undoLastVote(): boolean {
  const vote = lastVote.get();
  if (!canUndo(vote) || session.live().user?.id !== vote.userId) return false;
  update(vote.id, { phase: 'undoing' });
  const { promise, resolve } = Promise.withResolvers<void>();
  wishes.set(vote.id, { vote, isOver: promise, end: resolve });
  if (vote.isCounted) void sendUndo(vote);
  else announce(`Undoing your vote on ${isolated(vote.project.name)}`);
  return true;
}

/** Shows the vote as taken back until the server confirms it; the vote before, or that of an earlier period, counts again. */
function showTakenBack({ userId, project, changes }: LastVote): void {
  const { queryKey } = queries.ownVote(userId, project.id);
  if (changes === undefined)
    queryClient.setQueryData(
      queryKey,
      (known) => known && { ...known, vote: null, canVote: 'yes' as const, undoableUntil: null, result: null },
    );
  void queryClient.invalidateQueries({ queryKey });
}

function noteUndone(vote: LastVote): void {
  const { id, project, changes } = vote;
  const present = lastVote.get();
  if (present?.id === id) lastVote.set(null);
  else if (present?.before?.id === id) lastVote.set({ ...present, before: null });
  if (reward.get()?.id === id) reward.set(null);
  outcome.set({ vote, fate: { kind: 'undone' } });
  announce(`Took back your ${changes === undefined ? 'vote' : 'change'} on ${isolated(project.name)}`);
  showTakenBack(vote);
}

/** Whether an earlier call arrived, whose response was lost. */
async function wasUndone({ project, changes }: LastVote): Promise<boolean> {
  const own = await api.getOwnVote({ params: { id: project.id } }).catch(() => null);
  return changes === undefined && own?.canVote === 'yes';
}

function noteFailure({ id, undoUntilMs }: LastVote, error: unknown): void {
  const isLost = error instanceof ApiError && error.status === 0;
  const isLate = error instanceof ApiError && error.code === 'too_late';
  // A lost call may be tried again while there is time; a rejection is final.
  if (isLost && performance.now() < undoUntilMs) update(id, { phase: 'open' });
  else readResult(id);
  if (session.get().status === 'ended') return;
  toast({
    title: isLate ? 'Too late to undo' : 'Undo failed',
    description: isLate ? 'Your vote stands.' : errorText(error, 'Your vote stands.'),
    variant: 'destructive',
  });
}

/** False where the vote still counts. */
async function undo(vote: LastVote): Promise<boolean> {
  const { userId, project } = vote;
  const isOwn = () => session.get().user?.id === userId;
  try {
    const response = await api.undoVote({ params: { projectId: project.id } });
    if (isOwn()) showUndone(vote, response);
  } catch (error) {
    const isRepeated = error instanceof ApiError && error.code === 'too_late' && (await wasUndone(vote));
    if (!isRepeated && isOwn()) noteFailure(vote, error);
    if (!isRepeated) return false;
  }
  if (isOwn()) noteUndone(vote);
  return true;
}

export async function sendUndo(vote: LastVote): Promise<boolean> {
  const isUndone = await undo(vote);
  endWish(vote.id);
  refreshSoon(vote.userId);
  return isUndone;
}
