import { Layers } from 'lucide-react';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { Button } from '../../../ui/button.tsx';

interface NoCardsProps {
  isLoading: boolean;
  isLastDeck: boolean;
  onLoad: () => void;
}

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
