/** Figures of all votes and of all Snaps. */
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { Trust } from '#shared/contract/standing.ts';
import { between, type Figure, type Place, type Range } from './compare.ts';
import type { Known, Line, Shown } from './shown.ts';

type States = Pick<Trust, 'verified' | 'waiting' | 'noStanding' | 'rhythm' | 'moderator' | 'replaced'>;
const statesOf = ({ verified, waiting, noStanding, rhythm, moderator, replaced }: States): number =>
  verified + waiting + noStanding + rhythm + moderator + replaced;

export const TRUST: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    // Verified votes move with each reading and each decision of a moderator: the record fixes them once a day.
    line: 'Trust',
    figure: 'votes of all states',
    places({ trust }) {
      const { days, ...total } = trust();
      return [{ ...total, day: 'all days' }, ...days].map((one) => [`/trust of ${one.day}`, statesOf(one), one.votes]);
    },
  },
  {
    line: 'Trust',
    figure: 'votes',
    places({ trust }, { recounted: { votes, votesByDay, states }, newer, untilMs, days: { last } }) {
      const shown = trust();
      if (shown.countedAt === null || Date.parse(shown.countedAt) < untilMs)
        return [['/trust', shown.votes, between(0, votes + newer)]];
      const days = shown.days.filter(({ day }) => day <= last);
      return [
        ['/trust', shown.votes, between(votes, votes + newer)],
        // A replaced vote stays replaced, and only newer votes replace further ones.
        ['/trust, replaced', shown.replaced, between(states.replaced, states.replaced + newer)],
        ...days.map((one): Place => [`/trust of ${one.day}`, one.votes, votesByDay.get(one.day) ?? 0]),
      ];
    },
  },
  {
    line: 'Trust',
    figure: 'wallets',
    places: ({ trust }, { record }) =>
      trust().readings.map(({ day, skipped, wallets, standing }) => {
        const recorded = record.readings.find((reading) => reading.day === day);
        return [`readings of ${day}`, skipped === null ? { read: wallets, standing } : null, recorded?.found];
      }),
  },

  {
    line: 'Supply',
    figure: 'Snaps',
    places({ supply }) {
      const { burned, held, paid, circulating } = supply();
      const issued = burned + held + paid + circulating;
      return [['/supply', supply(), { issued, balances: circulating, differing: 0, liabilities: circulating + held }]];
    },
  },
  {
    // Since the record, only votes add to the amount owed, and only burns and payouts subtract.
    line: 'Supply',
    figure: 'Snaps owed',
    places({ supply }, { record, newer }) {
      if (!record.liabilities) return [];
      const { liabilities, burned, paid } = supply();
      const { total } = record.liabilities;
      const range: Range = { least: total - BigInt(burned + paid), most: total + BigInt(VOTE_REWARD_TOKENS * newer) };
      return [['/supply', BigInt(liabilities), range]];
    },
  },
];
