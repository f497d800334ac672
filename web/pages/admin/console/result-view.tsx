import { CheckCheck, CircleAlert, FlaskConical, Undo2 } from 'lucide-react';
import { SQL_MAX_ROWS } from '#shared/constants.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { placeOf } from './position.ts';
import type { Console, Shown } from './use-console.ts';

function Failure({ shown: { sqlQuery, result } }: { shown: Shown }) {
  const place = result.position === null ? null : placeOf(sqlQuery, result.position);
  return (
    <div role="alert" className="grid grid-cols-1 gap-2 rounded-lg bg-raised p-4">
      <p className="flex items-center gap-2 font-semibold text-text">
        <CircleAlert aria-hidden size={20} className="shrink-0" />
        SQL Error
      </p>
      <p className="font-mono text-sm wrap-anywhere">{result.error}</p>
      {place ? (
        <pre className="overflow-x-auto font-mono text-sm">
          {`Line ${place.line}, column ${place.column}\n${place.text.slice(0, 300)}\n${' '.repeat(Math.min(place.column - 1, 300))}^`}
        </pre>
      ) : null}
      {result.hint ? <p className="text-sm text-muted">Hint: {result.hint}</p> : null}
    </div>
  );
}

function PendingWrite({ shown: { result }, sqlConsole }: { shown: Shown; sqlConsole: Console }) {
  const rowCount = result.rowCount ?? result.data.length;
  const rows = rowCount === 1 ? 'row' : 'rows';
  return (
    <section aria-label="Dry run" className="grid grid-cols-1 gap-4 rounded-lg bg-raised p-4">
      <div className="grid gap-1">
        <p className="flex items-center gap-2 font-semibold text-text">
          <FlaskConical aria-hidden size={20} className="shrink-0" />
          Dry run: nothing is changed yet
        </p>
        <p>
          {/* A SELECT over writes counts what it returns, not what they change. */}
          {result.command === 'SELECT' ? 'The statement changes data and returns ' : `${result.command}: `}
          <strong>{rowCount.toLocaleString()}</strong> {result.command === 'SELECT' ? `${rows}.` : `${rows} affected.`}
          {result.data.length > 0 ? ' The rows below show the result.' : ''}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          onClick={() => void sqlConsole.commit()}
          busy={sqlConsole.running === 'commit' ? 'Committing...' : false}
        >
          <CheckCheck aria-hidden size={18} />
          Commit
        </Button>
        <Button variant="secondary" onClick={sqlConsole.discard} disabled={sqlConsole.running !== null}>
          <Undo2 aria-hidden size={18} />
          Discard
        </Button>
      </div>
    </section>
  );
}

export function ResultView({ sqlConsole }: { sqlConsole: Console }) {
  const { shown } = sqlConsole;
  if (!shown) return null;
  const { result } = shown;
  if (!result.success) return <Failure shown={shown} />;
  const waits = result.dryRun && result.wrote;
  return (
    <section aria-label="Result" className="grid grid-cols-1 gap-4">
      {waits ? <PendingWrite shown={shown} sqlConsole={sqlConsole} /> : null}
      <p className="flex flex-wrap items-center gap-2">
        {waits ? null : <Badge tone="accent">{result.wrote ? 'Committed' : 'Read'}</Badge>}
        <span className="font-semibold">{result.message}</span>
        <span className="text-sm text-faint">{result.durationMs.toLocaleString()} ms</span>
        {result.truncated ? (
          <span className="text-sm text-muted">
            At most {SQL_MAX_ROWS.toLocaleString()} rows and 10,000 characters a cell are shown.
          </span>
        ) : null}
      </p>
      {result.columns.length > 0 && result.data.length > 0 ? (
        <DataTable name="Result" columns={result.columns} rows={result.data} />
      ) : null}
    </section>
  );
}
