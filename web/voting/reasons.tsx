import { onlineManager, useQuery } from '@tanstack/react-query';
import { REASON_LABELS, REASONS, REASONS_EACH, type Reason } from '#shared/voting/reasons.ts';
import { api } from '../lib/api.ts';
import { createStore, useStore } from '../lib/external-store.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { toastError } from '../lib/toast-error.ts';
import { useKeptFocus } from '../lib/use-kept-focus.ts';
import { cn } from '../ui/class-names.ts';

const online = {
  get: () => onlineManager.isOnline(),
  subscribe: (listener: () => void) => onlineManager.subscribe(listener),
};

/** A third reason takes the place of the older one. */
export const withReason = (reasons: readonly Reason[], reason: Reason): Reason[] =>
  [...reasons.filter((one) => one !== reason), reason].slice(-REASONS_EACH);

export const withoutReason = (reasons: readonly Reason[], reason: Reason): Reason[] =>
  reasons.filter((one) => one !== reason);

/** Reasons by project; they are newer than any read while they are being sent. */
type Given = ReadonlyMap<number, Reason[]>;
export const sentReasons = createStore<Given>(new Map());

/** One press after the other: the last one is the last to arrive. */
let last: Promise<unknown> = Promise.resolve();

async function send(userId: number, projectId: number, reasons: Reason[]): Promise<void> {
  const own = await api.setReasons({ params: { projectId }, body: { reasons } });
  queryClient.setWritten(queries.ownVote(userId, projectId).queryKey, own);
}

/** Says why the user voted, on all of these projects at once (R89). */
export async function giveReasons(userId: number, given: Given): Promise<void> {
  sentReasons.set(new Map([...sentReasons.get(), ...given]));
  const end = last.then(() =>
    Promise.allSettled(Array.from(given, ([projectId, reasons]) => send(userId, projectId, reasons))),
  );
  last = end;
  const failure = (await end).find(({ status }) => status === 'rejected');
  const isNewest = ([projectId, reasons]: [number, Reason[]]) => sentReasons.get().get(projectId) === reasons;
  if (failure?.status === 'rejected' && [...given].some(isNewest))
    toastError('Your reason was not saved', failure.reason, 'Press it again to retry.');
  await queryClient.invalidateQueries({ queryKey: queries.dailyDeck(userId).queryKey });
  sentReasons.set(new Map([...sentReasons.get()].filter(([projectId, reasons]) => given.get(projectId) !== reasons)));
}

interface ReasonChipsProps {
  'aria-label': string;
  given: readonly Reason[];
  onPress: (reason: Reason) => void;
}

function Chips({ given, onPress, ...label }: ReasonChipsProps) {
  return (
    <fieldset ref={useKeptFocus()} {...label} className="flex min-w-0 flex-wrap items-center gap-1 sm:gap-1.5">
      {REASONS.map((reason) => {
        const isGiven = given.includes(reason);
        return (
          <button
            key={reason}
            type="button"
            aria-pressed={isGiven}
            onClick={() => onPress(reason)}
            className={cn(
              'min-h-11 min-w-11 rounded-full border px-2 text-xs font-semibold transition-colors select-none sm:px-3 sm:text-sm',
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

/** Nothing is drawn where no reason can be sent. */
export const ReasonChips = (props: ReasonChipsProps) => (useStore(online) ? <Chips {...props} /> : null);

interface ReasonsProps {
  userId: number;
  projectId: number;
}

/** Why the user voted (R89), in one press. Nothing is drawn where no reason can be given or sent. */
export function Reasons({ userId, projectId }: ReasonsProps) {
  const { data: own } = useQuery({ ...queries.ownVote(userId, projectId), enabled: false });
  const sent = useStore(sentReasons).get(projectId);
  if (!own?.reasons) return null;
  const given = sent ?? own.reasons;
  return (
    <div className="flex flex-wrap items-center gap-2 ps-1">
      <span aria-hidden className="text-sm text-muted">
        Why?
      </span>
      <ReasonChips
        aria-label={`Why? Up to ${REASONS_EACH} reasons`}
        given={given}
        onPress={(reason) => {
          const next = given.includes(reason) ? withoutReason(given, reason) : withReason(given, reason);
          void giveReasons(userId, new Map([[projectId, next]]));
        }}
      />
    </div>
  );
}
