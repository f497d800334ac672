import { useEffect } from 'react';
import { useStore } from '../../lib/external-store.ts';
import { nextFrame } from '../../lib/next-frame.ts';
import { recordEvent } from '../../lib/record-event.ts';
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
import { deck } from './deck/vote.ts';

function Sidebar() {
  const top = useLater(topCard(useStore(deck)), 'idle');
  const topId = top?.id;
  // Counts a view of each card that comes to the top (R50), outside the frames of the swipe.
  useEffect(() => {
    if (topId !== undefined) void nextFrame().then(() => recordEvent(topId, 'view', 'deck'));
  }, [topId]);
  return (
    <aside aria-label="Reviews and top projects" className="grid content-start gap-6 @5xl:order-first @5xl:col-start-1">
      <TopProjects />
      <ProjectReviews project={top} />
    </aside>
  );
}

export function HomePage() {
  const user = useSessionUser();
  const status = useSessionStatus();
  if (!user) return null;
  return (
    <>
      <div className="@container">
        <div className="page grid items-start gap-x-8 gap-y-6 pb-12 @3xl:grid-cols-2 @5xl:grid-cols-[15rem_minmax(20rem,1fr)_15rem] @7xl:gap-x-10">
          <h1 className="contents">
            <VisuallyHidden>Vote on projects</VisuallyHidden>
          </h1>
          <OpenPaymentsHere userId={user.id} className="col-span-full @5xl:order-first" />
          <DeckRegion
            key={user.id}
            userId={user.id}
            isEnded={status === 'ended'}
            className="rounded-2xl pt-2 @3xl:col-span-2 @5xl:sticky @5xl:top-4 @5xl:col-span-1 @5xl:col-start-2 @5xl:pt-0"
          />
          <Sidebar />
          {status === 'ended' ? null : <StatsPanel userId={user.id} />}
        </div>
      </div>
      <RewardPopup />
      <Congratulation />
      <JustListedHere />
    </>
  );
}
