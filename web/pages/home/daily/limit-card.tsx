import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { DailyCard } from '#shared/contract/daily-deck.ts';
import type { VotingStatus } from '#shared/contract/types.ts';
import { plural } from '#shared/numbers/plural.ts';
import { clockText } from '../../../lib/moment-text.ts';
import { paths } from '../../../lib/paths.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { VotesBackOffer } from '../stats/votes-back-offer.tsx';
import { DoneCard } from './done-card.tsx';

interface LimitCardProps {
  userId: number;
  status: VotingStatus;
  cards: readonly DailyCard[];
  onClose: () => void;
}

export function LimitCard({ userId, status, cards, onClose }: LimitCardProps) {
  const { totalVotesAllowed, periodEndsAt } = status;
  return (
    <DoneCard
      userId={userId}
      title="All votes used"
      line={`${totalVotesAllowed} of ${totalVotesAllowed}, +${totalVotesAllowed * VOTE_REWARD_TOKENS} Snaps`}
      cards={cards}
      next={
        <>
          {periodEndsAt ? (
            <p className="basis-full text-center font-semibold">
              {plural(totalVotesAllowed, 'vote')} from <time dateTime={periodEndsAt}>{clockText(periodEndsAt)}</time>
            </p>
          ) : null}
          <ButtonLink href={paths.leaderboard} variant="secondary" className="px-3!">
            Leaderboard
          </ButtonLink>
          <Button variant="ghost" className="px-3!" onClick={onClose}>
            Look at cards
          </Button>
        </>
      }
    >
      <div className="grid justify-center empty:hidden">
        <VotesBackOffer userId={userId} />
      </div>
    </DoneCard>
  );
}
