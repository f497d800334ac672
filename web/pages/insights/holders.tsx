import { Coins } from 'lucide-react';
import type { HolderFigures } from '#shared/contract/types.ts';
import { dayText } from '#shared/day-text.ts';
import { holdersIntervalText, holdersText } from '#shared/holders.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

export function Holders({ weeks }: { weeks: readonly HolderFigures[] }) {
  if (weeks.length === 0) return null;
  return (
    <Card aria-labelledby="holders" className="grid content-start gap-3">
      <CardTitle id="holders" icon={<Coins aria-hidden size={20} className="text-link" />}>
        Holders and others
      </CardTitle>
      <ul className="grid gap-3">
        {weeks.toReversed().map((week) => (
          <li key={week.day} className="grid">
            <span className="text-sm text-muted">{dayText(week.day)}</span>
            <span className="font-semibold">{holdersText(week)}</span>
            <span className="text-sm text-muted">{holdersIntervalText(week)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
