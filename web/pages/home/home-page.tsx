import { useStore } from '../../lib/external-store.ts';
import { useSessionStatus, useSessionUser } from '../../lib/session.ts';
import { Congratulation } from '../../voting/congratulation.tsx';
import { RewardPopup } from '../../voting/reward-popup.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { JustListedHere } from './just-listed-here.tsx';
import { OpenPaymentsHere } from './open-payments-here.tsx';
import { topCard } from '../../deck/deck.ts';
import { DeckRegion } from './deck/deck-region.tsx';
import { ProjectReviews } from './deck/project-reviews.tsx';
import { StatsPanel } from './stats/stats-panel.tsx';
import { TopProjects } from './stats/top-projects.tsx';
import { useLater } from '../../deck/use-later.ts';
import { useRecordCard } from './deck/use-record-card.ts';
import { deck } from './deck/vote.ts';

/** Reviews of the card on top, and the best projects (S2.15). */
function Sidebar() {
  // The reviews follow the card when the stack has moved up.
  const top = useLater(topCard(useStore(deck)), 4);
  useRecordCard(top?.id);
  return (
    <aside aria-label="Reviews and top projects" className="grid content-start gap-5 lg:order-first lg:col-start-1">
      <ProjectReviews project={top} />
      <TopProjects />
    </aside>
  );
}

/**
 * Voting home of signed-in users (S2.11): on a phone the card fills the first screen and the blocks follow; on a desktop sidebar, card and
 * statistics are side by side.
 */
export function HomePage() {
  const user = useSessionUser();
  const status = useSessionStatus();
  // Signed out in this moment: the landing page follows.
  if (!user) return null;
  return (
    <div className="page grid items-start gap-x-8 gap-y-6 pb-12 md:grid-cols-2 lg:grid-cols-[minmax(15rem,19rem)_minmax(20rem,1fr)_minmax(16rem,20rem)] xl:gap-x-12">
      <h1 className="contents">
        <VisuallyHidden>Vote on projects</VisuallyHidden>
      </h1>
      <OpenPaymentsHere userId={user.id} className="col-span-full lg:order-first" />
      <DeckRegion
        key={user.id}
        userId={user.id}
        isEnded={status === 'ended'}
        className="rounded-2xl pt-2 md:col-span-2 lg:sticky lg:top-4 lg:col-span-1 lg:col-start-2 lg:pt-0"
      />
      <Sidebar />
      {status === 'ended' ? null : <StatsPanel userId={user.id} />}
      <RewardPopup />
      <Congratulation />
      <JustListedHere />
    </div>
  );
}
