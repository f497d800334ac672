import { isolated } from '#shared/text/isolated.ts';
import { plural } from '#shared/numbers/plural.ts';
import type { ToastOptions } from '../lib/toast.ts';
import { isCounted, type Outcome } from '../voting/outcome.ts';
import type { NewVote } from '../voting/send-vote.ts';

export const waitingWords = (count: number): string => `${plural(count, 'vote')} waiting to send`;

export function namesOf(votes: readonly NewVote[]): string {
  const names = votes.map(({ project }) => isolated(project.name));
  if (names.length <= 2) return names.join(' and ');
  return `${names.slice(0, 2).join(', ')} and ${plural(names.length - 2, 'other')}`;
}

function reasonOf({ fate }: Outcome): string | null {
  if (fate.kind !== 'rejected' && fate.kind !== 'returned' && fate.kind !== 'renamed') return null;
  const end = fate.kind === 'returned' ? '. The card is back.' : '.';
  return fate.message.replace(/\.$/, '') + end;
}

function reasons(outcomes: readonly Outcome[]): string[] {
  const byReason = new Map<string, NewVote[]>();
  for (const outcome of outcomes) {
    const reason = reasonOf(outcome);
    if (reason !== null) byReason.set(reason, [...(byReason.get(reason) ?? []), outcome.vote]);
  }
  return [...byReason].map(([reason, votes]) => `${namesOf(votes)}: ${reason}`);
}

export function describeOutcomes(outcomes: readonly Outcome[]): (ToastOptions & { description: string }) | null {
  const counted = outcomes.filter(({ fate }) => isCounted(fate));
  const others = reasons(outcomes);
  if (counted.length === 0 && others.length === 0) return null;
  const names = namesOf(counted.map(({ vote }) => vote));
  let tokens = 0;
  for (const { fate } of outcomes) if (fate.kind === 'counted') tokens += fate.response.tokensEarned;
  const earned = tokens > 0 ? [`${names}: +${tokens.toLocaleString()} Snaps.`] : names ? [`${names}.`] : [];
  return {
    title: counted.length > 0 ? `${plural(counted.length, 'vote')} counted` : 'A waiting vote does not count',
    description: [...earned, ...others].join(' '),
    variant: others.length === 0 ? 'success' : 'default',
  };
}
