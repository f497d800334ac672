import type { ComponentType } from 'react';
import type { StandingRules } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Anchored, CountedApart, OneRoot, OneVoteEach, SetAside, TwoReadings } from './drawings.tsx';

interface Step {
  title: string;
  Drawing: ComponentType;
  text: (rules: StandingRules) => string;
}

const minSui = ({ minMist }: StandingRules): string => `${formatSui(parseMist(minMist))} SUI`;

const STEPS: readonly Step[] = [
  {
    title: 'Every vote counts once',
    Drawing: OneVoteEach,
    text: () =>
      'A wallet has one vote on each project. The large percentage counts all of these votes. But a wallet costs nothing, so one person can have a thousand of them.',
  },
  {
    title: 'Wallets show that they hold something',
    Drawing: TwoReadings,
    text: (rules) =>
      `Twice a day, at moments that nobody can know before, we read on the Sui chain how much each voting wallet holds. A wallet with at least ${minSui(rules)} both times has standing that day. One coin cannot be in two wallets at the same moment, so on any day it stands for one of them at most.`,
  },
  {
    title: 'Verified votes are counted apart',
    Drawing: CountedApart,
    text: ({ minDays, neededDays, windowDays, voterDays, decisionMinDays }) =>
      `A vote is verified while its wallet signed in for the first time at least ${plural(minDays, 'day')} ago and had standing on ${neededDays} of the last ${plural(windowDays, 'day')} on which it was read. After ${plural(voterDays, 'day')} it is decided for good: verified if its wallet had standing on more than half of the days read since the vote, ${decisionMinDays} of them at least, and excluded if not. So one coin verifies one wallet at a time, and two within ${plural(voterDays, 'day')} at most. Verified votes stand beside every percentage, and the leaderboard has an order of their own.`,
  },
  {
    title: 'Odd votes are excluded, never deleted',
    Drawing: SetAside,
    text: () =>
      'Only for three reasons: the wallet had no standing in the days after the vote; wallets on one network vote in a rhythm beyond chance, of which the first one keeps its votes; or a moderator decided so and said why. Voters see in their portfolio whether each vote is verified, not verified yet or excluded, with what would change it, and can appeal against an exclusion.',
  },
  {
    title: 'Each day is sealed',
    Drawing: OneRoot,
    text: () =>
      'Every vote, every later change of its state and the totals of each project go into a public record. Two entries at a time are mixed into one number, two of those into the next, until a single one is left: the root. Change one old vote, and the root is another. Voters appear under a different made-up name on each project.',
  },
  {
    title: 'The seal lies where we cannot reach it',
    Drawing: Anchored,
    text: () =>
      'We send the smallest amount of SUI to an address that is the root itself. From then on the Sui chain shows that this root existed on that day, and nobody, we included, can exchange the record without being seen.',
  },
];

/** The whole idea, one sentence after the other. */
export function HowItWorks({ rules }: { rules: StandingRules }) {
  return (
    <Card aria-labelledby="how">
      <CardTitle id="how">How it works</CardTitle>
      <ol className="grid gap-x-10 gap-y-8 md:grid-cols-2">
        {STEPS.map(({ title, Drawing, text }, index) => (
          <li key={title} className="grid content-start gap-2">
            <Drawing />
            <h3 className="text-xl">
              {index + 1}. {title}
            </h3>
            <p className="max-w-prose text-muted">{text(rules)}</p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
