import { Layers } from 'lucide-react';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** Holds the place of the stack while the first feed is pending (S2.14). */
export function LoadingCard() {
  return (
    <div className="panel absolute inset-0 flex flex-col rounded-2xl p-2.5">
      <div className="shimmer grid min-h-0 flex-1 place-items-center rounded-xl">
        <p className="rounded-full bg-surface px-4 py-1.5 font-semibold text-muted">Loading projects...</p>
      </div>
      <div className="grid gap-3 px-2 pt-5 pb-4 sm:px-3">
        <Skeleton className="h-6 w-1/2" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-3/4" />
      </div>
    </div>
  );
}

interface NoCardsProps {
  isLoading: boolean;
  /** The cards were those of the last visit: the server may have more. */
  isLastDeck: boolean;
  onLoad: () => void;
}

/** Every project is rated (S2.14), or every card that this browser keeps for times without a network. */
export function NoCards({ isLoading, isLastDeck, onLoad }: NoCardsProps) {
  return (
    <div className="panel absolute inset-0 grid place-items-center overflow-y-auto rounded-2xl border-dashed">
      <EmptyState
        icon={<Layers size={30} />}
        title={isLastDeck ? 'No more cards on this device' : 'All projects rated!'}
        action={
          <Button onClick={onLoad} busy={isLoading ? 'Loading...' : false} className="mt-2">
            Load New Projects
          </Button>
        }
      >
        {isLastDeck
          ? "More cards load when you're back online."
          : "You've voted on all available projects. Check back later or invite your friends to earn more!"}
      </EmptyState>
    </div>
  );
}
