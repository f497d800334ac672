import type { Standing } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';

export interface StandingText {
  title: string;
  because: string;
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

const DAY_MS = 86_400_000;
const daysUntil = (iso: string, nowMs: number): number => Math.max(1, Math.ceil((Date.parse(iso) - nowMs) / DAY_MS));

export function standingText(
  { state, oldEnoughAt, daysRead, daysHeld, votes, rules }: Standing,
  nowMs: number,
): StandingText {
  const { minDays, neededDays, windowDays, voterDays } = rules;
  const enough = `${formatSui(parseMist(rules.minMist))} SUI`;
  const held = `Your wallet held at least ${enough} on ${daysHeld} of the last ${plural(windowDays, 'day')} checked.`;
  const excused = daysHeld < neededDays ? ' A day on which Sui gave no answer is excused.' : '';
  const decision = `A vote is final after ${plural(voterDays, 'day')}: excluded if your wallet held less on half of them.`;
  const counts = countsText(votes);
  if (state === 'standing')
    return {
      title: 'Your votes are verified.',
      because: `${held}${excused}`,
      change: `Keep at least ${enough} on ${neededDays} of ${windowDays} days to stay verified. ${decision}`,
      counts,
    };
  if (state === 'no_standing')
    return {
      title: 'Your votes count, but are not verified yet.',
      because: held,
      change: `Hold at least ${enough} on ${neededDays} of ${windowDays} days. Your votes of the last ${plural(voterDays, 'day')} then become verified. ${decision}`,
      counts,
    };
  if (votes.undecided === 0 && counts !== null)
    return {
      title: 'All your votes are final.',
      because: 'We are not checking your balance right now.',
      change: `We check again once you vote: keep at least ${enough} in your wallet.`,
      counts,
    };
  const isYoung = Date.parse(oldEnoughAt) > nowMs;
  return {
    title: isYoung
      ? `Your votes can be verified in ${plural(Math.max(daysUntil(oldEnoughAt, nowMs), neededDays - daysRead), 'day')}.`
      : 'Your votes are not verified yet.',
    because: isYoung
      ? `Your first sign-in was less than ${plural(minDays, 'day')} ago.`
      : daysRead === 0
        ? 'We have not checked your balance yet.'
        : `We have checked your balance on ${daysRead} of the last ${plural(windowDays, 'day')}; ${neededDays} are needed.`,
    change: `Keep at least ${enough} in your wallet on ${neededDays} of ${plural(windowDays, 'day')}; we check twice a day. ${decision}`,
    counts,
  };
}
