import { dayText } from '#shared/text/day-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { LateFold } from '../../ui/late-fold.tsx';

const MAX_ROWS = 400;

export interface DayTableProps {
  label: string;
  columns: readonly string[];
  rows: readonly { day: string; cells: readonly string[] }[];
}

function Rows({ label, columns, rows }: DayTableProps) {
  return (
    <section
      aria-label={`${label}, as a table`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto"
    >
      <table className="w-full text-end text-sm whitespace-nowrap">
        <thead>
          <tr className="border-b border-line">
            {['Day', ...columns].map((column) => (
              <th key={column} scope="col" className="px-3 py-2 font-semibold first:ps-0 first:text-start">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ day, cells }) => (
            <tr key={day}>
              <th scope="row" className="py-2 pe-3 text-start font-normal">
                {dayText(day)}
              </th>
              {cells.map((cell, i) => (
                <td key={columns[i]} className="px-3 py-2">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function DayTable({ label, columns, rows }: DayTableProps) {
  const shown = rows.slice(-MAX_ROWS);
  return (
    <LateFold
      summary={`Show the ${shown.length < rows.length ? 'last ' : ''}${plural(shown.length, 'day')} as a table`}
    >
      <Rows label={label} columns={columns} rows={shown.toReversed()} />
    </LateFold>
  );
}
