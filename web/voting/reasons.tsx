import { onlineManager, useMutation, useMutationState, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { REASON_LABELS, REASONS, REASONS_EACH, type Reason } from '#shared/voting/reasons.ts';
import { api } from '../lib/api.ts';
import { useStore } from '../lib/external-store.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { toastError } from '../lib/toast-error.ts';
import { cn } from '../ui/class-names.ts';

const online = {
  get: () => onlineManager.isOnline(),
  subscribe: (listener: () => void) => onlineManager.subscribe(listener),
};

/** A third reason takes the place of the older one. */
const toggled = (reasons: readonly Reason[], reason: Reason): Reason[] =>
  reasons.includes(reason) ? reasons.filter((one) => one !== reason) : [...reasons, reason].slice(-REASONS_EACH);

/** Reasons of the user's vote, with those that are being sent; undefined where none can be given. */
function useReasons(userId: number, projectId: number) {
  const query = queries.ownVote(userId, projectId);
  const { data: own } = useQuery({ ...query, enabled: false });
  const mutationKey = [...query.queryKey, 'reasons'];
  const isLast = () => queryClient.isMutating({ mutationKey, exact: true }) === 1;
  const sent = useMutationState({
    filters: { mutationKey, exact: true, status: 'pending' },
    select: ({ state }) => state.variables as Reason[],
  });
  const { mutate } = useMutation({
    mutationKey,
    // One after the other: the last press is the last to arrive.
    scope: { id: mutationKey.join(' ') },
    mutationFn: (reasons: Reason[]) => api.setReasons({ params: { projectId }, body: { reasons } }),
    onSuccess: (next) => void queryClient.setWritten(query.queryKey, next),
    onError: (error) => {
      if (isLast()) toastError('Your reason was not saved', error, 'Press it again to retry.');
    },
  });
  return { given: own?.reasons && (sent.at(-1) ?? own.reasons), give: mutate };
}

interface ChipsProps {
  given: readonly Reason[];
  give: (reasons: Reason[]) => void;
  isSmall: boolean;
}

function Chips({ given, give, isSmall }: ChipsProps) {
  const ref = useRef<HTMLFieldSetElement>(null);
  // The focus stays near when the chips disappear. A layout effect: once they are gone, nothing has the focus.
  useLayoutEffect(() => {
    const group = ref.current;
    return () => {
      if (group?.contains(document.activeElement))
        (group.closest<HTMLElement>('section') ?? document.getElementById('main'))?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <fieldset
      ref={ref}
      aria-label={`Why? Up to ${REASONS_EACH} reasons`}
      className={cn('flex min-w-0', isSmall ? 'gap-1' : 'flex-wrap items-center gap-2 ps-1')}
    >
      <span aria-hidden className={cn('text-muted', isSmall ? 'self-center text-xs max-[26rem]:hidden' : 'text-sm')}>
        Why?
      </span>
      {REASONS.map((reason) => {
        const isGiven = given.includes(reason);
        return (
          <button
            key={reason}
            type="button"
            aria-pressed={isGiven}
            onClick={() => give(toggled(given, reason))}
            className={cn(
              'rounded-full border font-semibold transition-colors select-none',
              isSmall
                ? // The target is as high as the pill.
                  "relative h-6 min-w-10 flex-auto px-1 text-xs after:absolute after:-inset-x-0.75 after:-top-4.5 after:-bottom-1 after:content-['']"
                : 'min-h-11 min-w-11 px-4 text-sm',
              isGiven
                ? 'border-accent bg-accent text-on-accent'
                : 'border-line-strong bg-raised text-text hover:bg-overlay',
            )}
          >
            {REASON_LABELS[reason]}
          </button>
        );
      })}
    </fieldset>
  );
}

/** Why the user voted (R89), in one press. Nothing is drawn where no reason can be given or sent. */
export function Reasons({
  userId,
  projectId,
  isSmall = false,
}: {
  userId: number;
  projectId: number;
  isSmall?: boolean;
}) {
  const { given, give } = useReasons(userId, projectId);
  const isOnline = useStore(online);
  return given && isOnline ? <Chips given={given} give={give} isSmall={isSmall} /> : null;
}
