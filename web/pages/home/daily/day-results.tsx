import { Link } from 'wouter';
import type { DailyCard } from '#shared/contract/daily-deck.ts';
import { paths } from '../../../lib/paths.ts';
import { agreement } from '../../../voting/last-vote.ts';

function resultText({ vote }: DailyCard): string {
  const { voteType, bullishCount, bearishCount } = vote ?? {};
  if (voteType === undefined || bullishCount == null || bearishCount == null) return '';
  return agreement(voteType, { bullishCount, bearishCount });
}

interface DayResultsProps {
  cards: readonly DailyCard[];
  label?: string;
  className?: string;
}

export function DayResults({ cards, label = 'What others think', className }: DayResultsProps) {
  const voted = cards.filter(({ vote, name }) => vote !== null && name !== null);
  if (voted.length === 0) return null;
  return (
    <section aria-label={label} className={className}>
      <h3 className="font-semibold">How others voted on today's cards</h3>
      <ul>
        {voted.map((card) => (
          <li key={card.projectId}>
            <Link
              href={paths.project({ id: card.projectId })}
              className="-mx-2 grid min-h-11 content-center rounded-md px-2 py-1 leading-snug transition-colors hover:bg-raised"
            >
              <span dir="auto" className="truncate font-semibold">
                {card.name}
              </span>
              <span className="text-muted">{resultText(card)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
