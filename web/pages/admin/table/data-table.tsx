import { ArrowDown, ArrowUp, ArrowUpDown, Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { toCsv } from '#shared/text/csv.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { download } from './csv.ts';
import { nextSorting, sortRows, type Sorting } from './sorting.ts';

type Row = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export interface Looks {
  format?: (value: unknown) => string;
  className?: string;
}

function Cell({ value, looks }: { value: unknown; looks: Looks | undefined }) {
  const isNumber = typeof value === 'number';
  return (
    <td className={cn('max-w-96 px-3 py-2 align-top', isNumber ? 'text-end' : 'min-w-28', looks?.className)}>
      {value === null || value === undefined ? (
        <span className="text-faint italic">NULL</span>
      ) : (
        <span className="line-clamp-4 whitespace-pre-wrap wrap-anywhere" title={isNumber ? undefined : textOf(value)}>
          {looks?.format?.(value) ?? textOf(value)}
        </span>
      )}
    </td>
  );
}

function Head({ column, sorting, onSort }: { column: string; sorting: Sorting | null; onSort: () => void }) {
  const isSorted = sorting?.column === column;
  const Icon = isSorted ? (sorting.descending ? ArrowDown : ArrowUp) : ArrowUpDown;
  const order = sorting?.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? order : undefined} className="p-0 text-start">
      <button
        type="button"
        onClick={onSort}
        className="flex min-h-11 w-full items-center gap-1.5 px-3 font-semibold whitespace-nowrap text-muted transition-colors hover:text-text focus-visible:-outline-offset-3"
      >
        {column}
        <Icon aria-hidden size={14} className={isSorted ? 'text-link' : 'text-faint'} />
      </button>
    </th>
  );
}

interface DataTableProps {
  name: string;
  columns: readonly string[];
  rows: readonly Row[];
  looks?: Readonly<Record<string, Looks>>;
  children?: ReactNode;
}

/** A table of rows, sorted by a click on a head; its CSV has formulas neutralized (R33). */
export function DataTable({ name, columns, rows, looks, children }: DataTableProps) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sorted = sortRows(rows, sorting);
  return (
    <div className="grid grid-cols-1 gap-3">
      <section
        aria-label={`${name} table`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        className="max-h-[32rem] overflow-auto rounded-lg border border-line"
      >
        <table className="w-full border-collapse text-sm">
          <thead className="sticky top-0 bg-raised">
            <tr>
              {columns.map((column) => (
                <Head
                  key={column}
                  column={column}
                  sorting={sorting}
                  onSort={() => setSorting((present) => nextSorting(present, column))}
                />
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line font-mono">
            {sorted.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a query have no name of their own
              <tr key={at}>
                {columns.map((column) => (
                  <Cell key={column} value={row[column]} looks={looks?.[column]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {children ?? (
        <Button
          variant="secondary"
          className="justify-self-start"
          onClick={() => download(`snapswipe-${name.toLowerCase().replace(/\W+/g, '-')}`, [toCsv(columns, sorted)])}
        >
          <Download aria-hidden size={18} />
          Download CSV ({plural(sorted.length, 'row')})
        </Button>
      )}
    </div>
  );
}
