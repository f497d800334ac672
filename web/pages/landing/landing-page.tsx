import type { ComponentType } from 'react';
import { ConnectButton } from '../../components/session/connect-button.tsx';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { loadable } from '../../lib/loadable.tsx';
import { Hero } from './hero.tsx';
import * as styles from './landing.module.css';

const deck = loadable(async () => (await import('./guest-deck.tsx')).GuestDeck);
const below = loadable(async () => (await import('./later.tsx')).Below);

interface LandingPageProps {
  /** The parts themselves, for the server: it draws what the browser's first code lacks. */
  Deck?: ComponentType;
  Below?: ComponentType;
}

export function LandingPage({ Deck = deck.Part, Below = below.Part }: LandingPageProps) {
  return (
    <>
      <Hero>
        <OnDemand name="The cards" onRetry={deck.retry} loading={<div className="h-[39rem]" />}>
          <Deck />
        </OnDemand>
      </Hero>
      <OnDemand
        name="This part of the page"
        onRetry={below.retry}
        loading={<div className="min-h-dvh" />}
        className="page py-14"
      >
        <Below />
      </OnDemand>
      <section aria-labelledby="start" className="page pt-16 md:pt-24">
        <div className="panel relative grid justify-items-center gap-4 overflow-hidden px-6 py-14 text-center md:py-20">
          <div aria-hidden className={`${styles.rays} absolute inset-0`} />
          <h2 id="start" className="relative text-3xl md:text-5xl">
            Ready to Get Started?
          </h2>
          <p className="relative max-w-prose text-lg text-muted">
            Connect a Sui wallet and sign one message. It's free.
          </p>
          <ConnectButton size="lg" className="relative mt-2" />
        </div>
      </section>
    </>
  );
}
