import { BadgeCheck, CircleSlash } from 'lucide-react';
import type { Trust } from '#shared/contract/standing.ts';
import { dayText } from '#shared/text/day-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Fold } from '../../ui/fold.tsx';

type Reading = Trust['readings'][number];
const SHOWN = 7;

function ReadingLine({ reading }: { reading: Reading }) {
  const { day, skipped, wallets, standing, unread } = reading;
  const Icon = skipped === null ? BadgeCheck : CircleSlash;
  return (
    <li className="flex items-start gap-3 py-2.5">
      <Icon aria-hidden size={20} className="shrink-0" />
      <span className="w-28 shrink-0 font-semibold">{dayText(day)}</span>
      <span className="min-w-0 text-muted">
        {skipped === null
          ? `${standing.toLocaleString()} of ${plural(wallets, 'wallet')} held enough SUI${unread > 0 ? `, ${unread.toLocaleString()} could not be checked` : ''}`
          : `Skipped: ${skipped}`}
      </span>
    </li>
  );
}

export function Readings({ trust }: { trust: Trust }) {
  const { readings, readingsDone, readingsSkipped } = trust;
  return (
    <Fold id="readings" title="Balance checks">
      {readings.length === 0 ? (
        <p className="text-muted">No day has been checked yet. The first result appears here when its day is over.</p>
      ) : (
        <>
          <p className="text-muted">
            {plural(readingsDone, 'day')} checked, {plural(readingsSkipped, 'day')} skipped. A day is skipped when a
            check could not be finished; it counts neither for nor against any wallet.
          </p>
          <ul className="mt-3 divide-y divide-line">
            {readings.slice(0, SHOWN).map((reading) => (
              <ReadingLine key={reading.day} reading={reading} />
            ))}
          </ul>
        </>
      )}
    </Fold>
  );
}
