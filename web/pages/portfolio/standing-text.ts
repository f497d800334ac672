import type { Standing } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';

/** What the readings say of the own wallet, and what would change it. */
export interface StandingText {
  title: string;
  /** Why. */
  because: string;
  /** What would change it; what keeps it so where it is good. */
  change: string;
}

/** The state of the own votes in words (R39). `nowMs` is the server's clock. */
export function standingText({ state, oldEnoughAt, daysRead, daysHeld, rules }: Standing, nowMs: number): StandingText {
  const { minDays, neededDays, windowDays } = rules;
  const enough = `${formatSui(parseMist(rules.minMist))} SUI`;
  const held = `It held at least ${enough} on ${daysHeld} of the last ${plural(daysRead, 'day')} on which it was read.`;
  if (state === 'standing')
    return {
      title: 'Your wallet has standing: your votes are verified.',
      because: held,
      change: `Keep at least ${enough} on ${neededDays} of ${windowDays} days, and it stays so.`,
    };
  if (state === 'no_standing')
    return {
      title: 'Your wallet has no standing: your votes are set aside.',
      because: held,
      change: `Hold at least ${enough} on ${neededDays} of the last ${windowDays} days read. Your votes, those of before included, then count as verified by themselves.`,
    };
  const isYoung = Date.parse(oldEnoughAt) > nowMs;
  return {
    title: 'Your votes are waiting.',
    because: isYoung
      ? `Your first sign-in was less than ${plural(minDays, 'day')} ago.`
      : daysRead === 0
        ? 'Your wallet has not been read yet.'
        : `Your wallet was read on ${plural(daysRead, 'day')} so far; ${neededDays} are needed.`,
    change: `Keep at least ${enough} in your wallet. Balances of voters are read once a day, at two moments that nobody can know before; your votes then count as verified by themselves.`,
  };
}
