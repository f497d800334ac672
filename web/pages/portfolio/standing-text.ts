import type { Standing } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { plural } from '#shared/numbers/plural.ts';
import { firstMonday } from '#shared/figures/when-counts.ts';

export interface StandingText {
  title: string;
  change: string;
  counts: string | null;
}

function countsText({ verified, waiting, excluded }: Standing['votes']): string | null {
  const parts = [
    [verified, 'verified'],
    [waiting, 'not verified yet'],
    [excluded, 'excluded'],
  ] as const;
  if (waiting > 0 && verified === 0 && excluded === 0)
    return waiting === 1
      ? 'Your vote is not verified yet.'
      : `None of your ${waiting.toLocaleString()} votes is verified yet.`;
  const named = parts.filter(([votes]) => votes > 0).map(([votes, word]) => `${votes.toLocaleString()} ${word}`);
  return named.length === 0 ? null : `Your votes: ${named.join(', ')}.`;
}

export function standingText({ state, oldEnoughAt, days, votes, rules }: Standing, nowMs: number): StandingText {
  const { neededDays, windowDays, voterDays } = rules;
  const hold = `at least ${formatSui(parseMist(rules.minMist))} SUI on ${neededDays} of ${plural(windowDays, 'day')}`;
  const counts = countsText(votes);
  if (state === 'standing')
    return {
      title: 'Your votes are verified.',
      change: `Each Sunday decides again: keep ${hold}. Votes younger than ${plural(voterDays, 'day')} are lost otherwise, and come back only if you say them again.`,
      counts,
    };
  if (votes.undecided === 0 && counts !== null)
    return {
      title: 'All your votes are final.',
      change: `We check your balance again once you vote: hold ${hold}.`,
      counts,
    };
  if (state === 'no_standing')
    return {
      title: 'Your votes count, but are not verified.',
      change: `Hold ${hold} up to a Sunday. Votes from then on are verified; say earlier ones again to make them count.`,
      counts,
    };
  const daysRead = days.filter(({ result }) => result !== 'unread').length;
  return {
    title: `Your votes can be verified on Monday ${firstMonday({ oldEnoughAt, daysRead }, nowMs)}.`,
    change: `Hold ${hold} up to that Sunday; we check twice a day from your first vote on.`,
    counts,
  };
}
