import { plural } from '#shared/plural.ts';
import type { ToastOptions } from '../lib/toast.ts';
import { isCounted, type Outcome } from '../voting/outcome.ts';
import type { NewVote } from '../voting/send-vote.ts';

export const waitingWords = (count: number): string => `${plural(count, 'vote')} waiting to send`;

export function namesOf(votes: readonly NewVote[]): string {
  const names = votes.map(({ project }) => project.name);
  if (names.length <= 2) return names.join(' and ');
  return `${names.slice(0, 2).join(', ')} and ${plural(names.length - 2, 'other')}`;
}

function reasons(outcomes: readonly Outcome[]): string[] {
  const byReason = new Map<string, NewVote[]>();
  for (const { vote, fate } of outcomes) {
    if (fate.kind !== 'rejected' && fate.kind !== 'returned' && fate.kind !== 'renamed') continue;
    const end = fate.kind === 'returned' && vote.changes === undefined ? '. The card is back.' : '.';
    const reason = fate.message.replace(/\.$/, '') + end;
    byReason.set(reason, [...(byReason.get(reason) ?? []), vote]);
  }
  return [...byReason].map(([reason, votes]) => `${namesOf(votes)}: ${reason}`);
}

export function describeOutcomes(outcomes: readonly Outcome[]): (ToastOptions & { description: string }) | null {
  const counted = outcomes.filter(({ fate }) => isCounted(fate));
  const others = reasons(outcomes);
  if (counted.length === 0 && others.length === 0) return null;
  let tokens = 0;
  for (const { fate } of outcomes) if (fate.kind === 'counted') tokens += fate.response.tokensEarned;
  const earned = tokens > 0 ? [`+${tokens.toLocaleString()} Snaps.`] : [];
  const title = counted.length > 0 ? `${plural(counted.length, 'vote')} counted` : 'A waiting vote does not count';
  return {
    title,
    description: [...earned, ...others].join(' '),
    variant: others.length === 0 ? 'success' : 'default',
  };
}
