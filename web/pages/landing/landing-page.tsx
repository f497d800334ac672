import { ConnectButton } from '../../components/session/connect-button.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import * as styles from './landing.module.css';

/** The page for visitors without a session at / (S1.2). */
export function LandingPage() {
  return (
    <>
      <Hero />
      <HowItWorks />
      <Features />
      <section aria-labelledby="start" className="page pt-16 md:pt-24">
        <div className="panel relative grid justify-items-center gap-4 overflow-hidden px-6 py-14 text-center md:py-20">
          <div aria-hidden className={`${styles.rays} absolute inset-0`} />
          <h2 id="start" className="relative text-3xl md:text-5xl">
            Ready to Get Started?
          </h2>
          <p className="relative max-w-prose text-lg text-muted">
            Connect a Sui wallet and sign one message. It's free. Your first card is ready.
          </p>
          <ConnectButton size="lg" className="relative mt-2" />
        </div>
      </section>
    </>
  );
}
