import { useRef, type ComponentType } from 'react';
import { ConnectButton } from '../../components/session/connect-button.tsx';
import { Kept } from '../../components/states/kept.tsx';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { loadable } from '../../lib/loadable.tsx';
import { useIsNear } from '../../lib/use-is-near.ts';
import { Hero } from './hero.tsx';
import { LoadingExamples } from './loading-examples.tsx';
import * as styles from './landing.module.css';

const deck = loadable(async () => (await import('./guest-deck.tsx')).GuestDeck);
const steps = loadable(async () => (await import('./later.tsx')).Steps);
const features = loadable(async () => (await import('./later.tsx')).Features);
const examples = loadable(async () => (await import('./example-projects.tsx')).ExampleProjects);

interface LandingPageProps {
  /** The parts themselves, for the server: it draws what the browser's first code lacks. */
  Deck?: ComponentType;
  Steps?: ComponentType;
  Features?: ComponentType;
}

/** The deck's code, which should not be long in coming behind the page's own. */
export const loadDeck = (): Promise<unknown> => deck.load();

const LATER = { name: 'This part of the page', className: 'page py-14' };

function Examples() {
  const placeRef = useRef<HTMLDivElement>(null);
  return (
    <div ref={placeRef}>
      {useIsNear(placeRef) ? (
        <OnDemand
          name="The example projects"
          onRetry={examples.retry}
          loading={<LoadingExamples />}
          className="panel justify-center p-6"
        >
          <examples.Part />
        </OnDemand>
      ) : (
        <Kept>
          <LoadingExamples isStill />
        </Kept>
      )}
    </div>
  );
}

export function LandingPage({ Deck = deck.Part, Steps = steps.Part, Features = features.Part }: LandingPageProps) {
  return (
    <>
      <Hero>
        <OnDemand name="The cards" onRetry={deck.retry} loading={<div className="h-[39rem]" />}>
          <Deck />
        </OnDemand>
      </Hero>
      <section aria-labelledby="how" className="border-y border-line bg-deep/50 py-14 md:py-20">
        <div className="page grid gap-10">
          <Kept>
            <OnDemand {...LATER} onRetry={steps.retry} loading={<div className="h-80" />}>
              <Steps />
            </OnDemand>
          </Kept>
          <Examples />
        </div>
      </section>
      <Kept>
        <OnDemand {...LATER} onRetry={features.retry} loading={<div className="min-h-dvh" />}>
          <Features />
        </OnDemand>
      </Kept>
      <section aria-labelledby="start" className="page pt-16 md:pt-24">
        <div className="panel relative grid justify-items-center gap-4 overflow-hidden px-6 py-14 text-center md:py-20">
          <div aria-hidden className={`${styles.rays} absolute inset-0`} />
          <h2 id="start" className="relative text-2xl md:text-4xl">
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
