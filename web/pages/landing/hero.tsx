import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/button.tsx';
import { Kept } from '../../components/states/kept.tsx';
import { ConnectButton } from '../../components/session/connect-button.tsx';
import { VOTE_REWARD_TOKENS, VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { paths } from '../../lib/paths.ts';
import * as styles from './landing.module.css';

const FACTS = [
  { value: String(VOTE_REWARD_TOKENS), label: 'Snaps per vote' },
  { value: String(VOTES_PER_WINDOW), label: `votes every ${VOTE_WINDOW_HOURS} hours` },
  { value: 'Free', label: 'no gas, no fee' },
];

export function Hero({ children }: { children: ReactNode }) {
  return (
    <section className={`page group ${styles.hero} pb-12 lg:pb-20`}>
      <Kept className="contents">
        <h1 className={`${styles.title} font-extrabold tracking-[-0.045em]`}>
          Swipe. <br className="hidden lg:block" />
          Vote. <br className="hidden lg:block" />
          <span className="relative inline-block">
            Earn.
            <svg viewBox="0 0 220 18" aria-hidden className={styles.stroke} preserveAspectRatio="none">
              <path
                d="M4 12C52 3 120 2 216 8"
                fill="none"
                strokeWidth="7"
                strokeLinecap="round"
                className="stroke-gold"
              />
            </svg>
          </span>
        </h1>
      </Kept>
      <div className={styles.deck}>{children}</div>
      <div className={`${styles.words} grid justify-items-start gap-6 pt-6 lg:pt-0`}>
        <p className="max-w-[34rem] text-lg text-muted">Rate crypto projects on Sui with a swipe.</p>
        <div className="flex flex-wrap gap-3">
          {/* Votes that wait have a button of their own. */}
          <ConnectButton size="lg" className="group-has-[[data-count]]:hidden" />
          <ButtonLink href={paths.leaderboard} variant="secondary" size="lg">
            See the leaderboard
          </ButtonLink>
        </div>
        <Kept>
          <ul className="flex gap-x-4 pt-1 sm:gap-x-8">
            {FACTS.map((fact) => (
              <li key={fact.label} className="flex flex-col">
                <span className="display text-2xl">{fact.value}</span>
                <span className="text-sm text-muted">{fact.label}</span>
              </li>
            ))}
          </ul>
        </Kept>
      </div>
    </section>
  );
}
