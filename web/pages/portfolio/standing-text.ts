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
  /** How many own votes count for what; null without votes. */
  counts: string | null;
}

/** '12 verified, 3 not verified yet, 2 excluded.' */
function countsText({ verified, waiting, excluded }: Standing['votes']): string | null {
  const parts = [
    [verified, 'verified'],
    [waiting, 'not verified yet'],
    [excluded, 'excluded'],
  ] as const;
  const named = parts.filter(([votes]) => votes > 0).map(([votes, word]) => `${votes.toLocaleString()} ${word}`);
  return named.length === 0 ? null : `Your votes: ${named.join(', ')}.`;
}

/** The state of the own votes in words (R39). `nowMs` is the server's clock. */
export function standingText(
  { state, oldEnoughAt, daysRead, daysHeld, votes, rules }: Standing,
  nowMs: number,
): StandingText {
  const { minDays, neededDays, windowDays, voterDays } = rules;
  const enough = `${formatSui(parseMist(rules.minMist))} SUI`;
  const held = `It held at least ${enough} on ${daysHeld} of the last ${plural(daysRead, 'day')} on which it was read.`;
  const decision = `After ${plural(voterDays, 'day')} a vote is decided for good: verified if your wallet held at least ${enough} on more than half of the days read since the vote, excluded if not.`;
  const counts = countsText(votes);
  if (state === 'standing')
    return {
      title: 'Your wallet has standing: your votes are verified.',
      because: held,
      change: `Keep at least ${enough} on ${neededDays} of ${windowDays} days, and it stays so. ${decision}`,
      counts,
    };
  if (state === 'no_standing')
    return {
      title: 'Your wallet has no standing: your votes are not verified yet.',
      because: held,
      change: `Hold at least ${enough} on ${neededDays} of the last ${windowDays} days read, and your votes of the last ${plural(voterDays, 'day')} are verified. ${decision}`,
      counts,
    };
  if (votes.undecided === 0 && counts !== null)
    return {
      title: 'All of your votes are decided.',
      because: 'Your wallet is not read at present.',
      change: `It is read again once you vote: keep at least ${enough} in it.`,
      counts,
    };
  const isYoung = Date.parse(oldEnoughAt) > nowMs;
  return {
    title: 'Your votes are not verified yet.',
    because: isYoung
      ? `Your first sign-in was less than ${plural(minDays, 'day')} ago.`
      : daysRead === 0
        ? 'Your wallet has not been read yet.'
        : `Your wallet was read on ${plural(daysRead, 'day')} lately; ${neededDays} are needed.`,
    change: `Keep at least ${enough} in your wallet. Balances of voters are read once a day, at two moments that nobody can know before; your votes are then verified automatically. ${decision}`,
    counts,
  };
}
