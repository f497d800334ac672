import { useRef, useState } from 'react';
import type { SqlResult } from '#shared/contract/admin.ts';
import { errorText } from '../../../lib/api-error.ts';
import { api } from '../../../lib/api.ts';
import { announce } from '../../../lib/announce.ts';
import { toast } from '../../../lib/toast.ts';
import { adminToken, adminRequest } from '../admin-session.ts';
import { addToHistory } from './history.ts';

export interface Shown {
  sqlQuery: string;
  result: SqlResult;
}

export interface Console {
  running: 'dry-run' | 'commit' | null;
  shown: Shown | null;
  run: (sqlQuery: string) => Promise<void>;
  commit: () => Promise<void>;
  discard: () => void;
  cancel: () => void;
}

const isCancelled = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** The SQL console: everything is rolled back first, and only what was shown is committed (R32, S5.7). */
export function useConsole(): Console {
  const [running, setRunning] = useState<Console['running']>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const abort = useRef<AbortController | null>(null);

  async function send(sqlQuery: string, dryRun: boolean): Promise<void> {
    if (abort.current) return;
    abort.current = new AbortController();
    const { signal } = abort.current;
    setRunning(dryRun ? 'dry-run' : 'commit');
    try {
      const result = await adminRequest((headers) => api.executeSql({ body: { sqlQuery, dryRun }, headers, signal }));
      setShown({ sqlQuery, result });
      showResult(result);
    } catch (error) {
      const description = isCancelled(error) ? 'The statement was cancelled' : errorText(error, 'Query failed');
      toast({ title: 'SQL Error', description, variant: 'destructive' });
    } finally {
      abort.current = null;
      setRunning(null);
    }
  }

  return {
    running,
    shown,
    run: async (sqlQuery) => {
      if (sqlQuery.trim() === '')
        return void toast({ title: 'No Query', description: 'Please enter a query', variant: 'destructive' });
      if (adminToken.get() === null)
        return void toast({ title: 'Not Authenticated', description: 'Please log in first', variant: 'destructive' });
      addToHistory(sqlQuery);
      await send(sqlQuery, true);
    },
    commit: () => (shown ? send(shown.sqlQuery, false) : Promise.resolve()),
    discard: () => setShown(null),
    cancel: () => abort.current?.abort(),
  };
}

function showResult(result: SqlResult): void {
  if (!result.success)
    return void toast({ title: 'SQL Error', description: result.error ?? 'Query failed', variant: 'destructive' });
  if (result.dryRun && result.wrote) return announce(`Dry run: ${result.message}. Nothing is changed yet.`);
  toast({ title: 'Query Executed', description: result.message, variant: 'success' });
}
