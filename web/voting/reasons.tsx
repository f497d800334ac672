import { useMutation, useQuery } from '@tanstack/react-query';
import { REASON_LABELS, REASONS, REASONS_EACH, type Reason } from '#shared/reasons.ts';
import { errorText } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { toast } from '../lib/toast.ts';
import { cn } from '../ui/class-names.ts';

const toggled = (reasons: readonly Reason[], reason: Reason): Reason[] =>
  reasons.includes(reason) ? reasons.filter((one) => one !== reason) : [...reasons, reason].slice(-REASONS_EACH);

interface ReasonsProps {
  userId: number;
  projectId: number;
  isSmall?: boolean;
  className?: string;
}

/** Up to two reasons of a user's vote (R89), each one press; the older one gives way to a third. Nothing where none can be given. */
export function Reasons({ userId, projectId, isSmall = false, className }: ReasonsProps) {
  const { queryKey } = queries.ownVote(userId, projectId);
  const { data: own } = useQuery({ ...queries.ownVote(userId, projectId), enabled: false });
  const show = (reasons: Reason[]) => queryClient.setQueryData(queryKey, (known) => known && { ...known, reasons });
  const { mutate } = useMutation({
    // One after the other, so that the last press is the last to arrive.
    scope: { id: `reasons ${projectId}` },
    mutationFn: ({ reasons }: { reasons: Reason[]; before: Reason[] }) =>
      api.setReasons({ params: { projectId }, body: { reasons } }),
    onError: (error, { before }) => {
      show(before);
      toast({
        title: 'Your reason was not saved',
        description: errorText(error, 'Please press it again.'),
        variant: 'destructive',
      });
    },
  });
  const given = own?.reasons;
  if (!given) return null;
  const press = (reason: Reason) => {
    const reasons = toggled(given, reason);
    show(reasons);
    mutate({ reasons, before: given });
  };
  return (
    <fieldset
      aria-label={`Why? Up to ${REASONS_EACH} reasons`}
      className={cn('flex items-center', isSmall ? 'gap-1' : 'flex-wrap gap-2', className)}
    >
      <b aria-hidden className={isSmall ? 'max-[27rem]:hidden' : 'pl-1 text-sm'}>
        Why?
      </b>
      {REASONS.map((reason) => {
        const isGiven = given.includes(reason);
        return (
          <button
            key={reason}
            type="button"
            aria-pressed={isGiven}
            onClick={() => press(reason)}
            className={cn(
              'rounded-full border font-semibold transition-colors select-none',
              isSmall
                ? // The place of the finger is as high as the pill.
                  "relative h-6 flex-auto px-1 text-xs after:absolute after:-inset-x-0.5 after:-top-5 after:-bottom-1 after:content-['']"
                : 'min-h-11 px-4 text-sm',
              isGiven
                ? 'border-accent bg-accent text-on-accent underline'
                : 'border-line-strong bg-raised text-muted hover:text-text',
            )}
          >
            {REASON_LABELS[reason]}
          </button>
        );
      })}
    </fieldset>
  );
}
