import pg from 'pg';
import { SQL_MAX_CHARS, SQL_MAX_ROWS, SQL_TIMEOUT_MS } from '#shared/constants.ts';
import type { SqlResult } from '#shared/contract/admin.ts';
import { plural } from '#shared/numbers/plural.ts';
import { busy } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { CONSOLE_CUT_OFF_MS, type ConsoleConnection, endFromOutside, openConsole } from './connection.ts';
import { mayWrite, rejection } from './rejections.ts';
import { Statement, TooLargeError, type StatementResult } from './statement.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_CELL_CHARS = 10_000;
const MAX_RUNNING = 4;
let running = 0;

interface Run {
  sqlQuery: string;
  dryRun: boolean;
  /** Aborted when the browser gave up: the statement is stopped and rolled back. */
  signal: AbortSignal;
}

type Outcome = Omit<SqlResult, 'durationMs'>;
const EMPTY = { data: [], columns: [], command: null, rowCount: null, truncated: false, wrote: false, hint: null };

function failure(error: string, dryRun: boolean, more: { position?: number; hint?: string | null } = {}): Outcome {
  return {
    ...EMPTY,
    success: false,
    message: 'SQL Error',
    error,
    dryRun,
    position: more.position ?? null,
    hint: more.hint ?? null,
  };
}

/** @param isOverdue - we ended the connection ourselves: its error only reports the end, not the reason */
function describeError(error: unknown, dryRun: boolean, isOverdue: boolean): Outcome {
  if (error instanceof TooLargeError)
    return failure(`The result has more than ${MAX_BYTES / 1024 / 1024} MB; ask for fewer rows or columns`, dryRun);
  if (!(error instanceof pg.DatabaseError)) {
    const reason = isOverdue
      ? `The statement was cut off: it may take ${SQL_TIMEOUT_MS / 1000} s at most`
      : 'The connection to the database broke off. Look at what has changed before you try again';
    return failure(reason, dryRun);
  }
  if (error.code === '57014')
    return failure(`The statement took longer than ${SQL_TIMEOUT_MS / 1000} s and was stopped`, dryRun);
  const detail = error.detail ? ` (${error.detail})` : '';
  const position = Number.parseInt(error.position ?? '', 10);
  return failure(`${error.message}${detail}`, dryRun, {
    ...(Number.isFinite(position) ? { position } : {}),
    hint: error.hint ?? null,
  });
}

function success(result: StatementResult, wrote: boolean, dryRun: boolean): Outcome {
  const { columns, rows, command, rowCount, truncated } = result;
  const data = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
  const count = rowCount ?? rows.length;
  const what = command === null && truncated ? `more than ${rows.length} rows` : plural(count, 'row');
  const end = dryRun && wrote ? ', rolled back' : '';
  return {
    success: true,
    message: `${command ?? 'SELECT'}: ${what}${end}`,
    data,
    error: null,
    columns,
    command: command ?? (truncated ? 'SELECT' : null),
    rowCount,
    truncated,
    dryRun,
    wrote,
    position: null,
    hint: null,
  };
}

async function hasWritten(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ wrote: boolean }>(
    'SELECT pg_catalog.pg_current_xact_id_if_assigned() IS NOT NULL AS wrote',
  );
  return rows[0]?.wrote ?? true;
}

/**
 * When `beforeCommit` throws, nothing is committed. Ends the connection, so that no temporary table, setting, lock or
 * notification outlives the statement.
 */
async function runOn(
  services: Services,
  connection: ConsoleConnection,
  run: Run,
  beforeCommit: (outcome: Outcome) => Promise<void>,
): Promise<Outcome> {
  const { sqlQuery, dryRun, signal } = run;
  const { client } = connection;
  const cut = () => {
    client.connection.stream.destroy();
    endFromOutside(services, connection).catch((error: unknown) =>
      services.log.error({ err: error }, 'a statement of the SQL console could not be ended'),
    );
  };
  let isOverdue = false;
  const watchdog = setTimeout(() => {
    isOverdue = true;
    cut();
  }, CONSOLE_CUT_OFF_MS);
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    const statement = client.query(
      new Statement(sqlQuery, {
        maxRows: SQL_MAX_ROWS,
        countAll: mayWrite(sqlQuery),
        maxBytes: MAX_BYTES,
        maxCellChars: MAX_CELL_CHARS,
      }),
    );
    const result = await statement.result;
    // Deferred checks run now: a dry run reports them too, and no uncommittable statement is audited.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    const outcome = success(result, await hasWritten(client), dryRun);
    if (dryRun) await client.query('ROLLBACK');
    else {
      await beforeCommit(outcome);
      await client.query('COMMIT');
    }
    return outcome;
  } catch (error) {
    if (error instanceof AuditError) throw error.cause;
    return signal.aborted ? failure('The statement was cancelled', dryRun) : describeError(error, dryRun, isOverdue);
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', cut);
    // Not awaited: a connection that was cut has no peer to close with.
    client.end().catch(() => undefined);
  }
}

class AuditError extends Error {}

/**
 * The line in the audit log is written before the commit (R32). A rejection by PostgreSQL is a result.
 * @throws 503 when the console is busy or has no connection.
 */
export async function executeSql(services: Services, who: Actor, run: Run): Promise<SqlResult> {
  const { sqlQuery, dryRun } = run;
  const startedAt = performance.now();
  const action = dryRun ? 'sql.dry-run' : 'sql.run';
  const audit = (outcome: Outcome, words: string) =>
    writeAudit(services.db, who, {
      action,
      detail: sqlQuery,
      outcome: words,
      rowCount: outcome.rowCount ?? (outcome.success ? outcome.data.length : null),
    });
  const response = (outcome: Outcome): SqlResult => ({
    ...outcome,
    durationMs: Math.round(performance.now() - startedAt),
  });

  const refused = staticRejection(sqlQuery);
  if (refused !== null) {
    const outcome = failure(refused, dryRun);
    await audit(outcome, `refused: ${refused}`);
    return response(outcome);
  }
  if (running >= MAX_RUNNING) throw busy('console_busy', 'The SQL console is busy. Try again in a moment.', 2);
  running += 1;
  try {
    const connection = await openConsole(services);
    let committing = false;
    const outcome = await runOn(services, connection, run, async (result) => {
      await audit(result, result.wrote ? 'committed' : 'ok').catch((cause: unknown) => {
        throw new AuditError('no audit line, no commit', { cause });
      });
      committing = true;
    });
    if (!outcome.success) await audit(outcome, `${committing ? 'commit failed' : 'error'}: ${outcome.error}`);
    else if (dryRun) await audit(outcome, outcome.wrote ? 'rolled back' : 'ok');
    return response(outcome);
  } finally {
    running -= 1;
  }
}

function staticRejection(sqlQuery: string): string | null {
  if (sqlQuery.trim() === '') return 'No Query';
  if (sqlQuery.length > SQL_MAX_CHARS)
    return `Statements can be at most ${SQL_MAX_CHARS.toLocaleString('en')} characters long`;
  if (sqlQuery.includes('\u0000')) return 'The statement contains a NUL character';
  return rejection(sqlQuery);
}
