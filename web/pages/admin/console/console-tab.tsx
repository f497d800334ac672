import { Copy, History, Play, Square, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { QUICK_QUERIES } from '#shared/site/quick-queries.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { useStore } from '../../../lib/external-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { clearHistory, sqlHistory } from './history.ts';
import { ResultView } from './result-view.tsx';
import { useConsole } from './use-console.ts';

function HistoryList({ onPick }: { onPick: (sqlQuery: string) => void }) {
  const items = useStore(sqlHistory);
  if (items.length === 0) return null;
  return (
    <details className="rounded-lg border border-line">
      <summary className="flex min-h-11 items-center gap-2 px-4 font-semibold">
        <History aria-hidden size={18} className="text-link" />
        History ({items.length})
      </summary>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto border-t border-line">
        {items.map((item) => (
          <li key={item}>
            <button
              type="button"
              onClick={() => onPick(item)}
              className="min-h-11 w-full px-4 py-2 text-start font-mono text-sm hover:bg-raised focus-visible:-outline-offset-3"
            >
              <span title={item} className="line-clamp-2 wrap-anywhere">
                {item}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button variant="ghost" className="m-2" onClick={clearHistory}>
        <Trash2 aria-hidden size={18} />
        Clear history
      </Button>
    </details>
  );
}

export function ConsoleTab() {
  const [sqlQuery, setSqlQuery] = useState('');
  const editor = useRef<HTMLTextAreaElement>(null);
  const sqlConsole = useConsole();
  const pick = (text: string) => {
    setSqlQuery(text);
    editor.current?.focus();
  };
  return (
    <Card className="grid grid-cols-1 gap-5" aria-labelledby="sql-console">
      <CardTitle id="sql-console">SQL Console</CardTitle>
      <div className="grid gap-2">
        <h3 id="quick-queries" className="font-sans font-semibold text-muted">
          Quick queries
        </h3>
        <ul aria-labelledby="quick-queries" className="flex flex-wrap gap-2">
          {QUICK_QUERIES.map((query) => (
            <li key={query.label}>
              <Button
                variant="secondary"
                disabled={sqlConsole.running !== null}
                onClick={() => {
                  pick(query.sql);
                  void sqlConsole.run(query.sql);
                }}
              >
                {query.label}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void sqlConsole.run(sqlQuery);
        }}
      >
        <Field
          label="SQL query"
          hint="One statement, 5 seconds, 1,000 rows at most. It runs as a dry run first; Ctrl + Enter runs it."
        >
          {(control) => (
            <Textarea
              {...control}
              ref={editor}
              rows={8}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              className="font-mono text-sm"
              value={sqlQuery}
              onChange={(event) => setSqlQuery(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
                event.preventDefault();
                void sqlConsole.run(sqlQuery);
              }}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={sqlConsole.running ? 'Running...' : false}>
            <Play aria-hidden size={18} />
            Run Query
          </Button>
          {sqlConsole.running ? (
            <Button variant="secondary" onClick={sqlConsole.cancel}>
              <Square aria-hidden size={18} />
              Cancel
            </Button>
          ) : null}
          <Button variant="ghost" disabled={sqlQuery === ''} onClick={() => void copyText(sqlQuery)}>
            <Copy aria-hidden size={18} />
            Copy
          </Button>
        </div>
      </form>
      <ResultView sqlConsole={sqlConsole} />
      <HistoryList onPick={pick} />
    </Card>
  );
}
