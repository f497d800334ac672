import type { ComponentType } from 'react';
import { heldMist } from '#shared/figures/cost-to-change.ts';
import type { StandingRules } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Fold } from '../../ui/fold.tsx';
import { Anchored, CountedApart, OneRoot, OneVoteEach, SetAside, TwoReadings } from './drawings.tsx';

interface Step {
  title: string;
  Drawing: ComponentType;
  text: (rules: StandingRules) => string;
}

const sui = (mist: bigint): string => `${formatSui(mist)} SUI`;
const minSui = ({ minMist }: StandingRules): string => sui(parseMist(minMist));
const FAKED = 1_000;
const STEPS: readonly Step[] = [
  {
    title: 'One vote per wallet',
    Drawing: OneVoteEach,
    text: () =>
      'Each wallet has one vote per project, and the big percentage counts all of them. But wallets are free: one person can have a thousand.',
  },
  {
    title: 'Wallets show that they hold SUI',
    Drawing: TwoReadings,
    text: (rules) =>
      `Twice a day, at random times, we check on Sui how much each voting wallet holds. A day counts for a wallet with at least ${minSui(rules)} both times. A coin cannot be in two wallets at once. Shared by turns, ${rules.neededDays} coins can still serve ${rules.windowDays} wallets: faking ${FAKED.toLocaleString()} voters takes about ${sui(heldMist(FAKED, parseMist(rules.minMist)))}, held for weeks.`,
  },
  {
    title: 'Verified votes are counted separately',
    Drawing: CountedApart,
    text: ({ minDays, neededDays, windowDays, voterDays, decisionMinDays }) =>
      `Each Sunday decides which wallets have standing: those that first signed in at least ${plural(minDays, 'day')} ago and held enough on ${neededDays} of the last ${plural(windowDays, 'day')} on which we checked wallets. Votes of a wallet with standing are verified, those of a new wallet wait for its first Sunday, and SUI that comes later verifies no earlier vote. After ${plural(voterDays, 'day')} it is final: a verified vote stays so if the wallet held enough on more than half of the days checked since (at least ${decisionMinDays}).`,
  },
  {
    title: 'Suspicious votes are excluded, never deleted',
    Drawing: SetAside,
    text: () =>
      'There are three reasons: the wallet held too little SUI; wallets on one network voted alike beyond chance, where the first one keeps its votes; or a moderator excluded it and said why. Voters see the state of each vote in their portfolio, and can appeal.',
  },
  {
    title: 'Each day is published',
    Drawing: OneRoot,
    text: () =>
      'Every vote, every later change of its state, and the totals of each project go into a public record. All votes are hashed into one number. Change an old vote and it no longer matches. A voter has a different made-up name on each project.',
  },
  {
    title: 'That number is stored on Sui',
    Drawing: Anchored,
    text: () =>
      'We send the smallest amount of SUI to an address that is the number itself. From then on Sui shows that the number existed on that day. Nobody, including us, can swap the record unnoticed.',
  },
];

export function HowItWorks({ rules }: { rules: StandingRules }) {
  return (
    <Fold id="how" title="How it works">
      <ol className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        {STEPS.map(({ title, Drawing, text }, index) => (
          <li key={title} className="grid content-start gap-2">
            <Drawing />
            <h3 className="text-lg">
              {index + 1}. {title}
            </h3>
            <p className="max-w-prose text-muted">{text(rules)}</p>
          </li>
        ))}
      </ol>
    </Fold>
  );
}
