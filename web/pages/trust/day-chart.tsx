import type { Trust } from '#shared/contract/standing.ts';
import { plural } from '#shared/plural.ts';
import { VOTE_KINDS } from './vote-kinds.ts';

type Day = Trust['days'][number];

/** Columns of the days, oldest first; the table below has the numbers. */
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

/** Votes by the day on which they were cast and by what they count for, as columns and as a table. */
export function DayChart({ days }: { days: readonly Day[] }) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return <p className="text-muted">No votes in the last 35 days.</p>;
  return (
    <figure className="grid gap-2">
      <figcaption className="font-semibold">Votes by day, and what they count for</figcaption>
      <Columns days={days} />
      <p aria-hidden className="flex justify-between text-sm text-faint">
        <span>{first.day}</span>
        {days.length > 1 ? <span>{last.day}</span> : null}
      </p>
      <details>
        <summary className="inline-flex min-h-11 items-center text-link underline underline-offset-4">
          Show the {plural(days.length, 'day')} as a table
        </summary>
        <section
          aria-label="Votes by day, as a table"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
          tabIndex={0}
          className="overflow-x-auto"
        >
          <table className="w-full text-right text-sm whitespace-nowrap">
            <thead>
              <tr className="border-b border-line">
                {['Day', 'Votes', ...VOTE_KINDS.map(({ label }) => label)].map((label) => (
                  <th key={label} scope="col" className="px-3 py-2 font-semibold first:pl-0 first:text-left">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {days.toReversed().map((day) => (
                <tr key={day.day}>
                  <th scope="row" className="py-2 pr-3 text-left font-normal">
                    {day.day}
                  </th>
                  {(['votes', ...VOTE_KINDS.map(({ key }) => key)] as const).map((key) => (
                    <td key={key} className="px-3 py-2">
                      {day[key].toLocaleString()}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
