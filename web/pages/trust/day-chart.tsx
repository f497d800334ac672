import type { Trust } from '#shared/contract/standing.ts';
import { dayText } from '#shared/text/day-text.ts';
import { DayTable } from '../../components/charts/day-table.tsx';
import { VOTE_KINDS } from './vote-kinds.ts';

type Day = Trust['days'][number];

/** Columns of the days, oldest first, drawn by the server. Each kind has a texture beside its color; the table below has the numbers. */
function Columns({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ votes }) => votes));
  return (
    <div aria-hidden className="flex h-40 items-end gap-px sm:gap-1">
      {days.map((day) => (
        <span
          key={day.day}
          className="flex min-w-0 flex-1 flex-col-reverse overflow-hidden rounded-t-sm bg-raised"
          style={{ height: `${(day.votes * 100) / most}%` }}
        >
          {VOTE_KINDS.filter(({ key }) => day[key] > 0).map(({ key, fill }) => (
            <span key={key} className={fill} style={{ flexGrow: day[key], flexBasis: 1 }} />
          ))}
        </span>
      ))}
    </div>
  );
}

export function DayChart({ days }: { days: readonly Day[] }) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return <p className="text-muted">No votes in the last 35 days.</p>;
  const rows = days.map((day) => ({
    day: day.day,
    cells: [day.votes, ...VOTE_KINDS.map(({ key }) => day[key])].map((count) => count.toLocaleString()),
  }));
  return (
    <figure className="grid gap-2">
      <figcaption className="font-semibold">Votes by day, and what they count for</figcaption>
      <Columns days={days} />
      <p aria-hidden className="flex justify-between text-sm text-faint">
        <span>{dayText(first.day)}</span>
        {days.length > 1 ? <span>{dayText(last.day)}</span> : null}
      </p>
      <DayTable label="Votes by day" columns={['Votes', ...VOTE_KINDS.map(({ label }) => label)]} rows={rows} />
    </figure>
  );
}
